"""The page of all fields of a specification, made from the models that read it."""

import json
import re
from typing import Any

from lookalike.model.protections import PROTECTIONS
from lookalike.spec.protect import model_protect
from lookalike.spec.specification import Specification

TABLES = {
    "Source": ("`[source]`", "specification.md#source"),
    "ReleaseFields": ("`[release]`", "specification.md#release"),
    "RecordFields": ("`[records.NAME]`", "records.md"),
    "Attribute": ("`[attributes.NAME]` and `[defaults]`", "specification.md#attributesname"),
    "QuasiIdentifierFields": ("`[[quasi_identifiers]]`", "specification.md#quasi_identifiers"),
    "RecipientFields": ("`[recipients.NAME]`", "specification.md#recipientsname"),
    "Pseudonym": ("`pseudonym`", "specification.md#attributesname"),
    "ProtectFields": ("`protect`", "protections/README.md"),
    "KMapFields": ("`k_map`", "risk-as-requirement.md"),
    "PresenceFields": ("`presence`", "risk-as-requirement.md"),
    "Mask": ('`kind = "mask"`', "hierarchies.md"),
    "Dates": ('`kind = "dates"`', "hierarchies.md"),
    "Intervals": ('`kind = "intervals"`', "hierarchies.md"),
    "Rounding": ('`kind = "rounding"`', "hierarchies.md"),
    "Taxonomy": ('`kind = "taxonomy"`', "hierarchies.md"),
    "File": ('`kind = "file"`', "hierarchies.md"),
    "Suppress": ('`kind = "suppress"`', "hierarchies.md"),
}
"""Each model by its name, with how a specification writes it and the page that explains it."""

HEAD = """# Fields of a specification

All tables and fields with the values that they take. A field may be left out unless it is marked
*required*. The linked pages explain what the fields mean in detail; in Python the same fields are
keyword arguments of [`la.release`](functions.md).
"""
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
    "object": "table",
    "path": "path",
    "protect": "table `protect`",
}


def list_tables() -> dict[str, tuple[str, str]]:
    """Return TABLES, with those of the protections after `protect`."""
    protections = {
        f"{one.__name__}Fields": (f"`protect.{name}`", f"protections/{name}.md")
        for name, one in PROTECTIONS.items()
        if not one.as_number
    }
    place = [*TABLES].index("ProtectFields") + 1
    listed = [*TABLES.items()]
    return dict([*listed[:place], *protections.items(), *listed[place:]])


def list_models() -> dict[str, Any]:
    """Return the schema of every table of a specification, by the name of its model."""
    protect = model_protect().model_json_schema()
    found = Specification.model_json_schema()["$defs"] | {"ProtectFields": protect}
    return {name: one for name, one in (found | protect["$defs"]).items() if "properties" in one}


def write_fields() -> str:
    """Write the page."""
    models = list_models()
    return HEAD + "".join(_write_model(models[name], *told) for name, told in list_tables().items())


def _write_model(model: Any, title: str, page: str) -> str:
    """Write the fields of one table."""
    required = model.get("required", ())
    fields = {name: field for name, field in model["properties"].items() if name != "kind"}
    described = any("description" in field for field in fields.values())
    rows = [
        f"| `{name}` | {_name_values(field)} | {_name_default(field, name in required)} |"
        + (f" {field.get('description', '')} |" if described else "")
        for name, field in fields.items()
    ]
    name = page.partition(".")[0].removesuffix("/README").replace("/", ": ").replace("-", " ")
    explained = f"\n## {title}\n\nSee [{name}](../{page}).\n\n"
    head = ["| field | values | default |", "|---|---|---|"]
    if described:
        head = ["| field | values | default | meaning |", "|---|---|---|---|"]
    return explained + "\n".join([*head, *rows]) + "\n"


def _name_default(field: Any, required: bool) -> str:
    """Return the default of a field as it is written in TOML."""
    default = field.get("default")
    if required:
        return "*required*"
    if default in (None, [], {}):
        return ""
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def _name_values(field: Any) -> str:
    """Say in words which values a field takes."""
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "$ref" in field:
        return _refer(field["$ref"].rpartition("/")[2])
    if "discriminator" in field:
        return "a table with a `kind`, see below"
    choices = [one for key in ("anyOf", "oneOf", "allOf") for one in field.get(key, ())]
    if choices:
        return " or ".join(dict.fromkeys(map(_name_values, _leave_decimals(choices))))
    return _name_type(field)


def _leave_decimals(choices: list[Any]) -> list[Any]:
    """Leave out what is not written: missing values, and exact decimals as text."""
    number = any(one.get("type") == "number" for one in choices)
    unwritten = ("null", "string", "integer") if number else ("null",)
    return [one for one in choices if one.get("type") not in unwritten]


def _refer(model: str) -> str:
    """Name a table that is a field of another."""
    return f"table {list_tables()[model][0]}"


def _name_type(field: Any) -> str:
    """Name the type of a field, with its bounds."""
    if "prefixItems" in field:
        return "pair"
    if field.get("type") == "array":
        return f"list of {_name_several(_name_values(field['items']))}"
    word = WORDS[field.get("format", field["type"])]
    return f"{word}{_name_bounds(field)}"


def _name_several(word: str) -> str:
    """Return the plural of a type."""
    return word if word.startswith("`") else re.sub("^([^ ]*text|.*number|pair|list)", r"\1s", word)


def _name_bounds(field: Any) -> str:
    """Name the least and greatest value."""
    names = {
        "minimum": "at least {}",
        "exclusiveMinimum": "above {}",
        "maximum": "at most {}",
        "exclusiveMaximum": "below {}",
    }
    bounds = [text.format(f"{field[key]:g}") for key, text in names.items() if key in field]
    return f", {' and '.join(bounds)}" if bounds else ""
