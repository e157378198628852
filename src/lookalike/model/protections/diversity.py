"""l-diversity: distinct, entropy and recursive (Machanavajjhala, Kifer, Gehrke and
Venkitasubramaniam, *l-Diversity: Privacy Beyond k-Anonymity*, 2007).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lookalike.kernels.class_bounds import keep_diverse, keep_recursive
from lookalike.kernels.class_values import measure_entropies, measure_tails
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues
from lookalike.model.protections.protection import SLACK, Protection, check_parameter


@dataclass(frozen=True)
class Distinct(Protection):
    """Distinct l-diversity: each class has at least l distinct values.

    Parameters
    ----------
    l
        The fewest distinct values; a missing value is one of them.
    """

    name: ClassVar[str] = "distinct"
    grows: ClassVar[bool] = True
    l: int  # noqa: E741

    def __post_init__(self) -> None:
        valid = isinstance(self.l, int) and self.l >= 1
        check_parameter(valid, self.name, "l", "be an integer of at least 1", self.l)

    def measure(self, values: ClassValues) -> Reals:
        """Return the number of distinct values of each class."""
        return np.where(values.sizes > 0, np.diff(values.starts), np.nan)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have fewer than l distinct values."""
        return self.measure(values) < self.l

    def least_distinct(self, reference: Counts) -> int:  # noqa: ARG002
        """Return l."""
        return self.l


@dataclass(frozen=True)
class Entropy(Protection):
    """Entropy l-diversity: each class has an entropy of at least ln l.

    The figure is the exponential of the entropy, −Σ p ln p over the shares p of the values: as
    many equally frequent values have the same entropy.

    Parameters
    ----------
    l
        The least exponential of the entropy; it need not be an integer.
    """

    name: ClassVar[str] = "entropy"
    grows: ClassVar[bool] = False
    l: float  # noqa: E741

    def __post_init__(self) -> None:
        valid = 1 <= self.l < math.inf
        check_parameter(valid, self.name, "l", "be a number of at least 1", self.l)

    def measure(self, values: ClassValues) -> Reals:
        """Return the exponential of the entropy of each class."""
        return np.exp(measure_entropies(values.starts, values.counts))

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have an entropy below ln l."""
        return self.measure(values) < self.l - SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, with its frequent values cut."""
        return keep_diverse(values.starts, values.counts, math.log(self.l - SLACK))

    def least_distinct(self, reference: Counts) -> int:  # noqa: ARG002
        """Return ⌈l⌉: m values have an entropy of at most ln m, which must reach ln l."""
        return math.ceil(self.l - SLACK)


@dataclass(frozen=True)
class Recursive(Protection):
    """Recursive (c, l)-diversity: r₁ < c · (r_l + … + r_m) in each class.

    r₁ ≥ … ≥ r_m are the counts of its m values. The comparison is strict, as published. The paper
    defines l = 1 as always satisfied, so l begins with 2.

    Parameters
    ----------
    c
        How many times the most frequent value may occur as often as the values from l on.
    l
        The first value of the sum.
    """

    name: ClassVar[str] = "recursive"
    grows: ClassVar[bool] = False
    c: float
    l: int  # noqa: E741

    def __post_init__(self) -> None:
        check_parameter(0 < self.c < math.inf, self.name, "c", "be a number above 0", self.c)
        valid = isinstance(self.l, int) and self.l >= 2
        check_parameter(valid, self.name, "l", "be an integer of at least 2", self.l)

    def measure(self, values: ClassValues) -> Reals:
        """Return r₁ ∕ (r_l + … + r_m) of each class, which must stay below c."""
        return measure_tails(values.starts, values.counts, self.l - 1)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have a most frequent value that is too frequent."""
        return self.measure(values) >= self.c - SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, with its frequent values cut."""
        return keep_recursive(values.starts, values.counts, self.c, self.l - 1)

    def least_distinct(self, reference: Counts) -> int:  # noqa: ARG002
        """Return l + ⌊1 ∕ c⌋.

        The sum has m − l + 1 counts of at most r₁ each. So r₁ < c · (m − l + 1) · r₁, that is
        m > l − 1 + 1 ∕ c.
        """
        return self.l + math.floor(1 / self.c)
