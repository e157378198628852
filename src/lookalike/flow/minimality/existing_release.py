"""A release to judge, as levels over the frequency list of its private table."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.requirement import Requirement
from lookalike.search.cells.finer.given_release import ShownTuples
from lookalike.search.options import SearchOptions

_DEFAULT_TIME_LIMIT = 60.0
"""Seconds after which a search ends undecided, if the specification gives no time limit."""


@dataclass(frozen=True, eq=False, repr=False)
class ExistingRelease(Discreet):
    """A release that is proved to be a k-anonymous generalization of its private table.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    requirement
        The requirement on the release.
    options
        Weights, constraints and the time limit.
    allowance
        MaxSup, as a number of rows.
    vector
        The level of each attribute; None at the cell level.
    labels
        For each attribute its distinct values in the release.
    codes
        One row per attribute, one column per distinct tuple: the position of the value in
        `labels`.
    levels
        In the same shape: the level of the value; a suppressed value is at the top.
    counts
        The number of rows of each tuple.
    blank
        Marks the tuples of blank rows, which stand for suppressed rows.
    """

    frequency: FrequencyList
    requirement: Requirement
    options: SearchOptions
    allowance: int
    vector: Vector | None
    labels: tuple[tuple[str | None, ...], ...]
    codes: Codes
    levels: Codes
    counts: Counts
    blank: Flags

    @property
    def time_limit(self) -> float:
        """The time limit of a search in seconds."""
        limit = self.options.time_limit
        return _DEFAULT_TIME_LIMIT if limit is None else limit

    @property
    def one_k(self) -> int:
        """The k of the only quasi-identifier, as the cell level requires."""
        one, *others = self.requirement.protected(self.frequency.attributes)
        if others or one.attributes != self.frequency.attributes:
            raise InvalidInput(
                "the cell level is defined for one quasi-identifier without linking weights; use "
                "the attribute level"
            )
        return one.k

    @property
    def rows_shown(self) -> int:
        """The number of released rows that are not blank."""
        return int(self.counts[~self.blank].sum())

    @property
    def rows_suppressed(self) -> int:
        """The number of rows that are left out or blank."""
        return self.frequency.rows - self.rows_shown

    @property
    def rows_left_out(self) -> int:
        """The number of private rows that are not in the release, not even blank."""
        return self.frequency.rows - int(self.counts.sum())

    @property
    def precision(self) -> float:
        """Prec of the release (Achieving, Definition 5), from the levels of its cells."""
        weights = [Fraction(weight) for weight in self.options.weights_of(self.frequency)]
        lost = Fraction(0)
        shown = ~self.blank
        for weight, height, levels in zip(
            weights, self.frequency.heights, self.levels, strict=True
        ):
            steps = int(levels[shown].astype(np.int64) @ self.counts[shown])
            lost += weight * (Fraction(steps, height) + self.rows_suppressed) if height else 0
        return float(1 - lost / (self.frequency.rows * sum(weights)))

    def shown(self) -> ShownTuples:
        """Return the released tuples, including blank rows, as ground codes and levels."""
        ground = [
            _find_ground(hierarchy, texts, codes, levels)
            for hierarchy, texts, codes, levels in zip(
                self.frequency.hierarchies, self.labels, self.codes, self.levels, strict=True
            )
        ]
        return ShownTuples(self.levels, np.array(ground, dtype=np.int32), self.counts)


def _find_ground(
    hierarchy: BoundHierarchy,
    texts: Sequence[str | None],
    codes: Codes,
    levels: Codes,
) -> list[int]:
    """Return for each cell a ground code that has its label at its level; 0 at the top."""
    below: dict[tuple[int, str | None], int] = {}
    for level, numbers in enumerate(hierarchy.levels):
        for ground, code in enumerate(numbers.tolist()):
            below.setdefault((level, hierarchy.labels[level][code]), ground)
    cells = zip(levels.tolist(), codes.tolist(), strict=True)
    return [0 if level == hierarchy.height else below[level, texts[code]] for level, code in cells]
