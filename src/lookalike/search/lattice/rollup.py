"""RollUps: answers at vectors, each from the smallest frequency list known below it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector, dominates
from lookalike.model.recoding import suppress_at
from lookalike.model.requirement import Requirement

MOST_LISTS = 24
MOST_BYTES = 256 * 2**20


@dataclass(frozen=True, eq=False)
class ClassSuppression:
    """What becomes of the rows of each class at a vector.

    Parameters
    ----------
    classes
        The classes.
    outliers
        The number of rows in classes that are too small.
    given
        For each class, how many of its rows are suppressed, complementary ones included.
    is_blank
        Whether suppressed rows are kept blank; else they are left out.
    """

    classes: FrequencyList
    outliers: int
    given: Counts
    is_blank: bool

    @property
    def gone(self) -> int:
        """The number of rows that are suppressed."""
        return int(self.given.sum())

    @property
    def sizes(self) -> Counts:
        """The sizes of the classes of the release.

        Blank rows are one, together with a class that shows nothing either.
        """
        left = self.classes.counts - self.given
        if not self.is_blank or not self.gone:
            return left[left > 0]
        silent = self._shows_nothing
        return np.append(left[(left > 0) & ~silent], self.gone + left[silent].sum())

    @property
    def _shows_nothing(self) -> npt.NDArray[np.bool_]:
        """Which classes are written as the suppressed value throughout."""
        classes = self.classes
        shown = zip(classes.hierarchies, classes.vector, classes.codes, strict=True)
        hidden = [hierarchy.hidden[level][codes] for hierarchy, level, codes in shown]
        silent: npt.NDArray[np.bool_] = np.logical_and.reduce(hidden)
        return silent


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

    def decide(self, vector: Vector) -> ClassSuppression:
        """Say what becomes of the rows of each class at a vector."""
        classes = self.below(vector).roll_up(vector)
        outliers, given = suppress_at(classes, self.requirement)
        is_blank = self.requirement.suppressed_rows == "blank"
        return ClassSuppression(classes, outliers, given, is_blank)

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
