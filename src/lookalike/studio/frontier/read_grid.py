"""Read the grid of an exploration from a form, and propose one."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TypeVar

from lookalike.describe.frontier import KS
from lookalike.errors import InvalidInput
from lookalike.flow.explore.grid import LIMITS, METHODS, Grid
from lookalike.spec.choose_method import list_methods
from lookalike.studio.editing.changes import read_field_number
from lookalike.studio.editing.project import Project
from lookalike.studio.session import Refused

MOST_POINTS = 400
"""The most points of a grid; a page lists all of them."""
USUAL_SECONDS = 300
"""The time limit that is proposed."""
_LONGEST_DAY = 86_400
_Read = TypeVar("_Read")


def propose_grid(project: Project) -> Grid:
    """Return the usual values, and those of the specification."""
    asked = {} if project.problems else project.table("release")
    k, limit, method = asked.get("k"), asked.get("max_suppressed"), asked.get("method")
    return Grid(
        tuple(sorted({*KS, *([] if k is None else [k])})),
        tuple(sorted({*LIMITS, *([] if limit is None else [limit])})),
        tuple(dict.fromkeys((*METHODS, *([] if method is None else [method])))),
    )


def read_grid(given: Mapping[str, str]) -> tuple[Grid, float | None]:
    """Return the grid and the time limit that the fields of a form ask for."""
    wrong: dict[str, str] = {}
    ks = _read(given, "ks", wrong, lambda text: Grid(ks=_read_numbers(text, _read_k)).ks)
    limits = _read(
        given, "limits", wrong, lambda text: Grid(limits=_read_numbers(text, _read_number)).limits
    )
    methods = tuple(name for name in list_methods() if f"method-{name}" in given)
    seconds = _read(given, "time_limit", wrong, _read_seconds)
    if not methods:
        wrong["methods"] = "choose at least one method"
    if (points := len(ks or ()) * len(limits or ()) * len(methods)) > MOST_POINTS:
        wrong["ks"] = f"this makes {points:,} points, and at most {MOST_POINTS} can be tried"
    if wrong:
        raise Refused(wrong)
    return Grid(ks or (), limits or (), methods), seconds


def _read(
    given: Mapping[str, str], name: str, wrong: dict[str, str], read: Callable[[str], _Read]
) -> _Read | None:
    """Return what a field asks for; nothing, and why, if it is wrong."""
    try:
        return read(given.get(name, ""))
    except InvalidInput as error:
        wrong[name] = str(error)
        return None


def _read_numbers(text: str, read: Callable[[str], _Read]) -> tuple[_Read, ...]:
    """Return the different numbers of a text, which spaces or commas separate."""
    words = re.split(r"[\s,;]+", text.strip(" ,;"))
    if words == [""]:
        raise InvalidInput("name at least one number")
    return tuple(dict.fromkeys(map(read, words)))


def _read_number(word: str) -> int | Decimal:
    """Return a number of rows, or a share of the rows."""
    number = read_field_number(word)
    if number is None or re.fullmatch("0[0-9]+", word):
        raise InvalidInput("separate numbers by spaces, and write fractions as 0.01")
    return number


def _read_k(word: str) -> int:
    """Return a whole number."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise InvalidInput("k must be a whole number, such as 5")
    return int(word)


def _read_seconds(text: str) -> float | None:
    """Return a time limit; none if the field is empty."""
    seconds = read_field_number(text)
    if seconds is not None and not 0 < seconds <= _LONGEST_DAY:
        raise InvalidInput(f"must be more than 0 and at most {_LONGEST_DAY:,} seconds")
    return None if seconds is None else float(seconds)


def write_grid(grid: Grid, seconds: float | None) -> dict[str, str]:
    """Return the fields of a form that ask for a grid; the inverse of :func:`read_grid`."""
    return {
        "ks": " ".join(map(str, grid.ks)),
        "limits": " ".join(map(str, grid.limits)),
        "time_limit": "" if seconds is None else f"{seconds:g}",
        **{f"method-{name}": "on" for name in grid.methods},
    }
