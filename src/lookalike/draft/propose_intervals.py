"""Propose intervals for a column of numbers, so that each step merges a similar share."""

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.draft.numbers import Numbers, read_column_numbers
from lookalike.draft.propose_dates import KNOWN_SHARE
from lookalike.draft.proposed_hierarchy import (
    ProposedHierarchy,
    find_useful_levels,
    note_lost,
    propose_rule,
)
from lookalike.hierarchy import Intervals, Suppress
from lookalike.hierarchy.decimal_text import write_number

_AGES = (5, 10, 20, 40)
_YEARS = (5, 10, 50)
_OLDEST = 130
_FEWEST = 4
"""Fewer numbers are released or suppressed."""
_MOST_WIDTHS = 5
_TAIL = 0.01
"""The share of the rows at either end that may become one interval without an end."""
_SKEWED = 6
"""How many times longer the upper half of the numbers is than the lower half, if skewed."""
_FINE, _COARSE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80), (10, 20, 50)
_SHARES = ((0.01, _FINE), (0.04, _COARSE), (0.15, _COARSE), (0.35, _COARSE))
"""For each level of skewed numbers, the least share of the rows in a range and the first digits of
its bounds, times ten."""
_MULTIPLES = (2, 4, 5, 10, 20, 50, 100)


def propose_intervals(column: ColumnProfile, kind: str = "number") -> ProposedHierarchy | None:
    """Propose nested intervals, or nothing if the values are not numbers.

    Examples
    --------
    >>> ages = ColumnProfile("age", 80, tuple(map(str, range(80))), (1,) * 80, 80)
    >>> propose_intervals(ages, "age").table
    '{ kind = "intervals", widths = [5, 10, 20, 40] }'
    """
    numbers = read_column_numbers(column)
    if not numbers.units or numbers.rows < KNOWN_SHARE * sum(column.counts):
        return None
    if len(numbers.units) < _FEWEST:
        return propose_rule(Suppress(), "It has too few different numbers for intervals.")
    usual = _usual_widths(numbers, kind)
    if usual is None and _is_skewed(numbers):
        return _propose_useful(_choose_ranges(numbers), numbers)
    return _propose_useful(_choose_widths(numbers, usual or _round_widths(numbers)), numbers)


def _propose_useful(intervals: Intervals, numbers: Numbers) -> ProposedHierarchy:
    """Propose the levels that merge numbers."""
    ground = [write_number(units, numbers.decimals) for units in numbers.units]
    useful = find_useful_levels([intervals.ancestors(value) for value in ground])
    if not useful:
        return propose_rule(Suppress(), "No interval merges only some of the numbers.")
    kept = replace(
        intervals,
        widths=_select(intervals.widths, useful),
        ranges=_select(intervals.ranges, useful),
        unknown="suppress" if numbers.others else "error",
    )
    shape = "equally wide intervals" if kept.widths else "ranges with similar numbers of rows"
    lost = note_lost(numbers.others, "cannot be read as numbers and would be suppressed")
    return propose_rule(kept, f"{len(ground):,} different numbers: {shape}{lost}.")


def _select(levels: Sequence[Any] | None, useful: Sequence[int]) -> tuple[Any, ...] | None:
    """Return what is given for some levels, counted from 1."""
    return None if levels is None else tuple(levels[level - 1] for level in useful)


def _usual_widths(numbers: Numbers, kind: str) -> Sequence[int] | None:
    """Return the widths in which people give ages and years, in units."""
    one = 10**numbers.decimals
    low, high = numbers.units[0] // one, numbers.units[-1] // one
    if low < 0 or (numbers.decimals and kind != "age"):
        return None
    if kind == "year":
        return _YEARS if high - low >= 2 * _YEARS[0] else None
    shortest = 2 * _AGES[0] if kind == "age" else _OLDEST // 2
    fits = high <= _OLDEST and high - low >= shortest
    return [width * one for width in _AGES] if fits else None


