"""Read a given release back as levels, after a proof that it is true and k-anonymous.

The release is a published folder or a frame of released rows. What it must satisfy, its
hierarchies and its private table come from the holder's specification.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.followup.widen import widen
from lookalike.flow.minimality.existing_release import ExistingRelease
from lookalike.flow.source import CountedTable, read_and_count
from lookalike.flow.stopwatch import Stopwatch
from lookalike.flow.verify.folder import verify
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.progress import Announce
from lookalike.model.requirement import Requirement
from lookalike.publish.certificate import Certificate
from lookalike.spec.policies import ALL_RELEASED
from lookalike.spec.specification import Specification
from lookalike.tables.count import count, settle_mixed
from lookalike.tables.read import Engine, Source, read_frame
from lookalike.tables.table import Frame, check_columns, column_names
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.cells import NOWHERE, read_attribute
from lookalike.verify.recount import Promise, as_relation, open_release, recount
from lookalike.verify.truth import count_untruthful
from lookalike.verify.values import column_types, recognize

LEVELS = ("attribute", "cell")
_DATAFLY = "datafly"
"""The method that may suppress k rows if MaxSup is not given; others may suppress none."""


def read_existing_release(
    release: Any,
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> ExistingRelease:
    """Read a release and prove that it is a k-anonymous generalization of its private table.

    Parameters
    ----------
    release
        A published folder, or a frame of released rows.
    specification
        The holder's specification: a file, its content, or a value.
    table
        The private table, a path or a frame; without it, the source of the specification.
    level
        ``"attribute"`` or ``"cell"``; without it, what the certificate says, or the attribute
        level if the rows of a frame are at one level throughout.
    announce
        Told the name of each step as it begins.

    Raises
    ------
    RequirementNotMet
        If the release is not what its certificate says, is not k-anonymous, or has a row that
        generalizes no private row of its own.
    """
    if level is not None and level not in LEVELS:
        raise InvalidInput(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    certificate = _read_certificate(release)
    holder, private = _with_table(_load(specification, certificate), table)
    taken = read_and_count(holder, Stopwatch(announce), private)
    announce("verify")
    engine = Engine()
    if certificate is None:
        rows = as_relation(settle_mixed(read_frame(release)), engine)
    else:
        _check_folder(Path(release), holder, table)
        rows = open_release(Path(release) / next(iter(certificate.files)), engine)
    requirement = holder.requirement(taken.frequency.rows)
    _check_k(rows, requirement, taken.frequency)
    vector = _find_vector(certificate, level, rows, taken, holder, engine)
    if vector is None and certificate is None:
        _check_cells(rows, taken, holder, engine)
    method = holder.release.method if certificate is None else certificate.method
    default = requirement.k if method == _DATAFLY else 0
    allowance = requirement.allowance(taken.frequency.rows, default)
    return _as_levels(rows, taken, holder, requirement, allowance, vector)


def _read_certificate(release: Any) -> Certificate | None:
    """Read the certificate of a folder; a frame has none."""
    return Certificate.read(Path(release)) if isinstance(release, str | PathLike) else None


def _load(
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    certificate: Certificate | None,
) -> Specification:
    """Read the holder's specification, for the recipient of the release."""
    if isinstance(specification, Mapping):
        specification = Specification.build(specification)
    elif not isinstance(specification, Specification):
        recipient = None if certificate is None else certificate.recipient
        specification = Specification.load(Path(specification), {"recipient": recipient})
    told = "not checked" if certificate is None else certificate.earlier_releases
    if certificate is None or isinstance(told, str) or told.policy != ALL_RELEASED:
        return specification
    known = specification.hierarchies()
    return widen(specification, [name for name in certificate.generalized if name not in known])


def _with_table(holder: Specification, table: Any) -> tuple[Specification, Frame | None]:
    """Put another private table, a path or a frame, in the place of the specification's source."""
    if table is None:
        return holder, None
    if not isinstance(table, str | PathLike):
        return holder, settle_mixed(read_frame(table))
    source = replace(holder.source or Source(path=""), path=str(table), query=None, tables={})
    return holder.model_copy(update={"source": source}), None


def _check_folder(folder: Path, holder: Specification, table: Any) -> None:
    """Refuse a folder that is not what its certificate says, or not true."""
    for finding in verify(folder, specification=holder, table=table).findings:
        if not finding.holds:
            raise RequirementNotMet(
                f"{folder} cannot be judged: it does not hold that {finding.claim} "
                f"({finding.found}); see lookalike verify"
            )


def _check_k(rows: DuckDBPyRelation, requirement: Requirement, frequency: FrequencyList) -> None:
    """Refuse a release that is not k-anonymous, over each quasi-identifier."""
    for one in requirement.protected(frequency.attributes):
        verdict = recount(rows, Promise(one.attributes, one.k))
        if verdict.k < one.k:
            raise RequirementNotMet(
                f"the release is not {one.k}-anonymous over {', '.join(one.attributes)}: "
                f"{verdict.rows_below_k:,} of {verdict.rows:,} rows are in smaller classes, so it "
                "is no k-minimal generalization"
            )


def _find_vector(
    certificate: Certificate | None,
    level: str | None,
    rows: DuckDBPyRelation,
    taken: CountedTable,
    holder: Specification,
    engine: Engine,
) -> Vector | None:
    """Return the vector of a release at the attribute level; nothing at the cell level."""
    if level == "cell":
        return None
    if certificate is not None:
        done = certificate.generalized
        levels = [done[name].level for name in taken.frequency.attributes]
        known = [one for one in levels if one is not None]
        if certificate.recoding == "attribute level" and len(known) == len(levels):
            return tuple(known)
    else:
        for vector in _possible_vectors(rows, taken, holder):
            if not _count_untrue(rows, taken, holder, engine, vector):
                return vector
    if level == "attribute":
        raise RequirementNotMet(
            "the release is not a generalization of the private table at the attribute level: its "
            "rows are not true, or an attribute has several levels; ask at the cell level"
        )
    return None


