"""Reduce sequences to the lowest allowed levels for clustering, and restore them afterwards."""

from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.search.cells.classes import Classes, join_levels
from lookalike.search.cells.costs import Costs


@dataclass(frozen=True, eq=False)
class GroundSequences:
    """The sequences at the lowest allowed levels, and the costs of their cells.

    Parameters
    ----------
    counts
        The number of rows of each sequence.
    zones
        The zone of each sequence. Sequences of a zone are equal at the highest allowed
        levels; only they can be in one class.
    ancestors
        The code of each sequence, by sequence, attribute and level; negative if the cell is
        written as the suppressed value.
    prices
        The cost of a cell, by attribute and level.
    suppressed
        The cost of a suppressed row.
    bottom
        The lowest allowed levels.
    """

    counts: Counts
    zones: Codes
    ancestors: Codes
    prices: Counts
    suppressed: int
    bottom: Codes

    def joins(self, classes: Classes) -> Codes:
        """Return the join of each class, one row per class."""
        levels = join_levels(self.ancestors.transpose(1, 2, 0), classes)
        return np.maximum(levels.T, self.bottom)


def lay_out_ground(
    frequency: FrequencyList, costs: Costs, lattice: Lattice
) -> tuple[Codes, GroundSequences]:
    """Reduce sequences to the bottom of a lattice."""
    everywhere = range(len(frequency.hierarchies))
    lower = frequency.class_of(lattice.bottom, everywhere)
    first = np.unique(lower, return_index=True)[1]
    ancestors = costs.ancestors
    if costs.hidden is not None:
        ancestors = np.where(costs.hidden, -1 - ancestors, ancestors)
    return lower, GroundSequences(
        counts=np.bincount(lower, frequency.counts).astype(np.int64),
        zones=frequency.class_of(lattice.top, everywhere)[first],
        ancestors=np.ascontiguousarray(ancestors[:, :, first].transpose(2, 0, 1)),
        prices=costs.steps,
        suppressed=costs.suppressed,
        bottom=np.array(lattice.bottom, dtype=np.int32),
    )


def split_into_sequences(classes: Classes, lower: Codes, counts: Counts) -> Classes:
    """Return classes of ground sequences as classes of the sequences of the frequency list."""
    total = np.bincount(lower, counts).astype(np.int64)
    rest = total - np.bincount(classes.sequence, classes.counts, minlength=len(total))
    sequence = np.concatenate([classes.sequence, np.arange(len(total))])
    order = np.argsort(sequence, kind="stable")
    ends = np.cumsum(np.concatenate([classes.counts, rest.astype(np.int64)])[order])
    parts = np.argsort(lower, kind="stable")
    part_ends = np.cumsum(counts[parts])
    stops = np.union1d(ends, part_ends)
    stops = stops[stops > 0]
    entry = order[np.searchsorted(ends, stops)]
    kept = entry < len(classes.counts)
    return Classes(
        class_of=classes.class_of[entry[kept]],
        sequence=parts[np.searchsorted(part_ends, stops)][kept].astype(np.int32),
        counts=np.diff(stops, prepend=0)[kept],
    )
