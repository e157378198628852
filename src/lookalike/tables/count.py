"""Count: from rows to the distinct sequences of quasi-identifier values.

An engine that works on disk counts there; only distinct sequences come to memory. Values are
labelled here, in Python, so that every kind of frame gives the same text for the same value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.counted import Counted
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.engine import StoredEntries, StoredSequences
from lookalike.tables.labels import encode_column
from lookalike.tables.sql import engine_errors
from lookalike.tables.table import OWN_PREFIX, Frame, check_columns, column_names, rename_columns

_ROWS = OWN_PREFIX + "rows"
_VALUE = OWN_PREFIX + "value"


@dataclass(frozen=True, eq=False)
class StoredCount(Discreet):
    """The sequences of a table, counted and kept in its engine.

    ``values``: for each attribute its distinct values as text, sorted; ``None``, missing, comes
    last.
    ``positions``: for each attribute the position of each value as the engine holds it.
    ``value_rows``: for each attribute the number of rows of each of these values.
    ``entries``: the sequences, kept by the engine.
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


def count(frame: Frame, attributes: Sequence[str], tag: str | None = None) -> Counted:
    """Count how often each sequence of values occurs (Achieving, Figure 8, step 1)."""
    check_columns(column_names(frame), attributes)
    return engine_of(frame).group(frame, attributes, tag)


def count_within(
    frame: Frame, attributes: Sequence[str], most: int, hashed: Sequence[str] = ()
) -> Counted | StoredCount:
    """Count how often each sequence of values occurs; leave the sequences where they are if many.

    ``most``: how many distinct sequences may come to memory. The rows of a frame in memory are
    there.
    ``hashed``: columns of whose hashes bits are counted in the same pass, to look for dominant
    values (:mod:`lookalike.tables.dominant`).
    """
    check_columns(column_names(frame), attributes)
    counted = engine_of(frame).group_within(frame, attributes, most, hashed)
    return counted if isinstance(counted, Counted) else read_stored(attributes, counted)


def count_distinct(
    frame: Frame, columns: Sequence[str], at_once: int = 8
) -> dict[str, tuple[int, int]]:
    """Return for each column how many distinct values it has, and how many rows have one.

    ``at_once``: how many columns a query counts, each of which needs memory for its values.
    """
    return engine_of(frame).count_distinct(frame, columns, at_once)


def count_unique(frame: Frame, columns: Sequence[str]) -> int:
    """Count the rows that no other row equals over some columns; missing is a value."""
    return engine_of(frame).count_unique(frame, columns)


def number_of_rows(frame: Frame) -> int:
    """Return the number of rows."""
    return int(frame.lazy().select(nw.len()).collect().item())


def fetch(frame: Frame, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield some columns of all rows, piece by piece and one at least, as Arrow tables."""
    return engine_of(frame).fetch(frame, columns)


@dataclass(frozen=True)
class ValueCounts(Discreet):
    """The most frequent values of a column as text, and how often each occurs.

    ``counts``: the number of rows with each value, the most frequent first; ``None`` is missing.
    ``complete``: whether these are all values of the column.
    """

    counts: dict[str | None, int]
    complete: bool


def count_most_frequent(frame: Frame, column: str, most: int) -> ValueCounts:
    """Count how often each value of a column occurs; at most so many come to memory."""
    # DuckDB and Spark would group by some names as expressions: hos.cat as a column of a table.
    names = column_names(frame)
    plain = [_VALUE if name == column else f"{OWN_PREFIX}{n}" for n, name in enumerate(names)]
    values = rename_columns(frame.lazy(), plain).select(_VALUE)
    grouped = values.group_by(_VALUE).agg(nw.len().alias(_ROWS))
    with engine_errors():
        found = grouped.sort(_ROWS, descending=True).head(most + 1).collect("pyarrow")
    entries = found.head(most).to_arrow()
    labels, codes = encode_column(column, entries.column(_VALUE))
    counts: dict[str | None, int] = {}
    for code, rows in zip(codes.tolist(), entries.column(_ROWS).to_pylist(), strict=True):
        counts[labels[code]] = counts.get(labels[code], 0) + rows
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0] or ""))
    return ValueCounts(dict(ordered), len(found) <= most)