def _possible_vectors(
    rows: DuckDBPyRelation, taken: CountedTable, holder: Specification
) -> Iterator[Vector]:
    """Go through the vectors at which every released value occurs, lowest first."""
    counted = count(nw.from_native(rows), taken.frequency.attributes)
    blank = _mark_blank(counted.values, counted.positions, holder)
    blank &= not blank.all()
    engine = Engine()
    kinds = column_types(as_relation(taken.table.frame, engine))
    possible = []
    for attribute, hierarchy in enumerate(taken.frequency.hierarchies):
        used = np.unique(counted.positions[attribute][~blank])
        shown = [counted.values[attribute][place] for place in used.tolist()]
        every = range(hierarchy.height + 1)
        kind = kinds[hierarchy.column]
        texts = set(recognize(shown, _paths(hierarchy), every, kind, engine))
        labels = enumerate(hierarchy.labels)
        possible.append([level for level, known in labels if texts <= set(known)])
    yield from sorted(itertools.product(*possible), key=lambda vector: (sum(vector), vector))


def _mark_blank(
    values: Sequence[Sequence[str | None]],
    codes: Codes,
    holder: Specification,
) -> Flags:
    """Mark the tuples of blank rows: every value is suppressed, and suppressed rows are kept."""
    asked = holder.release
    marks = np.full(codes.shape[1], asked.suppressed_rows == "blank", dtype=np.bool_)
    for texts, line in zip(values, codes, strict=True):
        hidden = np.array([text == asked.suppressed_label for text in texts], dtype=np.bool_)
        marks &= hidden[line] if len(texts) else False
    return marks


def _count_untrue(
    rows: DuckDBPyRelation,
    taken: CountedTable,
    holder: Specification,
    engine: Engine,
    vector: Vector | None,
) -> int:
    """Count the released rows that generalize no private row of their own."""
    names = taken.frequency.attributes
    others = [name for name in rows.columns if name not in (*names, *taken.table.pseudonym_keys)]
    check_columns(column_names(taken.table.frame), [*names, *others], "the private table")
    levels: dict[str, int | None] = dict.fromkeys(names)
    if vector is not None:
        levels.update(zip(names, vector, strict=True))
    claim = TruthClaim(
        hierarchies=holder.hierarchies(),
        levels=levels,
        unchanged=others,
        blank=holder.release.suppressed_rows == "blank",
        suppressed_label=holder.release.suppressed_label,
        cells=vector is None,
    )
    return count_untruthful(taken.table.frame, rows, claim, engine)


def _check_cells(
    rows: DuckDBPyRelation, taken: CountedTable, holder: Specification, engine: Engine
) -> None:
    """Refuse rows that are not true at any levels."""
    untrue = _count_untrue(rows, taken, holder, engine, None)
    if untrue:
        raise RequirementNotMet(
            f"{untrue:,} released rows generalize no private row of their own, so the release is "
            "no generalization of the private table"
        )


def _as_levels(
    rows: DuckDBPyRelation,
    taken: CountedTable,
    holder: Specification,
    requirement: Requirement,
    allowance: int,
    vector: Vector | None,
) -> ExistingRelease:
    """Read the level of every released cell."""
    frequency = taken.frequency
    counted = count(nw.from_native(rows), frequency.attributes)
    sizes = [len(values) for values in counted.values]
    _, first, counts = group_equal(counted.positions, sizes, counted.counts)
    codes = np.take(counted.positions, first, axis=1)
    engine = Engine()
    kinds = column_types(as_relation(taken.table.frame, engine))
    labels, levels = [], []
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        kind, one = kinds[hierarchy.column], None if vector is None else vector[attribute]
        possible = range(hierarchy.height + 1) if one is None else [one]
        texts = recognize(
            list(counted.values[attribute]), _paths(hierarchy), possible, kind, engine
        )
        labels.append(tuple(texts))
        read = np.array(_read_levels(hierarchy, texts, one), dtype=np.int32)
        levels.append(read[codes[attribute]])
    return ExistingRelease(
        frequency=frequency,
        requirement=requirement,
        options=holder.options(),
        allowance=allowance,
        vector=vector,
        labels=tuple(labels),
        codes=codes,
        levels=np.array(levels, dtype=np.int32),
        counts=counts,
        blank=_mark_blank(labels, codes, holder),
    )


def _paths(hierarchy: BoundHierarchy) -> list[tuple[str | None, ...]]:
    """Return what each ground value shows at every level."""
    columns = [
        [labels[code] for code in codes.tolist()]
        for labels, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    return list(zip(*columns, strict=True))


def _read_levels(
    hierarchy: BoundHierarchy, texts: Sequence[str | None], level: int | None
) -> list[int]:
    """Return the level of each released value; a suppressed one is at the top."""
    allowed = None if level is None else [level]
    read = read_attribute(hierarchy.column, _paths(hierarchy), texts, hierarchy.suppressed, allowed)
    places = read.levels[read.released].tolist()
    if NOWHERE in places:
        raise RequirementNotMet(
            f"column {hierarchy.column!r}: the release shows values that the hierarchy makes of no "
            "private value"
        )
    last = hierarchy.height + 1 if level is None else 1
    return [
        hierarchy.height if place == last else place if level is None else level for place in places
    ]
