"""The page of all fields of the certificate, made from the classes that write it."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from lookalike.json_result import read_meanings
from lookalike.publish.certificate import Certificate

HEAD = """# Certificate

`certificate.json` is in every published folder, beside the released table. It states what was
done, so that the recipient can interpret results; [publishing and verifying](../publishing.md) says
what `lookalike verify` recomputes of it. In Python, `la.Certificate.read(folder)` reads it.
"""


def list_certified() -> list[type]:
    """Return the class of the certificate and those of its parts, in the order of their fields."""
    found = [Certificate]
    for one in found:
        found += [part for part in dict.fromkeys(_parts(one)) if part not in found]
    return found


def write_certificate() -> str:
    """Write the page."""
    return HEAD + "".join(_write_class(one) for one in list_certified())


def _write_class(one: type) -> str:
    """Write the fields of the certificate or of one of its parts."""
    title = "Fields" if one is Certificate else f"`{one.__name__}`"
    summary = (one.__doc__ or "").partition("\n")[0]
    rows = [f"| `{field.name}` | {_mean(one, field.name)} |" for field in fields(one)]
    table = "\n".join(["| field | meaning |", "|---|---|", *rows])
    return f"\n## {title}\n\n{summary}\n\n{table}\n"


def _mean(one: type, name: str) -> str:
    """Return the meaning of a field, with links to its parts."""
    meaning = read_meanings(one).get(name, "")
    parts = [part.__name__ for part in _parts_in(_hints(one)[name])]
    return " ".join([meaning, *(f"[`{part}`](#{part.lower()})" for part in parts)])


def _hints(one: type) -> dict[str, Any]:
    """Return the types of the fields."""
    return get_type_hints(one)


def _parts(one: type) -> Iterator[type]:
    """Yield the classes that the fields of a class hold."""
    for field in fields(one):
        yield from _parts_in(_hints(one)[field.name])


def _parts_in(kind: Any) -> Iterator[type]:
    """Yield the classes with fields that a type mentions."""
    if is_dataclass(kind) and isinstance(kind, type):
        yield kind
    for below in get_args(kind):
        yield from _parts_in(below)
