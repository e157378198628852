"""The problems of a specification: gathered, all at once, and described with their places.

pydantic compares tables only if each is valid by itself. To report the problems of fields and those
between tables together, what is wrong is replaced by something that causes no further problem
(:func:`salvage`), and the rest is checked again.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from functools import cache
from inspect import signature
from typing import Any, get_args

from lookalike.errors import not_one_of, suggest
from lookalike.hierarchy import HierarchyKind
from lookalike.model.protections import PROTECTIONS
from lookalike.model.requirement import LEAST_K
from lookalike.spec.fields import Attribute, Pseudonym, QuasiIdentifierFields, RecipientFields
from lookalike.spec.load import PLACE_FIELDS
from lookalike.spec.model import SpecificationModel
from lookalike.spec.protect import model_parameters, model_protect
from lookalike.spec.recipients import K_FIELDS
from lookalike.spec.record_fields import RecordFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.source import UNDECIDED, Source
from lookalike.tables.table import Role

KnownFields = Mapping[str, Collection[str]]
"""The names of the fields of each table, by its place: ``attributes.NAME.protect``."""
_NAMED_TABLES = ("attributes", "recipients", "quasi_identifiers", "records")
"""The tables with a table for each name, or in each place of a list."""
_MEANT = {"l": "distinct", "l_diversity": "distinct"}
"""Names that papers use, and the field that they mean."""
_LONGEST_VALUE = 30
Fields = dict[str, Any]

_HARMLESS: Mapping[str, Any] = {"role": UNDECIDED, "hierarchy": {"kind": "suppress"}}
"""What replaces fields of ``[attributes.NAME]`` that are wrong."""
_OWN = ("name", "row_key", "person")
"""The fields of ``[source]`` that other tables are compared with."""


@cache
def list_known_fields(tables: tuple[str, ...], protections: tuple[str, ...]) -> KnownFields:
    """Return the names of the fields of each table of a specification."""
    column = "attributes.NAME"
    models: dict[str, type[SpecificationModel]] = {
        "release": ReleaseFields,
        column: Attribute,
        f"{column}.protect": model_protect(),
        **{
            f"{column}.protect.{name}": model_parameters(PROTECTIONS[name])
            for name in protections
            if not PROTECTIONS[name].as_number
        },
        f"{column}.pseudonym": Pseudonym,
        "quasi_identifiers.NAME": QuasiIdentifierFields,
        "recipients.NAME": RecipientFields,
    }
    records = [name for name in signature(RecordFields).parameters if name != "attributes"]
    kinds = [name for kind in get_args(HierarchyKind) for name in signature(kind).parameters]
    return {
        "": list(tables),
        **{place: list(model.model_fields) for place, model in models.items()},
        "source": list(signature(Source).parameters),
        "records.NAME": records,
        f"{column}.hierarchy": sorted({*kinds}),
        "defaults": list(Attribute.model_fields),
    }


def describe_problem(problem: Mapping[str, Any], known: KnownFields) -> str:
    """Return one field that is wrong and what it should be.

    ``known``: the fields, of which a misspelled one is suggested, and the right place of another.
    """
    parts, kind = [str(part) for part in problem["loc"]], problem["type"]
    table, own = _find_own_table(parts)
    if table:
        inner = {**problem, "loc": own}
        return f"{table}.{describe_problem(inner, known)}"
    if parts[2:3] == ["hierarchy"]:
        del parts[3:4]  # its kind is no part of the place
    place, reason = ".".join(parts), str(problem["msg"]).removeprefix("Value error, ")
    kinds = [one.__name__.lower() for one in get_args(HierarchyKind)]
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        reason = _explain_unknown(parts, problem["input"], known)
    elif kind == "missing":
        reason = "is required"
    elif kind == "union_tag_invalid":
        reason = not_one_of("kind", str(problem["ctx"]["tag"]), kinds)
    elif kind in ("union_tag_not_found", "model_attributes_type"):
        reason = f'needs a kind, such as {{ kind = "mask" }}; the kinds are {", ".join(kinds)}'
    elif kind in ("model_type", "dataclass_type", "dict_type"):
        reason = f"must be a table: write [{place}], and its fields in the lines below"
    elif kind == "literal_error":
        names = re.findall("'([^']*)'", problem["ctx"]["expected"])
        near = suggest(str(problem["input"]), names)
        reason += f"; {near}" if near else ""
    return f"{place}: {reason}" if place else reason


def _find_own_table(parts: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Divide the place of a column of records into its table and the place within that."""
    if parts[:1] == ["records"] and parts[2:3] == ["attributes"]:
        return ".".join(parts[:2]), parts[2:]
    return "", parts


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


def copy_tables(value: Any, depth: int = 3) -> Any:
    """Copy the tables of a specification and the tables in them, to change the copy."""
    if isinstance(value, Mapping) and depth:
        return {name: copy_tables(one, depth - 1) for name, one in value.items()}
    if isinstance(value, list | tuple) and depth:
        return [copy_tables(one, depth - 1) for one in value]
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
    """Take out one problem of a table, and what would be missed or lost without it."""
    if table == "attributes":
        fields[table][inner[0]] = _repair(fields[table][inner[0]], inner[1:])
        if inner[1:2] == ["anonymity"]:
            _keep_asking(fields["release"])
    elif table == "defaults":
        fields[table] = _repair(fields[table], inner)
    elif table == "release":
        fields[table] = release = _leave_out(fields[table], inner[0])
        if inner[0] == "recipient":
            release.pop("contract", None)
        if inner[0] in (*K_FIELDS, "preset"):
            _keep_asking(release)
    elif table == "recipients" and inner:
        named = fields[table][inner[0]]
        fields[table][inner[0]] = _leave_out(named, inner[1]) if inner[1:] else {}
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
        return _leave_out(column, inner[0])
    role = column.get("role")
    if role == "quasi-identifier":
        return {"role": role, "hierarchy": _HARMLESS["hierarchy"]}
    return {"role": role if role in get_args(Role) else UNDECIDED}


def _keep_asking(release: Fields) -> None:
    """Ask for some k, if what asked for it was taken out."""
    if not set(K_FIELDS) & set(release):
        release["k"] = LEAST_K


def _repair_source(fields: Fields, inner: Sequence[Any]) -> None:
    """Take a field out of ``[source]``, or leave only what other tables are compared with."""
    source = fields.get("source")
    given = dict(source) if isinstance(source, Mapping) else {}
    if inner and inner[0] in given and inner[0] not in (*_OWN, *PLACE_FIELDS):
        fields["source"] = _leave_out(given, inner[0])
        return
    own = {name: given[name] for name in _OWN if isinstance(given.get(name), str) and given[name]}
    if own and own != given:
        fields["source"] = own
    else:
        fields.pop("source", None)
    if "row_key" not in own:
        fields["release"].pop("ledger", None)


def _leave_out(table: Any, name: Any) -> Fields:
    """Return a table without one of its fields."""
    return {field: value for field, value in dict(table).items() if field != name}
