"""Judge distortion: compare a given release with the least distortion that is possible."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from lookalike.errors import InternalError
from lookalike.flow.compare import write_vector
from lookalike.flow.minimality.answers import MinimalDistortion
from lookalike.flow.minimality.existing_release import ExistingRelease
from lookalike.flow.minimality.judge_k_minimality import (
    describe_excess_suppression,
    explain_refused_vector,
)
from lookalike.flow.minimality.read_existing_release import read_existing_release
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Vector
from lookalike.model.progress import Announce
from lookalike.search.cells.exact.exact import MOST_SEQUENCES
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.candidates import describe
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen_cells import mingen_cells
from lookalike.spec.specification import Specification


def is_minimal_distortion(
    release: Any,
    *,
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> MinimalDistortion:
    """Tell whether no k-anonymous generalization has a greater Prec (Achieving, Definition 6).

    Where several tables tie, the definition as printed admits none of them; MinGen's step 2.3
    keeps them all, and so does this. At the attribute level the answer is that of ``mingen``,
    at the cell level that of ``mingen-cells``: proved for small tables, else within a bound.

    Parameters
    ----------
    release, specification, table, level, announce
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
    >>> found = is_minimal_distortion(far, specification=spec, table=people)
    >>> found.answer, found.precision, found.possible
    ('no', 0.6, 0.8)
    """
    given = read_existing_release(release, specification, table, level, announce)
    return judge_distortion(given, announce)


def judge_distortion(
    given: ExistingRelease, announce: Announce = lambda _: None
) -> MinimalDistortion:
    """Tell whether a release that was read has the greatest Prec."""
    announce("looking for a greater precision")
    if given.vector is None:
        return _judge_cells_precision(given, announce)
    return _judge_vector_precision(given, given.vector)


def _judge_vector_precision(given: ExistingRelease, vector: Vector) -> MinimalDistortion:
    """Compare a release with what MinGen proves at the attribute level."""
    rollups = RollUps(given.frequency, given.requirement)
    weights = given.options.weights_of(given.frequency)
    objective = make_objective("precision", rollups, weights, given.allowance)
    lattice, _ = given.options.lattice_of(given.frequency)
    deadline = deadline_after(given.time_limit)
    standing = minimize(objective, lattice, given.allowance, deadline)
    possible = objective.measured(standing.best[0].cost)
    refused = explain_refused_vector(given, vector, lattice)
    told = MinimalDistortion(
        answer="undecided",
        reason=refused or "",
        level="attribute",
        precision=given.precision,
        possible=possible,
        bound=objective.measured(standing.bound),
    )
    own = objective.judge(vector).cost
    if refused is None and own == standing.best[0].cost:
        return _settle(told, proved=standing.proved)
    if refused is None and own < standing.best[0].cost:
        return replace(told, reason="the search was stopped before it found as good a vector")
    better = describe([judged.vector for judged in standing.best], rollups, given.options)
    named = ", ".join(write_vector(one.vector) or "" for one in better[:3])
    reason = refused or f"Prec {possible:.4f} is possible, at {named}"
    return replace(told, answer="no", reason=reason, better=tuple(better))


def _judge_cells_precision(given: ExistingRelease, announce: Announce) -> MinimalDistortion:
    """Compare a release with what MinGen finds and proves cell by cell."""
    small = len(given.frequency) <= MOST_SEQUENCES
    options = replace(
        given.options,
        effort="exact" if small else given.options.effort,
        time_limit=given.time_limit,
        prefer=(),
        objective="precision",
        constraints=tuple(
            one for one in given.options.constraints if one.quantity in given.frequency.attributes
        ),
        tell=announce,
    )
    requirement = replace(given.requirement, k=given.one_k, max_suppressed=given.allowance)
    optimality = mingen_cells(given.frequency, requirement, options).optimality
    if optimality is None:
        raise InternalError("mingen-cells gave no bound")
    told = MinimalDistortion(
        answer="undecided",
        reason="",
        level="cell",
        precision=given.precision,
        possible=max(optimality.reached, given.precision),
        bound=optimality.reached if optimality.proved else optimality.bound,
    )
    if given.rows_left_out > given.allowance:
        reason = describe_excess_suppression(given.rows_left_out, given.allowance)
        return replace(told, answer="no", reason=reason)
    if optimality.reached > given.precision:
        reason = f"Prec {optimality.reached:.4f} is possible"
        return replace(told, answer="no", reason=reason)
    return _settle(told, proved=given.precision >= told.bound)


def _settle(told: MinimalDistortion, *, proved: bool) -> MinimalDistortion:
    """Say that nothing better exists, or by how much it may be better at most."""
    if proved:
        return replace(
            told, answer="yes", reason="no k-anonymous generalization has a greater Prec"
        )
    reason = f"no greater Prec was found, and none is greater than {told.bound:.4f}"
    return replace(told, reason=reason)
