"""Count: from rows to the distinct sequences of quasi-identifier values.

An engine that works on disk counts there; only distinct sequences come to memory. Values are
labelled here, in Python, so that every kind of frame gives the same text for the same value.
"""

from collections.abc import Iterator, Sequence

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.tables.counted import Counted
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.engine import Grouped
from lookalike.tables.engines.join_tables import read_grouped
from lookalike.tables.labels import encode_column
from lookalike.tables.stored_count import StoredCount, read_stored
from lookalike.tables.table import Frame, check_columns, column_names


def count(frame: Frame, attributes: Sequence[str], tag: str | None = None) -> Counted:
    """Count how often each sequence of values occurs (Achieving, Figure 8, step 1)."""
    check_columns(column_names(frame), attributes)
    return _encode(attributes, engine_of(frame).group(frame, attributes, tag))


def _encode(attributes: Sequence[str], grouped: Grouped) -> Counted:
    """Label the values of entries, and return them as positions among the distinct labels."""
    positions = np.empty((len(attributes), len(grouped.counts)), dtype=np.int32)
    values = []
    for attribute, (name, column) in enumerate(zip(attributes, grouped.columns, strict=True)):
        distinct, positions[attribute] = encode_column(name, column)
        values.append(distinct)
    return Counted(tuple(values), positions, grouped.counts, grouped.keys, grouped.tags)


def count_within(frame: Frame, attributes: Sequence[str], most: int) -> Counted | StoredCount:
    """Count how often each sequence of values occurs; leave the sequences where they are if many.

    ``most``: how many distinct sequences may come to memory. The rows of a frame in memory are
    there.
    """
    check_columns(column_names(frame), attributes)
    grouped = engine_of(frame).group_within(frame, attributes, most)
    if isinstance(grouped, Grouped):
        return _encode(attributes, grouped)
    return read_stored(attributes, grouped)


def read_saved(attributes: Sequence[str], entries: pa.Table) -> Counted:
    """Return a list that was counted earlier (:mod:`lookalike.tables.saved_count`)."""
    return _encode(attributes, read_grouped(entries, attributes, None))


def count_distinct(
    frame: Frame, columns: Sequence[str], *, exact: bool = False
) -> dict[str, tuple[int, int]]:
    """Return for each column how many distinct values it has, and how many rows have one.

    An engine that works on disk estimates first and counts exactly only where the estimate
    says that most values differ, or where that is asked for.
    """
    return engine_of(frame).count_distinct(frame, columns, exact=exact)


def count_unique(frame: Frame, columns: Sequence[str]) -> int:
    """Count the rows that no other row equals over some columns; missing is a value."""
    return engine_of(frame).count_unique(frame, columns)


def number_of_rows(frame: Frame) -> int:
    """Return the number of rows."""
    return int(frame.lazy().select(nw.len()).collect().item())


def fetch(frame: Frame, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield some columns of all rows, piece by piece and one at least, as Arrow tables."""
    return engine_of(frame).fetch(frame, columns)
