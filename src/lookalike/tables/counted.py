"""Counted: the entries of a table over some attributes, with the number of rows of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.labels import encode_column
from lookalike.tables.table import Frame


@dataclass(frozen=True, eq=False)
class Counted(Discreet):
    """The entries of a table over some attributes, as positions among their distinct values.

    ``values``: for each attribute its distinct values as text, sorted; ``None``, missing, comes
    last.
    ``positions``: one line an attribute: the position of each entry's value.
    ``counts``: the number of rows of each entry; an entry of a frame in memory is one row.
    ``keys``: the values of each entry as the engine holds them, where rows must be found again.
    ``tags``: the tag of each entry, where rows with the same values have different ones.
    ``bits``: for each entry the rows with each bit of the hashes of columns, if they were counted.
    ``located``: the rows with the columns of `keys`, where these are not columns of the table.
    """

    values: tuple[tuple[str | None, ...], ...]
    positions: Codes
    counts: Counts
    keys: pa.Table | None = None
    tags: Codes | None = None
    bits: pa.Table | None = None
    located: Frame | None = None

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.counts.sum())

    def class_sizes(self) -> Counts:
        """Return the number of rows of each distinct sequence."""
        sizes = [len(values) for values in self.values]
        return group_equal(self.positions, sizes, self.counts)[2]

    def count_sizes(self) -> tuple[Counts, Counts]:
        """Return the sizes of classes that occur, and the number of classes of each size."""
        sizes, classes = np.unique(self.class_sizes(), return_counts=True)
        return sizes, classes


def label_entries(columns: Mapping[str, Any], counts: Counts, **known: Any) -> Counted:
    """Label the values of entries, and return them as positions among the distinct labels.

    ``columns``: for each attribute the value of every entry, as Arrow holds them.
    ``known``: what else is known of the entries: fields of :class:`Counted`.
    """
    positions = np.empty((len(columns), len(counts)), dtype=np.int32)
    values = []
    for attribute, (name, column) in enumerate(columns.items()):
        distinct, positions[attribute] = encode_column(name, column)
        values.append(distinct)
    return Counted(tuple(values), positions, counts, **known)
