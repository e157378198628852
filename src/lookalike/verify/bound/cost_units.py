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
    """What cells cost, in whole units.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    weights
        The weight of each attribute.
    scale
        How many units a suppressed cell of weight 1 costs.
    """

    frequency: FrequencyList
    weights: Sequence[Decimal]
    scale: int

    @cached_property
    def steps(self) -> tuple[Fraction, ...]:
        """What a level more of each attribute costs; one of height 0 loses nothing."""
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
        """The least by which the costs of two releases can differ; 0 if all cost nothing."""
        return math.gcd(*(int(step) for step in self.steps))

    @cached_property
    def suppressed(self) -> int:
        """What a suppressed row costs."""
        return sum(self.full(attribute) for attribute in range(len(self.steps)))

    def full(self, attribute: int) -> int:
        """Return what a suppressed cell of an attribute costs."""
        return int(self.steps[attribute]) * self.frequency.heights[attribute]

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return what a cell costs at a level, for every value of the ground domain.

        One that is written as the suppressed value costs what it costs at the top.
        """
        hierarchy = self.frequency.hierarchies[attribute]
        hidden = hierarchy.hidden[level][hierarchy.levels[level]]
        shown = int(self.steps[attribute]) * level
        return np.where(hidden, self.full(attribute), shown).astype(np.int64)

    def precision(self, cost: int) -> float:
        """Return the Prec of a release that costs so much."""
        whole = sum(Fraction(weight) for weight in self.weights) * self.scale
        return float(1 - Fraction(cost) / (self.frequency.rows * whole))
