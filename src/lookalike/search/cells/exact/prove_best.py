"""Find a release of least distortion at the cell level and prove it, for small tables.

A class is released as the join of its rows, and a class of 2k rows or more can be divided. So a
release is a choice of *columns*, multisets of k … 2k - 1 rows, that takes every row once. The
duals of the linear relaxation prove a bound, and each column has a share of this bound: the
values of its rows. If a release exceeds the bound by some amount, none of its columns exceeds its
own share by more. So the search lists the columns near their share, and looks for a release made
of them within a target cost. If there is none, the target rises, and the bound with it. The first
release found within a target is the best.
"""

import math
from dataclasses import replace

import numpy as np

from lookalike.errors import InternalError
from lookalike.kernels.lower_bound import push_down
from lookalike.kernels.set_partitioning import Groups, list_triples, pick_largest
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime, TooLarge, stop_if_over
from lookalike.model.proved_bound import Duals
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.exact.column_program import Program, is_whole, spread_picks
from lookalike.search.cells.exact.columns import (
    Columns,
    classes_of,
    columns_of_classes,
    columns_of_rows,
    columns_within,
    enumerate_groups,
)
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.solve import Solution
from lookalike.search.options import SearchOptions

TOLERANCE = 1e-6
"""The greatest violation of a dual constraint that counts as rounding."""


FIRST_STEP = 16
"""The first target exceeds the bound by the cost of a suppressed row, divided by this."""
TARGET_GROWTH = 1.5
"""The factor by which the distance of the target grows."""
MOST_SEQUENCES = 5_000
"""No proof is tried with more distinct sequences than this: there are too many pairs."""
NO_CEILING = 1 << 60
"""The ceiling of values where no row may be suppressed."""
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


def prove_best(
    problem: Problem, found: Solution, options: SearchOptions, deadline: float = math.inf
) -> Solution:
    """Improve a release until no better one can exist, within the limits of time and memory.

    ``options``: callbacks that receive the progress, and decide whether an interrupted search keeps
    its best release.
    Returns: the best release found, the duals that prove the greatest bound, and the bound of
    the search, which may be greater.
    """
    search = _Search(problem, found, deadline)
    try:
        search.run(options)
    except OutOfTime as reason:
        options.announce(str(reason))
    except KeyboardInterrupt:
        if not options.keep_best():
            raise
    return replace(search.best, duals=search.duals, bound=search.bound)


