"""The page of everything that ``--json`` prints, made from the published schemas."""

from collections.abc import Iterator
from typing import Any

from lookalike.json_result import describe_json
from lookalike.shell.commands.schema import list_outputs

HEAD = """# JSON

What every command prints with `--json`, one object on one line. `lookalike schema NAME` prints the
JSON Schema (draft 2020-12) of what has a name here, with all parts: a program can check what it
reads, or generate classes from it. `lookalike schema certificate` prints that of the
[certificate](certificate.md). A schema describes the version that prints it: every key is listed,
and keys that may be missing are marked. In Python, `as_json()` of a result returns the same object.
"""
PLAIN = {"integer": "integer", "number": "number", "string": "text", "boolean": "true or false"}


def write_json() -> str:
    """Write the page."""
    outputs = {name: one for name, one in list_outputs().items() if name != "certificate"}
    schemas = {f"Output `{name}`": describe_json(kind) for name, kind in outputs.items()}
    parts = {name: part for one in schemas.values() for name, part in one.get("$defs", {}).items()}
    pages = [_write_object(f"\n## {name}\n", schema) for name, schema in schemas.items()]
    pages += ["\n## Parts\n"]
    pages += [_write_object(f"\n### {name}\n", parts[name]) for name in sorted(parts)]
    return HEAD + "".join(pages)


def _write_object(head: str, schema: dict[str, Any]) -> str:
    """Write the keys of an object, or of either of two objects."""
    summary = f"\n{_write_plainly(schema['description'])}\n" if "description" in schema else ""
    shapes = schema.get("anyOf", [schema])
    return head + summary + "\nor\n".join(_write_keys(shape) for shape in shapes)


def _write_keys(schema: dict[str, Any]) -> str:
    """Write a table of keys."""
    rows = [
        f"| `{key}`{'' if key in schema['required'] else ' (may be missing)'} | {_name(one)} | "
        f"{_write_plainly(one.get('description', ''))} |"
        for key, one in schema["properties"].items()
    ]
    return "\n".join(["", "| key | value | meaning |", "|---|---|---|", *rows, ""])


def _write_plainly(text: str) -> str:
    """Write code as Markdown has it; what Python calls None is null in JSON."""
    return text.replace("``", "`").replace("None", "null").replace("|", r"\|")


def _name(schema: dict[str, Any]) -> str:
    """Name the kind of a value."""
    if "anyOf" in schema:
        return " or ".join(_name(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if "$ref" in schema:
        part = schema["$ref"].rpartition("/")[2]
        return f"[{part}](#{part.lower()})"
    return " ".join(_name_plain(schema))


def _name_plain(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the words for a value that has no name."""
    kind = schema.get("type")
    if kind == "array":
        yield "list"
        items = schema.get("prefixItems", [schema["items"]] if "items" in schema else [])
        yield from [f"of {', '.join(dict.fromkeys(map(_name, items)))}"] if items else ["(empty)"]
    elif kind == "object":
        below = schema.get("additionalProperties")
        yield f"object of {_name(below)}" if below else "object"
    else:
        yield PLAIN.get(kind or "", "null" if kind == "null" else "any")
