"""Results as JSON: each class declares once what ``--json`` and ``as_json()`` show of it.

:func:`describe_json` makes the JSON schema of a result from the same declarations.
"""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", Decimal: "number"}
_CONSTANTS: Mapping[str, Any] = {"null": None, "[]": []}
_CONSTANT_TYPES: Mapping[str, Any] = {"null": NoneType, "[]": tuple[()]}


class JsonResult:
    """Base class of results that are shown as JSON, in other order or with more than their fields.

    ``json_names`` has the keys, separated by spaces: names of fields and properties, in the order
    in which they are shown. ``key=name.part`` shows an attribute under another key, of a tuple that
    of each value, and null if there is no part; ``**name`` the keys of a part in its place.
    ``key?`` is left out if it is null. ``key=null`` and ``key=[]`` have values elsewhere only.
    ``json_requested`` has the types of keys that ``as_json`` adds on request, ``json_failed`` the
    keys that it shows in place of all others if there is no result.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Share(JsonResult):
    ...     json_names = "total=rows part share"
    ...     part: int
    ...     rows: int
    ...     @property
    ...     def share(self) -> float:
    ...         return self.part / self.rows
    >>> Share(part=1, rows=4).as_json()
    {'total': 4, 'part': 1, 'share': 0.25}
    """

    json_names: ClassVar[str] = ""
    json_requested: ClassVar[Mapping[str, Any]] = {}
    json_failed: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON shows it, as plain values."""
        return pick_json(self, self.json_names or _name_fields(type(self)))


def pick_json(value: object, names: str) -> dict[str, Any]:
    """Return some attributes of a value as JSON; `names` as in :class:`JsonResult`."""
    picked: dict[str, Any] = {}
    for key, path in _split(names):
        shown = _CONSTANTS[path] if path in _CONSTANTS else to_json(_reach(value, path))
        if key.startswith("**"):
            picked |= shown
        elif shown is not None or not key.endswith("?"):
            picked[key.removesuffix("?")] = shown
    return picked


def to_json(value: Any) -> Any:
    """Return a value as JSON shows it: results as they declare it, other dataclasses by fields.

    Paths are text, and so are values with a text of their own, such as addresses.
    """
    if isinstance(value, JsonResult):
        return value.as_json()
    if isinstance(value, PurePath) or (is_dataclass(value) and "__str__" in vars(type(value))):
        return str(value)
    if is_dataclass(value):
        return pick_json(value, _name_fields(type(value)))
    if isinstance(value, Mapping):
        return {
            str(key) if isinstance(key, int) else key: to_json(one) for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [to_json(one) for one in value]
    return float(value) if isinstance(value, Decimal) else value


def _name_fields(kind: Any) -> str:
    """Return the names of all fields of a dataclass."""
    return " ".join(one.name for one in fields(kind))


def _split(names: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the path of each name."""
    for name in names.split():
        key, _, path = name.rpartition("=")
        yield key or path, path.removeprefix("**").removesuffix("?")


def _reach(value: Any, path: str) -> Any:
    """Return the attribute at a path, of each value of a tuple; None if it begins at None."""
    name, _, rest = path.partition(".")
    if isinstance(value, tuple):
        return [_reach(one, path) for one in value]
    found = None if value is None else getattr(value, name)
    return _reach(found, rest) if rest else found


