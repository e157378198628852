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
from lookalike.kernels.set_partitioning import lower_values, pick_largest
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime, TooLarge
from lookalike.model.duals import Duals
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.exact.column_program import Program
from lookalike.search.cells.exact.columns import (
    Columns,
    classes_of,
    columns_of_classes,
    columns_of_rows,
    columns_of_suppression,
    columns_within,
)
from lookalike.search.cells.exact.enumerate_groups import Groups, enumerate_groups
from lookalike.search.cells.exact.partition import partition
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
UNLIMITED = 1 << 60
"""The ceiling of values where no row may be suppressed."""


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
        most = problem.costs.suppressed + above if problem.allowance else UNLIMITED
        rounded = round_duals(problem, groups, most, values * problem.step)
        if not problem.allowance:
            above = max(0, int(rounded.max()) - problem.costs.suppressed)
        found = Duals(problem.costs.scale, rounded, above)
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
        return columns_of_suppression(allowed, self.problem.costs.suppressed)


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
    counts, k, costs = problem.counts, problem.k, groups.costs / problem.step
    program = Program(counts, np.inf, problem.allowance, problem.step)
    program.add(first)
    known: set[bytes] = set()
    values, price = np.zeros(len(counts)), 0.0
    tolerance = TOLERANCE * max(1.0, float(costs.max(initial=0)) / 1000)
    try:
        while program.relax(deadline):
            values, price = program.duals()
            rows = pick_largest(groups.start, groups.members, counts, values, k)
            excess = values[rows].sum(axis=1) - k * costs
            violated = _most_violated(rows, excess, tolerance)
            new = [line for line in violated if rows[line].tobytes() not in known]
            if not new:
                break
            known.update(rows[line].tobytes() for line in new)
            program.add(columns_of_rows(k * groups.costs[new], rows[new]))
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


def round_duals(problem: Problem, groups: Groups, most: int, values: Reals) -> Counts:
    """Round values down to whole units, and lower them until they prove a bound exactly."""
    whole = np.minimum(np.floor(values).astype(np.int64), most)
    return lower_values(
        groups.costs, groups.start, groups.members, problem.counts, whole, problem.k
    )
