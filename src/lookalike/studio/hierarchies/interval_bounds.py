"""The bounds of intervals: where they begin, how they are moved, and a histogram to draw them on.

Numbers are integers in units of 10^-places, as in ``draft/numbers.py``.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, TypeVar

from lookalike.draft.numbers import Numbers
from lookalike.errors import InvalidInput
from lookalike.hierarchy import Intervals
from lookalike.hierarchy.decimal_text import to_decimal, to_units, write_number
from lookalike.studio.editing.form_fields import Given
from lookalike.studio.hierarchies.definition_fields import read_field_levels, read_signed_number
from lookalike.studio.session import Refused, beside

MOST_BOUNDS = 200
"""The most intervals of a level whose bounds are drawn or listed."""
_Bound = TypeVar("_Bound", int, int | Decimal)
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
    before, after = (bound, None) if bound in starts[level - 1] else (None, bound)
    return tuple(
        tuple(_change(one, before, after, number - level)) for number, one in enumerate(starts, 1)
    )


def write_starts(starts: Sequence[Sequence[int]], places: int) -> str:
    r"""Write starts as the form has them: one line for each level.

    Examples
    --------
    >>> write_starts(((0, 175), (0,)), 1)
    '0.0, 17.5\n0.0'
    """
    return "\n".join(", ".join(write_number(one, places) for one in level) for level in starts)


def _scale(number: Decimal | float, places: int) -> int:
    """Return a number of a hierarchy in units."""
    return to_units(to_decimal(number, "intervals"), places, "intervals")


MOST_BARS = 60
WIDTH, HEIGHT = 1000, 100
"""The size of the drawing, in its own units."""


Histogram = dict[str, Any]
"""The numbers of a column as bars, with the lines of bounds, and texts for the axis."""


def draw_histogram(numbers: Numbers, places: int, bounds: Sequence[int] = ()) -> Histogram:
    """Count numbers in bars of equal and round widths.

    Examples
    --------
    >>> drawn = draw_histogram(Numbers((17, 18, 90), (1, 3, 2), 0, 0), 0, [65])
    >>> len(drawn["bars"]), drawn["bars"][0]["rows"], drawn["lines"][0][1], drawn["high"]
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
    span, tallest = edges[-1] - first, max(rows)
    return {
        "bars": [
            {
                "begins": begins,
                "first": write_number(begins, places),
                "last": write_number(begins + step - 1, places),
                "rows": number,
                "left": round(WIDTH * place / count, 2),
                "width": round(WIDTH / count, 2),
                # a bar with few rows can still be seen
                "height": round(max(HEIGHT * number / tallest, 1 if number else 0), 2),
            }
            for place, (begins, number) in enumerate(zip(edges[:-1], rows, strict=True))
        ],
        "lines": [
            (WIDTH * (one - first) / span, write_number(one, places))
            for one in bounds
            if first < one < edges[-1]
        ],
        "low": write_number(first, places),
        "middle": write_number(first + span // 2, places),
        "high": write_number(edges[-1] - 1, places),
        "most": tallest,
        "first": first,
        "span": span,
        "places": places,
    }


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


MOVE, ADD = "move-", "add"
"""The beginning of the name of a field that moves a bound, and the field that adds one."""


def move_bounds(given: Given) -> dict[str, str]:
    r"""Return the fields of a form with listed ranges after its bounds were changed.

    The field ``move-18`` has the number to which the bound 18 is moved, on every level that has
    it; if it is empty, the bound is removed from ``level`` and above. The field ``add`` has a new
    bound of ``level`` and the levels below.

    Examples
    --------
    >>> fields = {"starts": "0, 18, 65\n0, 65", "last": "99", "level": "1"}
    >>> move_bounds(fields | {"move-18": "20", "move-65": "", "add": "40"})["starts"]
    '0, 20, 40\n0'
    """
    plain = drop_moves(given)
    try:
        starts: list[Sequence[int | Decimal]] = [*read_field_levels(given.get("starts", ""))]
        last = read_signed_number(given.get("last", "").strip())
    except InvalidInput:
        return plain
    lowest = min((level[0] for level in starts), default=last)
    for name, before, after in _list_asked(given):
        if after is not None and not lowest < after <= last:
            raise Refused({name: f"must be above {lowest} and at most {last}"})
        starts = [
            _change(level, before, after, number - read_drawn_level(given))
            for number, level in enumerate(starts, 1)
        ]
    return {**plain, "starts": "\n".join(", ".join(map(str, level)) for level in starts)}


def _change(
    level: Sequence[_Bound], before: _Bound | None, after: _Bound | None, above: int
) -> Sequence[_Bound]:
    """Return the bounds of a level, so far above the drawn one, after one was changed."""
    bounds = set(level)
    if before is None:
        return sorted(bounds | {after}) if above <= 0 and after is not None else level
    if before not in bounds or (after is None and above < 0):
        return level
    return sorted((bounds - {before}) | (set() if after is None else {after}))


def drop_moves(given: Given) -> dict[str, str]:
    """Return the fields of a form without those that change bounds."""
    return {name: text for name, text in given.items() if name != ADD and not name.startswith(MOVE)}


def read_drawn_level(given: Given) -> int:
    """Return the level whose bounds are drawn; 1 if the form names none."""
    asked = given.get("level", "1")
    return int(asked) if asked in map(str, range(1, 100)) else 1


def _list_asked(given: Given) -> Iterator[tuple[str, int | Decimal | None, int | Decimal | None]]:
    """Yield the name of each field that changes something, the bound before, and after."""
    for name, text in given.items():
        if name in drop_moves(given) or text.strip() == name.removeprefix(MOVE):
            continue
        with beside(name):
            before = None if name == ADD else read_signed_number(name.removeprefix(MOVE))
            after = read_signed_number(text.strip()) if text.strip() else None
        if before != after:
            yield name, before, after
