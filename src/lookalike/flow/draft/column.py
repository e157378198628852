"""ColumnProfile: the distinct values of a column and how often each occurs."""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet


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
    """

    name: str
    rows: int
    values: tuple[str, ...]
    counts: tuple[int, ...]
    distinct: int
    missing: int = 0
    markers: tuple[str, ...] = ()
