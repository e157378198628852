"""Protections that compare the share of each value in a class with that in the whole table.

β-likeness: Cao and Karras, *Publishing Microdata with a Robust Privacy Guarantee*, 2012.
δ-disclosure privacy: Brickell and Shmatikov, *The Cost of Privacy*, 2008.
"""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from lookalike.kernels.class_bounds import keep_below_shares
from lookalike.kernels.class_distances import measure_gains, measure_log_ratios
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues, share_out
from lookalike.model.protections.protection import SLACK, Parameter, Protection, count_until


@dataclass(frozen=True)
class Likeness(Protection):
    """β-likeness: no value gains much in a class over its share in the table.

    For every value with a share p in the class above its share q in the table, (p − q) ∕ q ≤ β
    (basic), or (p − q) ∕ q ≤ min(β, −ln q) (enhanced). Both comparisons include the boundary, as
    published. The enhanced form also limits frequent values, which cannot gain much.
    """

    name = "likeness"
    meaning = (
        "How much more frequent than in the whole table a value may be in a class: 2 means at "
        "most three times as frequent (β-likeness)."
    )
    beta: Annotated[float, Parameter("Gain over the whole table, at most (β)", least=0, above=True)]
    enhanced: Annotated[
        bool,
        Parameter(
            "Kind of β-likeness",
            choices={"true": "enhanced", "false": "basic"},
            meaning="Enhanced β-likeness bounds the gain of frequent values more strictly than the "
            "basic one.",
        ),
    ] = True

    def state(self, column: str) -> str:
        """State the greatest gain."""
        return (
            f"the share of each value of {column} is at most {self.beta:g} times its share in the "
            f"whole table above it ({'enhanced' if self.enhanced else 'basic'} β-likeness)"
        )

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


@dataclass(frozen=True)
class Disclosure(Protection):
    """δ-disclosure privacy: |ln(p ∕ q)| < δ for every value of the table.

    p is the share of the value in the class and q its share in the table. A value that is missing
    from a class has p = 0, so the class fails. The comparison is strict, as published; the
    logarithm is the natural one.
    """

    name = "disclosure"
    meaning = (
        "Every value occurs in every class, and its share differs from that in the whole table by "
        "less than the factor e to the power of this number (δ-disclosure privacy)."
    )
    delta: Annotated[float, Parameter("Difference from the whole table (δ)", least=0, above=True)]

    def state(self, column: str) -> str:
        """State the greatest difference."""
        return (
            f"the share of each value of {column} differs from its share in the whole table by "
            f"less than the factor e^{self.delta:g}"
        )

    def measure(self, values: ClassValues) -> Reals:
        """Return the greatest |ln(p ∕ q)| of each class; infinity if it lacks a value."""
        return self._measure(values, int(np.count_nonzero(values.reference)))

    def measure_present(self, values: ClassValues) -> Reals:
        """Return the same over the values that each class has, which is never infinity."""
        return self._measure(values, 0)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have a value that is too frequent, too rare or missing."""
        return self.measure(values) >= self.delta - SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, by the share that every value may have.

        A class that lacks a value of the table keeps nothing. A value with c rows has at least the
        share q ∕ e^δ of the rows that are kept, so these are at most c · e^δ ∕ q.
        """
        factor = math.exp(self.delta)
        caps = factor * values.shares
        kept = keep_below_shares(values.starts, values.values, values.counts, caps)
        kept = np.minimum(kept, super().keeps_at_most(values))
        class_of = np.repeat(np.arange(values.classes), np.diff(values.starts))
        np.minimum.at(
            kept, class_of, np.ceil(values.counts * factor / values.shares[values.values])
        )
        return kept

    def least_distinct(self, reference: Counts) -> int:
        """Return the number of values of the table: each must occur in every class."""
        return max(1, int(np.count_nonzero(reference)))

    def least_rows(self, reference: Counts) -> int:
        """Return ⌊1 ∕ (q · e^δ)⌋ + 1 for the rarest value, at least `least_distinct`.

        The rarest value has at least one of the n rows of a class, so 1 ∕ n < q · e^δ.
        """
        rarest = float(share_out(reference[reference > 0]).min(initial=1))
        rows = math.floor(math.exp(SLACK - self.delta) / rarest) + 1
        return max(self.least_distinct(reference), rows)

    def _measure(self, values: ClassValues, least: int) -> Reals:
        """Return the greatest |ln(p ∕ q)| of each class with so many values."""
        shares = values.shares
        return measure_log_ratios(values.starts, values.values, values.counts, shares, least)