def describe_json(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of what :func:`to_json` gives for a type, or for a mapping of types.

    Keys of a mapping are written as in :class:`JsonResult`.

    Examples
    --------
    >>> schema = describe_json({"k": int, "levels?": tuple[int, ...] | None})
    >>> schema["required"], schema["properties"]["levels"]["anyOf"][1]
    (['k'], {'type': 'null'})
    """
    parts: dict[str, Any] = {}
    described = _describe_object(kind, parts) if _has_keys(kind) else _describe(kind, parts)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | described | ({"$defs": parts} if parts else {})


def _has_keys(kind: Any) -> bool:
    """Return whether a type is shown as an object with keys of its own."""
    if isinstance(kind, Mapping) or is_typeddict(kind):
        return True
    as_text = "__str__" in vars(kind) if isinstance(kind, type) else True
    return isinstance(kind, type) and (
        issubclass(kind, JsonResult) or (is_dataclass(kind) and not as_text)
    )


def _describe(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type; those of classes are collected in `parts`."""
    origin, below = get_origin(kind), get_args(kind)
    if kind is Any or kind is NoneType:
        return {} if kind is Any else {"type": "null"}
    if origin is Literal:
        return {"enum": [*below]}
    if origin in (Union, UnionType):
        return {"anyOf": [_describe(one, parts) for one in below]}
    if origin is tuple and below[-1:] != (...,):
        size = {"type": "array", "minItems": len(below), "maxItems": len(below)}
        return size | ({"prefixItems": [_describe(one, parts) for one in below]} if below else {})
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _describe(below[0], parts)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _describe(below[1], parts)}
    if not _has_keys(kind):
        return {"type": _PLAIN.get(kind, "string")}
    if kind.__name__ not in parts:
        parts[kind.__name__] = {}
        parts[kind.__name__] |= _describe_object(kind, parts)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _describe_object(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with known keys, or of either of two kinds."""
    described: dict[str, Any] = {}
    if isinstance(kind, type):
        described["description"] = _summarize(kind)
    shapes = [_describe_keys(_list_keys(kind), parts)]
    failed = getattr(kind, "json_failed", "")
    if failed:
        shapes.append(_describe_keys(_list_picked(kind, failed), parts))
    return described | (shapes[0] if len(shapes) == 1 else {"anyOf": shapes})


def _describe_keys(keys: Iterator[tuple[str, Any, str]], parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object from its keys, their types and their meaning."""
    found = {key: (one, meaning) for key, one, meaning in keys}
    return {
        "type": "object",
        "properties": {
            key.removesuffix("?"): _describe(one, parts)
            | ({"description": meaning} if meaning else {})
            for key, (one, meaning) in found.items()
        },
        "required": [key for key in found if not key.endswith("?")],
        "additionalProperties": False,
    }


def _list_keys(kind: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield the keys of an object, each with its type and its meaning."""
    if isinstance(kind, Mapping):
        keys = [(key, one, "") for key, one in kind.items()]
    elif is_typeddict(kind):
        keys = [(key, one, "") for key, one in get_type_hints(kind).items()]
    else:
        keys = [*_list_picked(kind, getattr(kind, "json_names", "") or _name_fields(kind))]
        more = getattr(kind, "json_requested", {})
        keys += [(f"{key}?", one, "On request only.") for key, one in more.items()]
    for key, one, meaning in keys:
        if key.startswith("**"):
            yield from _list_keys(next(iter(get_args(one)), one))
        else:
            yield key, one, meaning


def _list_picked(kind: Any, names: str) -> Iterator[tuple[str, Any, str]]:
    """Yield the keys that some names pick, each with its type and its meaning."""
    for key, path in _split(names):
        if path in _CONSTANTS:
            yield key, _CONSTANT_TYPES[path], "Always empty here."
            continue
        yield key, *_find_type(kind, path)


def _find_type(kind: Any, path: str) -> tuple[Any, str]:
    """Return the type and the meaning of what :func:`_reach` gives for a value of a type."""
    below = get_args(kind)
    if NoneType in below:
        [known] = (one for one in below if one is not NoneType)
        found, meaning = _find_type(known, path)
        return found | None, meaning
    if get_origin(kind) is tuple:
        found, meaning = _find_type(below[0], path)
        return tuple[found, ...], meaning  # type: ignore[valid-type]
    name, _, rest = path.partition(".")
    member = inspect.getattr_static(kind, name, None)
    if isinstance(member, property | cached_property):
        getter = member.fget if isinstance(member, property) else member.func
        found, meaning = get_type_hints(getter)["return"], _summarize(member)
    else:
        found, meaning = _read_annotation(kind, name), read_meanings(kind).get(name, "")
    return _find_type(found, rest) if rest else (found, meaning)


def _read_annotation(kind: type, name: str) -> Any:
    """Return the type of one field; others may have types that are imported for checkers only."""
    [owner] = [one for one in kind.__mro__ if name in inspect.get_annotations(one)][:1]
    alone = type("", (), {"__annotations__": {name: inspect.get_annotations(owner)[name]}})
    return get_type_hints(alone, vars(sys.modules[owner.__module__]))[name]


def _summarize(documented: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def read_meanings(kind: Any) -> dict[str, str]:
    """Return the meaning of fields of a class from its docstring.

    It is in the section Parameters, or in lines that begin with the name of a field.
    """
    text = f"{inspect.getdoc(kind)}\n"
    section = text.partition("Parameters\n----------\n")[2]
    found = re.findall(r"^(\w[\w, ]*)\n((?:    .*\n|\n)+)", section, re.M)
    found += re.findall(r"^(``\w+``[\w`, ]*): ((?:.+\n)+?)(?=``\w+``[\w`, ]*:|\n|\Z)", text, re.M)
    return {
        name: " ".join([meaning[0].upper() + meaning[1:], *rest])
        for names, (meaning, *rest) in ((names, text.split()) for names, text in found)
        for name in re.findall(r"\w+", names)
    }
