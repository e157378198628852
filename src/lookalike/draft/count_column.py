"""Count the values of a column, of any table or of the table of a specification."""

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import numpy as np

from lookalike.draft.column import ColumnProfile
from lookalike.errors import InvalidInput
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_source, read_table
from lookalike.tables.source import NEEDS_PLACE, ReadingOptions
from lookalike.tables.table import Frame


@name_options
def count_column(table: Any, column: str, **source: Unpack[ReadingOptions]) -> ColumnProfile:
    """Count how often each value of a column occurs.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    column
        Name of the column.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> found = count_column(pa.table({"zip": ["02139", "02138", "02138", None]}), "zip")
    >>> found.values, found.counts, found.missing
    (('02138', '02139'), (2, 1), 1)
    """
    return _profile(read_table(table, source), column)


def count_specified(
    specification: Specification, columns: Sequence[str]
) -> Iterator[ColumnProfile]:
    """Count how often each value of some columns occurs in the table of a specification."""
    source = specification.source
    if source is None:
        raise InvalidInput(NEEDS_PLACE)
    connection = Connection(source.resources)
    frame = read_source(source, connection, specification.cleaning)
    for column in columns:
        yield _profile(frame, column)


def _profile(frame: Frame, column: str) -> ColumnProfile:
    """Count the values of a column of a frame, the most frequent first."""
    counted = count(frame, [column])
    [values] = counted.values
    rows = np.bincount(counted.positions[0], weights=counted.counts, minlength=len(values))
    found = list(zip(values, rows.astype(int).tolist(), strict=True))
    known = [(value, number) for value, number in found if value is not None]
    ordered = sorted(known, key=lambda one: -one[1])
    return ColumnProfile(
        name=column,
        rows=counted.rows,
        values=tuple(value for value, _ in ordered),
        counts=tuple(number for _, number in ordered),
        distinct=len(ordered),
        missing=sum(number for value, number in found if value is None),
    )
