"""Figures: how far the values of a column single out rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from lookalike.draft.column import ColumnProfile

NEARLY_UNIQUE = 0.9
"""The distinct values per row from which a column identifies nearly every row."""


@dataclass(frozen=True)
class ColumnFigures:
    """How far the values of a column single out rows.

    Parameters
    ----------
    present
        The number of rows with a value.
    distinct
        The number of distinct values.
    missing_share
        The share of rows without a value.
    distinct_share
        The distinct values per row with a value; 1 if no two rows share a value.
    alone
        The number of rows that no other row shares a value with.
    largest_share
        The share of the most frequent value among the rows with a value.
    entropy
        The entropy of the values in bits: columns of high entropy single out rows together.
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
    repeated = sum(count > 1 for count in column.counts)
    unlisted = column.distinct - len(column.counts)
    return ColumnFigures(
        present=present,
        distinct=column.distinct,
        missing_share=column.missing / max(1, column.rows),
        distinct_share=column.distinct / max(1, present),
        alone=_count_alone(column, repeated, unlisted),
        largest_share=max(column.counts, default=0) / max(1, present),
        entropy=_entropy(column.counts, unlisted),
    )


def _count_alone(column: ColumnProfile, repeated: int, unlisted: int) -> int:
    """Count the rows with a value of their own; unlisted values are the least frequent."""
    listed_alone = len(column.counts) - repeated
    return listed_alone + unlisted if listed_alone or not unlisted else 0


def _entropy(counts: Sequence[int], unlisted: int) -> float:
    """Return the entropy of the values, as if every unlisted value occurred once."""
    rows = sum(counts) + unlisted
    listed = -sum(count / rows * log2(count / rows) for count in counts)
    return listed + unlisted * log2(rows) / rows if rows else 0.0
