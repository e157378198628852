"""Count the most frequent values of one column, where its rows are."""

from dataclasses import dataclass

import narwhals as nw

from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.labels import encode_column
from lookalike.tables.sql import engine_errors
from lookalike.tables.table import OWN_PREFIX, Frame, column_names, rename_columns

_ROWS = OWN_PREFIX + "rows"
_VALUE = OWN_PREFIX + "value"


@dataclass(frozen=True)
class ValueCounts(Discreet):
    """The most frequent values of a column as text, and how often each occurs.

    Parameters
    ----------
    counts
        The number of rows with each value, the most frequent first; ``None`` is missing.
    complete
        Whether these are all values of the column.
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
