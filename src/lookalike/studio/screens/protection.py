"""The screen *Protection*: k, persons, suppressed rows, and protections of sensitive values."""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.studio.changes import read_field_number, set_protection
from lookalike.studio.edit_toml import set_field
from lookalike.studio.promise import state_promises
from lookalike.studio.screens.roles import command_of_dry_run
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Refused, Session

NUMBERS = ("k", "max_suppressed")
PROTECTIONS = ("distinct", "share", "closeness")
"""The protections of a sensitive column that have a field; others are changed in the text."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return what is asked for, and what it promises in words."""
    attributes = session.project.attributes
    return {
        "release": session.project.table("release"),
        "person": str(session.project.table("source").get("person", "")),
        "persons": [name for name, one in attributes.items() if one["role"] == "identifier"],
        "sensitive": [
            (place, name, _find_asked(column))
            for place, (name, column) in enumerate(attributes.items())
            if column["role"] == "sensitive"
        ],
        "promises": _list_promises(session),
    }


def _find_asked(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number of each protection that a column has."""
    asked = column.get("protect", {})
    found = {name: asked.get(name, "") for name in PROTECTIONS} if isinstance(asked, dict) else {}
    return {name: one.get("t", "") if isinstance(one, dict) else one for name, one in found.items()}


def _list_promises(session: Session) -> list[str]:
    """State what is promised, if the specification is complete and right."""
    if session.project.problems:
        return []
    rows = 0 if session.facts is None else session.facts.rows
    return state_promises(session.project.specification(), rows)


def _ask(session: Session, form: FormData) -> None:
    """Change what is asked for."""
    asked, wrong = _read_numbers(session, form)
    if wrong:
        raise Refused(wrong)
    text = session.project.text
    for name in NUMBERS:
        text = set_field(text, ("release",), name, asked[f"release.{name}"])
    person = read_text(form, "source.person")
    text = set_field(text, ("source",), "person", person or None)
    for place, (name, column) in enumerate(session.project.attributes.items()):
        if column["role"] == "sensitive":
            text = set_protection(text, name, _read_protections(asked, place, column))
    session.change(text, "protection")


def _read_numbers(session: Session, form: FormData) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the number in each field, and why others are none."""
    names = [f"release.{name}" for name in NUMBERS]
    for place, column in enumerate(session.project.attributes.values()):
        if column["role"] == "sensitive":
            names += [f"{name}-{place}" for name in PROTECTIONS]
    asked, wrong = dict[str, Any](), dict[str, str]()
    for name in names:
        try:
            asked[name] = read_field_number(read_text(form, name))
        except InvalidInput as error:
            wrong[name] = str(error)
    return asked, wrong


def _read_protections(
    asked: Mapping[str, Any], place: int, column: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the protections of a column; closeness keeps the distance that it has."""
    found = {name: asked[f"{name}-{place}"] for name in PROTECTIONS}
    if found["closeness"] is not None:
        before = column.get("protect", {}).get("closeness", {})
        found["closeness"] = {**before, "t": found["closeness"]}
    return found


PROTECTION_SCREEN = Screen(
    name="protection",
    title="Protection",
    show=_show,
    command=command_of_dry_run,
    actions={"ask": _ask},
)
