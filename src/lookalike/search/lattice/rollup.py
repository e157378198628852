"""RollUps: evaluate vectors, each from the smallest frequency list known below it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from lookalike.kernels.types import Counts
from lookalike.model.clock import WorkMeter
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector, dominates
from lookalike.model.recoding import suppress_at
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies

MOST_LISTS = 24
"""The maximum number of frequency lists kept."""
MOST_BYTES = 256 * 2**20
"""The maximum memory of the frequency lists kept."""
MUCH_SMALLER = 8
"""How many times smaller a list must be to be kept; a roll-up costs several evaluations."""
EVALUATION_WORK = 1000
"""The work of an evaluation besides its sequences, as measured, in sequences."""


@dataclass(frozen=True, eq=False)
class ClassSuppression:
    """The classes at a vector, and the suppressed rows of each.

    ``outliers``: the number of rows that must be suppressed (:meth:`Requirement.outliers`).
    ``given``: the number of suppressed rows of each class, including complementary ones.
    ``is_blank``: whether suppressed rows are kept blank; otherwise they are left out.
    """

    classes: FrequencyList
    outliers: int
    given: Counts
    is_blank: bool

    @property
    def gone(self) -> int:
        """The number of suppressed rows."""
        return int(self.given.sum())

    @property
    def sizes(self) -> Counts:
        """The sizes of the classes of the release.

        The blank rows are one class, together with a class that is suppressed throughout.
        """
        left = self.classes.counts - self.given
        if not self.is_blank or not self.gone:
            return left[left > 0]
        hidden = self.classes.suppressed_cells().all(axis=0)
        return np.append(left[(left > 0) & ~hidden], self.gone + left[hidden].sum())


class VectorCounts(Protocol):
    """What a search over a lattice asks about its vectors.

    ``rows``: the number of what may be suppressed: rows, or persons with all their records.
    ``evaluated``: the number of vectors that were counted.
    ``counts_rows``: whether :meth:`suppressed` is as quick as a bound by :meth:`certain`.
    """

    rows: int
    requirement: Requirement
    evaluated: int
    counts_rows: bool

    def certain(self, vector: Vector, allowance: int) -> int:
        """Bound from below what is suppressed at a vector and at every vector below it."""

    def suppressed(self, vector: Vector) -> int:
        """Count what must be suppressed at a vector."""

    def keep(self, vector: Vector) -> None:
        """Prepare to evaluate many vectors above one."""

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows with each code of an attribute at a level."""

    def count_distinct(self, vector: Vector) -> int:
        """Count the different tuples that are released at a vector."""


class RollUps:
    """The frequency list at vectors, and the suppression that each vector requires.

    Lists that a search will need again are kept, within limits, so that higher vectors are
    evaluated from fewer sequences.

    ``meter``: counts the work and stops it; by default it never does.
    """

    def __init__(
        self, frequency: Frequencies, requirement: Requirement, meter: WorkMeter | None = None
    ) -> None:
        self.frequency = frequency
        self.rows = frequency.rows
        self.requirement = requirement
        self.meter = meter or WorkMeter()
        self.evaluated = 0
        self.counts_rows = requirement.counts_rows(frequency)
        """Whether k rows a class are all that is required, so that outliers are counted at once."""
        single = requirement.is_single(frequency.attributes)
        self._counts_first = single and not requirement.protections
        self._kept: list[FrequencyList] = []
        self._suppressed: dict[Vector, int] = {}
        self._certain: dict[Vector, int] = {}
        growing = all(one.grows for one in requirement.registers)
        self._judges_whole = requirement.average_risk is not None or not growing

    def certain(self, vector: Vector, allowance: int) -> int:
        """Bound from below the rows that are suppressed at a vector and at every vector below it.

        Classes of fewer than k rows are counted first: if they exceed the allowance already,
        nothing else is counted.
        """
        if self.counts_rows:
            return self.suppressed(vector)
        if vector not in self._certain:
            smallest, asked = self.smallest(vector), self.requirement
            rows = smallest.outliers(vector, asked.largest_k) if self._counts_first else 0
            if rows <= allowance:
                self.evaluated += 1
                rows, outliers = asked.judge(smallest, vector, allowance)
                if rows <= allowance:
                    self._suppressed[vector] = outliers
            self._certain[vector] = rows
        return self._certain[vector]

    def suppressed(self, vector: Vector) -> int:
        """Count the rows that must be suppressed at a vector."""
        if vector not in self._suppressed:
            self.evaluated += 1
            self._suppressed[vector] = self.requirement.outliers(self.smallest(vector), vector)
        return self._suppressed[vector]

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows with each code of an attribute at a level."""
        return self.frequency.code_rows(attribute, level)

    def count_distinct(self, vector: Vector) -> int:
        """Count the classes that are released at a vector."""
        return len(self.decide(vector).sizes)

    def decide(self, vector: Vector) -> ClassSuppression:
        """Return the classes at a vector and the suppressed rows of each."""
        parts = self.below(vector).roll_up(vector)
        outliers, given = suppress_at(parts, self.requirement)
        if self._judges_whole:
            outliers = self.suppressed(vector)
        class_of, classes = parts.without_beside if parts.beside else (None, parts)
        if class_of is not None:
            given = np.bincount(class_of, given, len(classes)).astype(np.int64)
        is_blank = self.requirement.suppressed_rows == "blank"
        return ClassSuppression(classes, outliers, given, is_blank)

    def smallest(self, vector: Sequence[int]) -> Frequencies:
        """Return the smallest list known at or below a vector."""
        usable = [kept for kept in self._kept if dominates(vector, kept.vector)]
        found = min(usable, key=len) if usable else self.frequency
        self.meter.spend(len(found) + EVALUATION_WORK)
        return found

    def below(self, vector: Sequence[int]) -> FrequencyList:
        """Return the smallest list known at or below a vector, in memory."""
        return self.smallest(vector).held(vector)

    def keep(self, vector: Vector) -> None:
        """Keep the list at a vector if it is certainly much smaller than the lists below."""
        base = self.smallest(vector)
        most = math.prod(h.size(level) for h, level in zip(base.hierarchies, vector, strict=True))
        registers = base.registers if isinstance(base, FrequencyList) else ()
        longest = max([len(base), *(len(register.counts) for register in registers)])
        rolled = base.roll_up(vector) if most * MUCH_SMALLER <= longest else None
        if isinstance(rolled, FrequencyList):
            raised = tuple(register.roll_up(vector) for register in rolled.registers)
            self._kept.append(replace(rolled, registers=raised))
            while len(self._kept) > MOST_LISTS or sum(map(_bytes, self._kept)) > MOST_BYTES:
                self._kept.pop(0)


def _bytes(kept: FrequencyList) -> int:
    """Return the memory of a list."""
    return kept.codes.nbytes + kept.counts.nbytes + sum(one.bytes for one in kept.registers)
