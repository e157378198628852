"""The plain greedy: close every group that still has k free rows, cheapest vectors first."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.grouping import group_at
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import OutOfTime, is_over
from lookalike.model.lattice import Vector
from lookalike.search.cells.bound.walk_vectors import walk_vectors
from lookalike.search.cells.problem import Problem

NO_TUPLE = int(np.iinfo(np.int64).max)
"""What the cheapest tuple costs where there is none."""
DEEPER = 1.5
"""How much further the next look for the cheapest tuples goes."""
FEW = 0.001
"""The share of the sequences whose cheapest tuples are not looked for to the end."""
MOST_GREEDY_VECTORS = 1_000_000
"""After so many vectors the rows that are still free are put together at the greatest levels."""
MOST_CELLS = 40_000_000
"""After fewer where there are many attributes, so that the vectors that wait fit into memory."""


@dataclass(frozen=True, eq=False)
class GreedyResult:
    """What the greedy tells.

    Parameters
    ----------
    class_of
        For each sequence the class that the greedy puts it in, or -1 if none was left.
    cheapest
        For each sequence what the cheapest generalized tuple costs that covers it and at
        least k rows, or somewhat less: a row cannot cost less. Far more than any cost if
        there is none.
    vectors
        The number of vectors that the greedy looked at.
    """

    class_of: Codes
    cheapest: Counts
    vectors: int


def run_greedy(problem: Problem, deadline: float = math.inf) -> GreedyResult:
    """Find the simple bound, and run the greedy; both answer with what they have in time."""
    cheapest = find_cheapest(problem, deadline)
    class_of, vectors = _close_cheapest_first(problem, cheapest, deadline)
    return GreedyResult(class_of, cheapest, vectors)


def find_cheapest(problem: Problem, deadline: float = math.inf) -> Counts:
    """Find what the cheapest tuple costs that covers each sequence and at least k rows.

    Tuples up to a limit are looked at, of those only that cover a sequence for which none is
    known yet; then the limit rises. Of a large table the last few sequences are not worth it:
    they cost more than the limit, and that is told. So it is of all that are not known at the
    deadline.
    """
    cheapest = np.full(len(problem.counts), NO_TUPLE, dtype=np.int64)
    limit = 0
    known, reached = cheapest.copy(), 0
    while limit <= problem.costs.suppressed:
        unknown = np.flatnonzero(cheapest > limit)
        if len(unknown) <= FEW * len(cheapest):
            cheapest[unknown] = limit + 1
            break
        limit = max(problem.unit, limit + 1, int(limit * DEEPER))
        wanted = np.minimum(cheapest, limit + 1).astype(np.float64)
        try:
            for part in walk_vectors(problem, wanted, heads=1, margin=-1.0, deadline=deadline):
                np.minimum.at(cheapest, part.rows, part.paid[part.group_of])
        except OutOfTime:
            return np.minimum(known, reached)
        known, reached = cheapest.copy(), limit + 1
    return cheapest


def _close_cheapest_first(problem: Problem, cheapest: Counts, deadline: float) -> tuple[Codes, int]:
    """Close every group of k free rows, by rising cost; return classes and vectors looked at.

    A row that the cheapest tuple with k rows does not cover yet needs no look. When time is up,
    the rows that are left are looked at once more, at the greatest levels.
    """
    class_of = np.full(len(problem.counts), -1, dtype=np.int32)
    coverable = np.flatnonzero(cheapest < NO_TUPLE)
    least = cheapest if problem.costs.hidden is None else np.zeros_like(cheapest)
    waiting = coverable[np.argsort(least[coverable], kind="stable")].astype(np.int32)
    free, begun, classes, looked_at = waiting[:0], 0, 0, 0
    for cost, vector in _until(problem, deadline):
        upto = int(np.searchsorted(least[waiting], cost, side="right"))
        free = np.concatenate([free, waiting[begun:upto]])
        begun = upto
        if begun == len(waiting) and not len(free):
            break
        looked_at += 1
        costs, counts = problem.costs, problem.counts[free]
        group_of, _, rows = group_at(costs.ancestors, costs.sizes, vector, free, counts)
        closed = rows >= problem.k
        if closed.any():
            number = classes - 1 + np.cumsum(closed)
            taken = closed[group_of]
            class_of[free[taken]] = number[group_of[taken]]
            classes, free = int(number[-1]) + 1, free[~taken]
    return class_of, looked_at


def _until(problem: Problem, deadline: float) -> Iterator[tuple[int, Vector]]:
    """Give the vectors by rising cost; after the deadline or very many, the top at once."""
    most = min(MOST_GREEDY_VECTORS, 1 + MOST_CELLS // len(problem.lattice.top) ** 2)
    for number, (cost, vector) in enumerate(problem.vectors):
        if number == most or is_over(deadline):
            yield NO_TUPLE, problem.lattice.top
            return
        yield cost, vector
