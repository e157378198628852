"""The screen *Protection*: how well people are hidden, and what each attacker can still do.

The fields of a sensitive column are made from what each protection declares
(:mod:`lookalike.model.protections`), the others from what the specification declares.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.flow.method import refuse_ignored
from lookalike.model.protections import PROTECTIONS, Parameter, Protection, list_parameters
from lookalike.search.methods import TAKES
from lookalike.search.secrecy import are_shares
from lookalike.spec.choose_method import choose_method, list_methods
from lookalike.spec.presets import PRESETS, Preset, find_least_k
from lookalike.spec.protect import read_protect
from lookalike.spec.specification import Specification
from lookalike.studio import attackers
from lookalike.studio.editing import form_fields
from lookalike.studio.editing.changes import set_protections
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.screens.screen import Query, Screen
from lookalike.studio.session import Refused, Session, read_each

_FORMS = ("people", "preset", "risks", "secrecy", "making")


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
            return form_fields.read_field_number(text)
        return text == "true" if self.parameter.kind is bool else text


def list_protection_fields() -> list[ProtectionField]:
    """Return the fields of one sensitive column, those of the usual protections first."""
    protections = sorted(PROTECTIONS.values(), key=lambda one: one.often or math.inf)
    return [ProtectionField(one, each) for one in protections for each in list_parameters(one)]


def list_protections(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return the protections of a column as they are written; none if they are no table."""
    asked = column.get("protect")
    return dict(asked) if isinstance(asked, Mapping) else {}


def read_protections_of(
    column: Mapping[str, Any], form: FormData, place: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the protections of the column at a place from a form."""
    before = list_protections(column)
    asked, wrong = dict[str, Any](), dict[str, str]()
    known = [one.protection.name for one in list_protection_fields()]
    for name in dict.fromkeys((*before, *known)):
        value, faults = before.get(name), dict[str, str]()
        if name in known:
            value, faults = _read_one(name, value, form, place)
        wrong |= faults
        if value is not None:
            asked[name] = value
    return asked, wrong


def _read_one(name: str, before: Any, form: FormData, place: int) -> tuple[Any, dict[str, str]]:
    """Read one protection; as it was written, if the form says the same."""
    fields = [one for one in list_protection_fields() if one.protection.name == name]
    texts = {one.name: form.get(f"{one.name}-{place}") for one in fields}
    sent = [one for one in fields if isinstance(texts[one.name], str)]
    read, wrong = read_each(texts, {one.name: one.read for one in sent})
    given = {one.name: one.find(before) for one in fields} | read
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


def ask_protection(session: Session, form: FormData) -> None:
    """Change what is asked for; a field that the form does not have stays as it is."""
    fields = [one for name in _FORMS for one in form_fields.list_form(name) if one.place in form]
    values, wrong = read_each(form, {one.place: one.read for one in fields})
    protections = dict[str, dict[str, Any]]()
    for place, (name, column) in enumerate(session.project.attributes.items()):
        if column["role"] == "sensitive":
            protections[name], faults = read_protections_of(column, form, place)
            wrong |= {f"{field}-{place}": why for field, why in faults.items()}
    if wrong:
        raise Refused(wrong)
    before = session.project.table("release")
    text = _follow_preset(form_fields.set_fields(session.project.text, values), before)
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
        value = before.get(name)
        if not isinstance(value, int | Decimal) or value <= 0 or release.get(name) != value:
            continue
        if find_least_k(value) < new.least_k:
            text = set_field(text, ("release",), name, None)
    return text


def _find_preset(release: Mapping[str, Any]) -> Preset | None:
    """Return the preset of a specification, if there is one of that name."""
    return PRESETS.get(str(release.get("preset")))


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


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return what is asked for, what it promises, and what it leaves."""
    project, made = session.project, session.find_result(ReleaseSummary)
    release, attributes = project.table("release"), project.attributes
    rows = 0 if session.facts is None else session.facts.rows
    asked = None if project.problems else _name_columns(session)
    current = made if made is not None and made.text == project.text and asked else None
    can_attack = asked is not None and bool(asked.hierarchies())
    groups = project.fields.get("quasi_identifiers")
    return {
        "release": release,
        "person": show_person(project),
        "persons": [name for name, one in attributes.items() if one["role"] == "identifier"],
        "sensitive": [
            (place, name, list_protections(column))
            for place, (name, column) in enumerate(attributes.items())
            if column["role"] == "sensitive"
        ],
        "fields": list_protection_fields(),
        "methods": {"": "decide for me"}
        | {one: f"{one}: {TAKES[one].result}" for one in list_methods()},
        "is_protected": any("protect" in column for column in attributes.values()),
        "groups": groups if isinstance(groups, list) else [],
        "registers": [
            (name, release[name])
            for name in ("k_map", "presence")
            if isinstance(release.get(name), dict)
        ],
        "by_preset": _describe_preset(release),
        "promises": [] if asked is None else [*attackers.state_promises(asked, rows)],
        "attackers": attackers.list_attackers(asked, rows, current) if asked and can_attack else {},
        "made": current,
        "rules": attackers.foresee_rules(asked, rows),
        "method": _describe_method(asked, rows),
    }


def _name_columns(session: Session) -> Specification:
    """Return what is asked for, with the columns that patterns stand for, if these are known."""
    asked, facts = session.project.specification(), session.facts
    if facts is None:
        return asked
    try:
        return asked.completed([one.name for one in facts.columns])
    except InvalidInput:  # the table has other columns
        return asked


def _describe_preset(release: Mapping[str, Any]) -> str:
    """Say what the preset sets, or what the specification sets itself."""
    preset = _find_preset(release)
    if preset is None:
        return ""
    own = [f"{name} = {release[name]}" for name in ("k", "highest_risk") if name in release]
    if own:
        return f"The specification itself sets {' and '.join(own)}, which counts instead."
    return f"The preset sets {preset.asks}. Leave k and the highest risk empty."


def _describe_method(asked: Specification | None, rows: int) -> dict[str, str]:
    """Return the method that is used, why another default is not, and why it would be refused."""
    if asked is None or not asked.is_complete:
        return dict.fromkeys(("name", "reason", "refusal"), "")
    chosen, reason = choose_method(asked, rows=rows)
    refusal = ""
    try:
        refuse_ignored(asked)
        requirement = asked.requirement(rows=0)
        if requirement.secrecy == "lottery" and not are_shares(requirement.protections):
            refusal = "secrecy: a lottery is for largest shares alone; choose another way"
    except LookalikeError as error:
        refusal = str(error)
    return {"name": chosen.release.method, "reason": reason or "", "refusal": refusal}


PROTECTION_SCREEN = Screen(
    name="protection",
    title="Protection",
    show=_show,
    actions={"ask": ask_protection},
)
