"""StoredCount: the sequences of a table that its engine keeps, because they are too many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.engines.engine import StoredEntries, StoredSequences
from lookalike.tables.labels import encode_column


@dataclass(frozen=True, eq=False)
class StoredCount(Discreet):
    """The sequences of a table, counted and kept in its engine.

    Parameters
    ----------
    values
        For each attribute its distinct values as text, sorted; ``None``, missing, comes last.
    positions
        For each attribute the position of each value as the engine holds it.
    value_rows
        For each attribute the number of rows of each of these values.
    entries
        The sequences, kept by the engine.
    """

    values: tuple[tuple[str | None, ...], ...]
    positions: tuple[Codes, ...]
    value_rows: tuple[Counts, ...]
    entries: StoredEntries

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.value_rows[0].sum())

    def count_sizes(self) -> tuple[Counts, Counts]:
        """Return the sizes of classes that occur, and the number of classes of each size."""
        coded = self.entries.code([(one,) for one in self.positions])
        return coded.count_sizes((0,) * len(self.positions))

    def bind(self, hierarchies: Sequence[BoundHierarchy]) -> tuple[StoredSequences, list[Counts]]:
        """Replace the values by the codes of their hierarchies."""
        levels, rows = [], []
        counted = zip(hierarchies, self.positions, self.value_rows, strict=True)
        for hierarchy, positions, numbers in counted:
            ground = hierarchy.ground[positions]
            levels.append([codes[ground] for codes in hierarchy.levels])
            rows.append(np.bincount(ground, numbers, hierarchy.size(0)).astype(np.int64))
        return self.entries.code(levels), rows


def read_stored(attributes: Sequence[str], entries: StoredEntries) -> StoredCount:
    """Label the values of sequences that an engine keeps."""
    values, positions, rows = [], [], []
    for name, (column, counts) in zip(attributes, entries.values(), strict=True):
        distinct, place = encode_column(name, column)
        values.append(distinct)
        positions.append(place)
        rows.append(counts)
    return StoredCount(tuple(values), tuple(positions), tuple(rows), entries)
