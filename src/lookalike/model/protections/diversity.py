"""Protections that judge a class by its own values: l-diversity, and a largest share.

Distinct, entropy and recursive l-diversity: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam,
*l-Diversity: Privacy Beyond k-Anonymity*, 2007. The largest share is the α of (α, k)-anonymity:
Wong, Li, Fu and Wang, *(α, k)-Anonymity*, 2006.
"""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from lookalike.kernels.class_bounds import keep_below_shares, keep_diverse, keep_recursive
from lookalike.kernels.class_values import measure_entropies, measure_shares, measure_tails
from lookalike.kernels.types import Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues
from lookalike.model.protections.protection import SLACK, Parameter, Protection


@dataclass(frozen=True)
class Distinct(Protection):
    """Distinct l-diversity: each class has at least l distinct values.

    A missing value is one of them.
    """

    name = "distinct"
    meaning = (
        "How many different values every class must show, so that nobody learns the value of a "
        "person from the class alone (distinct l-diversity)."
    )
    by_counts = True
    grows = True
    as_number = True
    often = 1
    l: Annotated[  # noqa: E741
        int, Parameter("Different values in every class, at least", least=1)
    ]

    def state(self, column: str) -> str:
        """State the fewest distinct values."""
        return f"{column} has at least {self.l} distinct values"

    def measure(self, values: ClassValues) -> Reals:
        """Return the number of distinct values of each class."""
        return np.where(values.sizes > 0, np.diff(values.starts), np.nan)

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes have fewer than l distinct values."""
        distinct = np.diff(values.starts)
        fails: Flags = (distinct > 0) & (distinct < self.l)
        return fails

    def least_distinct(self, reference: Counts) -> int:  # noqa: ARG002
        """Return l."""
        return self.l


@dataclass(frozen=True)
class Entropy(Protection):
    """Entropy l-diversity: each class has an entropy of at least ln l.

    The figure is the exponential of the entropy, −Σ p ln p over the shares p of the values: as
    many equally frequent values have the same entropy. So l need not be an integer.
    """

    name = "entropy"
    meaning = (
        "How uncertain the value of a person is within a class: 2.5 means as uncertain as among "
        "2.5 equally frequent values (entropy l-diversity)."
    )
    by_counts = True
    as_number = True
    l: Annotated[float, Parameter("As uncertain as so many values", least=1)]  # noqa: E741

    def state(self, column: str) -> str:
        """State the least uncertainty."""
        return f"{column} is at least as uncertain as {self.l:g} equally frequent values"

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
    """

    name = "recursive"
    meaning = (
        "The most frequent value has fewer than c times the rows of all values from the l-th most "
        "frequent on (recursive (c, l)-diversity). Give both numbers."
    )
    by_counts = True
    c: Annotated[float, Parameter("Recursive diversity: c", least=0, above=True)]
    l: Annotated[int, Parameter("Recursive diversity: l", least=2)]  # noqa: E741

    def state(self, column: str) -> str:
        """State how frequent the most frequent value can be."""
        return (
            f"the most frequent value of {column} has fewer than {self.c:g} times the rows of all "
            f"values from the {_ordinal(self.l)} most frequent on"
        )

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


@dataclass(frozen=True)
class Share(Protection):
    """No value has more than a share alpha of the rows of a class."""

    name = "share"
    meaning = (
        "The largest share that one value may have in a class: 0.6 means that no value has more "
        "than 60 % of the rows."
    )
    by_counts = True
    as_number = True
    often = 2
    alpha: Annotated[
        float, Parameter("Largest share of one value in a class", least=0, most=1, above=True)
    ]

    def state(self, column: str) -> str:
        """State the largest share."""
        return f"no value of {column} has more than {100 * self.alpha:g} % of the rows"

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


def _ordinal(number: int) -> str:
    """Write an ordinal number.

    Examples
    --------
    >>> [_ordinal(number) for number in (2, 3, 4, 11, 21)]
    ['2nd', '3rd', '4th', '11th', '21st']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if 10 < number % 100 < 14 else endings.get(number % 10, "th")
    return f"{number}{ending}"
