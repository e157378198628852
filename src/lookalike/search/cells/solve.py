"""Search for a release of least distortion at the cell level, and prove a bound for it."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Counts
from lookalike.model.clock import OutOfTime, TooLarge, stop_if_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.proved_bound import Duals
from lookalike.search.cells.bound import RaisedValues, prove_values, raise_values
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction import (
    GreedyResult,
    assign_leftovers,
    divide_large,
    round_solution,
    run_greedy,
)
from lookalike.search.cells.costs import choose_scale, cost_cells
from lookalike.search.cells.improvement import anneal_classes
from lookalike.search.cells.problem import FORBIDDEN, Problem
from lookalike.search.options import SearchOptions

EXACT_IN_FLOATS = 1 << 53
"""Whole numbers up to this one are exact in floating point."""
TRIES, MOST_ROWS = 120, 30_000
"""Exchanges to try in a turn per class of k rows, and the greatest number of rows to count."""
TURNS = 8
"""The number of turns of the annealing, about a minute together, however large the table is."""
RAISE_SECONDS, PROVE_SECONDS, ROUND_SECONDS, SORT_SECONDS = 60, 20, 30, 20
"""The work to raise values, to prove them, to round the solution, and to begin the annealing."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The best classes found, and a lower bound of the cost of any release.

    ``suppressed``: the number of suppressed rows of each sequence.
    ``cost``: the cost of the release, in units.
    ``duals``: the values of rows that prove the bound, if any do.
    ``bound``: no release costs less, in units.
    ``vectors``: the number of vectors that the greedy examined.
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
    objective: str = "precision",
) -> Problem:
    """State the problem in whole units that are fine enough for the values of rows.

    All sums must be exact, and stay below the cost of a cell that is not allowed.
    """
    most = min(FORBIDDEN // (2 * k), EXACT_IN_FLOATS // frequency.rows)
    scale, unit = choose_scale(frequency, weights, objective, most)
    costs = cost_cells(frequency, weights, scale, objective)
    return Problem(frequency.counts, costs, lattice, k, allowance, unit)


def solve(
    problem: Problem,
    options: SearchOptions,
    budget: Budget | None = None,
    greedy: GreedyResult | None = None,
) -> Solution:
    """Search with the requested effort, and return the best solution found.

    ``quick`` is the plain greedy with the simple bound. ``standard`` raises the values of rows to
    a nearly optimal bound, rounds the fractional solution that belongs to them, and improves
    it. At the deadline, or if an interrupted search keeps its best, the result is the best
    solution so far; there is always one.
    """
    budget = budget or Budget(announce=options.announce)
    greedy = greedy or run_greedy(problem, budget)
    found = _place_greedily(problem, greedy)
    budget.report(problem.describe(found.cost, found.bound))
    if options.effort == "quick":
        return found
    try:
        for better in _refine(problem, greedy, found, budget):
            found = better
            budget.report(problem.describe(found.cost, found.bound))
    except OutOfTime:
        pass
    except KeyboardInterrupt:
        if not options.keep_best():
            raise
        budget.deadline = -math.inf  # nothing follows what was interrupted
    return found


def _place_greedily(problem: Problem, greedy: GreedyResult) -> Solution:
    """Return the classes of the greedy with the simple bound."""
    placed = np.flatnonzero(greedy.class_of >= 0).astype(np.int32)
    if not len(placed):
        raise Infeasible(
            f"no {problem.k} rows can be made alike within the constraints; loosen them, or lower k"
        )
    whole = Classes(greedy.class_of[placed], placed, problem.counts[placed])
    left = np.where(greedy.class_of < 0, problem.counts, 0)
    values = np.minimum(greedy.cheapest, problem.costs.suppressed)
    divided = divide_large(whole, problem.k)
    classes, suppressed = assign_leftovers(problem, divided, left, values.astype(np.float64))
    classes = divide_large(classes, problem.k)
    return Solution(
        classes=classes,
        suppressed=suppressed,
        cost=problem.total_cost(classes, int(suppressed.sum())),
        duals=Duals(problem.costs.scale, values),
        bound=int(values @ problem.counts),
        vectors=greedy.vectors,
    )


def _refine(
    problem: Problem, greedy: GreedyResult, found: Solution, budget: Budget
) -> Iterator[Solution]:
    """Yield better and better solutions: a better bound first, then better classes."""
    if found.cost <= problem.round_up(found.bound):
        return
    start = np.minimum(greedy.cheapest, problem.costs.suppressed).astype(np.float64)
    raised = raise_values(problem, start, budget.part(RAISE_SECONDS))
    with suppress(TooLarge):
        duals = prove_values(problem, raised.values, budget.part(PROVE_SECONDS))
        bound = int(duals.values @ problem.counts)
        if bound > found.bound:
            found = replace(found, duals=duals, bound=bound)
    yield found
    with suppress(TooLarge, Infeasible):
        found = _better(found, _round(problem, raised, found, budget.part(ROUND_SECONDS)))
    yield found
    tries = TRIES * min(problem.rows, MOST_ROWS) // problem.k
    if found.cost > problem.round_up(found.bound):
        part = budget.part(SORT_SECONDS)
        for classes in anneal_classes(problem, found.classes, raised, tries, TURNS, part):
            cost = problem.total_cost(classes, int(found.suppressed.sum()))
            found = _better(found, replace(found, classes=classes, cost=cost))
            yield found
            stop_if_over(budget.deadline)


def _round(problem: Problem, raised: RaisedValues, found: Solution, budget: Budget) -> Solution:
    """Return the rounded solution; raise `Infeasible` if some of its rows fit no class."""
    classes, left = round_solution(problem, raised, budget)
    classes, suppressed = assign_leftovers(problem, classes, left, raised.values, budget)
    classes = divide_large(classes, problem.k)
    cost = problem.total_cost(classes, int(suppressed.sum()))
    return replace(found, classes=classes, suppressed=suppressed, cost=cost)


def _better(one: Solution, other: Solution) -> Solution:
    """Return the cheaper of two solutions; the first if they cost the same."""
    return other if other.cost < one.cost else one
