"""Measures of lost information: loss and non-uniform entropy."""

from collections.abc import Callable

import numpy as np

from lookalike.kernels.types import Reals
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import SUPPRESSED_CELL

Lost = Callable[[FrequencyList, int, int], Reals]
"""Returns the loss of one cell of each sequence: of a frequency list, attribute and level."""


def loss(frequency: FrequencyList, recoding: Recoding) -> float:
    """Return the mean over all cells of (leaves under the value − 1) ∕ (leaves − 1).

    0 is the unchanged table, 1 the fully suppressed table. The leaves are the ground domain if
    the hierarchy lists it, else the values of the column (Iyengar, *Transforming data to
    satisfy privacy constraints*, 2002). A suppressed cell has loss 1, also if the value is
    suppressed because its hierarchy does not know it.
    """
    cells = frequency.rows * len(frequency.hierarchies)
    return _sum_lost(frequency, recoding, _lost_leaves) / cells


def entropy(frequency: FrequencyList, recoding: Recoding) -> float:
    """Return the fraction of the table's information that the release loses.

    A cell with the private value v that shows g loses −log₂(n(v) ∕ n(g)) bits, where n counts
    rows of the private table (Gionis and Tassa, *k-anonymization with minimal loss of
    information*, 2009, non-uniform entropy). The sum is divided by the loss of suppressing every
    cell: 0 is the unchanged table, 1 the fully suppressed table. Values that a hierarchy does
    not know count as one value.
    """
    everything = sum(
        float(_lost_bits(frequency, attribute, height) @ frequency.counts)
        for attribute, height in enumerate(frequency.heights)
    )
    before = 0.0 if frequency.coarsened is None else frequency.coarsened.lost_bits
    lost, whole = before + _sum_lost(frequency, recoding, _lost_bits), before + everything
    return lost / whole if whole else 0.0


def _sum_lost(frequency: FrequencyList, recoding: Recoding, lost: Lost) -> float:
    """Add up the loss of all cells; a suppressed cell counts as the top."""
    tuples = recoding.released(frequency)
    total = 0.0
    for attribute, height in enumerate(frequency.heights):
        total += float(lost(frequency, attribute, height) @ recoding.suppressed)
        for level in np.unique(tuples.levels[attribute]):
            here = np.flatnonzero(tuples.levels[attribute] == level)
            shown = lost(frequency, attribute, height if level == SUPPRESSED_CELL else int(level))
            total += float(shown[tuples.sequence[here]] @ tuples.counts[here])
    return total


def _lost_leaves(frequency: FrequencyList, attribute: int, level: int) -> Reals:
    """Return (leaves − 1) ∕ (all leaves − 1) for the value of every sequence at a level."""
    hierarchy, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    most = max(int(hierarchy.leaves[-1].sum()) - 1, 1)
    lost = (hierarchy.leaves[level][hierarchy.levels[level][codes]] - 1) / most
    everything = np.full(len(codes), hierarchy.most_lost)
    return _charge_hidden(frequency, attribute, level, lost, everything)


def _lost_bits(frequency: FrequencyList, attribute: int, level: int) -> Reals:
    """Return −log₂(n(v) ∕ n(g)) for the value v of every sequence, shown as g at a level."""
    hierarchy, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    shown = hierarchy.levels[level][codes]
    rows_ground = np.bincount(codes, weights=frequency.counts)[codes]
    rows_shown = np.bincount(shown, weights=frequency.counts)[shown]
    hidden = np.log2(frequency.rows / rows_ground) if hierarchy.height else np.zeros(len(codes))
    return _charge_hidden(frequency, attribute, level, np.log2(rows_shown / rows_ground), hidden)


def _charge_hidden(
    frequency: FrequencyList, attribute: int, level: int, lost: Reals, lost_at_top: Reals
) -> Reals:
    """Return the loss of cells, with the loss at the top for suppressed cells."""
    hierarchy = frequency.hierarchies[attribute]
    hidden = hierarchy.hidden[level][hierarchy.levels[level][frequency.codes[attribute]]]
    return np.where(hidden, lost_at_top, lost)
