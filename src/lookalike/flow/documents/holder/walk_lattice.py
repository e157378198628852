"""Decide which vectors of levels satisfy the requirement, within a time limit.

A small lattice is evaluated vector by vector. Of a larger one the k-minimal vectors are found,
which decide all others if the requirement is monotone (Samarati, Theorem 5.2): what lies above a
minimal vector satisfies it, what lies below does not. The decisions are held in an array with one
axis for each attribute that has several levels.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Flags
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Lattice, Vector, order_by_height
from lookalike.report.holder.lattice_facts import Decided, HeightCount, LatticeFacts, LatticeNode
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import SearchOptions
from lookalike.tables.plan import Plan

MOST_DRAWN = 300
"""The most vectors that are drawn one by one."""
MOST_DECIDED = 1_000_000
"""The most vectors that are counted by height."""
LATTICE_SECONDS = 0.5


def walk_lattice(plan: Plan, options: SearchOptions) -> LatticeFacts:
    """Decide which vectors satisfy the requirement.

    Parameters
    ----------
    plan
        The frequency list, the requirement, and the recoding.
    options
        The options of the search, with the bounds on levels.
    """
    frequency, recoding = plan.frequency, plan.recoding
    within, _ = options.lattice_of(frequency)
    bottom = tuple(map(max, within.bottom, frequency.vector))
    lattice = Lattice(bottom, within.top)
    known = LatticeFacts(frequency.attributes, lattice.size, recoding.vector, LATTICE_SECONDS)
    if lattice.size <= MOST_DRAWN:
        satisfying, failing = _evaluate(plan, lattice)
        return _describe(known, lattice, satisfying, failing)
    if lattice.size <= MOST_DECIDED and plan.requirement.is_monotone:
        return _describe(known, lattice, *_deduce(plan, lattice))
    return known


def find_allowance(plan: Plan) -> int:
    """Return how many rows the method could suppress, or would be allowed to."""
    given = plan.recoding.allowance
    return plan.requirement.allowance(plan.frequency.rows) if given is None else given


def _evaluate(plan: Plan, lattice: Lattice) -> tuple[Flags, Flags]:
    """Evaluate every vector until the time is over; mark those that satisfy and that fail."""
    deadline, allowance = deadline_after(LATTICE_SECONDS), find_allowance(plan)
    rollups = RollUps(plan.frequency, plan.requirement)
    satisfying, failing = _nothing(lattice), _nothing(lattice)
    for vector in lattice:
        if is_over(deadline):
            break
        marked = satisfying if rollups.suppressed(vector) <= allowance else failing
        marked[_place(lattice, vector)] = True
    return satisfying, failing


def _deduce(plan: Plan, lattice: Lattice) -> tuple[Flags, Flags]:
    """Find the minimal vectors, and mark what lies above and below them."""
    rollups = RollUps(plan.frequency, plan.requirement)
    deadline = deadline_after(LATTICE_SECONDS)
    minimal = _nothing(lattice)
    try:
        found = find_minimal(rollups, lattice, find_allowance(plan), deadline)
    except Infeasible:
        return minimal, minimal
    for vector in found.vectors:
        minimal[_place(lattice, vector)] = True
    satisfying = _spread(minimal)
    below = np.flip(_spread(np.flip(minimal)))
    return satisfying, ~satisfying if found.complete else below & ~minimal


def _describe(
    known: LatticeFacts, lattice: Lattice, satisfying: Flags, failing: Flags
) -> LatticeFacts:
    """Count the vectors by height, and list them if they are few."""
    minimal = _find_lowest(satisfying)
    drawn = lattice.size <= MOST_DRAWN
    return replace(
        known,
        nodes=tuple(_list_nodes(lattice, satisfying, failing, minimal)) if drawn else (),
        heights=_count_heights(lattice, satisfying, failing),
        minimal=tuple(order_by_height(_vectors(lattice, minimal))),
        is_complete=bool((satisfying | failing).all()),
    )


def _list_nodes(
    lattice: Lattice, satisfying: Flags, failing: Flags, minimal: Flags
) -> Iterator[LatticeNode]:
    """Yield every vector with what was decided about it."""
    for vector in lattice:
        place = _place(lattice, vector)
        decided: Decided = "fails" if failing[place] else "not decided"
        if satisfying[place]:
            decided = "satisfies"
        yield LatticeNode(vector, decided, bool(minimal[place]))


def _count_heights(lattice: Lattice, satisfying: Flags, failing: Flags) -> tuple[HeightCount, ...]:
    """Count the vectors at each height by what was decided about them."""
    heights = np.indices(satisfying.shape, dtype=np.int32, sparse=True)
    total = np.broadcast_to(reduce(np.add, heights), satisfying.shape)
    undecided = ~(satisfying | failing)
    counts = [
        np.bincount(total[marked], minlength=lattice.height + 1).tolist()
        for marked in (satisfying, failing, undecided)
    ]
    least = sum(lattice.bottom)
    return tuple(
        HeightCount(least + steps, *numbers)
        for steps, numbers in enumerate(zip(*counts, strict=True))
    )


def _find_lowest(satisfying: Flags) -> Flags:
    """Mark the vectors that satisfy the requirement while none below them does."""
    reached, above = _spread(satisfying), np.zeros_like(satisfying)
    for axis in range(satisfying.ndim):
        lower, upper = [slice(None)] * satisfying.ndim, [slice(None)] * satisfying.ndim
        lower[axis], upper[axis] = slice(None, -1), slice(1, None)
        above[tuple(upper)] |= reached[tuple(lower)]
    return satisfying & ~above


def _spread(marked: Flags) -> Flags:
    """Mark everything that lies at or above a marked vector."""
    for axis in range(marked.ndim):
        marked = np.logical_or.accumulate(marked, axis=axis)
    return marked


def _list_axes(lattice: Lattice) -> list[int]:
    """Return the attributes with several levels; there may be more attributes than axes fit."""
    free = [place for place, low in enumerate(lattice.bottom) if lattice.top[place] > low]
    return free or [0]


def _nothing(lattice: Lattice) -> Flags:
    """Return an array with a place for each vector, none of them marked."""
    steps = [lattice.top[axis] - lattice.bottom[axis] + 1 for axis in _list_axes(lattice)]
    return np.zeros(steps, dtype=np.bool_)


def _place(lattice: Lattice, vector: Vector) -> tuple[int, ...]:
    """Return the place of a vector in an array."""
    return tuple(vector[axis] - lattice.bottom[axis] for axis in _list_axes(lattice))


def _vectors(lattice: Lattice, marked: Flags) -> list[Vector]:
    """Return the marked vectors."""
    axes, found = _list_axes(lattice), []
    for place in np.argwhere(marked).tolist():
        vector = [*lattice.bottom]
        for axis, steps in zip(axes, place, strict=True):
            vector[axis] += steps
        found.append(tuple(vector))
    return found
