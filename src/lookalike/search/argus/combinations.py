"""Combinations of attributes and their rare values (Achieving, Figures 11 and 12)."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations as choose

import numpy as np
import numpy.typing as npt

from lookalike.model.clock import OutOfTime, stop_if_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import raise_level

Combination = tuple[int, ...]
"""The positions of some attributes, ascending."""
CombinationKind = tuple[int, ...]
"""The identification levels of a combination's attributes, ascending."""

NOT_IDENTIFYING, MOST_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING = range(4)
"""The identification levels of attributes."""

ALWAYS_TESTED: frozenset[CombinationKind] = frozenset(
    {
        (MOST_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING),
        (MOST_IDENTIFYING, MOST_IDENTIFYING, IDENTIFYING),
        (MOST_IDENTIFYING, MOST_IDENTIFYING, MOST_IDENTIFYING),
        (MORE_IDENTIFYING, IDENTIFYING),
        (MOST_IDENTIFYING, IDENTIFYING),
        (MOST_IDENTIFYING, MORE_IDENTIFYING),
        (MOST_IDENTIFYING, MOST_IDENTIFYING),
    }
)
"""The kinds that the µ-Argus program tests (Achieving, Figure 12, first part)."""

TESTED_IF_SEVERAL_IDENTIFYING: frozenset[CombinationKind] = frozenset(
    {
        (MOST_IDENTIFYING, MORE_IDENTIFYING, MORE_IDENTIFYING),
        (MOST_IDENTIFYING, MOST_IDENTIFYING, MORE_IDENTIFYING),
        (MORE_IDENTIFYING, MORE_IDENTIFYING),
    }
)
"""The kinds that it tests only if several attributes are identifying (second part)."""


def list_combinations(identification: Sequence[int], dimension: int) -> list[Combination]:
    """List the combinations of two up to `dimension` attributes, except those at level 0.

    Examples
    --------
    >>> list_combinations((1, 0, 2, 3), 3)
    [(0, 2), (0, 3), (2, 3), (0, 2, 3)]
    """
    identifying = [place for place, level in enumerate(identification) if level]
    sizes = range(2, min(dimension, len(identifying)) + 1)
    return [chosen for size in sizes for chosen in choose(identifying, size)]


def list_program_combinations(identification: Sequence[int]) -> list[Combination]:
    """List the combinations that the µ-Argus program tests; it never tests six of the kinds.

    Examples
    --------
    >>> list_program_combinations((1, 2, 2, 3))
    [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (0, 1, 3), (0, 2, 3)]
    """
    several = list(identification).count(IDENTIFYING) > 1
    tested = ALWAYS_TESTED | (TESTED_IF_SEVERAL_IDENTIFYING if several else frozenset())
    return [
        chosen
        for chosen in list_combinations(identification, 3)
        if kind_of(chosen, identification) in tested
    ]


def kind_of(combination: Combination, identification: Sequence[int]) -> CombinationKind:
    """Return the kind of a combination."""
    return tuple(sorted(identification[place] for place in combination))


@dataclass(frozen=True, eq=False)
class Tested:
    """The sequences with rare values in each combination: µ-Argus' *outliers* (step 3).

    ``classes``: the frequency list at the tested levels.
    ``unsafe``: whether the values of a sequence in a combination occur fewer than k times, one row
    per sequence and one column per combination.
    ``distinct``: for each combination, the number of distinct values that occur fewer than k times.
    ``rows``: for each combination, the number of rows with such values.
    """

    classes: FrequencyList
    combinations: Sequence[Combination]
    unsafe: npt.NDArray[np.bool_]
    distinct: tuple[int, ...]
    rows: tuple[int, ...]

    def outliers(self, sequence: int) -> list[tuple[str, ...]]:
        """Return the combinations in which a sequence has rare values, as in Figure 14."""
        names = self.classes.attributes
        return [
            tuple(names[place] for place in combination)
            for combination, unsafe in zip(self.combinations, self.unsafe[sequence], strict=True)
            if unsafe
        ]


def find_unsafe(
    classes: FrequencyList, combinations: Sequence[Combination], k: int, deadline: float = math.inf
) -> Tested:
    """Find the values that occur fewer than k times in combination (Achieving, Figure 11, step 3).

    A combination with a suppressed value is not tested. `OutOfTime` is raised at the deadline.
    """
    unsafe = np.zeros((len(classes), len(combinations)), dtype=np.bool_)
    hidden = classes.suppressed_cells()
    distinct, rows = [], []
    for column, combination in enumerate(combinations):
        stop_if_over(deadline)
        class_of = classes.class_of(classes.vector, combination)
        rare = np.bincount(class_of, weights=classes.counts) < k
        found = rare[class_of] & ~hidden[list(combination)].any(axis=0)
        unsafe[:, column] = found
        distinct.append(int(np.count_nonzero(np.bincount(class_of[found]))))
        rows.append(int(classes.counts[found].sum()))
    return Tested(classes, combinations, unsafe, tuple(distinct), tuple(rows))


def preview_decisions(tested: Tested, k: int, deadline: float = math.inf) -> dict[str, int]:
    """Count for each attribute the rows that have rare values if it is generalized one level more.

    Attributes at the top of their hierarchy are left out, and at the deadline those that were not
    counted yet.
    """
    classes, left = tested.classes, {}
    with suppress(OutOfTime):
        for place, name in enumerate(classes.attributes):
            if classes.vector[place] < classes.heights[place]:
                left[name] = _count_left(tested, place, k, deadline)
    return left


def _count_left(tested: Tested, place: int, k: int, deadline: float) -> int:
    """Count the rows with rare values one level higher.

    Only the combinations that contain the attribute are tested again.
    """
    classes = tested.classes
    within = [place in combination for combination in tested.combinations]
    again = [one for one, contains in zip(tested.combinations, within, strict=True) if contains]
    others = [column for column, contains in enumerate(within) if not contains]
    class_of, rolled = classes.classify(raise_level(classes.vector, place))
    changed = find_unsafe(rolled, again, k, deadline).unsafe[class_of].any(axis=1)
    return int(classes.counts[changed | tested.unsafe[:, others].any(axis=1)].sum())
