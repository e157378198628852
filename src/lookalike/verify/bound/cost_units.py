"""Compute what generalized and suppressed cells cost, as integers, to check a bound exactly."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList


@dataclass(frozen=True, eq=False)
class CostUnits:
    """The cost of cells, in whole units.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    weights
        The weight of each attribute.
    scale
        The cost of a suppressed cell of weight 1, in units.
    """

    frequency: FrequencyList
    weights: Sequence[Decimal]
    scale: int

    @cached_property
    def steps(self) -> tuple[Fraction, ...]:
        """The cost of one level of each attribute; 0 for an attribute of height 0."""
        return tuple(
            Fraction(weight) * self.scale / height if height else Fraction(0)
            for weight, height in zip(self.weights, self.frequency.heights, strict=True)
        )

    @property
    def whole(self) -> bool:
        """Whether all costs are whole numbers."""
        return all(step.denominator == 1 for step in self.steps)

    @cached_property
    def step(self) -> int:
        """The least difference between the costs of two releases; 0 if nothing has a cost."""
        return math.gcd(*(int(step) for step in self.steps))

    @cached_property
    def suppressed(self) -> int:
        """The cost of a suppressed row."""
        return sum(self.full(attribute) for attribute in range(len(self.steps)))

    def full(self, attribute: int) -> int:
        """Return the cost of a suppressed cell of an attribute."""
        return int(self.steps[attribute]) * self.frequency.heights[attribute]

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell at a level, for every value of the ground domain.

        A value that the hierarchy suppresses at this level has the cost of the top.
        """
        hierarchy = self.frequency.hierarchies[attribute]
        hidden = hierarchy.hidden[level][hierarchy.levels[level]]
        shown = int(self.steps[attribute]) * level
        return np.where(hidden, self.full(attribute), shown).astype(np.int64)

    def precision(self, cost: int) -> float:
        """Return the Prec of a release of a given cost."""
        whole = sum(Fraction(weight) for weight in self.weights) * self.scale
        return float(1 - Fraction(cost) / (self.frequency.rows * whole))
