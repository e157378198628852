"""Judge whether a release is k-minimal, and whether it has minimal distortion.

A search looks for a finer table that is still k-anonymous, and for a greater precision.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.flow.minimality.answers import FinerCells, KMinimality, MinimalDistortion
from lookalike.flow.minimality.existing_release import (
    ExistingRelease,
    JudgedAgainst,
    read_existing_release,
)
from lookalike.kernels.types import Codes
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Lattice, Vector, write_vector
from lookalike.model.minimality import is_minimal
from lookalike.model.progress import Announce
from lookalike.model.recoding import recode_at
from lookalike.search.cells.exact.prove_best import MOST_SEQUENCES
from lookalike.search.cells.finer import given_release
from lookalike.search.cells.finer.find_finer import find_finer
from lookalike.search.cells.finer.refine_classes import refine_classes
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.preferences import measure_candidates
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen_cells import mingen_cells
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options


@name_options
def is_k_minimal(release: Any, **against: Unpack[JudgedAgainst]) -> KMinimality:
    """Check whether a release is a k-minimal generalization of its private table.

    At the attribute level this is Samarati's Definition 4.3, with MaxSup: the release suppresses
    only the rows that it must, no more than ``max_suppressed``, and no lower vector is
    k-anonymous within ``max_suppressed``. At the cell level it is Achieving's Definition 4: no
    other k-anonymous table lies between the private table and the release, where a suppressed row
    is the most general of all. The cell level is decided for small tables; for larger ones the
    answer may be undecided.

    Parameters
    ----------
    release
        A release that was made, a published folder, or a frame of released rows.
    spec
        The data holder's specification: a file, its content, or a value. It gives k, MaxSup,
        hierarchies, constraints and the private table. Default: that of a release that was made.
    table
        The private table, a path or a frame. Default: the source of the specification, or the
        frame that a release was made of.
    level
        ``"attribute"`` or ``"cell"``. Default: the level at which the release was made.
    announce
        Callback that receives the name of each step.

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
    >>> far = is_k_minimal(pa.table({"zip": ["021**"] * 4}), spec=spec, table=people)
    >>> far.answer, [one.vector for one in far.below]
    ('no', [(1,)])
    >>> near = pa.table({"zip": ["0213*", "0213*", "0214*", "0214*"]})
    >>> bool(is_k_minimal(near, spec=spec, table=people))
    True
    """
    return judge_k_minimal(read_existing_release(release, **against))


def judge_k_minimal(existing: ExistingRelease) -> KMinimality:
    """Judge whether a release that was read and verified is k-minimal."""
    existing.options.announce("search for a finer table")
    vector, attributes = existing.vector, existing.frequency.attributes
    draft = KMinimality(
        answer="undecided",
        reason="",
        level="cell" if vector is None else "attribute",
        k=existing.requirement.largest_k,
        max_suppressed=existing.allowance,
        rows_suppressed=existing.rows_suppressed,
        levels=None if vector is None else dict(zip(attributes, vector, strict=True)),
    )
    found = _judge_cells(existing) if vector is None else _judge_vector(existing, vector)
    return replace(draft, **found)


def _judge_vector(existing: ExistingRelease, vector: Vector) -> dict[str, Any]:
    """Judge a release at the attribute level (Samarati, Definition 4.3)."""
    lattice, _ = existing.options.lattice_of(existing.frequency)
    refused = explain_refused_vector(existing, vector, lattice)
    if refused is not None:
        return {"answer": "no", "reason": refused}
    if is_minimal(existing.frequency, vector, existing.requirement, existing.allowance, lattice):
        reason = "every vector below its own would suppress more rows than allowed"
        return {"answer": "yes", "reason": reason}
    rollups = RollUps(existing.frequency, existing.requirement)
    part = Lattice(lattice.bottom, vector)
    found = find_minimal(rollups, part, existing.allowance, deadline_after(existing.time_limit))
    weights = existing.options.weights_of(existing.frequency)
    below = measure_candidates(found.vectors, rollups, weights)
    reason = (
        f"{write_vector(below[0].vector)} lies below its vector {write_vector(vector)} and "
        "is k-anonymous within the allowed suppression"
    )
    return {"answer": "no", "reason": reason, "below": tuple(below)}


def explain_refused_vector(
    existing: ExistingRelease, vector: Vector, lattice: Lattice
) -> str | None:
    """Return why a release is not k-minimal, regardless of other vectors; None if it may be."""
    if vector not in lattice:
        return (
            f"its vector {write_vector(vector)} violates the constraints on levels, which allow "
            f"{write_vector(lattice.bottom)} to {write_vector(lattice.top)}"
        )
    required = recode_at(
        existing.frequency, vector, existing.requirement, existing.allowance, lattice
    )
    if required.rows_suppressed > existing.allowance:
        return describe_excess_suppression(required.rows_suppressed, existing.allowance)
    must = required.rows_suppressed + required.rows_complementary
    suppressed = existing.rows_suppressed - _count_hidden(existing, vector)
    if suppressed > must:
        return (
            f"it suppresses {count_rows(suppressed)}, but its vector {write_vector(vector)} "
            f"requires only {must:,}"
        )
    return None


def _count_hidden(existing: ExistingRelease, vector: Vector) -> int:
    """Count the kept rows that look blank because all their values are suppressed at a vector."""
    if not existing.blank.any():
        return 0
    classes = existing.frequency.roll_up(vector)
    kept = ~existing.requirement.outlying(classes, vector)
    for hierarchy, level, codes in zip(classes.hierarchies, vector, classes.codes, strict=True):
        kept &= hierarchy.hidden[level][codes]
    return int(classes.counts[kept].sum())


def describe_excess_suppression(suppressed: int, allowance: int) -> str:
    """Describe that a release suppresses more rows than allowed."""
    return (
        f"it suppresses {count_rows(suppressed)}, more than max_suppressed allows ({allowance:,})"
    )


def _judge_cells(existing: ExistingRelease) -> dict[str, Any]:
    """Judge a release at the cell level (Achieving, Definition 4)."""
    deadline = deadline_after(existing.time_limit)
    bottom = existing.options.lattice_of(existing.frequency)[0].bottom
    if existing.rows_left_out > existing.allowance:
        reason = describe_excess_suppression(existing.rows_left_out, existing.allowance)
        return {"answer": "no", "reason": reason}
    first, shown = given_release.merge_equal(existing.frequency, existing.shown())
    assignment = given_release.assign_rows(existing.frequency, shown, existing.one_k, bottom)
    if assignment is None:
        raise RequirementNotMet(
            "some released rows generalize no row of the current private table, so they cannot be "
            "compared with it; is the release based on an earlier one?"
        )
    changes = refine_classes(assignment)
    exhausted = False
    if not changes:
        changes, exhausted = find_finer(assignment, deadline)
    if changes:
        finer = tuple(_describe_change(existing, change, first) for change in changes)
        rows = sum(one.rows for one in changes)
        reason = f"a k-anonymous table with more specific values in {rows:,} of its rows exists"
        return {"answer": "no", "reason": reason, "finer": finer}
    if exhausted:
        reason = "no other k-anonymous table lies between the private table and the release"
        return {"answer": "yes", "reason": reason}
    reason = (
        "no single class can be refined, but not all tables between the private table and the "
        "release were searched"
    )
    return {"reason": reason}


def _describe_change(
    existing: ExistingRelease, change: given_release.Change, first: Codes
) -> FinerCells:
    """Describe which cells of which released tuple become finer."""
    frequency = existing.frequency
    suppressed = change.shown == given_release.SUPPRESSED_ROW
    place = 0 if suppressed else int(first[change.shown])
    before = frequency.heights if suppressed else tuple(existing.levels[:, place].tolist())
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
    shown = zip(names, existing.labels, existing.codes[:, place].tolist(), strict=True)
    return FinerCells(
        rows=change.rows,
        of=existing.rows_left_out if suppressed else int(existing.counts[place]),
        levels={names[a]: (int(before[a]), change.levels[a]) for a in changed},
        released={} if suppressed else {name: texts[code] for name, texts, code in shown},
        finer=finer,
    )


@name_options
def is_minimal_distortion(release: Any, **against: Unpack[JudgedAgainst]) -> MinimalDistortion:
    """Check whether no k-anonymous generalization has a greater Prec (Achieving, Definition 6).

    If several tables tie, the definition as printed accepts none of them; MinGen's step 2.3
    accepts all, and so does this function. The attribute level is decided by ``mingen``, the cell
    level by ``mingen-cells``: with a proof for small tables, otherwise with a bound.

    Parameters
    ----------
    release, spec, table, level, announce
        As for :func:`lookalike.is_k_minimal`. The weights of Prec are those of the specification.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> spec = {
    ...     "release": {"k": 2},
    ...     "attributes": {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}},
    ... }
    >>> far = pa.table({"zip": ["021**"] * 4})
    >>> found = is_minimal_distortion(far, spec=spec, table=people)
    >>> found.answer, found.precision, found.possible
    ('no', 0.6, 0.8)
    """
    return judge_distortion(read_existing_release(release, **against))


def judge_distortion(existing: ExistingRelease) -> MinimalDistortion:
    """Judge whether a release that was read and verified has the greatest Prec."""
    existing.options.announce("search for a greater precision")
    if existing.vector is None:
        return _judge_cells_precision(existing)
    return _judge_vector_precision(existing, existing.vector)


def _judge_vector_precision(existing: ExistingRelease, vector: Vector) -> MinimalDistortion:
    """Compare a release with the optimum that MinGen proves at the attribute level."""
    rollups = RollUps(existing.frequency, existing.requirement)
    weights = existing.options.weights_of(existing.frequency)
    objective = make_objective("precision", rollups, weights, existing.allowance)
    lattice, _ = existing.options.lattice_of(existing.frequency)
    deadline = deadline_after(existing.time_limit)
    standing = minimize(objective, lattice, existing.allowance, deadline)
    best = standing.best[0].cost
    possible, bound = objective.measured(best), objective.measured(standing.bound)
    draft = MinimalDistortion("undecided", "", "attribute", existing.precision, possible, bound)
    refused = explain_refused_vector(existing, vector, lattice)
    own = objective.judge(vector).cost
    if refused is None and own == best:
        return _settle(draft, proved=standing.proved)
    if refused is None and own < best:
        return replace(draft, reason="the search stopped before it found an equally good vector")
    better = measure_candidates([judged.vector for judged in standing.best], rollups, weights)
    named = ", ".join(write_vector(one.vector) or "" for one in better[:3])
    reason = refused or f"Prec {possible:.4f} is possible, at {named}"
    return replace(draft, answer="no", reason=reason, better=tuple(better))


def _judge_cells_precision(existing: ExistingRelease) -> MinimalDistortion:
    """Compare a release with the optimum or bound that MinGen finds at the cell level."""
    asked, names = existing.options, existing.frequency.attributes
    options = replace(
        asked,
        effort="exact" if len(existing.frequency) <= MOST_SEQUENCES else "standard",
        time_limit=existing.time_limit,
        prefer=(),
        objective="precision",
        constraints=tuple(one for one in asked.constraints if one.quantity in names),
    )
    requirement = replace(existing.requirement, k=existing.one_k, max_suppressed=existing.allowance)
    optimality = mingen_cells(existing.frequency, requirement, options).optimality
    if optimality is None:
        raise InternalError("mingen-cells gave no bound")
    own, reached = existing.precision, optimality.reached
    bound = reached if optimality.proved else optimality.bound
    draft = MinimalDistortion("undecided", "", "cell", own, max(reached, own), bound)
    if existing.rows_left_out > existing.allowance:
        reason = describe_excess_suppression(existing.rows_left_out, existing.allowance)
        return replace(draft, answer="no", reason=reason)
    if reached > own:
        return replace(draft, answer="no", reason=f"Prec {reached:.4f} is possible")
    return _settle(draft, proved=own >= bound)


def _settle(draft: MinimalDistortion, *, proved: bool) -> MinimalDistortion:
    """Complete the answer if nothing better was found: yes if proved, otherwise undecided."""
    if proved:
        reason = "no k-anonymous generalization has a greater Prec"
        return replace(draft, answer="yes", reason=reason)
    reason = f"no greater Prec was found, and none is greater than {draft.bound:.4f}"
    return replace(draft, reason=reason)


def judge_release(
    folder: Path, specification: Specification, *, level: str | None, announce: Announce
) -> tuple[KMinimality, MinimalDistortion]:
    """Read a published release once, and judge its k-minimality and its distortion."""
    given = read_existing_release(folder, specification, level=level, announce=announce)
    return judge_k_minimal(given), judge_distortion(given)
