"""Run the greedy: close every group that still has k free rows, cheapest vectors first."""

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
"""The cost of the cheapest tuple of a sequence that has none."""
DEEPER = 1.5
"""The factor by which the limit of cost rises in the search for the cheapest tuples."""
FEW = 0.001
"""The share of the sequences for which this search may stop early."""


MOST_GREEDY_VECTORS = 1_000_000
"""The number of vectors after which the remaining rows are grouped at the highest levels."""
MOST_CELLS = 40_000_000
"""The same limit for many attributes, so that the queue of vectors fits into memory."""


@dataclass(frozen=True, eq=False)
class GreedyResult:
    """The classes of the greedy, and the simple bound.

    Parameters
    ----------
    class_of
        The class of each sequence; -1 if it is in none.
    cheapest
        For each sequence the cost of the cheapest generalized tuple that covers it and at
        least k rows, or somewhat less: no row of it can cost less. ``NO_TUPLE`` if there is
        no such tuple.
    vectors
        The number of vectors that the greedy examined.
    """

    class_of: Codes
    cheapest: Counts
    vectors: int


def run_greedy(problem: Problem, deadline: float = math.inf) -> GreedyResult:
    """Find the simple bound, and run the greedy; at the deadline both return what they have."""
    cheapest = find_cheapest(problem, deadline)
    class_of, vectors = _close_cheapest_first(problem, cheapest, deadline)
    return GreedyResult(class_of, cheapest, vectors)


def _close_cheapest_first(problem: Problem, cheapest: Counts, deadline: float) -> tuple[Codes, int]:
    """Close every group of k free rows by rising cost; return the classes and the vectors tried.

    A row is considered only from the cost of its cheapest tuple on. At the deadline, the
    remaining rows are grouped once more, at the highest levels.
    """
    class_of = np.full(len(problem.counts), -1, dtype=np.int32)
    coverable = np.flatnonzero(cheapest < NO_TUPLE)
    least = cheapest if problem.costs.hidden is None else np.zeros_like(cheapest)
    waiting = coverable[np.argsort(least[coverable], kind="stable")].astype(np.int32)
    free, begun, classes, tried = waiting[:0], 0, 0, 0
    for cost, vector in _until(problem, deadline):
        upto = int(np.searchsorted(least[waiting], cost, side="right"))
        free = np.concatenate([free, waiting[begun:upto]])
        begun = upto
        if begun == len(waiting) and not len(free):
            break
        tried += 1
        costs, counts = problem.costs, problem.counts[free]
        group_of, _, rows = group_at(costs.ancestors, costs.sizes, vector, free, counts)
        closed = rows >= problem.k
        if closed.any():
            number = classes - 1 + np.cumsum(closed)
            taken = closed[group_of]
            class_of[free[taken]] = number[group_of[taken]]
            classes, free = int(number[-1]) + 1, free[~taken]
    return class_of, tried


def _until(problem: Problem, deadline: float) -> Iterator[tuple[int, Vector]]:
    """Yield the vectors by rising cost; after the deadline or very many vectors, the top."""
    most = min(MOST_GREEDY_VECTORS, 1 + MOST_CELLS // len(problem.lattice.top) ** 2)
    for number, (cost, vector) in enumerate(problem.vectors):
        if number == most or is_over(deadline):
            yield NO_TUPLE, problem.lattice.top
            return
        yield cost, vector


def find_cheapest(problem: Problem, deadline: float = math.inf) -> Counts:
    """Find the cost of the cheapest tuple that covers each sequence and at least k rows.

    Each round examines the tuples up to a limit of cost that cover a sequence for which none is
    known yet; then the limit rises. The search stops when very few sequences are left, or at
    the deadline. The remaining sequences cost more than the limit, so the result for them is
    the limit plus 1.
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
