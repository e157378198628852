"""Numbers: the numbers of a column and how often each occurs, exact."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from lookalike.draft.column import ColumnProfile
from lookalike.errors import UnknownValue
from lookalike.hierarchy.decimal_text import read_number
from lookalike.hierarchy.discreet import Discreet


@dataclass(frozen=True)
class Numbers(Discreet):
    """The numbers of a column, in units of 10^-decimals.

    ``units``: the distinct numbers, in order.
    ``others``: the number of values that are not numbers.
    ``respelled``: whether some number is written in several ways, such as 0 and 0.00.
    """

    units: tuple[int, ...]
    counts: tuple[int, ...]
    decimals: int
    others: int
    respelled: bool = False

    @property
    def rows(self) -> int:
        """The number of rows with a number."""
        return sum(self.counts)

    def quantile(self, share: float) -> int:
        """Return the least number that so many of the rows do not exceed.

        Examples
        --------
        >>> Numbers((1, 2, 9), (1, 2, 1), 0, 0).quantile(0.5)
        2
        """
        least = share * self.rows
        reached = zip(self.units, accumulate(self.counts), strict=True)
        return next(units for units, rows in reached if rows >= least)

    def thin(self, bounds: Sequence[int], least: float) -> list[int]:
        """Drop bounds so that each range between them has a least number of rows.

        Examples
        --------
        >>> Numbers((1, 2, 9), (1, 2, 1), 0, 0).thin([2, 5, 8, 20], 1)
        [2, 5]
        """
        kept, below = [], 0
        for bound in bounds:
            up_to = self.count_below(bound)
            if up_to - below >= least and self.rows - up_to >= least:
                kept.append(bound)
                below = up_to
        return kept

    def count_below(self, bound: int) -> int:
        """Return the number of rows with a number below a bound."""
        return self._rows_up_to[bisect_left(self.units, bound)]

    @cached_property
    def _rows_up_to(self) -> tuple[int, ...]:
        """The number of rows with one of the first 0, 1, 2, … numbers."""
        return tuple(accumulate(self.counts, initial=0))


def read_column_numbers(column: ColumnProfile) -> Numbers:
    """Read the values of a column that are plain numbers.

    Examples
    --------
    >>> found = read_column_numbers(ColumnProfile("x", 4, ("7.5", "7.50", "12", "?"), (1,) * 4, 4))
    >>> found.units, found.counts, found.decimals, found.others
    ((75, 120), (2, 1), 1, 1)
    """
    read: list[tuple[int, int, int]] = []
    for value, rows in zip(column.values, column.counts, strict=True):
        try:
            read.append((*read_number(value), rows))
        except UnknownValue:
            continue
    decimals = max((places for _, places, _ in read), default=0)
    counted: Counter[int] = Counter()
    for units, places, rows in read:
        counted[units * 10 ** (decimals - places)] += rows
    ordered = sorted(counted)
    others = len(column.values) - len(read)
    counts = tuple(counted[one] for one in ordered)
    return Numbers(tuple(ordered), counts, decimals, others, respelled=len(read) > len(ordered))
