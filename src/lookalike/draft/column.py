"""ColumnProfile: the distinct values of a column and how often each occurs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
