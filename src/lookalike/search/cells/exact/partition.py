"""Put a release together from listed columns at least cost: a set partitioning problem."""

import math

import numpy as np
import scipy.sparse

from lookalike.kernels.set_partitioning import find_triples
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import stop_if_over
from lookalike.search.cells.exact.column_program import Program, is_whole, spread_picks
from lookalike.search.cells.exact.columns import Columns
from lookalike.search.cells.problem import Problem

LEEWAY = 0.01
"""So much of a unit is left for the rounding of the solver."""
MOST_ROUNDS = 50
MOST_TRIPLES = 20_000
MOST_CUTS = 60
MOST_USES = 3
"""So many of the cuts that are added at once may have a sequence in common."""
FIRST_PART = 4
"""The integer program is first solved within so small a part of the way to the target."""
WIDTH_GROWTH = 1.5


def partition(
    problem: Problem, columns: Columns, bound: int, target: int, deadline: float
) -> tuple[Counts | None, int]:
    """Look for a release within a target cost that is made of some columns.

    The linear relaxation is cut by triples: of three rows at most one class holds two
    (subset-row inequalities). That raises its bound, so that few columns are left that a
    release near the bound can have, and those go to a solver of integer programs.

    Parameters
    ----------
    problem
        The problem.
    columns
        The classes and suppressions to choose from.
    bound
        What is known to be the least that a release can cost.
    target
        What the release may cost.
    deadline
        When to stop.

    Returns
    -------
    times
        How often each column is taken in the best release found; nothing if there is none.
    bound
        The least that a release of these columns costs; just above the target if none is
        within it.
    """
    step = problem.step
    program = Program(problem.counts, problem.rows // problem.k, problem.allowance, step)
    program.add(columns)
    goal, above = target // step, target + step
    kept = _cut(program, columns, problem.counts, goal + LEEWAY, deadline)
    if not len(kept):
        return None, above
    if is_whole(program.shares()):
        return _times(columns, kept, program.shares()), step * round(program.objective)
    shares, least = _widen(program, bound // step, goal, deadline)
    return _times(columns, kept, shares), min(above, step * math.ceil(least - LEEWAY))


def _cut(program: Program, columns: Columns, counts: Counts, most: float, deadline: float) -> Codes:
    """Add cuts while any is violated; return the columns that a release within may have."""
    kept = np.arange(len(columns), dtype=np.int32)
    for _ in range(MOST_ROUNDS):
        stop_if_over(deadline)
        if not program.relax(deadline) or program.objective > most:
            return kept[:0]
        if is_whole(program.shares()):
            break
        dear = program.reduced_costs() > most - program.objective
        shares = program.shares()[~dear]
        program.drop(np.flatnonzero(dear))
        kept = kept[~dear]
        cut = _add_cuts(program, columns.take(kept), counts, shares)
        if not cut:
            program.relax(deadline)
            break
    return kept


def _widen(
    program: Program, bound: float, goal: float, deadline: float
) -> tuple[Reals | None, float]:
    """Solve in whole numbers, first with the columns that a release near the bound can have."""
    reduced, least = program.reduced_costs(), program.objective
    reached = max(bound, math.ceil(least - LEEWAY))
    width = (goal - reached) / FIRST_PART
    best = None
    while True:
        reached = min(goal, reached + math.ceil(width))
        program.solve(reduced <= reached - least + LEEWAY, deadline)
        proved = min(program.bound, reached + 1)
        if program.has_solution and (best is None or round(program.objective) <= goal):
            best, goal = program.shares(), min(goal, round(program.objective) - 1)
        if proved <= reached or reached >= goal:
            return best, proved
        width *= WIDTH_GROWTH


def _times(columns: Columns, kept: Codes, shares: Reals | None) -> Counts | None:
    """Return how often each column is taken, of which only some were kept."""
    if shares is None:
        return None
    times = np.zeros(len(columns), dtype=np.int64)
    times[kept] = np.round(shares)
    return times


def _add_cuts(program: Program, columns: Columns, counts: Counts, shares: Reals) -> bool:
    """Cut off a fractional solution by triples; tell whether any was found."""
    used = np.flatnonzero(shares > 1e-7)
    taken = columns.take(used).spread(len(counts))
    triples, excess = find_triples(taken, shares[used], counts, 1e-3, MOST_TRIPLES)
    rows = scipy.sparse.csc_array(
        (columns.number, columns.sequence, columns.start), shape=(len(counts), len(columns))
    ).tocsr()
    for line in spread_picks(triples, excess, MOST_USES, MOST_CUTS):
        pairs = rows[triples[line]].sum(axis=0) // 2
        program.cut(pairs.astype(np.float64), int(counts[triples[line]].sum()) // 2)
    return len(triples) > 0
