"""The fields of a form for the protections of a sensitive column, and the values they stand for.

They are made from what each protection declares (:mod:`lookalike.model.protections`).
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from lookalike.errors import InvalidInput
from lookalike.model.protections import PROTECTIONS, Parameter, Protection, list_parameters
from lookalike.spec.protect import read_protect
from lookalike.studio.editing.changes import read_field_number

ReadField = Callable[[str], str | None]
"""Returns the text of a field of the form; `None` if the form does not have it."""


@dataclass(frozen=True)
class ProtectionField:
    """A field of the form for one parameter of a protection."""

    protection: type[Protection]
    parameter: Parameter

    @property
    def name(self) -> str:
        """Its name in the form, before the place of the column."""
        if self.parameter.default is not None:
            return self.parameter.name
        numbers = [one for one in list_parameters(self.protection) if one.default is None]
        only = len(numbers) == 1
        return self.protection.name if only else f"{self.protection.name}-{self.parameter.name}"

    @property
    def is_folded(self) -> bool:
        """Whether the page shows it only if somebody asks for more protections."""
        return not self.protection.often or self.parameter.default is not None

    @property
    def meaning(self) -> str:
        """What it is, in plain words."""
        return self.parameter.meaning or self.protection.meaning

    def find(self, written: Any) -> Any:
        """Return the value in a protection as it is written; the default if there is none."""
        if self.protection.as_number:
            return written
        fields = written if isinstance(written, Mapping) else {}
        return fields.get(self.parameter.name, self.parameter.default)

    def show(self, written: Any) -> Any:
        """Return what the field shows: true and false as texts, no number as an empty one."""
        value = self.find(written)
        shown = self.parameter.default if value is None else value
        return str(shown).lower() if isinstance(shown, bool) else "" if shown is None else shown

    def read(self, text: str) -> Any:
        """Return the value of the field."""
        if self.parameter.default is None:
            return read_field_number(text)
        return text == "true" if self.parameter.kind is bool else text


def list_protection_fields() -> list[ProtectionField]:
    """Return the fields of one sensitive column, those of the usual protections first."""
    protections = sorted(PROTECTIONS.values(), key=lambda one: one.often or math.inf)
    return [ProtectionField(one, each) for one in protections for each in list_parameters(one)]


def list_protections(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return the protections of a column as they are written; none if they are no table."""
    asked = column.get("protect")
    return dict(asked) if isinstance(asked, Mapping) else {}


def show_protections(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each field shows."""
    asked = list_protections(column)
    return {one.name: one.show(asked.get(one.protection.name)) for one in list_protection_fields()}


def read_protections_of(
    column: Mapping[str, Any], read: ReadField
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the protections of a column from a form."""
    before = list_protections(column)
    asked, wrong = dict[str, Any](), dict[str, str]()
    known = [one.protection.name for one in list_protection_fields()]
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
    fields = [one for one in list_protection_fields() if one.protection.name == name]
    given, wrong = dict[str, Any](), dict[str, str]()
    for field in fields:
        text = read(field.name)
        try:
            given[field.name] = field.find(before) if text is None else field.read(text)
        except InvalidInput as error:
            wrong[field.name] = str(error)
    numbers = {one.name: given.get(one.name) for one in fields if one.parameter.default is None}
    if wrong or all(value is None for value in numbers.values()):
        return None, wrong
    missing = [field for field, value in numbers.items() if value is None]
    if missing:
        return None, dict.fromkeys(missing, f"give every number of {name}, or none")
    value = _compose(before, fields, given)
    return value, dict(_find_faults(name, value, fields))


def _compose(before: Any, fields: list[ProtectionField], given: Mapping[str, Any]) -> Any:
    """Return a protection as the specification writes it; defaults are left out."""
    value: dict[str, Any] = dict(before) if isinstance(before, Mapping) else {}
    for field in fields:
        one = given[field.name]
        if field.protection.as_number:
            return one
        if one != field.find(value):
            value[field.parameter.name] = one
    return value


def _find_faults(name: str, value: Any, fields: list[ProtectionField]) -> Iterator[tuple[str, str]]:
    """Yield the field that has to change, and why, if a protection is impossible."""
    try:
        read_protect({name: value})
    except ValidationError as error:
        for one in error.errors(include_url=False):
            reason = str(one["msg"]).removeprefix("Value error, ")
            named = re.match(r"\w+: (\w+) must", reason)
            parameter = named[1] if named else str(one["loc"][-1]) if one["loc"] else ""
            found = [field.name for field in fields if field.parameter.name == parameter]
            yield (found or [fields[0].name])[0], reason
