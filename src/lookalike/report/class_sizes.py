"""ClassSizes: how many rows of a release share their class with how many others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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

    Parameters
    ----------
    k
        The k that was asked for.
    smallest, median, largest
        The sizes of three classes; half of the classes are at most as large as the median.
    buckets
        The classes by size: those below k, those from k to 2k - 1, and so on, each time doubled.
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
        return cls(k, sizes[0], _find_median(counted), sizes[-1], tuple(_fill(counted, k)))

    @property
    def classes(self) -> int:
        """The number of classes."""
        return sum(bucket.classes for bucket in self.buckets)


def _find_median(counted: Mapping[int, int]) -> int:
    """Return the size that half of the classes do not exceed."""
    passed, classes = 0, sum(counted.values())
    for size, number in counted.items():
        passed += number
        if 2 * passed >= classes:
            return size
    return 0


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
    drawing = load_templates("lookalike.report").get_template("class_sizes.svg")
    return Markup(
        drawing.render(
            buckets=sizes.buckets,
            k=sizes.k,
            most=max([1, *(bucket.rows for bucket in sizes.buckets)]),
            width=max(260, 72 * len(sizes.buckets)),
            summary=_summarize(sizes, over),
        )
    )


def _summarize(sizes: ClassSizes, over: str) -> str:
    """Say in one sentence what the chart shows."""
    filled = [bucket for bucket in sizes.buckets if bucket.rows]
    listed = "; ".join(f"{one.rows:,} in classes of {one.name} rows" for one in filled)
    return f"Bar chart of released rows by the size of their class over {over}: {listed}."
