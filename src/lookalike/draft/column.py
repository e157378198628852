"""ColumnProfile: the distinct values of a column and how often each occurs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Any, Unpack

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_source, read_table
from lookalike.tables.source import NEEDS_PLACE, ReadingOptions
from lookalike.tables.table import Frame


@dataclass(frozen=True)
class ColumnProfile(Discreet):
    """The distinct values of a column of a private table and how often each occurs.

    Parameters
    ----------
    name
        Name of the column.
    rows
        The number of rows of the table.
    values
        The distinct values as text, the most frequent first; without missing values. Of a column
        with very many of them, the most frequent ones only.
    counts
        The number of rows with each of `values`.
    distinct
        The number of all distinct values.
    missing
        The number of rows without a value; those with a marker such as ``NA`` count, too.
    markers
        The texts that stand for a missing value, such as ``NA`` or ``?``.
    label
        What the file says of the column, such as ``Age of respondent``.
    value_labels
        What the file says of some of its values, such as ``Male`` of ``1``.
    """

    name: str
    rows: int
    values: tuple[str, ...]
    counts: tuple[int, ...]
    distinct: int
    missing: int = 0
    markers: tuple[str, ...] = ()
    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def coded(self) -> bool:
        """Whether most values are codes of categories, by their labels."""
        return 2 * sum(value in self.value_labels for value in self.values) > len(self.values)


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
    found = dict(zip(values, rows.astype(int).tolist(), strict=True))
    missing = found.pop(None, 0)
    known = {value: number for value, number in found.items() if value is not None}
    ordered = dict(sorted(known.items(), key=lambda one: -one[1]))
    counts = tuple(ordered.values())
    return ColumnProfile(column, counted.rows, tuple(ordered), counts, len(ordered), missing)


NEARLY_UNIQUE = 0.9
"""The distinct values per row from which a column identifies nearly every row."""


@dataclass(frozen=True)
class ColumnFigures:
    """How far the values of a column single out rows.

    ``present``: the number of rows with a value.
    ``distinct_share``: the distinct values per row with a value; 1 if no two rows share a value.
    ``alone``: the number of rows that no other row shares a value with.
    ``largest_share``: the share of the most frequent value among the rows with a value.
    ``entropy``: the entropy of the values in bits: columns of high entropy single out rows
    together.
    """

    present: int
    distinct: int
    missing_share: float
    distinct_share: float
    alone: int
    largest_share: float
    entropy: float

    @property
    def alone_share(self) -> float:
        """The share of the rows with a value that no other row shares it with."""
        return self.alone / max(1, self.present)


def measure_column(column: ColumnProfile) -> ColumnFigures:
    """Measure how far the values of a column single out rows.

    Examples
    --------
    >>> measure_column(ColumnProfile("x", 8, ("a", "b"), (3, 1), 2, missing=4)).distinct_share
    0.5
    """
    present = column.rows - column.missing
    listed_alone = sum(count <= 1 for count in column.counts)
    unlisted = column.distinct - len(column.counts)
    return ColumnFigures(
        present=present,
        distinct=column.distinct,
        missing_share=column.missing / max(1, column.rows),
        distinct_share=column.distinct / max(1, present),
        # unlisted values are the least frequent
        alone=listed_alone + unlisted if listed_alone or not unlisted else 0,
        largest_share=max(column.counts, default=0) / max(1, present),
        entropy=_entropy(column.counts, unlisted),
    )


def _entropy(counts: Sequence[int], unlisted: int) -> float:
    """Return the entropy of the values, as if every unlisted value occurred once."""
    rows = sum(counts) + unlisted
    listed = -sum(count / rows * log2(count / rows) for count in counts)
    return listed + unlisted * log2(rows) / rows if rows else 0.0
