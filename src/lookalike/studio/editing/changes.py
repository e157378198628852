"""Changes of a specification that the screens make. Each returns another text."""

from collections.abc import Mapping
from typing import Any

from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.project import ColumnPath
from lookalike.studio.table_facts import ColumnFacts

_FIELDS_OF_ROLE: Mapping[str, tuple[str, ...]] = {
    "quasi-identifier": (
        "hierarchy",
        "weight",
        "keep",
        "anonymity",
        "linking",
        "tolerance",
        "identification",
        "separator",
        "knows",
    ),
    "sensitive": ("protect", "unique", "round", "top", "bottom"),
    "other": ("unique", "round", "top", "bottom"),
    "identifier": ("pseudonym",),
}
"""The fields of a column that belong to its role and go with it."""


def set_role(text: str, place: ColumnPath, role: str, facts: ColumnFacts | None) -> str:
    """Give a column another role, and what that role needs."""
    before = find_fields(text, *place)
    staying = _FIELDS_OF_ROLE.get(role, ())
    for field in _FIELDS_OF_ROLE.get(before.get("role", ""), ()):
        if field not in staying:
            text = set_field(text, place, field, None)
    text = set_field(text, place, "role", role)
    if role == "quasi-identifier" and "hierarchy" not in before:
        proposed = {} if facts is None else facts.definition
        text = set_field(text, place, "hierarchy", proposed or {"kind": "suppress"})
    return _without_secrecy(text)


def set_protections(text: str, column: str, asked: Mapping[str, Any]) -> str:
    """Ask for protections of a sensitive column; nothing removes them.

    The first protection of a specification lets the search look at sensitive values, which the
    screen shows with its consequence. Without any protection, nothing is said about that.
    """
    is_first = not _protects(text)
    text = set_field(text, ("attributes", column), "protect", dict(asked) or None)
    if asked and is_first and "secrecy" not in find_fields(text, "release"):
        text = set_field(text, ("release",), "secrecy", "search")
    return _without_secrecy(text)


def _without_secrecy(text: str) -> str:
    """Remove ``secrecy`` and its rate if no column is protected any more."""
    if _protects(text):
        return text
    text = set_field(text, ("release",), "lottery_rate", None)
    return set_field(text, ("release",), "secrecy", None)


def _protects(text: str) -> bool:
    """Return whether a specification protects a column."""
    columns = find_fields(text, "attributes").values()
    return any(isinstance(column, dict) and "protect" in column for column in columns)
