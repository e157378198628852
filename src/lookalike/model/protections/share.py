"""A largest share: the α of (α, k)-anonymity (Wong, Li, Fu and Wang, *(α, k)-Anonymity*, 2006)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lookalike.kernels.class_bounds import keep_below_shares
from lookalike.kernels.class_values import measure_shares
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues
from lookalike.model.protections.protection import SLACK, Protection, check_parameter


@dataclass(frozen=True)
class Share(Protection):
    """No value has more than a share alpha of the rows of a class.

    Parameters
    ----------
    alpha
        The largest share, above 0 and at most 1.
    """

    name: ClassVar[str] = "share"
    grows: ClassVar[bool] = False
    alpha: float

    def __post_init__(self) -> None:
        valid = 0 < self.alpha <= 1
        check_parameter(valid, self.name, "alpha", "lie above 0 and at most 1", self.alpha)

    def measure(self, values: ClassValues) -> Reals:
        """Return the share of the most frequent value of each class."""
        return measure_shares(values.starts, values.counts)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have a value with a larger share."""
        return self.measure(values) > self.alpha + SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, by the greatest share of every value."""
        caps = np.full(len(values.reference), self.alpha + SLACK)
        return keep_below_shares(values.starts, values.values, values.counts, caps)

    def least_distinct(self, reference: Counts) -> int:  # noqa: ARG002
        """Return ⌈1 ∕ alpha⌉: of m values, one has a share of at least 1 ∕ m."""
        return math.ceil(1 / (self.alpha + SLACK))