class _Search:
    """The best release so far, and the proved bound."""

    def __init__(self, problem: Problem, found: Solution, deadline: float) -> None:
        self.problem, self.deadline = problem, deadline
        self.best = found
        self.duals = found.duals or Duals(problem.costs.scale, np.zeros_like(problem.counts))
        self.bound = problem.round_up(found.bound)

    def run(self, options: SearchOptions) -> None:
        """Raise the bound and lower the cost until they meet."""
        if self.bound == self.best.cost:
            return
        if len(self.problem.counts) > MOST_SEQUENCES:
            raise TooLarge("the table has too many distinct sequences for a proof")
        groups = enumerate_groups(self.problem, self.deadline)
        self.raise_duals(groups)
        width: float = self.problem.costs.suppressed / FIRST_STEP
        while self.bound < self.best.cost:
            options.announce(self.problem.describe(self.best.cost, self.bound))
            step = self.problem.step
            target = self.proven(self.duals) + step * int(width / step)
            target = min(max(target, self.bound), self.best.cost - step)
            self.search_within(self.list_columns(groups, target), target)
            width *= TARGET_GROWTH

    def raise_duals(self, groups: Groups) -> None:
        """Compute the duals of the linear relaxation, and the bound that they prove."""
        problem, first = self.problem, self.best.classes
        known = columns_of_classes(first, problem.row_costs(first))
        known = known.join(self.suppressions(np.arange(len(problem.counts))))
        values, price = price_rows(problem, groups, known, self.deadline)
        above = math.ceil(price * problem.step)
        most = problem.costs.suppressed + above if problem.allowance else NO_CEILING
        # Rounded down to whole units, and lowered until they prove a bound exactly.
        whole = np.minimum(np.floor(values * problem.step).astype(np.int64), most)
        push_down(whole, problem.counts, groups.pool, problem.k)
        if not problem.allowance:
            above = max(0, int(whole.max()) - problem.costs.suppressed)
        found = Duals(problem.costs.scale, whole, above)
        if self.sum_up(found) > self.sum_up(self.duals):
            self.duals = found
        self.bound = max(self.bound, self.proven(self.duals))

    def list_columns(self, groups: Groups, target: int) -> Columns:
        """List the columns that a release within a target cost can have."""
        problem, duals = self.problem, self.duals
        gap = target - self.sum_up(duals)
        classes = columns_within(problem, groups, duals.values, gap, self.deadline)
        excess = problem.costs.suppressed + duals.price - duals.values
        return classes.join(self.suppressions(np.flatnonzero(excess <= gap)))

    def search_within(self, columns: Columns, target: int) -> None:
        """Look for a release within a target cost; if there is none, raise the bound above it."""
        times, bound = partition(self.problem, columns, self.bound, target, self.deadline)
        if times is not None:
            self.consider(classes_of(columns, times))
        self.bound = min(self.best.cost, max(self.bound, bound))
        if self.bound <= target < self.best.cost:
            raise OutOfTime("the time is up")

    def consider(self, classes: Classes) -> None:
        """Keep a release if it is better than the best; check that it is valid first."""
        problem = self.problem
        released = np.bincount(classes.sequence, classes.counts, minlength=len(problem.counts))
        suppressed = problem.counts - released.astype(np.int64)
        cost = problem.total_cost(classes, int(suppressed.sum()))
        if cost >= self.best.cost:
            return
        within = problem.join(classes) <= np.array(problem.lattice.top)[:, None]
        if (
            suppressed.min() < 0
            or suppressed.sum() > problem.allowance
            or classes.sizes().min(initial=problem.k) < problem.k
            or not within.all()
        ):
            raise InternalError("the exact search found classes that violate the requirement")
        self.best = replace(self.best, classes=classes, suppressed=suppressed, cost=cost)

    def proven(self, duals: Duals) -> int:
        """Return the bound that duals prove, rounded up to the next possible cost of a release."""
        return self.problem.round_up(self.sum_up(duals))

    def sum_up(self, duals: Duals) -> int:
        """Return the bound that duals prove."""
        return int(duals.values @ self.problem.counts) - self.problem.allowance * duals.price

    def suppressions(self, sequences: Counts) -> Columns:
        """Return columns for the suppression of a row, if any may be suppressed."""
        allowed = sequences if self.problem.allowance else sequences[:0]
        ones, start = np.ones(len(allowed), dtype=np.int64), np.arange(len(allowed) + 1)
        cost = self.problem.costs.suppressed
        return Columns(cost * ones, start, allowed.astype(np.int32), ones)


def price_rows(
    problem: Problem, groups: Groups, first: Columns, deadline: float
) -> tuple[Reals, float]:
    """Solve the linear relaxation by column generation.

    Columns of k rows are enough, because the k largest values of a class decide. In each group
    the k rows of largest value are the most violated column, if any is violated.

    ``deadline``: when to stop with the values reached so far, which may not be feasible.
    Returns: the value of a row of each sequence, in units of the least difference of two
    releases.
    """
    counts, k, costs = problem.counts, problem.k, groups.pool.costs / problem.step
    program = Program(counts, np.inf, problem.allowance, problem.step)
    program.add(first)
    known: set[bytes] = set()
    values, price = np.zeros(len(counts)), 0.0
    tolerance = TOLERANCE * max(1.0, float(costs.max(initial=0)) / 1000)
    try:
        while program.relax(deadline):
            values, price = program.duals()
            rows = pick_largest(groups.pool, counts, values, k)
            excess = values[rows].sum(axis=1) - k * costs
            violated = _most_violated(rows, excess, tolerance)
            new = [line for line in violated if rows[line].tobytes() not in known]
            if not new:
                break
            known.update(rows[line].tobytes() for line in new)
            program.add(columns_of_rows(k * groups.pool.costs[new], rows[new]))
    except OutOfTime:
        pass
    return values, price


def _most_violated(rows: Codes, excess: Reals, tolerance: float) -> list[int]:
    """Return, for each sequence, the line of greatest excess among those that contain it."""
    bad = np.flatnonzero(excess > tolerance)
    bad = bad[np.argsort(-excess[bad], kind="stable")]
    first = np.unique(rows[bad].ravel(), return_index=True)[1]
    found: list[int] = bad[np.unique(first // rows.shape[1])].tolist()
    return found


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
        if math.isfinite(program.objective) and (best is None or round(program.objective) <= goal):
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
    triples, excess = list_triples(taken, shares[used], counts, 1e-3, MOST_TRIPLES)
    rows = csc_array(
        (columns.number, columns.sequence, columns.start), shape=(len(counts), len(columns))
    ).tocsr()
    for line in spread_picks(triples, excess, MOST_USES, MOST_CUTS):
        pairs = rows[triples[line]].sum(axis=0) // 2
        program.cut(pairs.astype(np.float64), int(counts[triples[line]].sum()) // 2)
    return len(triples) > 0
