"""Find the cheapest tuple with k rows for each sequence, which proves the simple bound."""

import math

import numpy as np

from lookalike.kernels.types import Counts
from lookalike.model.clock import OutOfTime
from lookalike.search.cells.bound.walk_vectors import walk_vectors
from lookalike.search.cells.problem import Problem

NO_TUPLE = int(np.iinfo(np.int64).max)
"""The cost of the cheapest tuple of a sequence that has none."""
DEEPER = 1.5
"""The factor by which the limit of cost rises in the search for the cheapest tuples."""
FEW = 0.001
"""The share of the sequences for which this search may stop early."""


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
