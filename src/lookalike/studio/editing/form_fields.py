"""The fields of a specification as fields of forms: their labels, help, choices and defaults.

All of that is what the specification declares for a field. A new field of ``[release]`` appears in
the form of *Protection* unless :data:`FORMS` gives it to another form.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.spec.fields import Attribute
from lookalike.spec.record_fields import RecordFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.session import Refused, read_each
from lookalike.tables.name_options import find_defaults, list_shown
from lookalike.tables.source import Source

FORMS: Mapping[str, tuple[str, ...]] = {
    "reading": (
        "source.encoding",
        "source.delimiter",
        "source.header_row",
        "source.skip_rows",
        "source.last_rows",
        "source.where",
        "source.missing",
    ),
    "people": ("release.k", "release.max_suppressed"),
    "preset": ("release.preset",),
    "risks": (
        "release.highest_risk",
        "release.average_risk",
        "release.knows_answers",
        "release.k_answers",
        "release.decoys",
        "release.max_exposure",
    ),
    "secrecy": ("release.secrecy", "release.lottery_rate"),
    "making": ("release.method", "release.objective", "release.suppressed_rows"),
    "argus": ("release.dimension", "release.combinations", "release.suppress_by"),
    "linked": ("release.link", "release.unit", "release.suppressed_records"),
    "places": ("release.out", "release.dossier", "release.recipient", "release.purpose"),
    "ledger": ("release.ledger", "source.row_key", "release.policy", "source.name"),
    "apart": (
        "release.repair",
        "release.generalize",
        "release.accept",
        "release.review",
        "release.contract",
    ),
}
"""The fields of each form; those of the last one are changed by boxes and buttons."""
_PUBLISHING = ("Output", "Earlier releases")
"""The phases whose fields belong to *Publish*."""
_TABLES: dict[str, type] = {
    "release": ReleaseFields,
    "source": Source,
    "attributes": Attribute,
    "records": RecordFields,
}
_SORTS = {"boolean": "flag", "integer": "whole", "number": "number", "string": "text"}
_NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")
Given = Mapping[str, str]
"""The text of each field of a form, or of the query of an address."""


@dataclass(frozen=True)
class FormField:
    """A field of a table of a specification, as it is declared.

    ``sort``: ``flag``, ``choice``, ``whole``, ``number``, ``lines`` or ``text``; empty if no form
    can change the field. ``choices``: what can be chosen, each with its words.
    """

    place: str
    help: str
    sort: str
    choices: Mapping[Any, Any]
    default: Any
    phase: str

    @property
    def id(self) -> str:
        """Its identifier on a page."""
        return "source-name" if self.name == "name" else self.name.replace("_", "-")

    @property
    def name(self) -> str:
        """Its name in the specification."""
        return self.place.partition(".")[2]

    @property
    def label(self) -> str:
        """Its name in words."""
        return self.name if len(self.name) == 1 else self.name.replace("_", " ").capitalize()

    def read(self, text: str) -> Any:
        """Return the value that a text stands for; nothing if it is empty."""
        plain = text.strip()
        if self.sort == "lines":
            lines = (line.strip() for line in text.splitlines())
            return [*dict.fromkeys(line for line in lines if line)] or None
        if self.sort == "flag":
            return plain == "true" if plain else None
        if self.sort == "whole" and plain not in ("", *self.choices) and not plain.isdecimal():
            raise InvalidInput("must be a whole number, such as 5")
        if self.sort in ("whole", "number") and plain not in self.choices:
            return read_field_number(plain)
        return next((one for one in self.choices if str(one) == plain), plain or None)

    def show(self, value: Any) -> Any:
        """Return the text that stands for a value."""
        if self.sort == "lines" and isinstance(value, list):
            return "\n".join(str(one) for one in value if one)
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else value


@cache
def _list_fields(table: str, model: type) -> dict[str, FormField]:
    """Return the fields of a table of a specification by their places."""
    described, defaults = TypeAdapter(model).json_schema()["properties"], find_defaults(model)
    found = {}
    for name, _, shown, option in list_shown(model):
        place, schema = f"{table}.{name}", described[name]
        values = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
        words = shown.choices if isinstance(shown.choices, Mapping) else {}
        named = [value for one in values for value in one.get("enum", ())]
        choices = {one: text if isinstance(text := words.get(one), str) else one for one in named}
        if values[0].get("type") == "boolean":
            choices = {"true": "yes", "false": "no"}
        found[place] = FormField(
            place, shown.help, _find_sort(values), choices, defaults[name], option.phase
        )
    return found


def _find_sort(values: list[dict[str, Any]]) -> str:
    """Return how a field is read, from the schema of the values that it takes."""
    first = values[0]
    if "enum" in first:
        return "choice"
    if first.get("type") == "array":
        return "lines" if len(values) == 1 and first["items"].get("type") == "string" else ""
    return _SORTS.get(first.get("type", ""), "")


def find_form_field(place: str) -> FormField:
    """Return a field by its place, such as ``release.k``."""
    table = place.partition(".")[0]
    return _list_fields(table, _TABLES[table])[place]


def list_form(form: str) -> list[FormField]:
    """Return the fields of a form; that of making a release has every field without another."""
    listed = [find_form_field(place) for place in FORMS[form]]
    if form == "making":
        placed = {place for places in FORMS.values() for place in places}
        fields = _list_fields("release", _TABLES["release"])
        listed += [
            one
            for place, one in fields.items()
            if one.sort and place not in placed and one.phase not in _PUBLISHING
        ]
    return listed


def read_form(form: FormData, fields: Iterable[FormField]) -> dict[str, Any]:
    """Return the values of fields by their places; nothing for one that a form does not have."""
    found, wrong = read_each(form, {one.place: one.read for one in fields})
    if wrong:
        raise Refused(wrong)
    return found


def set_fields(text: str, values: Mapping[str, Any]) -> str:
    """Write fields into a specification; a default is written by leaving the field out.

    A field that has the value already stays as it is written. The method is named even if it is
    the default: a method that is not named is chosen by what is asked for.
    """
    for place, value in values.items():
        table, name = place.split(".")
        default = None if name == "method" else find_form_field(place).default
        text = set_option(text, (table,), name, value, default)
    return text


def set_option(text: str, table: tuple[str, ...], field: str, value: Any, default: Any) -> str:
    """Set a field that has a default, which is written by leaving the field out."""
    wanted, known = default if value is None else value, find_fields(text, *table).get(field)
    if known == wanted and type(known) is type(wanted):  # 1 is one row, and 1.0 all of them
        return text
    return set_field(text, table, field, None if wanted == default else wanted)


def read_field_number(text: str) -> int | Decimal | None:
    """Read a whole number or an exact decimal from a field of a form; nothing if it is empty.

    Examples
    --------
    >>> read_field_number(" 5 "), read_field_number("0.01"), read_field_number("")
    (5, Decimal('0.01'), None)
    """
    plain = text.strip()
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain):
        raise InvalidInput("must be a number, such as 5 or 0.01")
    return Decimal(plain) if "." in plain else int(plain)


def read_whole(text: str, what: str, most: int) -> int:
    """Read a whole number from 0 on from an address or a form.

    Examples
    --------
    >>> read_whole("12", "page", 99)
    12
    """
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > most:
        raise InvalidInput(f"{what} must be a whole number from 0 to {most:,}")
    return int(text)
