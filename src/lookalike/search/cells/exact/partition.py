"""Choose columns that take every row once at least cost: a set partitioning problem."""

import math

import numpy as np

from lookalike.kernels.set_partitioning import find_triples
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import stop_if_over
from lookalike.search.cells.exact.column_program import Program, is_whole, spread_picks
from lookalike.search.cells.exact.columns import Columns
from lookalike.search.cells.problem import Problem

LEEWAY = 0.01
"""The part of a unit that is allowed for rounding errors of the solver."""
MOST_ROUNDS = 50
"""The greatest number of rounds of cuts."""
MOST_TRIPLES = 20_000
"""The greatest number of violated triples to list in a round."""
MOST_CUTS = 60
"""The greatest number of cuts to add in a round."""
MOST_USES = 3
"""The greatest number of cuts of a round that may share a sequence."""
FIRST_PART = 4
"""The first integer program covers the distance to the target divided by this."""
WIDTH_GROWTH = 1.5
"""The factor by which this distance grows."""


def partition(
    problem: Problem, columns: Columns, bound: int, target: int, deadline: float
) -> tuple[Counts | None, int]:
    """Look for a release within a target cost that consists of given columns.

    Cuts by triples tighten the linear relaxation: of three rows, at most one class holds two
    (subset-row inequalities). They raise its bound, so that a release near the bound can have
    few columns. A solver of integer programs gets these columns.

    Returns: how often the best release found takes each column; ``None`` if none was found.
    Returns: A lower bound of the cost of a release of these columns; one step above the target
    if none is within it.
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
    """Add cuts while any is violated; return the columns that a good enough release can have."""
    kept = np.arange(len(columns), dtype=np.int32)
    for _ in range(MOST_ROUNDS):
        stop_if_over(deadline)
        if not program.relax(deadline) or program.objective > most:
            return kept[:0]
        if is_whole(program.shares()):
            break
        costly = program.reduced_costs() > most - program.objective
        shares = program.shares()[~costly]
        program.drop(np.flatnonzero(costly))
        kept = kept[~costly]
        cut = _add_cuts(program, columns.take(kept), counts, shares)
        if not cut:
            program.relax(deadline)
            break
    return kept


def _widen(
    program: Program, bound: float, goal: float, deadline: float
) -> tuple[Reals | None, float]:
    """Solve in whole numbers, first with the columns near the bound, then with more of them."""
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
    """Return how often each column is taken, given the shares of those that were kept."""
    if shares is None:
        return None
    times = np.zeros(len(columns), dtype=np.int64)
    times[kept] = np.round(shares)
    return times


def _add_cuts(program: Program, columns: Columns, counts: Counts, shares: Reals) -> bool:
    """Cut off a fractional solution by triples; return whether any was found."""
    from scipy.sparse import csc_array  # slow to import, so only where it is needed

    used = np.flatnonzero(shares > 1e-7)
    taken = columns.take(used).spread(len(counts))
    triples, excess = find_triples(taken, shares[used], counts, 1e-3, MOST_TRIPLES)
    rows = csc_array(
        (columns.number, columns.sequence, columns.start), shape=(len(counts), len(columns))
    ).tocsr()
    for line in spread_picks(triples, excess, MOST_USES, MOST_CUTS):
        pairs = rows[triples[line]].sum(axis=0) // 2
        program.cut(pairs.astype(np.float64), int(counts[triples[line]].sum()) // 2)
    return len(triples) > 0
