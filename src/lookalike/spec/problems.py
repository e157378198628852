"""The problems of a specification: raised together, and described with their places."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from lookalike.errors import not_one_of, suggest
from lookalike.hierarchy import HierarchyKind

KnownFields = Mapping[str, Collection[str]]
"""The names of the fields of each table, by its place: ``attributes.NAME.protect``."""
_NAMED_TABLES = ("attributes", "recipients", "quasi_identifiers")
"""The tables with a table for each name, or in each place of a list."""
_MEANT = {"l": "distinct", "l_diversity": "distinct"}
"""Names that papers use, and the field that they mean."""
_LONGEST_VALUE = 30


def raise_problems(problems: Iterable[str]) -> None:
    """Raise several problems of one table, which pydantic reports beside those of others."""
    found = [
        InitErrorDetails(
            type=PydanticCustomError("problem", "{problem}", {"problem": problem}), input=None
        )
        for problem in problems
    ]
    if found:
        raise ValidationError.from_exception_data("specification", found)


def describe_problem(problem: Mapping[str, Any], known: KnownFields) -> str:
    """Return one field that is wrong and what it should be.

    ``known``: the fields, of which a misspelled one is suggested, and the right place of another.
    """
    place, reason = (
        ".".join(_list_parts(problem["loc"])),
        str(problem["msg"]).removeprefix("Value error, "),
    )
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        reason = _explain_unknown(_list_parts(problem["loc"]), problem["input"], known)
    elif problem["type"] == "missing":
        reason = "is required"
    elif problem["type"] == "union_tag_invalid":
        reason = not_one_of("kind", str(problem["ctx"]["tag"]), _list_kinds())
    elif problem["type"] in ("union_tag_not_found", "model_attributes_type"):
        kinds = ", ".join(_list_kinds())
        reason = f'needs a kind, such as {{ kind = "mask" }}; the kinds are {kinds}'
    elif problem["type"] in ("model_type", "dataclass_type", "dict_type"):
        reason = f"must be a table: write [{place}], and its fields in the lines below"
    elif problem["type"] == "literal_error":
        names = re.findall("'([^']*)'", problem["ctx"]["expected"])
        reason += _after(suggest(str(problem["input"]), names))
    return f"{place}: {reason}" if place else reason


def _list_kinds() -> list[str]:
    """List the kinds of a hierarchy."""
    return [kind.__name__.lower() for kind in get_args(HierarchyKind)]


def _explain_unknown(parts: Sequence[str], value: Any, known: KnownFields) -> str:
    """Say that a table has no such field, and which it has, or which table has it.

    Examples
    --------
    >>> known = {"release": ["k"], "attributes.NAME.protect": ["distinct"]}
    >>> _explain_unknown(["release", "distinct"], 3, known)
    'not a field of this table; write protect = { distinct = 3 } under [attributes.NAME]'
    """
    *above, name = parts
    above[1:2] = ["NAME"] if above[:1] and above[0] in _NAMED_TABLES else above[1:2]
    table, meant = ".".join(above), _MEANT.get(name, name)
    own = known.get(table, ())
    near = f"did you mean {meant!r}?" if meant in own else suggest(name, own)
    homes = [home for home, names in known.items() if meant in names]
    if not near and homes:
        written = " or ".join(_write_field(home, meant, value, table) for home in homes[:2])
        return f"not a field of this table; write {written}"
    near = near or suggest(name, {one for names in known.values() for one in names})
    return f"not a field; {near}" if near else "not a field"


def _write_field(home: str, name: str, value: Any, table: str) -> str:
    """Write a field as its own table has it, and name that table if it is another one."""
    if not home:
        return f"{_write_header([name])} as a table of its own"
    depth = 2 if home.partition(".")[0] in _NAMED_TABLES else 1
    head, inner = home.split(".")[:depth], home.split(".")[depth:]
    text = f"{name} = {_write_value(value)}"
    for one in reversed(inner):
        text = f"{one} = {{ {text} }}"
    return text if table.split(".")[:depth] == head else f"{text} under {_write_header(head)}"


def _write_header(head: Sequence[str]) -> str:
    """Write the header of a table."""
    return "[[quasi_identifiers]]" if head[0] == "quasi_identifiers" else f"[{'.'.join(head)}]"


def _write_value(value: Any) -> str:
    """Write a short value of a specification as it stands there; of a long one only its place."""
    plain = isinstance(value, str | bool | int | float)
    text = json.dumps(value) if plain else str(value) if isinstance(value, Decimal) else ""
    return text if 0 < len(text) <= _LONGEST_VALUE else "…"


def _after(suggestion: str) -> str:
    """Return a suggestion as the end of a sentence."""
    return f"; {suggestion}" if suggestion else ""


def _list_parts(location: Sequence[str | int]) -> list[str]:
    """Return the names of the tables around a field, and its own; not the kind of a hierarchy."""
    parts = [str(part) for part in location]
    if parts[2:3] == ["hierarchy"]:
        del parts[3:4]
    return parts
