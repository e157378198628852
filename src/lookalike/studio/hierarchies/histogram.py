"""Histogram: how often the numbers of a column occur, with the bounds of intervals drawn on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lookalike.draft.numbers import Numbers
from lookalike.hierarchy.decimal_text import write_number
from lookalike.hierarchy.discreet import Discreet

MOST_BARS = 60
WIDTH, HEIGHT = 1000, 100
"""The size of the drawing, in its own units."""


@dataclass(frozen=True)
class HistogramBar(Discreet):
    """A bar of a histogram.

    Parameters
    ----------
    begins
        The number at which it begins, in units.
    first, last
        The first and the last number that it counts, as text.
    rows
        The number of rows.
    left, width, height
        Where it is drawn.
    """

    begins: int
    first: str
    last: str
    rows: int
    left: float
    width: float
    height: float


@dataclass(frozen=True)
class Histogram(Discreet):
    """A histogram of the numbers of a column.

    Parameters
    ----------
    bars
        The bars, from the lowest to the highest numbers.
    lines
        Where bounds are drawn, each with its number as text.
    low, middle, high
        Numbers at the ends and in the middle of the axis, as text.
    most
        The rows of the highest bar.
    """

    bars: tuple[HistogramBar, ...]
    lines: tuple[tuple[float, str], ...]
    low: str
    middle: str
    high: str
    most: int


def draw_histogram(numbers: Numbers, places: int, bounds: Sequence[int] = ()) -> Histogram:
    """Count numbers in bars of equal and round widths.

    Examples
    --------
    >>> drawn = draw_histogram(Numbers((17, 18, 90), (1, 3, 2), 0, 0), 0, [65])
    >>> len(drawn.bars), drawn.bars[0].rows, drawn.lines[0][1], drawn.high
    (38, 1, '65', '91')
    """
    scale = 10 ** (places - numbers.decimals)
    lowest, highest = numbers.units[0] * scale, numbers.units[-1] * scale
    step = _choose_step(lowest, highest)
    first = lowest // step * step
    count = (highest - first) // step + 1
    edges = [first + place * step for place in range(count + 1)]
    below = [numbers.count_below(-(-edge // scale)) for edge in edges]
    rows = [after - before for before, after in pairwise(below)]
    span = edges[-1] - first
    bars = [_draw_bar(edges[place], step, rows, place, places) for place in range(count)]
    lines = [
        (WIDTH * (one - first) / span, write_number(one, places))
        for one in bounds
        if first < one < edges[-1]
    ]
    return Histogram(
        bars=tuple(bars),
        lines=tuple(lines),
        low=write_number(first, places),
        middle=write_number(first + span // 2, places),
        high=write_number(edges[-1] - 1, places),
        most=max(rows),
    )


def _draw_bar(begins: int, step: int, rows: Sequence[int], place: int, places: int) -> HistogramBar:
    """Return a bar; one with few rows can still be seen."""
    share = rows[place] / max(rows)
    return HistogramBar(
        begins=begins,
        first=write_number(begins, places),
        last=write_number(begins + step - 1, places),
        rows=rows[place],
        left=round(WIDTH * place / len(rows), 2),
        width=round(WIDTH / len(rows), 2),
        height=round(max(HEIGHT * share, 1 if rows[place] else 0), 2),
    )


def _choose_step(low: int, high: int) -> int:
    """Return the least round width with which the bars are few.

    Examples
    --------
    >>> _choose_step(17, 90), _choose_step(0, 99_999), _choose_step(3, 3)
    (2, 2000, 1)
    """
    power = 1
    while True:
        for digit in (1, 2, 5):
            step = digit * power
            if high // step - low // step < MOST_BARS:
                return step
        power *= 10
