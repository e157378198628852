"""The plain greedy: close every group that still has k free rows, cheapest vectors first."""

from dataclasses import dataclass

import numpy as np

from lookalike.cells.pool import row_costs
from lookalike.cells.problem import Problem
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.greedy import look
from lookalike.kernels.grouping import Counts, pack_ancestors


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What one pass over the vectors, by rising cost, tells.

    Parameters
    ----------
    class_of
        For each sequence the class that the greedy puts it in, or -1 if none was left.
    cheapest
        For each sequence what the cheapest generalized tuple costs that covers it and at
        least k rows: a row cannot cost less. Far more than any cost if there is none.
    vectors
        The number of vectors that were looked at.
    """

    class_of: Codes
    cheapest: Counts
    vectors: int


def look_first(problem: Problem) -> FirstLook:
    """Run the greedy and find the simple bound in one pass.

    All rows are looked at until the cheapest tuple of each is known, then the free ones alone.
    """
    class_of = np.full(len(problem.counts), -1, dtype=np.int32)
    cheapest = np.full(len(problem.counts), np.iinfo(np.int64).max, dtype=np.int64)
    looked_at = np.arange(len(problem.counts), dtype=np.int32)
    ancestors, classes, number = problem.costs.ancestors, 0, 0
    for cost, vector in problem.vectors:
        free = np.flatnonzero(class_of < 0)
        if cheapest.max() <= cost:
            if not len(free):
                break
            if len(free) < len(looked_at):
                looked_at = free.astype(np.int32)
                ancestors = np.ascontiguousarray(problem.costs.ancestors[:, :, free])
        number += 1
        counts, least = problem.counts[looked_at], cheapest[looked_at]
        keys = pack_ancestors(ancestors, problem.costs.sizes, vector, counts)
        paid = row_costs(problem.costs, vector, cost, looked_at)
        own = class_of[looked_at]
        classes = look(keys, counts, paid, cost, problem.k, least, own, classes)
        cheapest[looked_at], class_of[looked_at] = least, own
    return FirstLook(class_of, cheapest, number)
