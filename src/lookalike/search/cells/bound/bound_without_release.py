"""Prove a lower bound of the cost of any release, for a release found in another way."""

import math
from contextlib import suppress

import numpy as np

from lookalike.model.clock import OutOfTime
from lookalike.model.duals import Duals
from lookalike.search.cells.bound.row_values import prove_values, raise_values
from lookalike.search.cells.construction.greedy import run_greedy
from lookalike.search.cells.problem import Problem
from lookalike.search.options import SearchOptions


def bound_without_release(
    problem: Problem, options: SearchOptions, deadline: float = math.inf
) -> tuple[Duals, int]:
    """Find values of rows that prove a bound, as good as the effort and the deadline allow.

    ``quick`` proves the simple bound: each row costs at least the cheapest tuple that covers
    it and k rows.

    Returns
    -------
    duals
        The values.
    vectors
        The number of vectors that the greedy examined.
    """
    greedy = run_greedy(problem, deadline)
    simple = np.minimum(greedy.cheapest, problem.costs.suppressed)
    if options.effort == "quick":
        return Duals(problem.costs.scale, simple), greedy.vectors
    with suppress(OutOfTime):
        raised = raise_values(problem, simple.astype(np.float64), deadline)
        duals = prove_values(problem, raised.values, deadline)
        if duals.values @ problem.counts > simple @ problem.counts:
            return duals, greedy.vectors
    return Duals(problem.costs.scale, simple), greedy.vectors
