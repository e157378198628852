"""Read the form of the screen *Protection* and change the specification as it says."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.spec.presets import PRESETS, Preset, find_least_k
from lookalike.studio.editing.changes import read_field_number, set_option, set_protections
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.protection.protection_fields import list_protections, read_protections_of
from lookalike.studio.session import Refused, Session

NUMBERS = (
    *("k", "highest_risk", "average_risk", "max_suppressed"),
    *("lottery_rate", "decoys", "max_exposure"),
)
"""The fields of ``[release]`` that are numbers; an empty field asks for nothing."""
CHOSEN_FIELDS: Mapping[str, str | None] = {
    "preset": None,
    "method": None,
    "secrecy": None,
    "objective": "precision",
    "suppressed_rows": "drop",
}
"""The fields of ``[release]`` that are chosen from a list, with their defaults."""


def ask_protection(session: Session, form: FormData) -> None:
    """Change what is asked for; a field that the form does not have stays as it is."""
    numbers, wrong = _read_numbers(form)
    protections = dict[str, dict[str, Any]]()
    for place, (name, column) in enumerate(session.project.attributes.items()):
        if column["role"] == "sensitive":
            read = _read_beside(form, place)
            protections[name], faults = read_protections_of(column, read)
            wrong |= {f"{field}-{place}": why for field, why in faults.items()}
    if wrong:
        raise Refused(wrong)
    text = _set_release(session.project.text, numbers, form)
    person = form.get("source.person")
    if isinstance(person, str) and person != show_person(session.project):
        text = set_field(text, ("source",), "person", person or None)
    for name, asked in protections.items():
        if asked != list_protections(session.project.attributes[name]):
            text = set_protections(text, name, asked)
    _change(session, text)


def show_person(project: Project) -> str:
    """Write who is a person, as the form shows it."""
    person = project.table("source").get("person", "")
    return " + ".join(map(str, person)) if isinstance(person, list) else str(person)


def _read_numbers(form: FormData) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the number in each field that the form has, and why others are none."""
    numbers, wrong = dict[str, Any](), dict[str, str]()
    for name in NUMBERS:
        text = form.get(f"release.{name}")
        try:
            if isinstance(text, str):
                numbers[name] = read_field_number(text)
        except InvalidInput as error:
            wrong[f"release.{name}"] = str(error)
    return numbers, wrong


def _read_beside(form: FormData, place: int) -> Any:
    """Return a function that reads the fields of the column at a place."""

    def read(name: str) -> str | None:
        text = form.get(f"{name}-{place}")
        return text if isinstance(text, str) else None

    return read


def _set_release(text: str, numbers: Mapping[str, Any], form: FormData) -> str:
    """Set the numbers and choices of ``[release]``."""
    before = find_fields(text, "release")
    for name, value in numbers.items():
        text = set_field(text, ("release",), name, value)
    for name, default in CHOSEN_FIELDS.items():
        chosen = form.get(f"release.{name}")
        if isinstance(chosen, str):
            text = set_option(text, ("release",), name, chosen or None, default)
    return _follow_preset(text, before)


def _follow_preset(text: str, before: Mapping[str, Any]) -> str:
    """Let another preset set k, and keep the k of a preset that is left.

    A k or highest risk that was there before and is weaker than the preset goes; one that was
    changed in the same form stays, and is refused if it is weaker.
    """
    release = find_fields(text, "release")
    old, new = _find_preset(before), _find_preset(release)
    if old == new:
        return text
    if new is None:
        asked = {"k", "highest_risk", "anonymity"} & release.keys()
        return text if asked or old is None else set_field(text, ("release",), old.field, old.value)
    for name in ("k", "highest_risk"):
        if name in before and release.get(name) == before[name] and _is_weaker(before[name], new):
            text = set_field(text, ("release",), name, None)
    return text


def _find_preset(release: Mapping[str, Any]) -> Preset | None:
    """Return the preset of a specification, if there is one of that name."""
    name = release.get("preset")
    return PRESETS.get(name) if isinstance(name, str) else None


def _is_weaker(value: Any, preset: Preset) -> bool:
    """Return whether a k or a highest risk asks for less than a preset."""
    is_number = isinstance(value, int | Decimal) and value > 0
    return is_number and find_least_k(value) < preset.least_k


def _change(session: Session, text: str) -> None:
    """Make the change; what is wrong is said beside the field that has to change."""
    try:
        session.change(text, _name_changes(session.project.text, text))
    except Refused as refused:
        columns = list(session.project.attributes)
        raise Refused(
            {_find_field(at, why, columns): why for at, why in refused.reasons.items()}
        ) from None


def _name_changes(before: str, after: str) -> str:
    """Name the fields that a form changes, for the history."""
    fields = [
        name for table in ("release", "source") for name in _list_changed(before, after, table)
    ]
    columns = [f"protection of {name}" for name in _list_changed(before, after, "attributes")]
    return ", ".join((*fields, *columns)) or "protection"


def _list_changed(before: str, after: str, table: str) -> list[str]:
    """Return the fields of a table that differ between two texts."""
    old, new = find_fields(before, table), find_fields(after, table)
    return [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]


def _find_field(place: str, why: str, columns: list[str]) -> str:
    """Return the field of the form that a problem of the specification is about.

    Examples
    --------
    >>> _find_field("release.k is required", "the minimum number of rows", [])
    'release.k'
    >>> _find_field("release", "k and highest_risk say the same thing", [])
    'release.highest_risk'
    >>> _find_field("attributes.ill", 'distance = "hierarchy" needs a hierarchy', ["zip", "ill"])
    'distance-1'
    """
    named = re.match(r"release\.(\w+)(?= |$)", place)
    if named:
        return named[0]
    if place == "release" and "highest_risk" in why:
        return "release.highest_risk"
    column = place.removeprefix("attributes.")
    if column in columns and "distance" in why:
        return f"distance-{columns.index(column)}"
    return place
