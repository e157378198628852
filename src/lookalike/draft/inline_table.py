"""Write a hierarchy as an inline table of a specification (TOML)."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from lookalike.hierarchy import Hierarchy

_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|, |[^",]|,')
"""A quoted text, a comma with its space, or another character."""
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


def fold_inline_table(table: str, width: int) -> str:
    """Break an inline table into lines, which TOML allows inside of lists only.

    Examples
    --------
    >>> print(fold_inline_table('{ kind = "dates", formats = ["%d, %m %Y", "%Y-%m-%d"] }', 42))
    { kind = "dates", formats = ["%d, %m %Y",
      "%Y-%m-%d"] }
    """
    lines, depth = [""], 0
    for part in _PARTS.findall(table):
        depth += {"[": 1, "]": -1}.get(part, 0)
        lines[-1] += part
        if part == ", " and depth:
            lines.append("")
    folded = [lines[0]]
    for line in lines[1:]:
        if len(folded[-1]) + len(line) <= width:
            folded[-1] += line
        else:
            folded.append(f"  {line}")
    return "\n".join(line.rstrip() for line in folded)


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
