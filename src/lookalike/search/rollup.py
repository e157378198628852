"""RollUps: answers at vectors, each from the smallest frequency list known below it."""

import math
from collections.abc import Sequence

from lookalike.frequency import FrequencyList
from lookalike.lattice import Vector, dominates
from lookalike.requirement import Requirement

MOST_LISTS = 24
MOST_BYTES = 256 * 2**20


class RollUps:
    """The frequency list at vectors, and what must be suppressed there.

    Lists that a walk will ask about again and again are kept, within bounds, so that a
    question higher up is answered from fewer sequences.

    Parameters
    ----------
    frequency
        The frequency list of the table.
    requirement
        What must be suppressed.
    """

    def __init__(self, frequency: FrequencyList, requirement: Requirement) -> None:
        self.frequency = frequency
        self.requirement = requirement
        self.evaluated = 0
        self._kept: list[FrequencyList] = []
        self._suppressed: dict[Vector, int] = {}

    def suppressed(self, vector: Vector) -> int:
        """Count the rows that must be suppressed at a vector."""
        if vector not in self._suppressed:
            self.evaluated += 1
            self._suppressed[vector] = self.requirement.outliers(self.below(vector), vector)
        return self._suppressed[vector]

    def below(self, vector: Sequence[int]) -> FrequencyList:
        """Return the smallest list known at or below a vector."""
        usable = (kept for kept in self._kept if dominates(vector, kept.vector))
        return min(usable, key=len, default=self.frequency)

    def keep(self, vector: Vector) -> None:
        """Keep the list at a vector, if it is sure to be much smaller than those below it."""
        base = self.below(vector)
        most = math.prod(h.size(level) for h, level in zip(base.hierarchies, vector, strict=True))
        if most * 2 <= len(base):
            self._kept.append(base.roll_up(vector))
            while len(self._kept) > MOST_LISTS or self._bytes() > MOST_BYTES:
                self._kept.pop(0)

    def _bytes(self) -> int:
        """Return how much memory the kept lists take."""
        return sum(kept.codes.nbytes + kept.counts.nbytes for kept in self._kept)
