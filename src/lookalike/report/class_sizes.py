"""ClassSizes: how many rows of a release share their class with how many others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from lookalike.report.page import load_templates


@dataclass(frozen=True)
class SizeBucket:
    """The classes whose sizes are between two numbers of rows."""

    least: int
    most: int
    classes: int
    rows: int

    @property
    def name(self) -> str:
        """The sizes in words."""
        return f"{self.least:,}" if self.least == self.most else f"{self.least:,}–{self.most:,}"


@dataclass(frozen=True)
class ClassSizes:
    """The sizes of the classes of a release over one quasi-identifier.

    ``k``: the k that was asked for.
    ``smallest``, ``median``, ``largest``: the sizes of three classes; half of the classes are at
    most as large as the median.
    ``buckets``: the classes by size: those below k, those from k to 2k - 1, and so on, each time
    doubled.
    """

    k: int
    smallest: int
    median: int
    largest: int
    buckets: tuple[SizeBucket, ...]

    @classmethod
    def of(cls, counted: Mapping[int, int], k: int) -> "ClassSizes":
        """Sort classes into buckets.

        Examples
        --------
        >>> sizes = ClassSizes.of({2: 3, 5: 1, 9: 1}, k=2)
        >>> [(one.name, one.classes, one.rows) for one in sizes.buckets]
        [('1', 0, 0), ('2–3', 3, 6), ('4–7', 1, 5), ('8–15', 1, 9)]
        >>> sizes.smallest, sizes.median, sizes.largest
        (2, 2, 9)
        """
        sizes = sorted(counted) or [0]
        passed = zip(counted, accumulate(counted.values()), strict=True)
        half = sum(counted.values()) / 2
        median = next((size for size, classes in passed if classes >= half), 0)
        return cls(k, sizes[0], median, sizes[-1], tuple(_fill(counted, k)))

    @property
    def classes(self) -> int:
        """The number of classes."""
        return sum(bucket.classes for bucket in self.buckets)


def _fill(counted: Mapping[int, int], k: int) -> Iterator[SizeBucket]:
    """Yield the buckets up to the largest class."""
    least, most = (1, k - 1) if k > 1 else (1, 1)
    while True:
        within = {size: number for size, number in counted.items() if least <= size <= most}
        rows = sum(size * number for size, number in within.items())
        yield SizeBucket(least, most, sum(within.values()), rows)
        if most >= max(counted, default=0):
            return
        least, most = most + 1, 2 * most + 1


def draw_class_sizes(sizes: ClassSizes, over: str) -> Markup:
    """Draw the rows of a release by the size of their class, with a line at k."""
    filled = [bucket for bucket in sizes.buckets if bucket.rows]
    listed = "; ".join(f"{one.rows:,} in classes of {one.name} rows" for one in filled)
    drawing = load_templates("lookalike.report").get_template("class_sizes.svg")
    drawn = drawing.render(
        sizes=sizes,
        most=max([1, *(bucket.rows for bucket in filled)]),
        width=max(260, 72 * len(sizes.buckets)),
        summary=f"Bar chart of released rows by the size of their class over {over}: {listed}.",
    )
    return Markup(drawn)
