"""Count the unique rows and small classes over a set of attributes, and over every subset.

"87% of the population in the United States had reported characteristics that likely made them
unique based only on {5-digit ZIP, gender, date of birth}" (Model, section 1). The same question is
answered here for a table and every subset of its quasi-identifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Counts
from lookalike.model.progress import Announce
from lookalike.risk.table.sequences import Sequences

Subset = tuple[int, ...]


@dataclass(frozen=True)
class Uniqueness(JsonResult):
    """Unique rows and small classes of a table over some attributes.

    ``smallest``: the size of the smallest class; 0 if the table is empty.
    ``unique_rows``: the number of rows that differ from every other row over the attributes.
    ``rows_below_k``: the number of rows in classes smaller than k.
    """

    json_names = (
        "attributes rows classes smallest unique_rows rows_below_k unique_share share_below_k"
    )

    attributes: tuple[str, ...]
    rows: int
    classes: int
    smallest: int
    unique_rows: int
    rows_below_k: int

    @property
    def unique_share(self) -> float:
        """The share of rows that are unique."""
        return self.unique_rows / self.rows if self.rows else 0.0

    @property
    def share_below_k(self) -> float:
        """The share of rows in classes smaller than k."""
        return self.rows_below_k / self.rows if self.rows else 0.0


def expose(attributes: Sequence[str], sizes: Counts, k: int) -> Uniqueness:
    """Count unique rows and small classes, given the sizes of the classes.

    Examples
    --------
    >>> found = expose(["zip"], np.array([1, 1, 3]), k=3)
    >>> found.unique_rows, found.rows_below_k, found.unique_share
    (2, 2, 0.4)
    """
    return Uniqueness(
        attributes=tuple(attributes),
        rows=int(sizes.sum()),
        classes=len(sizes),
        smallest=int(sizes.min()) if len(sizes) else 0,
        unique_rows=int((sizes == 1).sum()),
        rows_below_k=int(sizes[sizes < k].sum()),
    )


def expose_subsets(
    sequences: Sequences, names: Sequence[str], k: int, size: int, announce: Announce
) -> tuple[Uniqueness, ...]:
    """Count unique rows and small classes over every subset of some attributes, up to a size."""
    size = min(size, len(names))
    total = sum(comb(len(names), number) for number in range(1, size + 1))
    found: dict[Subset, Uniqueness] = {}
    # The subsets of the full size are rolled up from the whole list, a smaller one from the subset
    # that has in addition the last attribute it lacks. So every subset is counted once, and memory
    # holds at most one list per attribute of a subset.
    for largest in combinations(range(len(names)), size):
        for subset, sizes in _descend(sequences.project(largest)[1], largest, len(names)):
            found[subset] = expose([names[attribute] for attribute in subset], sizes, k)
            announce(f"subset {len(found):,} of {total:,}")
    return tuple(found[subset] for subset in sorted(found, key=lambda one: (len(one), one)))


def _descend(
    sequences: Sequences, subset: Subset, attributes: int
) -> Iterator[tuple[Subset, Counts]]:
    """Yield a subset, and the smaller subsets that are rolled up from it."""
    yield subset, sequences.sizes
    position = len(subset) - 1
    while len(subset) > 1 and position >= 0:
        if subset[position] != attributes - len(subset) + position:
            return
        kept = [other for other in range(len(subset)) if other != position]
        below = tuple(subset[other] for other in kept)
        yield from _descend(sequences.project(kept)[1], below, attributes)
        position -= 1


def find_smallest(subsets: Sequence[Uniqueness]) -> tuple[Uniqueness, ...]:
    """Return the minimal subsets that single out a row.

    A row that is unique over some attributes is unique over more attributes too. So a subset is
    minimal if no subset with one attribute fewer singles out a row.

    Examples
    --------
    >>> names = (("zip",), ("sex",), ("zip", "sex"))
    >>> zips, sexes, both = (Uniqueness(one, 3, 2, 1, "zip" in one, 1) for one in names)
    >>> [one.attributes for one in find_smallest([zips, sexes, both])]
    [('zip',)]
    """
    singling = {one.attributes for one in subsets if one.unique_rows}
    return tuple(
        one
        for one in subsets
        if one.unique_rows
        and singling.isdisjoint(combinations(one.attributes, len(one.attributes) - 1))
    )


def count_sizes(sizes: Counts) -> tuple[tuple[int, int], ...]:
    """Return each class size with the number of classes of that size, ascending.

    Examples
    --------
    >>> count_sizes(np.array([1, 3, 1]))
    ((1, 2), (3, 1))
    """
    size, classes = np.unique(sizes, return_counts=True)
    return tuple(zip(size.tolist(), classes.tolist(), strict=True))


def check_at_least_one(**numbers: int) -> None:
    """Refuse a number, such as k or the size of subsets, that is below 1."""
    for name, number in numbers.items():
        if number < 1:
            raise InvalidInput(f"{name} must be at least 1, not {number}")


BAND_STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""The smallest class size of each range in which classes are counted together."""


@dataclass(frozen=True)
class SizeBand:
    """The classes of a range of sizes.

    ``low``, ``high``: the smallest and the largest size; without `high` there is no largest.
    ``class_sizes``: each size that occurs, with its number of classes.
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
