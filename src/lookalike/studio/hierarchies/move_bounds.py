"""Move, remove and add bounds of intervals, as number fields of a form ask for."""

from collections.abc import Iterator
from decimal import Decimal

from lookalike.errors import InvalidInput
from lookalike.studio.hierarchies.definition_fields import (
    Given,
    read_field_levels,
    read_signed_number,
)
from lookalike.studio.session import Refused

MOVE, ADD = "move-", "add"
"""The beginning of the name of a field that moves a bound, and the field that adds one."""
IntervalBound = int | Decimal


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
        starts = read_field_levels(given.get("starts", ""))
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
    level: list[IntervalBound],
    before: IntervalBound | None,
    after: IntervalBound | None,
    above: int,
) -> list[IntervalBound]:
    """Return the bounds of a level, so far above the drawn one, after one was changed."""
    bounds = set(level)
    if before is None:
        return sorted(bounds | {after}) if above <= 0 and after is not None else level
    if before not in bounds or (after is None and above < 0):
        return level
    return sorted((bounds - {before}) | (set() if after is None else {after}))


def drop_moves(given: Given) -> dict[str, str]:
    """Return the fields of a form without those that change bounds."""
    return {name: text for name, text in given.items() if not _is_asked(name)}


def read_drawn_level(given: Given) -> int:
    """Return the level whose bounds are drawn; 1 if the form names none."""
    asked = given.get("level", "1")
    return int(asked) if asked in map(str, range(1, 100)) else 1


def _is_asked(name: str) -> bool:
    """Return whether a field changes a bound."""
    return name == ADD or name.startswith(MOVE)


def _list_asked(given: Given) -> Iterator[tuple[str, IntervalBound | None, IntervalBound | None]]:
    """Yield the name of each field that changes something, the bound before, and after."""
    for name, text in given.items():
        if not _is_asked(name) or text.strip() == name.removeprefix(MOVE):
            continue
        before = None if name == ADD else _read(name, name.removeprefix(MOVE))
        after = _read(name, text.strip()) if text.strip() else None
        if before != after:
            yield name, before, after


def _read(name: str, text: str) -> IntervalBound:
    """Read a bound."""
    try:
        return read_signed_number(text)
    except InvalidInput as error:
        raise Refused({name: str(error)}) from None
