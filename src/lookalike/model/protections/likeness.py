"""β-likeness (Cao and Karras, *Publishing Microdata with a Robust Privacy Guarantee*, 2012)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lookalike.kernels.class_bounds import keep_below_shares
from lookalike.kernels.class_distances import measure_gains
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues, share_out
from lookalike.model.protections.protection import SLACK, Protection, check_parameter, count_until


@dataclass(frozen=True)
class Likeness(Protection):
    """β-likeness: no value gains much in a class over its share in the table.

    For every value with a share p in the class above its share q in the table, (p − q) ∕ q ≤ β
    (basic), or (p − q) ∕ q ≤ min(β, −ln q) (enhanced). Both comparisons include the boundary, as
    published. The enhanced form also limits frequent values, which cannot gain much.
    """

    name: ClassVar[str] = "likeness"
    grows: ClassVar[bool] = False
    beta: float
    enhanced: bool = True

    def __post_init__(self) -> None:
        valid = 0 < self.beta < math.inf
        check_parameter(valid, self.name, "beta", "be a number above 0", self.beta)

    def measure(self, values: ClassValues) -> Reals:
        """Return the greatest relative gain of a value of each class.

        If the enhanced form holds for no β, because some gain exceeds −ln q, it is infinity.
        """
        limits = self._limit(values.shares) + SLACK
        return measure_gains(values.starts, values.values, values.counts, values.shares, limits)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have a value that gains too much."""
        return self.measure(values) > self.beta + SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, by the greatest share of every value."""
        shares = values.shares
        limits = np.minimum(self.beta, self._limit(shares))
        caps = (1 + np.where(shares > 0, limits, 0) + SLACK) * shares
        return keep_below_shares(values.starts, values.values, values.counts, caps)

    def least_distinct(self, reference: Counts) -> int:
        """Return how many values are needed for their greatest shares to add up to 1.

        A value has at most the share (1 + min(β, −ln q)) · q in a class that satisfies the
        protection, or (1 + β) · q in the basic form. The shares of its values add up to 1, so
        the greatest of these limits must reach 1 with as many values.
        """
        return count_until(np.cumsum(self._most(reference)), 1 - SLACK)

    def least_rows(self, reference: Counts) -> int:
        """Return how many rows are needed for each value to have one row.

        A class has d = `least_distinct` values or more, so one of them has at most the d-th
        greatest limit as its share, and at least one row.
        """
        distinct = self.least_distinct(reference)
        share = float(self._most(reference)[:distinct].min(initial=1))
        return max(distinct, math.ceil(1 / (share + SLACK)))

    def _limit(self, shares: Reals) -> Reals:
        """Return the limit of each value's gain that does not depend on β."""
        if not self.enhanced:
            return np.full(len(shares), np.inf)
        with np.errstate(divide="ignore"):
            return -np.log(shares)

    def _most(self, reference: Counts) -> Reals:
        """Return the greatest share of each value of the table in a class, descending."""
        shares = share_out(reference[reference > 0])
        most = (1 + np.minimum(self.beta, self._limit(shares)) + SLACK) * shares
        return np.sort(most)[::-1]
