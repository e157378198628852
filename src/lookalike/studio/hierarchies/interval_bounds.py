"""The bounds of intervals: where those of each level begin, and how one is added or removed.

Numbers are integers in units of 10^-places, as in ``draft/numbers.py``.
"""

from collections.abc import Sequence
from decimal import Decimal

from lookalike.draft.numbers import Numbers
from lookalike.hierarchy import Intervals
from lookalike.hierarchy.decimal_text import to_decimal, to_units, write_number

MOST_BOUNDS = 200
"""The most intervals of a level whose bounds are drawn or listed."""
Starts = tuple[tuple[int, ...], ...]
"""For each level from 1 on, the numbers at which its intervals begin."""


def find_starts(rule: Intervals, numbers: Numbers, places: int) -> Starts:
    """Return where the intervals of each level begin, as far as the column has numbers.

    A level with very many intervals has none here.

    ``places``: the decimals of the units; at least those of the hierarchy and of the numbers.

    Examples
    --------
    >>> find_starts(Intervals([10, 20], bottom=18), Numbers((17, 45), (1, 1), 0, 0), 0)
    ((10, 18, 20, 30, 40), (0, 18, 20, 40))
    """
    if rule.ranges is not None:
        levels = (sorted(_scale(low, places) for low, _ in level) for level in rule.ranges)
        return tuple(tuple(level) for level in levels)
    scale = 10 ** (places - numbers.decimals)
    low, high = numbers.units[0] * scale, numbers.units[-1] * scale
    return tuple(
        _find_equal(rule, _scale(width, places), low, high, places) for width in rule.widths or ()
    )


def _find_equal(rule: Intervals, width: int, low: int, high: int, places: int) -> tuple[int, ...]:
    """Return where equally wide intervals begin, from the lowest to the highest number."""
    origin = _scale(rule.origin, places)
    first = origin + (low - origin) // width * width
    if (high - first) // width >= MOST_BOUNDS:
        return ()
    inside = range(first, high + 1, width)
    limits = [_scale(one, places) for one in (rule.bottom, rule.top) if one is not None]
    bottom = low if rule.bottom is None else limits[0]
    top = high if rule.top is None else limits[-1]
    edges = {one for one in limits if first < one <= high}
    return tuple(sorted({first, *edges, *(one for one in inside if bottom < one <= top)}))


def cut_alike(starts: Starts) -> Starts:
    """Return starts that all begin at the same number, as listed ranges must.

    Examples
    --------
    >>> cut_alike(((10, 18, 20), (0, 20)))
    ((0, 18, 20), (0, 20))
    """
    lowest = min(level[0] for level in starts)
    return tuple((lowest, *level[1:]) for level in starts)


def toggle_bound(starts: Starts, level: int, bound: int) -> Starts:
    """Add a bound to a level and the levels below, or remove it there and above.

    So every level stays a union of intervals of the level below.

    Examples
    --------
    >>> toggle_bound(((0, 18, 65), (0, 65)), 2, 18)
    ((0, 18, 65), (0, 18, 65))
    >>> toggle_bound(((0, 18, 65), (0, 65)), 1, 65)
    ((0, 18), (0,))
    """
    if bound in starts[level - 1]:
        return tuple(
            tuple(one for one in level_starts if number < level or one != bound)
            for number, level_starts in enumerate(starts, 1)
        )
    return tuple(
        tuple(sorted({*level_starts, bound})) if number <= level else level_starts
        for number, level_starts in enumerate(starts, 1)
    )


def write_starts(starts: Sequence[Sequence[int]], places: int) -> str:
    r"""Write starts as the form has them: one line for each level.

    Examples
    --------
    >>> write_starts(((0, 175), (0,)), 1)
    '0.0, 17.5\n0.0'
    """
    return "\n".join(", ".join(write_number(one, places) for one in level) for level in starts)


def find_places(rule: Intervals, numbers: Numbers) -> int:
    """Return the decimals that the hierarchy and the numbers have at most."""
    return max(rule.decimals, numbers.decimals)


def _scale(number: Decimal | float, places: int) -> int:
    """Return a number of a hierarchy in units."""
    return to_units(to_decimal(number, "intervals"), places, "intervals")
