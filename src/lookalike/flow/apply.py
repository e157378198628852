"""Apply: give the rows of a new table the levels of a published release.

The result is a recode, not a release: it has no certificate, and nothing was checked that a release
is checked for before it is published. By default it is refused unless it keeps the promises of the
release by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from lookalike.errors import AlreadyExists, InvalidInput, RequirementNotMet, UnknownValue
from lookalike.examine.holder_inputs import load_holder_specification
from lookalike.examine.promises import make_truth_claim
from lookalike.examine.specification import check_against_specification
from lookalike.flow.claims import Claims
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.result import Release
from lookalike.flow.source import list_labels, open_table, read_and_count
from lookalike.hierarchy.mask import Mask
from lookalike.json_result import JsonResult
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Vector
from lookalike.model.measures import measure
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.recoding import Recoding, suppress_at
from lookalike.publish.certificate import Certificate
from lookalike.publish.open_published import reading_folder
from lookalike.publish.place import refuse_inside_release
from lookalike.publish.publish import recount_staged, write_staged
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.files.file_format import RELEASED_SUFFIXES, released_format_of
from lookalike.tables.plan import Plan
from lookalike.tables.private_folders import PrivateFolder, locked, scratch_folder, write_errors
from lookalike.tables.recode import recode_with_trail
from lookalike.tables.table import Frame
from lookalike.verify.recount import Promise, open_release, recount
from lookalike.verify.truth import require_truth

NOT_A_RELEASE = (
    "This is a recode and not a release: it has no certificate, the checks before publishing were "
    "not made, and what its rows show together with other releases is not known. To publish the "
    "table, make a release of it."
)


@dataclass(frozen=True)
class Applied(JsonResult):
    """What became of a new table.

    ``k``: the k of the release; the greatest, if it has several.
    ``k_reached``: the number of rows of the smallest class in the written file.
    ``rows_below_k``: the number of rows in classes that are smaller than the release promises.
    """

    statement: str
    file: Path
    rows: int
    levels: Mapping[str, int]
    k: int
    k_reached: int
    rows_below_k: int


def apply_levels(
    folder: str | PathLike[str],
    table: Any,
    spec: Specification | str | PathLike[str],
    out: Path,
    *,
    recode_only: bool = False,
    announce: Announce = lambda _: None,
) -> Applied:
    """Write a new table with the levels of a published release.

    ``spec``: the holder's specification of the release, which has its hierarchies; the folder has
    their names and levels only.
    ``recode_only``: whether to write it although it may not keep the promises of the release, for a
    table that stays private.
    """
    with reading_folder(folder) as place:
        certificate = Certificate.read(place)
    _check_request(certificate, out)
    specification, frame = load_holder_specification(spec, certificate, table)
    _check_specification(specification, certificate)
    try:
        read = _list_rows if recode_only else read_and_count
        counted = read(specification, Stopwatch(announce), frame)
    except UnknownValue as problem:
        raise InvalidInput(problem.discreet) from None
    plan = _plan_levels(specification, counted, certificate)
    if not recode_only:
        _refuse_small_classes(plan)
    announce("recode")
    with write_errors(out):
        folder_beside = scratch_folder(out.parent)
        try:
            return _write_verified(
                specification, certificate, plan, folder_beside, out, recode_only=recode_only
            )
        finally:
            folder_beside.remove()


def _check_request(certificate: Certificate, out: Path) -> None:
    """Refuse a release that has no levels to apply, and a file that cannot be written."""
    if any(one.level is None for one in certificate.generalized.values()):
        raise InvalidInput(
            "the release is one at the cell level: its levels differ from row to row, so there is "
            "none to give to new rows; apply needs a release by a method at the attribute level, "
            'such as method = "mingen"'
        )
    if certificate.answers is not None:
        raise InvalidInput(
            "the release leaves out answers that few rows of a class share (knows_answers), which "
            "depends on its rows; apply needs a release without knows_answers"
        )
    if certificate.pseudonyms:
        raise InvalidInput(
            f"the release has pseudonyms ({', '.join(certificate.pseudonyms)}), which would link "
            "new rows with it; apply needs a release without them"
        )
    if released_format_of(out) is None:
        raise InvalidInput(
            f"{out}: the suffix chooses the format and must be one of {RELEASED_SUFFIXES}"
        )
    refuse_inside_release("out", out)
    _refuse_existing(out)


def _refuse_existing(out: Path) -> None:
    """Refuse to overwrite a file."""
    if out.exists():
        raise AlreadyExists(f"{out} exists already; choose another file")


def _check_specification(specification: Specification, certificate: Certificate) -> None:
    """Refuse other promises than certified, and labels that depend on the table's other values."""
    promised, _ = check_against_specification(specification, certificate, certificate.rows_in)
    if not promised.holds:
        raise InvalidInput(
            f"the specification is not that of the release: {promised.found}; use the one that the "
            "release was made with"
        )
    for name, rule in specification.hierarchies().items():
        if isinstance(rule, Mask) and rule.length is None and not rule.hides_one_by_one:
            raise InvalidInput(
                f"column {name!r}: its mask takes its length from the longest value of the table, "
                "so the same value could have another label here; set length in its hierarchy to "
                "that of the release"
            )


