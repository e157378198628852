"""Trace frequent values of an attribute: what each becomes, level by level."""

from itertools import islice

import numpy as np

from lookalike.hierarchy.bound import LabelPath
from lookalike.model.stored_list import Frequencies

MOST_TRACED = 3
"""How many values of an attribute are shown as examples."""


def rank_frequent(frequency: Frequencies, place: int) -> list[int]:
    """Return the codes of the values of an attribute, the most frequent first, missing last."""
    ground = frequency.vector[place]
    missing = np.array([label is None for label in frequency.hierarchies[place].labels[ground]])
    ranked: list[int] = np.lexsort((-frequency.code_rows(place, ground), missing)).tolist()
    return ranked


def trace_frequent(frequency: Frequencies, place: int) -> tuple[LabelPath, ...]:
    """Return the labels of a few frequent values at every level, from the ground to the top.

    Below the level at which a list begins, values have the label of that level.
    """
    ground, hierarchy = frequency.vector[place], frequency.hierarchies[place]
    levels = [max(ground, level) for level in range(hierarchy.height + 1)]
    return tuple(
        tuple(hierarchy.labels[level][hierarchy.lift(ground, level)[code]] for level in levels)
        for code in islice(rank_frequent(frequency, place), MOST_TRACED)
    )
