"""Write a hierarchy as an inline table of a specification (TOML)."""

import json
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from lookalike.hierarchy import Hierarchy

_COMMON = ("unknown", "suppression_level")
"""The fields of every kind, which are written last."""


def write_inline_table(hierarchy: Hierarchy) -> str:
    """Return a hierarchy as an inline table, without the fields that have their default.

    Examples
    --------
    >>> from lookalike.hierarchy import Dates, Intervals
    >>> print(write_inline_table(Dates(formats=["%d.%m.%Y"])))
    { kind = "dates", formats = ["%d.%m.%Y"] }
    >>> print(write_inline_table(Intervals([5, 10], top=90, unknown="suppress")))
    { kind = "intervals", widths = [5, 10], top = 90, unknown = "suppress" }
    """
    given = {
        field.name: getattr(hierarchy, field.name)
        for field in fields(hierarchy)
        if getattr(hierarchy, field.name) != field.default
    }
    given = {"kind": hierarchy.name, **given}
    ordered = sorted(given, key=lambda name: name in _COMMON)
    listed = ", ".join(f"{name} = {_write(given[name])}" for name in ordered)
    return f"{{ {listed} }}"


def write_text(text: str) -> str:
    """Return a text without control characters as TOML."""
    return json.dumps(text, ensure_ascii=False)


def _write(value: Any) -> str:
    """Return a text, a number, a truth value or a list of them as TOML."""
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_write, value))}]"
    return str(value)
