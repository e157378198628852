"""The fields of a form that define a hierarchy, and how their text is read and written.

A definition is the ``hierarchy`` table of a column. A form has two kinds more than a specification:
``ranges``, intervals whose bounds are chosen one by one, and ``ordering``, a tree of neighbours.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.studio.editing.form_fields import Given
from lookalike.studio.session import Refused, read_each

_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?")
_WHOLE = re.compile(r"[0-9]{1,4}")
_COMMAS = re.compile(r"\s*[,;]\s*|\s+")


@dataclass(frozen=True)
class DefinitionField:
    """A field of the form; ``sort``: how it is read, see :data:`_READERS`.

    Its name is that of the specification except for ``starts`` and ``last``.
    """

    name: str
    label: str
    sort: str
    hint: str = ""


DEFINITION_FIELDS: Mapping[str, tuple[DefinitionField, ...]] = {
    "mask": (
        DefinitionField("keep", "Characters kept at levels 1, 2, …", "wholes", "such as 5, 3"),
        DefinitionField("steps", "Or: number of levels", "whole", "empty: one for each character"),
        DefinitionField("length", "Characters of the longest value", "whole", "empty: as found"),
        DefinitionField("from_left", "Mask from the left", "flag"),
    ),
    "dates": (
        DefinitionField("steps", "Spans at levels 1, 2, …", "words", "month, year, 5 years"),
        DefinitionField("formats", "Formats, one on each line", "lines", "such as %d.%m.%Y"),
        DefinitionField("century", "Two-digit years begin at", "whole", "such as 1930"),
        DefinitionField("fixed_day", "Day that general dates show", "whole", "empty: none"),
    ),
    "intervals": (
        DefinitionField("widths", "Widths at levels 1, 2, …", "numbers", "such as 5, 10, 20"),
        DefinitionField("origin", "An interval begins at", "number", "empty: 0"),
        DefinitionField("bottom", "One group below", "number", "empty: none"),
        DefinitionField("top", "One group from … on", "number", "empty: none"),
        DefinitionField("decimals", "Decimals of the values", "places", "empty: 0"),
    ),
    "ranges": (
        DefinitionField(
            "starts",
            "Where intervals begin; one line for each level",
            "levels",
            "such as 0, 18, 65",
        ),
        DefinitionField("last", "The last number", "number", "such as 120"),
        DefinitionField("decimals", "Decimals of the values", "places", "empty: 0"),
    ),
    "rounding": (DefinitionField("bases", "Round at levels 1, 2, … to", "numbers", "10, 100"),),
    "ordering": (
        DefinitionField("sizes", "Neighbours in a group at levels 1, 2, …", "wholes", "3, 4"),
        DefinitionField("order", "Values in order, one on each line", "lines", "others follow"),
    ),
    "taxonomy": (),
    "file": (
        DefinitionField("path", "File in this folder", "path"),
        DefinitionField("delimiter", "Delimiter", "text", "empty: found by itself"),
        DefinitionField("encoding", "Encoding", "text", "empty: utf-8"),
    ),
    "suppress": (),
}
"""The fields of each kind."""
COMMON_FIELDS = (
    DefinitionField("unknown", "Suppress values that it does not know", "unknown"),
    DefinitionField("suppression_level", "Add the suppressed value as an extra top", "flag"),
)
"""The fields of every kind."""


def list_definition_fields(kind: str) -> tuple[DefinitionField, ...]:
    """Return the fields of a kind and those of every kind."""
    return (*DEFINITION_FIELDS[kind], *COMMON_FIELDS)


def read_definition(kind: str, given: Given) -> dict[str, Any]:
    """Return the definition that the fields of a form give; an empty field gives nothing.

    Examples
    --------
    >>> read_definition("intervals", {"widths": "5, 10", "top": "90", "bottom": ""})
    {'kind': 'intervals', 'widths': [5, 10], 'top': 90}
    >>> read_definition("ranges", {"starts": "0, 18, 65", "last": "120"})
    {'kind': 'intervals', 'ranges': [[[0, 17], [18, 64], [65, 120]]]}
    """
    texts = {name: text.strip() for name, text in given.items() if text.strip()}
    fields = [one for one in list_definition_fields(kind) if one.name in texts]
    found, wrong = read_each(texts, {one.name: _READERS[one.sort] for one in fields})
    if wrong:
        raise Refused(wrong)
    return _read_ranges(found) if kind == "ranges" else {"kind": kind, **found}


def _read_ranges(found: dict[str, Any]) -> dict[str, Any]:
    """Return intervals with listed ranges, from where they begin and the last number."""
    starts, last = found.pop("starts", None), found.pop("last", None)
    if starts is None:
        raise Refused({"starts": "give the number at which each interval begins"})
    if last is None:
        raise Refused({"last": "give the last number of the last interval"})
    unit = Decimal(1).scaleb(-found.get("decimals", 0))
    levels = [_close_ranges(level, last, unit) for level in starts]
    return {"kind": "intervals", "ranges": levels, **found}


def _close_ranges(starts: list[Any], last: Any, unit: Decimal) -> list[list[Any]]:
    """Return the ranges that begin at some numbers; each ends one unit before the next."""
    if any(after <= before for before, after in pairwise(starts)) or last < starts[-1]:
        raise Refused({"starts": "each number must be larger than the one before, up to the last"})
    ends = [*(_plain(Decimal(after) - unit) for after in starts[1:]), last]
    return [[low, high] for low, high in zip(starts, ends, strict=True)]


def find_form_kind(definition: Mapping[str, Any]) -> str:
    """Return the kind of a definition in the form; an unknown one is ``suppress``."""
    kind = definition.get("kind")
    if kind == "intervals" and "ranges" in definition:
        return "ranges"
    return kind if isinstance(kind, str) and kind in DEFINITION_FIELDS else "suppress"


def write_definition(definition: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each field of the form for a definition.

    Examples
    --------
    >>> write_definition({"kind": "intervals", "ranges": [[[0, 17], [18, 120]]]})
    {'starts': '0, 18', 'last': '120', 'unknown': ''}
    """
    ranges = definition.get("ranges")
    written = {name: _write_field(value) for name, value in definition.items() if name != "kind"}
    if isinstance(ranges, list):
        del written["ranges"]
        written |= _write_ranges(ranges)
    written["unknown"] = "yes" if definition.get("unknown") == "suppress" else ""
    if isinstance(definition.get("formats"), list):
        written["formats"] = "\n".join(map(str, definition["formats"]))
    return written