def _list_rows(
    specification: Specification, stopwatch: Stopwatch, frame: Frame | None
) -> CountedTable:
    """Read and count a table, whatever the release would ask of it."""
    table = open_table(specification, stopwatch, frame, None)
    counted = count(table.frame, table.quasi_identifier)
    hidden = specification.release.suppressed_label
    rules = specification.hierarchies().items()
    bound = [
        rule.bind(name, values, hidden)
        for (name, rule), values in zip(rules, counted.values, strict=True)
    ]
    sequence_of, frequency = list_frequencies(bound, counted.positions, counted.counts)
    return CountedTable(table, counted, sequence_of, frequency)


def _plan_levels(
    specification: Specification, counted: CountedTable, certificate: Certificate
) -> Plan:
    """Plan to give all rows the levels of a release."""
    frequency = counted.frequency
    return Plan(
        table=counted.table,
        counted=counted.counted,
        sequence_of=counted.sequence_of,
        frequency=frequency,
        recoding=Recoding(
            vector=_match_levels(specification, frequency, certificate),
            suppressed=np.zeros(len(frequency), np.int64),
            rows_suppressed=0,
        ),
        requirement=specification.requirement(frequency.rows),
        keep_order=specification.release.keep_order,
    )


def _match_levels(
    specification: Specification, frequency: FrequencyList, certificate: Certificate
) -> Vector:
    """Return the certified level of each attribute; refuse hierarchies other than certified."""
    rules, levels = specification.hierarchies(), []
    for name, height in zip(frequency.attributes, frequency.heights, strict=True):
        done = certificate.generalized[name]
        if (rules[name].name, height) != (done.hierarchy, done.height) or done.level is None:
            raise InvalidInput(
                f"column {name!r}: the hierarchy is {rules[name].name} of height {height} here, "
                f"and {done.hierarchy} of height {done.height} in the release, so labels would "
                "differ; use the specification of the release, and a table with values of the "
                "same length"
            )
        levels.append(done.level)
    return tuple(levels)


def _refuse_small_classes(plan: Plan) -> None:
    """Refuse rows in classes that do not keep the promises of the specification."""
    vector = plan.recoding.vector or ()
    failing, _ = suppress_at(plan.frequency.classify(vector)[1], plan.requirement)
    if failing:
        raise _not_kept(failing, plan.frequency.rows)


def _not_kept(failing: int, rows: int) -> RequirementNotMet:
    """Make the error about rows that would not have the lookalikes of the release."""
    return RequirementNotMet(
        f"at the levels of the release, {failing:,} of {rows:,} rows are in classes that do not "
        "keep what the release promises, so nothing is written; make a release of the table, or "
        "only recode it (--recode-only) if it stays private"
    )


def _write_verified(
    specification: Specification,
    certificate: Certificate,
    plan: Plan,
    folder: PrivateFolder,
    out: Path,
    *,
    recode_only: bool,
) -> Applied:
    """Write the recoded rows, count them again from the file, prove them true, and move them."""
    frame, trail = recode_with_trail(plan)
    connection = Connection(specification.resources, out.parent)
    staged = write_staged(frame, folder, out, connection, list_labels(specification, plan, out))
    rows = open_release(staged.file, connection)
    if recode_only:
        source = plan.table.frame if plan.table.again is None else plan.table.again
        claim = make_truth_claim(specification, certificate)
        require_truth(source, rows, claim, connection, plan.frequency.rows, plan.compared)
    else:
        weights = specification.options().weights
        measures = measure(plan.frequency, plan.recoding, plan.requirement, weights)
        claims = Claims(Release(specification, plan, measures))
        claims.examine_written(recount_staged(staged, claims.declared, connection), trail)
    promised = [Promise(one.attributes, one.k) for one in certificate.quasi_identifiers]
    verdicts = [recount(rows, promise) for promise in promised]
    below = max(verdict.rows_below_k for verdict in verdicts)
    if below and not recode_only:
        raise _not_kept(below, plan.frequency.rows)
    staged.file.chmod(0o600)
    with locked(out.parent):
        _refuse_existing(out)
        staged.file.rename(out)
    return Applied(
        statement=NOT_A_RELEASE,
        file=out,
        rows=verdicts[0].rows,
        levels=dict(zip(plan.frequency.attributes, plan.recoding.vector or (), strict=True)),
        k=max(promise.k for promise in promised),
        k_reached=min(verdict.k for verdict in verdicts),
        rows_below_k=below,
    )
