"""The fields of a form for the protections of a sensitive column, and the values they stand for."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from lookalike.errors import InvalidInput
from lookalike.spec.protect import ProtectFields
from lookalike.studio.editing.changes import read_field_number

ReadField = Callable[[str], str | None]
"""Returns the text of a field of the form; `None` if the form does not have it."""


@dataclass(frozen=True)
class ProtectionField:
    """A field of the form for one parameter of a protection.

    Parameters
    ----------
    name
        Its name in the form, before the place of the column.
    protection
        The protection.
    parameter
        Its parameter; empty if the protection is written as a number.
    default
        The value that it has if it is left out; `None` for a number that must be given.
    """

    name: str
    protection: str
    parameter: str = ""
    default: Any = None

    def find(self, asked: Mapping[str, Any]) -> Any:
        """Return the value in the protections of a column; the default if there is none."""
        value = asked.get(self.protection)
        if not self.parameter:
            return value
        return (value if isinstance(value, Mapping) else {}).get(self.parameter, self.default)

    def read(self, text: str) -> Any:
        """Return the value of the field."""
        if self.default is None:
            return read_field_number(text)
        return text == "true" if isinstance(self.default, bool) else text


PROTECTION_FIELDS = (
    ProtectionField("distinct", "distinct"),
    ProtectionField("share", "share"),
    ProtectionField("closeness", "closeness", "t"),
    ProtectionField("distance", "closeness", "distance", "equal"),
    ProtectionField("entropy", "entropy"),
    ProtectionField("recursive-c", "recursive", "c"),
    ProtectionField("recursive-l", "recursive", "l"),
    ProtectionField("likeness", "likeness", "beta"),
    ProtectionField("enhanced", "likeness", "enhanced", True),
    ProtectionField("disclosure", "disclosure", "delta"),
)
"""The fields of one sensitive column."""
OFTEN_ASKED = ("distinct", "share", "closeness")
"""The protections that the page always shows; the others are folded."""


def list_protections(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return the protections of a column as they are written; none if they are no table."""
    asked = column.get("protect")
    return dict(asked) if isinstance(asked, Mapping) else {}


def show_protections(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each field shows; a number that is not asked for is an empty text."""
    asked = list_protections(column)
    return {one.name: _show_value(one.find(asked), one.default) for one in PROTECTION_FIELDS}


def _show_value(value: Any, default: Any) -> Any:
    """Return a value as a field shows it: true and false as texts, no number as an empty one."""
    shown = default if value is None else value
    return str(shown).lower() if isinstance(shown, bool) else "" if shown is None else shown


def read_protections_of(
    column: Mapping[str, Any], read: ReadField
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the protections of a column from a form."""
    before = list_protections(column)
    asked, wrong = dict[str, Any](), dict[str, str]()
    known = [one.protection for one in PROTECTION_FIELDS]
    for name in dict.fromkeys((*before, *known)):
        value, faults = before.get(name), dict[str, str]()
        if name in known:
            value, faults = _read_one(name, value, read)
        wrong |= faults
        if value is not None:
            asked[name] = value
    return asked, wrong


def _read_one(name: str, before: Any, read: ReadField) -> tuple[Any, dict[str, str]]:
    """Read one protection; as it was written, if the form says the same."""
    fields = [one for one in PROTECTION_FIELDS if one.protection == name]
    given, wrong = dict[ProtectionField, Any](), dict[str, str]()
    for field in fields:
        text = read(field.name)
        try:
            given[field] = field.find({name: before}) if text is None else field.read(text)
        except InvalidInput as error:
            wrong[field.name] = str(error)
    numbers = {one: given.get(one) for one in fields if one.default is None}
    if wrong or all(value is None for value in numbers.values()):
        return None, wrong
    missing = [one.name for one, value in numbers.items() if value is None]
    if missing:
        return None, dict.fromkeys(missing, f"give every number of {name}, or none")
    value = _compose(before, given)
    return value, dict(_find_faults(name, value, fields))


def _compose(before: Any, given: Mapping[ProtectionField, Any]) -> Any:
    """Return a protection as the specification writes it; defaults are left out."""
    value: dict[str, Any] = dict(before) if isinstance(before, Mapping) else {}
    for field, one in given.items():
        if not field.parameter:
            return one
        if one != value.get(field.parameter, field.default):
            value[field.parameter] = one
    return value


def _find_faults(name: str, value: Any, fields: list[ProtectionField]) -> Iterator[tuple[str, str]]:
    """Yield the field that has to change, and why, if a protection is impossible."""
    try:
        ProtectFields.model_validate({name: value})
    except ValidationError as error:
        for one in error.errors(include_url=False):
            reason = str(one["msg"]).removeprefix("Value error, ")
            named = re.match(r"\w+: (\w+) must", reason)
            parameter = named[1] if named else str(one["loc"][-1]) if one["loc"] else ""
            found = [field.name for field in fields if field.parameter == parameter]
            yield (found or [fields[0].name])[0], reason
