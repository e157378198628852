"""Size bands: the classes of a table, counted by ranges of their size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BAND_STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""The smallest class size of each range in which classes are counted together."""


@dataclass(frozen=True)
class SizeBand:
    """The classes of a range of sizes.

    Parameters
    ----------
    low, high
        The smallest and the largest size; without `high` there is no largest.
    class_sizes
        Each size that occurs, with its number of classes.
    total
        The rows of the table.
    """

    low: int
    high: int | None
    class_sizes: Sequence[tuple[int, int]]
    total: int

    @property
    def classes(self) -> int:
        """The number of classes."""
        return sum(number for _, number in self.class_sizes)

    @property
    def rows(self) -> int:
        """The number of rows in these classes."""
        return sum(size * number for size, number in self.class_sizes)

    @property
    def share(self) -> float:
        """The share of these rows in the table."""
        return self.rows / self.total


def band_sizes(class_sizes: Sequence[tuple[int, int]], total: int) -> Iterator[SizeBand]:
    """Yield the classes by ranges of size, small ones first, without empty ranges.

    Examples
    --------
    >>> [(one.low, one.high, one.rows) for one in band_sizes([(1, 2), (4, 1), (2000, 1)], 2006)]
    [(1, 1, 2), (3, 4, 4), (1000, None, 2000)]
    """
    ends = (*(start - 1 for start in BAND_STARTS[1:]), None)
    for low, high in zip(BAND_STARTS, ends, strict=True):
        within = [(size, number) for size, number in class_sizes if low <= size <= (high or size)]
        if within:
            yield SizeBand(low, high, within, total)
