"""Salvage: take out what is wrong of a specification, so that the rest can be checked as well.

pydantic compares tables only if each is valid by itself. To report the problems of fields and those
between tables together, what is wrong is replaced by something that causes no further problem.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from lookalike.model.requirement import LEAST_K
from lookalike.spec.override import PLACE_FIELDS
from lookalike.spec.recipients import K_FIELDS
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

Fields = dict[str, Any]

_HARMLESS: Mapping[str, Any] = {"role": UNDECIDED, "hierarchy": {"kind": "suppress"}}
"""What replaces fields of ``[attributes.NAME]`` that are wrong."""
_OWN = ("name", "row_key", "person")
"""The fields of ``[source]`` that other tables are compared with."""


def copy_tables(fields: Mapping[str, Any]) -> Fields:
    """Copy the tables of a specification and the tables in them, to change the copy."""
    return {name: _copy(value, depth=2) for name, value in fields.items()}


def _copy(value: Any, depth: int) -> Any:
    """Copy a table or a list, and what is in it."""
    if isinstance(value, Mapping) and depth:
        return {name: _copy(one, depth - 1) for name, one in value.items()}
    if isinstance(value, list | tuple) and depth:
        return [_copy(one, depth - 1) for one in value]
    return value


def salvage(fields: Fields, problems: Sequence[Mapping[str, Any]]) -> bool:
    """Take out what is wrong, and return whether the rest can be checked."""
    places = [problem["loc"] for problem in problems]
    if any(place in ((), ("release",), ("attributes",)) for place in places):
        return False
    for table, *inner in places:
        _take_out(fields, table, inner)
    return True


def _take_out(fields: Fields, table: str, inner: Sequence[Any]) -> None:
    """Take out one problem of a table."""
    if table == "attributes":
        fields[table][inner[0]] = _repair(fields[table][inner[0]], inner[1:])
        if inner[1:2] == ["anonymity"]:
            _keep_asking(fields["release"])
    elif table == "defaults":
        fields[table] = _repair(fields[table], inner)
    elif table == "release":
        _repair_release(fields, inner[0])
    elif table == "recipients" and inner:
        named = fields[table][inner[0]]
        fields[table][inner[0]] = _without(named, inner[1]) if inner[1:] else {}
    elif table == "source":
        _repair_source(fields, inner)
    else:
        fields.pop(table, None)


def _repair(column: Any, inner: Sequence[Any]) -> Fields:
    """Return the table of a column without a field that is wrong, or with its role alone."""
    if not isinstance(column, Mapping):
        return {"role": UNDECIDED}
    if inner and inner[0] in _HARMLESS:
        return {**column, inner[0]: _HARMLESS[inner[0]]}
    if inner:
        return _without(column, inner[0])
    role = column.get("role")
    if role == "quasi-identifier":
        return {"role": role, "hierarchy": _HARMLESS["hierarchy"]}
    return {"role": role if role in get_args(Role) else UNDECIDED}


def _repair_release(fields: Fields, name: str) -> None:
    """Take a field out of ``[release]``, and what would be missed or lost without it."""
    fields["release"] = release = _without(fields["release"], name)
    if name == "recipient":
        release.pop("contract", None)
    if name in (*K_FIELDS, "preset"):
        _keep_asking(release)


def _keep_asking(release: Fields) -> None:
    """Ask for some k, if what asked for it was taken out."""
    if not set(K_FIELDS) & set(release):
        release["k"] = LEAST_K


def _repair_source(fields: Fields, inner: Sequence[Any]) -> None:
    """Take a field out of ``[source]``, or leave only what other tables are compared with."""
    source = fields.get("source")
    given = dict(source) if isinstance(source, Mapping) else {}
    if inner and inner[0] in given and inner[0] not in (*_OWN, *PLACE_FIELDS):
        fields["source"] = _without(given, inner[0])
        return
    own = {name: given[name] for name in _OWN if isinstance(given.get(name), str) and given[name]}
    if own and own != given:
        fields["source"] = own
    else:
        fields.pop("source", None)
    if "row_key" not in own:
        fields["release"].pop("ledger", None)


def _without(table: Any, name: Any) -> Fields:
    """Return a table without one of its fields."""
    return {field: value for field, value in dict(table).items() if field != name}
