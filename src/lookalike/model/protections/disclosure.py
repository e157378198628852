"""δ-disclosure privacy (Brickell and Shmatikov, *The Cost of Privacy*, 2008)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lookalike.kernels.class_bounds import keep_below_shares
from lookalike.kernels.class_distances import measure_log_ratios
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues, share_out
from lookalike.model.protections.protection import SLACK, Protection, check_parameter


@dataclass(frozen=True)
class Disclosure(Protection):
    """δ-disclosure privacy: |ln(p ∕ q)| < δ for every value of the table.

    p is the share of the value in the class and q its share in the table. A value that is missing
    from a class has p = 0, so the class fails. The comparison is strict, as published; the
    logarithm is the natural one.
    """

    name: ClassVar[str] = "disclosure"
    grows: ClassVar[bool] = False
    delta: float

    def __post_init__(self) -> None:
        valid = 0 < self.delta < math.inf
        check_parameter(valid, self.name, "delta", "be a number above 0", self.delta)

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
