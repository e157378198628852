"""Search for the release of least distortion at the cell level, with a proof of how close it is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Counts
from lookalike.model.clock import OutOfTime, stop_if_over
from lookalike.model.duals import Duals
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.search.cells.bound.row_values import Priced, prove_values, raise_values
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.assign_leftovers import assign_leftovers, divide_large
from lookalike.search.cells.construction.greedy import GreedyResult, run_greedy
from lookalike.search.cells.construction.round_solution import round_solution
from lookalike.search.cells.costs import cost_cells, count_whole
from lookalike.search.cells.improvement.anneal_classes import anneal_classes
from lookalike.search.cells.problem import FORBIDDEN, Problem
from lookalike.search.options import SearchOptions

UNITS = 1_000_000
"""About how many units a row that loses all costs, for the values to be fine enough."""
EXACT_IN_FLOATS = 1 << 53
"""Whole numbers up to this one are exact in floating point."""
TRIES, MOST_ROWS = 120, 30_000
"""How many exchanges are tried in a turn for each class of k rows, of so many rows at most."""
TURNS = 8


@dataclass(frozen=True, eq=False)
class Solution:
    """The best classes found, and a bound of what any cost.

    Parameters
    ----------
    classes
        The classes.
    suppressed
        How many rows of each sequence are suppressed.
    cost
        What the release costs, in units.
    duals
        What proves the bound, if values of rows do.
    bound
        No release costs less units.
    vectors
        The number of vectors that were looked at.
    """

    classes: Classes
    suppressed: Counts
    cost: int
    duals: Duals | None
    bound: int
    vectors: int


def pose(
    frequency: FrequencyList,
    lattice: Lattice,
    weights: Sequence[Decimal],
    k: int,
    allowance: int,
) -> Problem:
    """Write the problem down in whole units, fine enough for its values.

    All sums must stay below what a cell costs that is not allowed, and be exact.
    """
    most = min(FORBIDDEN // (2 * k), EXACT_IN_FLOATS // frequency.rows)
    whole = count_whole(frequency, weights, most)
    unit = max(1, min(UNITS, most) // whole)
    costs = cost_cells(frequency, weights, unit)
    return Problem(frequency.counts, costs, lattice, k, allowance, unit)


def solve(problem: Problem, options: SearchOptions, deadline: float = math.inf) -> Solution:
    """Search as hard as the effort says; an interrupted search can keep what it has.

    ``quick`` is the plain greedy with the simple bound. ``standard`` raises the values to a
    nearly optimal bound, rounds the fractional solution that goes with them, and improves it.
    At the deadline the best that was found is the answer; there is always one.
    """
    first = run_greedy(problem, deadline)
    found = _greedy(problem, first)
    _tell(problem, found, options)
    if options.effort == "quick":
        return found
    try:
        for better in _refine(problem, first, found, deadline):
            found = better
            _tell(problem, found, options)
    except OutOfTime:
        pass
    except KeyboardInterrupt:
        if not options.keep_best():
            raise
    return found


def _greedy(problem: Problem, first: GreedyResult) -> Solution:
    """Return the classes of the greedy, and the simple bound."""
    placed = np.flatnonzero(first.class_of >= 0).astype(np.int32)
    if not len(placed):
        raise Infeasible(
            f"no {problem.k} rows can be made alike within the constraints; loosen them, or lower k"
        )
    whole = Classes(first.class_of[placed], placed, problem.counts[placed])
    left = np.where(first.class_of < 0, problem.counts, 0)
    values = np.minimum(first.cheapest, problem.costs.suppressed)
    divided = divide_large(whole, problem.k)
    classes, suppressed = assign_leftovers(problem, divided, left, values.astype(np.float64))
    classes = divide_large(classes, problem.k)
    return Solution(
        classes=classes,
        suppressed=suppressed,
        cost=problem.total_cost(classes, int(suppressed.sum())),
        duals=Duals(problem.costs.scale, values),
        bound=int(values @ problem.counts),
        vectors=first.vectors,
    )


def _refine(
    problem: Problem, first: GreedyResult, found: Solution, deadline: float
) -> Iterator[Solution]:
    """Give better and better solutions: a better bound first, then better classes."""
    if found.cost <= problem.round_up(found.bound):
        return
    start = np.minimum(first.cheapest, problem.costs.suppressed).astype(np.float64)
    priced = raise_values(problem, start, deadline)
    duals = prove_values(problem, priced.values, deadline)
    bound = int(duals.values @ problem.counts)
    if bound > found.bound:
        found = replace(found, duals=duals, bound=bound)
    yield found
    found = _better(found, _dive(problem, priced, found, deadline))
    yield found
    tries = TRIES * min(problem.rows, MOST_ROWS) // problem.k
    if problem.costs.hidden is None and found.cost > problem.round_up(found.bound):
        for classes in anneal_classes(problem, found.classes, priced, tries, TURNS, deadline):
            cost = problem.total_cost(classes, int(found.suppressed.sum()))
            found = _better(found, replace(found, classes=classes, cost=cost))
            yield found
            stop_if_over(deadline)


def _dive(problem: Problem, priced: Priced, found: Solution, deadline: float) -> Solution:
    """Return the classes of a dive; where it leaves rows that fit nowhere, what was found."""
    classes, left = round_solution(problem, priced, deadline)
    try:
        classes, suppressed = assign_leftovers(problem, classes, left, priced.values, deadline)
    except Infeasible:
        return found
    classes = divide_large(classes, problem.k)
    cost = problem.total_cost(classes, int(suppressed.sum()))
    return replace(found, classes=classes, suppressed=suppressed, cost=cost)


def _better(one: Solution, other: Solution) -> Solution:
    """Return the cheaper of two."""
    return other if other.cost < one.cost else one


def _tell(problem: Problem, found: Solution, options: SearchOptions) -> None:
    """Say how far the search is."""
    options.announce(problem.describe(found.cost, found.bound))
