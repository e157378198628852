"""Judge whether a release has minimal distortion: search for a greater precision."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from lookalike.errors import InternalError
from lookalike.flow.minimality.answers import MinimalDistortion
from lookalike.flow.minimality.existing_release import ExistingRelease
from lookalike.flow.minimality.judge_k_minimality import (
    describe_excess_suppression,
    explain_refused_vector,
)
from lookalike.flow.minimality.read_existing_release import read_existing_release
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Vector, write_vector
from lookalike.model.progress import Announce
from lookalike.search.cells.exact.prove_best import MOST_SEQUENCES
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.preferences import measure_candidates
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen_cells import mingen_cells
from lookalike.spec.specification import Specification


def is_minimal_distortion(
    release: Any,
    *,
    spec: Specification | Mapping[str, Any] | str | PathLike[str] | None = None,
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> MinimalDistortion:
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
    existing = read_existing_release(release, spec, table, level, announce)
    return judge_distortion(existing, announce)


def judge_distortion(
    existing: ExistingRelease, announce: Announce = lambda _: None
) -> MinimalDistortion:
    """Judge whether a release that was read and verified has the greatest Prec."""
    announce("search for a greater precision")
    if existing.vector is None:
        return _judge_cells_precision(existing, announce)
    return _judge_vector_precision(existing, existing.vector)


def _judge_vector_precision(existing: ExistingRelease, vector: Vector) -> MinimalDistortion:
    """Compare a release with the optimum that MinGen proves at the attribute level."""
    rollups = RollUps(existing.frequency, existing.requirement)
    weights = existing.options.weights_of(existing.frequency)
    objective = make_objective("precision", rollups, weights, existing.allowance)
    lattice, _ = existing.options.lattice_of(existing.frequency)
    deadline = deadline_after(existing.time_limit)
    standing = minimize(objective, lattice, existing.allowance, deadline)
    possible = objective.measured(standing.best[0].cost)
    refused = explain_refused_vector(existing, vector, lattice)
    draft = MinimalDistortion(
        answer="undecided",
        reason=refused or "",
        level="attribute",
        precision=existing.precision,
        possible=possible,
        bound=objective.measured(standing.bound),
    )
    own = objective.judge(vector).cost
    if refused is None and own == standing.best[0].cost:
        return _settle(draft, proved=standing.proved)
    if refused is None and own < standing.best[0].cost:
        return replace(draft, reason="the search stopped before it found an equally good vector")
    best = [judged.vector for judged in standing.best]
    better = measure_candidates(best, rollups, existing.options.weights_of(existing.frequency))
    named = ", ".join(write_vector(one.vector) or "" for one in better[:3])
    reason = refused or f"Prec {possible:.4f} is possible, at {named}"
    return replace(draft, answer="no", reason=reason, better=tuple(better))


def _judge_cells_precision(existing: ExistingRelease, announce: Announce) -> MinimalDistortion:
    """Compare a release with the optimum or bound that MinGen finds at the cell level."""
    small = len(existing.frequency) <= MOST_SEQUENCES
    options = replace(
        existing.options,
        effort="exact" if small else "standard",
        time_limit=existing.time_limit,
        prefer=(),
        objective="precision",
        constraints=tuple(
            one
            for one in existing.options.constraints
            if one.quantity in existing.frequency.attributes
        ),
        announce=announce,
    )
    requirement = replace(existing.requirement, k=existing.one_k, max_suppressed=existing.allowance)
    optimality = mingen_cells(existing.frequency, requirement, options).optimality
    if optimality is None:
        raise InternalError("mingen-cells gave no bound")
    draft = MinimalDistortion(
        answer="undecided",
        reason="",
        level="cell",
        precision=existing.precision,
        possible=max(optimality.reached, existing.precision),
        bound=optimality.reached if optimality.proved else optimality.bound,
    )
    if existing.rows_left_out > existing.allowance:
        reason = describe_excess_suppression(existing.rows_left_out, existing.allowance)
        return replace(draft, answer="no", reason=reason)
    if optimality.reached > existing.precision:
        reason = f"Prec {optimality.reached:.4f} is possible"
        return replace(draft, answer="no", reason=reason)
    return _settle(draft, proved=existing.precision >= draft.bound)


def _settle(draft: MinimalDistortion, *, proved: bool) -> MinimalDistortion:
    """Complete the answer if nothing better was found: yes if proved, otherwise undecided."""
    if proved:
        return replace(
            draft, answer="yes", reason="no k-anonymous generalization has a greater Prec"
        )
    reason = f"no greater Prec was found, and none is greater than {draft.bound:.4f}"
    return replace(draft, reason=reason)
