"""PairedColumns: the rows of a private table and of its release by the values of two columns.

Private values are grouped as the labels of one level. A released cell at or below that level is in
the group of its value; a more general one stands for itself, so that lost detail is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.describe.attributes import FEW_VALUES, MOST_FREQUENT, distribute
from lookalike.describe.utility.released_cells import read_numbers
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.risk.releases.seen_release import Label
from lookalike.studio.releases.paired_table import (
    ColumnAxis,
    PairedColumn,
    PairedTable,
    SmallCodes,
)


@dataclass(frozen=True, eq=False)
class PairedColumns(Discreet):
    """How many rows have each pair of values of two columns, before and after."""

    table: PairedTable
    first: ColumnAxis
    second: ColumnAxis

    @cached_property
    def before(self) -> Counts:
        """The private rows of each pair of values."""
        return self._count(self.first.private, self.second.private, self.table.counts)

    @cached_property
    def after(self) -> Counts:
        """The released rows of each pair of values."""
        released = self.table.counts * ~self.table.is_left_out
        return self._count(self.first.released, self.second.released, released)

    @property
    def rows_in_groups(self) -> int:
        """The released rows of which both values are as fine as the groups."""
        return int(self.after[: self.first.groups, : self.second.groups].sum())

    @property
    def most(self) -> int:
        """The most rows that a pair of values has."""
        return int(max(self.before.max(), self.after.max()))

    def _count(self, first: Codes, second: Codes, counts: Counts) -> Counts:
        """Count the rows of each pair."""
        shape = len(self.first.labels), len(self.second.labels)
        pair = first.astype(np.int64) * shape[1] + second
        found = np.bincount(pair, counts, shape[0] * shape[1]).astype(np.int64)
        return found.reshape(shape)


def pair_columns(
    table: PairedTable, places: tuple[int, int], levels: Sequence[int]
) -> PairedColumns:
    """Count the rows of a table by two of its columns.

    ``levels``: for each generalized column the level whose labels its private values are grouped
    as, which is that of the first time: a column of a million values is laid out once.
    """
    for one in places:
        if one not in table.axes:
            table.axes[one] = _lay_out(table, one, [*levels[one : one + 1], 0][0])
    first, second = (table.axes[one] for one in places)
    return PairedColumns(table, first, second)


def _lay_out(table: PairedTable, place: int, level: int) -> ColumnAxis:
    """Group the values of a column; those that are released as they are have one group twice."""
    column, counts = table.columns[place], table.counts
    if column.levels is None:
        labels, private = _gather(_bin(column, counts), column.private, counts)
        return ColumnAxis(column.name, labels, len(labels), private, private)
    groups, private = _gather(column.texts[level], column.private, counts)
    is_general = (column.levels == SUPPRESSED_CELL) | (column.levels > level)
    shown = counts * (is_general & ~table.is_left_out)
    general, above = _gather(column.shown, column.released, shown)
    released = np.where(is_general, len(groups) + above, private)
    return ColumnAxis(column.name, (*groups, *general), len(groups), private, released)


def _gather(
    texts: Sequence[Label], codes: SmallCodes, counts: Counts
) -> tuple[tuple[Label, ...], Codes]:
    """Return the values that have the most rows, in order, and which one each entry has."""
    number = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    value = np.array([number[text] for text in texts], dtype=np.int32)[codes]
    rows = np.bincount(value, counts, len(number)).astype(np.int64)
    found = distribute(list(number), rows)
    place = {one.label: place for place, one in enumerate(found.listed)}
    others = (f"{found.other_values:,} other values",) if found.other_values else ()
    labels = (*place, *others)
    at = np.array([place.get(one, len(labels) - 1) for one in number], dtype=np.int32)
    return labels, at[value]


def _bin(column: PairedColumn, counts: Counts) -> Sequence[Label]:
    """Return the interval of each number of a column that has many, else its values."""
    numbers = read_numbers(column.labels) if len(column.labels) > FEW_VALUES else None
    if numbers is None:
        return column.labels
    order = np.argsort(numbers, kind="stable")[: np.count_nonzero(~np.isnan(numbers))]
    rows = np.bincount(column.private, counts, len(numbers))[order]
    bins = ((np.cumsum(rows) - rows) * MOST_FREQUENT // max(rows.sum(), 1)).astype(np.int64)
    texts: list[Label] = [None] * len(numbers)
    for one in np.unique(bins):
        inside = order[bins == one]
        ends = dict.fromkeys((column.labels[inside[0]], column.labels[inside[-1]]))
        for place in inside.tolist():
            texts[place] = " to ".join(str(end) for end in ends)
    return texts