def _round_widths(numbers: Numbers) -> list[int]:
    """Return round widths, each a multiple of the one before, in units.

    From the distinct numbers to the top, each step divides their number by about the same.
    """
    low, high = numbers.quantile(_TAIL), numbers.quantile(1 - _TAIL)
    distinct = max(2, sum(low <= units <= high for units in numbers.units))
    levels = min(_MOST_WIDTHS, max(1, round(math.log(distinct, 2.5)) - 1))
    step = math.log10(distinct) / (levels + 1)
    target = math.log10(high - low + 1) - math.log10(distinct)
    widths: list[int] = []
    for _ in range(levels):
        target += step
        widths.append(_nearest_width(target, widths[-1] if widths else None))
    return widths


def _nearest_width(target: float, below: int | None) -> int:
    """Return the round width nearest to a power of ten: a multiple of the one below.

    Examples
    --------
    >>> _nearest_width(0.6, None), _nearest_width(1.2, 5), _nearest_width(2.0, 20)
    (5, 20, 100)
    """
    tens: list[int] = [10 ** max(0, math.floor(target) + shift) for shift in (-1, 0, 1)]
    if below is None:
        candidates = [figure * ten for ten in tens for figure in (1, 2, 5) if figure * ten > 1]
    else:
        candidates = [below * one for one in _MULTIPLES if str(below * one).rstrip("0") in "1245"]
    return min(candidates, key=lambda width: abs(math.log10(width) - target))


def _choose_widths(numbers: Numbers, widths: Sequence[int]) -> Intervals:
    """Return intervals of some widths, with open ends where the numbers thin out."""
    width, decimals = widths[0], numbers.decimals
    bottom = numbers.quantile(_TAIL) // width * width
    top = (numbers.quantile(1 - _TAIL) // width + 1) * width
    below = [units for units in numbers.units if units < bottom]
    above = [units for units in numbers.units if units >= top]
    far_below = len(below) > 1 and bottom - below[0] > 2 * width
    far_above = len(above) > 1 and above[-1] - top > 2 * width
    return Intervals(
        widths=[_exact(one, decimals) for one in widths],
        decimals=decimals,
        bottom=_exact(bottom, decimals) if far_below else None,
        top=_exact(top, decimals) if far_above else None,
    )


def _is_skewed(numbers: Numbers) -> bool:
    """Return whether numbers from 0 on reach much further above their median than below.

    Numbers that are written in several ways do not count: the range of one number, such as 0.00,
    would have the label of one of its spellings.
    """
    low, middle, high = (numbers.quantile(share) for share in (_TAIL, 0.5, 1 - _TAIL))
    reaches_far = high - middle > _SKEWED * max(1, middle - low)
    return reaches_far and numbers.units[0] >= 0 and not numbers.respelled


def _choose_ranges(numbers: Numbers) -> Intervals:
    """Return ranges whose bounds are round numbers, chosen by the number of rows between them."""
    digits, decimals = len(str(numbers.units[-1])), numbers.decimals
    bounds, levels = _round_bounds(_FINE, digits), []
    end = next(one for one in _round_bounds(_COARSE, digits + 1) if one > numbers.units[-1])
    for share, figures in _SHARES:
        coarse = [bound for bound in _round_bounds(figures, digits) if bound in bounds]
        bounds = numbers.thin(coarse, share * numbers.rows)
        spans = pairwise([0, *bounds, end])
        levels.append([(_exact(low, decimals), _exact(high - 1, decimals)) for low, high in spans])
    return Intervals(ranges=levels, decimals=decimals)


def _round_bounds(figures: Sequence[int], digits: int) -> list[int]:
    """Return the whole numbers of up to some digits that begin with some figures.

    Examples
    --------
    >>> _round_bounds((10, 25), 3)
    [1, 10, 25, 100, 250]
    """
    scaled = (figure * 10**exponent for exponent in range(digits) for figure in figures)
    return sorted(one // 10 for one in scaled if one % 10 == 0)


def _exact(units: int, decimals: int) -> Decimal:
    """Return units of 10^-decimals as a decimal, without redundant zeros."""
    text = write_number(units, decimals)
    return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)
