"""Distances between a table and its generalization, accuracy and completeness (Samarati)."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from lookalike.model.frequency import FrequencyList
from lookalike.model.tuples import Tuples


def absolute_distance(vector: Sequence[int]) -> int:
    """Return Absdist, the number of generalization steps: Σ dᵢ (Samarati, section 6).

    Examples
    --------
    >>> absolute_distance((1, 2))
    3
    """
    return sum(vector)


def relative_distance(vector: Sequence[int], heights: Sequence[int]) -> Fraction:
    """Return Reldist: Σ dᵢ ∕ hᵢ (Samarati, section 6); an attribute of height 0 adds nothing.

    Examples
    --------
    >>> relative_distance((1, 1), (1, 2))
    Fraction(3, 2)
    """
    return sum(
        (Fraction(step, height) for step, height in zip(vector, heights, strict=True) if height),
        start=Fraction(0),
    )


def accuracy(vector: Sequence[int], heights: Sequence[int]) -> float:
    """Return 1 − height of the vector ∕ height of the lattice.

    Examples
    --------
    >>> accuracy((0, 1), (1, 3))
    0.75
    """
    return 1 - sum(vector) / sum(heights) if sum(heights) else 1.0


def mean_accuracy(frequency: FrequencyList, tuples: Tuples) -> float:
    """Return the accuracy of a release, the mean over the vectors of its rows.

    At the attribute level all rows except blank ones have the same vector. A cell that is
    written as suppressed counts as the top, whatever its level.
    """
    steps, rows = 0, int(tuples.counts.sum())
    for attribute, height in enumerate(frequency.heights):
        hidden = tuples.hidden(frequency, attribute)
        levels = np.where(hidden, height, tuples.levels[attribute]).astype(np.int64)
        steps += int(levels @ tuples.counts)
    most = rows * sum(frequency.heights)
    return 1 - steps / most if most else 1.0


def completeness(rows: int, left_out: int) -> float:
    """Return the fraction of the rows that are in the release, including blank rows.

    Examples
    --------
    >>> completeness(12, 3)
    0.75
    """
    return 1 - left_out / rows if rows else 1.0
