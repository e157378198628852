"""Judge k-minimality: look for what is finer than a given release and still k-anonymous."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from lookalike.errors import RequirementNotMet
from lookalike.flow.compare import write_vector
from lookalike.flow.minimality.answers import FinerCells, KMinimality
from lookalike.flow.minimality.existing_release import ExistingRelease
from lookalike.flow.minimality.read_existing_release import read_existing_release
from lookalike.kernels.types import Codes
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.progress import Announce
from lookalike.model.recoding import is_minimal, recode_at
from lookalike.search.cells.finer.exact_finer import find_finer
from lookalike.search.cells.finer.finer import (
    SUPPRESSED_ROW,
    Change,
    assign,
    merge_equal,
    refine_classes,
)
from lookalike.search.lattice.candidates import describe
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.rollup import RollUps
from lookalike.spec.specification import Specification


def is_k_minimal(
    release: Any,
    *,
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> KMinimality:
    """Tell whether a release is a k-minimal generalization of its private table.

    At the attribute level that is Samarati's Definition 4.3, with MaxSup: the release suppresses
    what it must and no more, no more than ``max_suppressed``, and no lower vector does with that.
    At the cell level it is Achieving's Definition 4: no other k-anonymous table lies between the
    private table and the release, where a suppressed row is the most general of all. It is
    decided for small tables. For others a search looks for a finer table.

    Parameters
    ----------
    release
        A published folder, or a frame of released rows.
    specification
        The holder's specification: a file, its content, or a value. It gives k, MaxSup,
        hierarchies, constraints and the private table.
    table
        The private table, a path or a frame; without it, the source of the specification.
    level
        ``"attribute"`` or ``"cell"``; without it, the level at which the release was made.
    announce
        Told the name of each step as it begins.

    Raises
    ------
    RequirementNotMet
        If the release is not k-anonymous, or not a true generalization of the private table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> spec = {
    ...     "release": {"k": 2},
    ...     "attributes": {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}},
    ... }
    >>> far = is_k_minimal(pa.table({"zip": ["021**"] * 4}), specification=spec, table=people)
    >>> far.answer, [one.vector for one in far.below]
    ('no', [(1,)])
    >>> near = pa.table({"zip": ["0213*", "0213*", "0214*", "0214*"]})
    >>> bool(is_k_minimal(near, specification=spec, table=people))
    True
    """
    return judge_k_minimal(
        read_existing_release(release, specification, table, level, announce), announce
    )


def judge_k_minimal(given: ExistingRelease, announce: Announce = lambda _: None) -> KMinimality:
    """Tell whether a release that was read is k-minimal."""
    announce("looking for a finer table")
    told = KMinimality(
        answer="undecided",
        reason="",
        level="cell" if given.vector is None else "attribute",
        k=given.requirement.largest_k,
        max_suppressed=given.allowance,
        rows_suppressed=given.rows_suppressed,
        levels=None
        if given.vector is None
        else dict(zip(given.frequency.attributes, given.vector, strict=True)),
    )
    if given.vector is None:
        return _judge_cells(given, told)
    return _judge_vector(given, given.vector, told)


def _judge_vector(given: ExistingRelease, vector: Vector, told: KMinimality) -> KMinimality:
    """Judge a release at the attribute level (Samarati, Definition 4.3)."""
    lattice, _ = given.options.lattice_of(given.frequency)
    refused = explain_refused_vector(given, vector, lattice)
    if refused is not None:
        return replace(told, answer="no", reason=refused)
    if is_minimal(given.frequency, vector, given.requirement, given.allowance, lattice):
        return replace(
            told,
            answer="yes",
            reason="every vector below its own would suppress more rows than may be",
        )
    rollups = RollUps(given.frequency, given.requirement)
    part = Lattice(lattice.bottom, vector)
    found = find_minimal(rollups, part, given.allowance, deadline_after(given.time_limit))
    below = describe(found.vectors, rollups, given.options)
    return replace(
        told,
        answer="no",
        reason=f"{write_vector(below[0].vector)} lies below its vector {write_vector(vector)} and "
        "is k-anonymous within the suppression that is allowed",
        below=tuple(below),
    )


def explain_refused_vector(given: ExistingRelease, vector: Vector, lattice: Lattice) -> str | None:
    """Say why a release cannot be k-minimal whatever lies below it, if it cannot."""
    if vector not in lattice:
        return (
            f"its vector {write_vector(vector)} is not among those that the constraints on levels "
            f"leave, {write_vector(lattice.bottom)} to {write_vector(lattice.top)}"
        )
    required = recode_at(given.frequency, vector, given.requirement, given.allowance, lattice)
    if required.rows_suppressed > given.allowance:
        return describe_excess_suppression(required.rows_suppressed, given.allowance)
    must = required.rows_suppressed + required.rows_complementary
    suppressed = given.rows_suppressed - _count_hidden(given, vector)
    if suppressed > must:
        return (
            f"it suppresses {suppressed:,} rows, and at its vector {write_vector(vector)} only "
            f"{must:,} must be"
        )
    return None


def _count_hidden(given: ExistingRelease, vector: Vector) -> int:
    """Count the rows that look blank and are not: they show nothing at a vector, and are kept."""
    if not given.blank.any():
        return 0
    classes = given.frequency.roll_up(vector)
    kept = ~given.requirement.outlying(classes, vector)
    for hierarchy, level, codes in zip(classes.hierarchies, vector, classes.codes, strict=True):
        kept &= hierarchy.hidden[level][codes]
    return int(classes.counts[kept].sum())


def describe_excess_suppression(suppressed: int, allowance: int) -> str:
    """Say that a release suppresses more than allowed."""
    return f"it suppresses {suppressed:,} rows, and {allowance:,} may be (max_suppressed)"


def _judge_cells(given: ExistingRelease, told: KMinimality) -> KMinimality:
    """Judge a release at the cell level (Achieving, Definition 4)."""
    deadline = deadline_after(given.time_limit)
    k = given.one_k
    bottom = given.options.lattice_of(given.frequency)[0].bottom
    if given.rows_left_out > given.allowance:
        reason = describe_excess_suppression(given.rows_left_out, given.allowance)
        return replace(told, answer="no", reason=reason)
    first, shown = merge_equal(given.frequency, given.shown())
    assignment = assign(given.frequency, shown)
    if assignment is None:
        raise RequirementNotMet(
            "some released rows generalize no row of the private table as it is now, so they "
            "cannot be compared with it; is the release based on an earlier one?"
        )
    changes = refine_classes(given.frequency, shown, assignment, k, bottom)
    exhausted = False
    if not changes:
        changes, exhausted = find_finer(given.frequency, shown, assignment, k, bottom, deadline)
    if changes:
        finer = tuple(_describe_change(given, change, first) for change in changes)
        rows = sum(one.rows for one in changes)
        reason = f"a k-anonymous table exists that shows {rows:,} of its rows more specifically"
        return replace(told, answer="no", reason=reason, finer=finer)
    if exhausted:
        reason = "no other k-anonymous table lies between the private table and the release"
        return replace(told, answer="yes", reason=reason)
    reason = (
        "no class can be refined by itself, but not all tables between the private table and the "
        "release were considered"
    )
    return replace(told, reason=reason)


def _describe_change(given: ExistingRelease, change: Change, first: Codes) -> FinerCells:
    """Say which cells of which released tuple become finer."""
    frequency = given.frequency
    suppressed = change.shown == SUPPRESSED_ROW
    place = 0 if suppressed else int(first[change.shown])
    before = frequency.heights if suppressed else tuple(given.levels[:, place].tolist())
    changed = [
        attribute
        for attribute, (old, new) in enumerate(zip(before, change.levels, strict=True))
        if suppressed or old != new
    ]
    names = frequency.attributes
    finer = {}
    for attribute in changed:
        hierarchy, level = frequency.hierarchies[attribute], change.levels[attribute]
        code = hierarchy.levels[level][change.ground[attribute]]
        finer[names[attribute]] = hierarchy.labels[level][code]
    shown = zip(names, given.labels, given.codes[:, place].tolist(), strict=True)
    return FinerCells(
        rows=change.rows,
        of=given.rows_left_out if suppressed else int(given.counts[place]),
        levels={names[a]: (int(before[a]), change.levels[a]) for a in changed},
        released={} if suppressed else {name: texts[code] for name, texts, code in shown},
        finer=finer,
    )