def _write_ranges(ranges: list[Any]) -> dict[str, str]:
    """Return where the ranges of each level begin, and the last number."""
    try:
        levels = [sorted((low, high) for low, high in level) for level in ranges]
        last = str(levels[0][-1][1])
    except (TypeError, ValueError, IndexError):
        return {"starts": "", "last": ""}
    starts = "\n".join(", ".join(str(low) for low, _ in one) for one in levels)
    return {"starts": starts, "last": last}


def _write_field(value: Any) -> str:
    """Return a value as the text of its field."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _plain(number: Decimal) -> int | Decimal:
    """Return a whole number as an integer, as a specification writes it."""
    return int(number) if number == number.to_integral_value() else number


def read_signed_number(text: str) -> int | Decimal:
    """Read a number."""
    if not _NUMBER.fullmatch(text):
        raise InvalidInput("must be a number, such as 18 or 2.5")
    return _plain(Decimal(text))


def _read_whole(text: str) -> int:
    """Read a whole number."""
    if not _WHOLE.fullmatch(text):
        raise InvalidInput("must be a whole number, such as 5")
    return int(text)


def _read_places(text: str) -> int:
    """Read a number of decimals."""
    if not re.fullmatch("[0-9]|1[0-2]", text):
        raise InvalidInput("must be a whole number from 0 to 12")
    return int(text)


def _list_of(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """Return the reader of a list whose parts are separated by commas or blanks."""
    return lambda text: [read(part) for part in _COMMAS.split(text) if part]


def read_field_levels(text: str) -> list[list[Any]]:
    """Read numbers, one line for each level."""
    read = _list_of(read_signed_number)
    return [read(line.strip()) for line in text.splitlines() if line.strip(" ,;")]


_READERS: Mapping[str, Callable[[str], Any]] = {
    "whole": _read_whole,
    "wholes": _list_of(_read_whole),
    "places": _read_places,
    "number": read_signed_number,
    "numbers": _list_of(read_signed_number),
    "levels": read_field_levels,
    "words": lambda text: [part.strip() for part in re.split("[,;]", text) if part.strip()],
    "lines": lambda text: [line.strip() for line in text.splitlines() if line.strip()],
    "text": str,
    "path": str,
    "flag": lambda _text: True,  # a box that is not checked is not sent
    "unknown": lambda _text: "suppress",
}
