"""The least distortion at the cell level, proved: for small tables.

A class is released as the join of its rows, and a class of 2k rows or more can be divided.
So a release is a choice of columns, multisets of k … 2k - 1 rows, that takes every row once.
The duals of its linear relaxation prove a bound. A release that costs so much more than the
bound has no column that exceeds its own share of it by more. Therefore the search lists the
columns that come near their share, and looks for a release made of them within a target; if
there is none the target rises, and the bound with it. The first release found is the best.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lookalike.cells.classes import Classes
from lookalike.cells.closed import Groups, OutOfTime, close_groups
from lookalike.cells.columns import (
    Columns,
    classes_of,
    columns_of_classes,
    columns_of_suppression,
    columns_within,
    cost_classes,
    join_within,
)
from lookalike.cells.costs import Costs
from lookalike.cells.partition import partition
from lookalike.cells.quick import close_cheapest, gather, split_at_top
from lookalike.cells.relaxation import price_rows, price_simply, round_duals
from lookalike.duals import Duals
from lookalike.errors import Infeasible, InternalError
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Lattice

FINENESS = 10_000
"""The duals divide the smallest difference of two costs into at least so many units."""
FIRST_STEP = 16
"""The first target is above the bound by what a suppressed row costs, divided by this."""
GROWTH = 1.5
"""How much wider each next target is."""
MOST_STEPS = 200_000_000
"""Listing columns is given up after so many steps."""
UNLIMITED = 1 << 60

Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Solution:
    """The best release found, and what is known of the best possible.

    Parameters
    ----------
    classes
        Which rows go together.
    suppressed
        How many rows of each sequence are suppressed.
    cost
        What the release costs, in units of the costs.
    duals
        Values that prove a bound and can be checked apart from the search, in finer units.
    dual_bound
        What the duals prove: no release costs less.
    bound
        What the search proved; at least as much.
    proved
        Whether nothing better can exist.
    """

    classes: Classes
    suppressed: Counts
    cost: int
    duals: Duals
    dual_bound: int
    bound: int

    @property
    def proved(self) -> bool:
        """Whether nothing better can exist."""
        return self.bound == self.cost


def solve_exactly(
    counts: Counts,
    costs: Costs,
    lattice: Lattice,
    k: int,
    allowance: int,
    *,
    start: Classes | None = None,
    time_limit: float | None = None,
    tell: Tell = lambda _: None,
) -> Solution:
    """Find a release at the cell level that loses least, and prove it.

    Parameters
    ----------
    counts
        The number of rows of each sequence.
    costs
        What cells cost.
    lattice
        The levels that are allowed.
    k
        How many rows a class must have.
    allowance
        How many rows may be suppressed.
    start
        Classes to begin with; rows that are in none are suppressed.
    time_limit
        Stops after so many seconds with the best found, and the bound.
    tell
        Told from time to time how far the search is.

    Raises
    ------
    Infeasible
        If too many rows can be in no class.
    """
    deadline = time.monotonic() + (math.inf if time_limit is None else time_limit)
    search = _Search(counts, costs, lattice, k, allowance, deadline)
    if start is not None:
        search.consider(start)
    try:
        search.run(tell)
    except OutOfTime:
        tell("the time is up")
    return search.solution()


class _Search:
    """The best release found so far, and the bound that is proved."""

    def __init__(
        self,
        counts: Counts,
        costs: Costs,
        lattice: Lattice,
        k: int,
        allowance: int,
        deadline: float,
    ) -> None:
        self.counts, self.costs, self.lattice, self.k = counts, costs, lattice, k
        self.deadline = deadline
        self.unit = max(1, int(np.gcd.reduce(costs.steps, axis=None)))
        self.fineness = -(-FINENESS // self.unit)
        self.part_of = split_at_top(costs.ancestors, lattice.top)
        self.widest = gather(self.part_of, counts, k)
        self.allowance = min(allowance, int(counts.sum()))
        self._check_feasible()
        self.best, self.cost = self.widest, self.measure(self.widest)
        self.values, self.price = np.zeros(len(counts), dtype=np.int64), 0
        self.bound = 0

    def run(self, tell: Tell) -> None:
        """Raise the bound and lower the cost until they meet."""
        groups = close_groups(self.counts, self.costs, self.lattice, self.k, self.deadline)
        self.raise_duals(groups)
        self.bound = self.dual_bound
        values = self.values
        self.consider(close_cheapest(groups, self.counts, values, self.costs, self.lattice, self.k))
        width: float = self.costs.suppressed / FIRST_STEP
        while self.bound < self.cost:
            tell(self.describe())
            target = self.dual_bound + self.unit * int(width / self.unit)
            target = min(max(target, self.bound), self.cost - self.unit)
            columns = self.list_columns(groups, target)
            if columns is None:
                return
            self.search_within(columns, target)
            width *= GROWTH

    def search_within(self, columns: Columns, target: int) -> None:
        """Look for a release within a target; if there is none, the bound is above it."""
        times, bound = partition(
            columns,
            self.counts,
            self.k,
            self.allowance,
            self.unit,
            self.bound,
            target,
            self.deadline,
        )
        if times is not None:
            self.consider(classes_of(columns, times))
        self.bound = min(self.cost, max(self.bound, bound))
        if self.bound <= target < self.cost:
            raise OutOfTime

    def raise_duals(self, groups: Groups) -> None:
        """Find the duals of the linear relaxation, or the simple ones if time is short."""
        fine_costs, suppressed = groups.costs * self.fineness, self.costs.suppressed * self.fineness
        self.values = price_simply(groups, len(self.counts), fine_costs, suppressed)
        first = columns_of_classes(
            self.widest, cost_classes(self.widest, self.costs, self.lattice)
        ).join(self._suppressions(np.arange(len(self.counts))))
        values, price = price_rows(
            groups, self.counts, self.k, self.allowance, first, self.unit, self.deadline
        )
        scale = self.unit * self.fineness
        above = math.ceil(price * scale) if self.allowance else 0
        most = suppressed + above if self.allowance else UNLIMITED
        rounded = round_duals(groups, self.counts, self.k, fine_costs, most, values * scale)
        if self._proves(rounded, above) > self._proves(self.values, 0):
            self.values, self.price = rounded, above

    def list_columns(self, groups: Groups, target: int) -> Columns | None:
        """List the columns of which a release within a target can be made."""
        gap = target * self.fineness - self._proves(self.values, self.price)
        classes = columns_within(
            groups,
            self.costs,
            self.lattice,
            self.counts,
            self.values,
            self.k,
            gap,
            self.fineness,
            MOST_STEPS,
            self.deadline,
        )
        dearer = self.costs.suppressed * self.fineness + self.price - self.values
        spare = self._suppressions(np.flatnonzero(dearer <= gap))
        return None if classes is None else classes.join(spare)

    def consider(self, classes: Classes) -> None:
        """Keep a release if it is better than the best."""
        classes = self._release_more(classes)
        cost = self.measure(classes)
        if cost < self.cost:
            self.best, self.cost = classes, cost

    def measure(self, classes: Classes) -> int:
        """Return what a release costs, after a look whether it is one."""
        suppressed = self.count_suppressed(classes)
        within = (
            join_within(classes, self.costs, self.lattice) <= np.array(self.lattice.top)[:, None]
        )
        if (
            suppressed.min(initial=0) < 0
            or suppressed.sum() > self.allowance
            or classes.sizes().min(initial=self.k) < self.k
            or not within.all()
        ):
            raise InternalError("some classes do not satisfy what they must")
        released = cost_classes(classes, self.costs, self.lattice) * classes.sizes()
        return int(released.sum() + suppressed.sum() * self.costs.suppressed)

    def count_suppressed(self, classes: Classes) -> Counts:
        """Return how many rows of each sequence are in no class."""
        released = np.bincount(classes.sequence, classes.counts, minlength=len(self.counts))
        return self.counts - released.astype(np.int64)

    @property
    def dual_bound(self) -> int:
        """The bound that the duals prove, rounded up to what a release can cost."""
        least = self._proves(self.values, self.price)
        return -(-least // (self.fineness * self.unit)) * self.unit

    def solution(self) -> Solution:
        """Return the best release found and the bound."""
        price = self.price
        if not self.allowance:
            above = int(self.values.max()) - self.costs.suppressed * self.fineness
            price = max(0, above)
        return Solution(
            classes=self.best,
            suppressed=self.count_suppressed(self.best),
            cost=self.cost,
            duals=Duals(self.costs.scale * self.fineness, self.values, price),
            dual_bound=self.dual_bound,
            bound=self.bound,
        )

    def describe(self) -> str:
        """Say how far the search is."""
        rows = int(self.counts.sum())
        reached, possible = (self.costs.precision(c, rows) for c in (self.cost, self.bound))
        return f"Prec {reached:.4f} reached, {possible:.4f} possible at most"

    def _proves(self, values: Counts, price: int) -> int:
        """Return the bound that duals prove, in their units."""
        return int(values @ self.counts) - self.allowance * price

    def _suppressions(self, sequences: Counts) -> Columns:
        """Return columns for the suppression of a row, if any may be suppressed."""
        allowed = sequences if self.allowance else sequences[:0]
        return columns_of_suppression(allowed, self.costs.suppressed)

    def _release_more(self, classes: Classes) -> Classes:
        """Release suppressed rows that can be a class: that costs no more."""
        more = gather(self.part_of, self.count_suppressed(classes), self.k)
        return Classes(
            np.concatenate([classes.class_of, more.class_of + np.int32(len(classes))]),
            np.concatenate([classes.sequence, more.sequence]),
            np.concatenate([classes.counts, more.counts]),
        )

    def _check_feasible(self) -> None:
        """Stop if rows that can be in no class are too many, or all."""
        forced = int(self.count_suppressed(self.widest).sum())
        if forced > self.allowance or not len(self.widest):
            raise Infeasible(
                f"{forced:,} rows cannot be in a class of k = {self.k} rows, even at the highest "
                f"levels that are allowed, and {self.allowance:,} may be suppressed; loosen the "
                "constraints on levels, lower k, or allow more suppressed rows (max_suppressed)"
            )
