"""The screen *Protection* for linked tables: k, persons, and what may be known of their records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.linked_certificate import PromisedTable, write_linked_statement
from lookalike.search.takes import LINKED_METHODS, LINKED_OBJECTIVES
from lookalike.spec.record_fields import (
    LINKED_FIELDS,
    PERSONS,
    describe_knows,
    has_person_table,
    list_distinct,
)
from lookalike.spec.specification import Specification
from lookalike.studio.blockers import find_person_id
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.form_fields import (
    FormField,
    find_form_field,
    list_form,
    read_form,
    set_fields,
)
from lookalike.studio.editing.project import ColumnPath, Project, find_table
from lookalike.studio.releases.linked_summary import LinkedSummary
from lookalike.studio.screens.screen import Query, Screen
from lookalike.studio.session import Refused, Session, read_each

_DISTINCT = "distinct"


@dataclass(frozen=True)
class LinkedPart(Discreet):
    """A table of records, or a column of sets, of which something may be known.

    ``place``: its number among them, by which the form names its fields. ``path``: where the
    specification describes it.
    """

    place: int
    path: ColumnPath
    written: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the table or the column."""
        return self.path[-1]

    @property
    def fields(self) -> dict[str, FormField]:
        """The fields of the form, by their names."""
        names = ("knows", "at_most") if self.path[0] == "records" else ("knows",)
        return {f"{name}-{self.place}": find_form_field(f"{self.path[0]}.{name}") for name in names}


def list_known_parts(project: Project) -> list[LinkedPart]:
    """List the tables of records and the columns of sets of a specification."""
    sets = {("attributes", name): one for name, one in project.attributes.items()}
    records = {("records", name): one for name, one in project.tables.items() if name is not None}
    parts = [*((path, one) for path, one in sets.items() if "separator" in one), *records.items()]
    return [LinkedPart(place, path, one) for place, (path, one) in enumerate(parts)]


def list_making() -> list[FormField]:
    """List the fields of how the release is made, as far as linked tables take them."""
    fields = [*list_form("making"), *list_form("linked"), find_form_field("release.highest_risk")]
    return [one for one in fields if one.name in LINKED_FIELDS and one.place != "release.link"]


def ask_linked_protection(session: Session, form: FormData) -> None:
    """Change what is asked for; a field that the form does not have stays as it is."""
    project = session.project
    fields = (*list_form("people"), find_form_field("release.link"), *list_making())
    values = read_form(form, [one for one in fields if one.place in form])
    text = set_fields(project.text, values)
    text = _set_persons(text, project, form)
    wrong = dict[str, str]()
    for part in list_known_parts(project):
        readers = {name: one.read for name, one in part.fields.items() if name in form}
        read, faults = read_each(form, readers)
        wrong |= faults
        for name, value in read.items():
            text = set_field(text, part.path, part.fields[name].name, value)
    text, faults = _set_distinct(text, project, form)
    if wrong | faults:
        raise Refused(wrong | faults)
    try:
        session.change(text, "protection")
    except Refused as refused:
        raise Refused(
            {_find_field(at, project): why for at, why in refused.reasons.items()}
        ) from None


def _set_persons(text: str, project: Project, form: FormData) -> str:
    """Write the column of persons of each table that the form has."""
    for place, (table, one) in enumerate(project.tables.items()):
        chosen = form.get(find_person_id(place))
        if isinstance(chosen, str) and chosen != str(one.get("person", "")):
            at = ("source",) if table is None else ("records", table)
            text = set_field(text, at, "person", chosen or None)
    return text


def _set_distinct(text: str, project: Project, form: FormData) -> tuple[str, dict[str, str]]:
    """Write how many different values each sensitive column of the person table must have."""
    sensitive = {f"{_DISTINCT}-{place}": name for place, name in enumerate(list_sensitive(project))}
    read = find_form_field("release.k").read
    given, wrong = read_each(form, dict.fromkeys([one for one in sensitive if one in form], read))
    for field, value in given.items():
        before = find_fields(text, "attributes", sensitive[field]).get("protect")
        others = {} if not isinstance(before, Mapping) else {**before}
        others.pop(_DISTINCT, None)
        asked = others | ({} if value is None else {_DISTINCT: value})
        text = set_field(text, ("attributes", sensitive[field]), "protect", asked or None)
    return text, wrong


def list_sensitive(project: Project) -> list[str]:
    """List the sensitive columns of the person table."""
    return [name for name, one in project.attributes.items() if one["role"] == "sensitive"]


def _find_field(at: str, project: Project) -> str:
    """Return the field of the form that a problem of the specification is about."""
    for part in list_known_parts(project):
        for name, field in part.fields.items():
            if at.startswith(".".join((*part.path, field.name))):
                return name
    for place, name in enumerate(list_sensitive(project)):
        if at.startswith(f"attributes.{name}.protect"):
            return f"{_DISTINCT}-{place}"
    return at


def state_promise(asked: Specification) -> str:
    """State what a release of linked tables will promise, in the words of its certificate."""
    return write_linked_statement(
        asked.requirement(0).k,
        [*_list_promised(asked)],
        linked=asked.release.link,
        assumed=has_person_table(asked) and not (asked.source and asked.source.person_columns),
        unit=asked.release.unit,
    )


def _list_promised(asked: Specification) -> Iterator[PromisedTable]:
    """Yield what is promised of each table, the person table first."""
    sets = {name: one for name, one in asked.attributes.items() if one.separator is not None}
    link = "person" if asked.release.link else None
    if has_person_table(asked):
        unchanged = tuple(n for n, one in asked.attributes.items() if _is_unchanged(one.role))
        linkable = [name for name in asked.hierarchies() if name not in sets]
        yield PromisedTable(
            PERSONS,
            None,
            linkable,
            unchanged,
            False,
            link,
            distinct=list_distinct(asked.attributes),
        )
    for name, one in sets.items():
        yield PromisedTable(name, one.knows, [name], (), False, None, separator=one.separator)
    for name, table in asked.records.items():
        unchanged = tuple(n for n, one in table.attributes.items() if _is_unchanged(one.role))
        yield PromisedTable(
            name=name,
            knows=table.knows,
            generalized=[*table.hierarchies()],
            released_as_they_are=unchanged,
            is_apart=link is None,
            link=link,
            refers=next(iter(table.refers.items()), None),
            at_most=table.at_most,
        )


def _is_unchanged(role: str) -> bool:
    """Return whether a column is released as it is."""
    return role in ("sensitive", "other")


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return what is asked for, and what it promises."""
    project, made = session.project, session.find_result(LinkedSummary)
    named = project.columns.items()
    keys = [path for path, one in named if one["role"] == "identifier"]
    asked = None if project.problems else project.specification()
    return {
        "release": project.table("release"),
        "persons": [
            (
                find_person_id(place),
                PERSONS if table is None else table,
                str(one.get("person", "")),
                [path[-1] for path in keys if find_table(path) == table],
                table is None and not project.table("records"),
            )
            for place, (table, one) in enumerate(project.tables.items())
        ],
        "known_parts": list_known_parts(project),
        "sensitive": [
            (f"{_DISTINCT}-{place}", name, find_fields(project.text, "attributes", name, "protect"))
            for place, name in enumerate(list_sensitive(project))
        ],
        "making": list_making(),
        "choices": {
            "method": {"": "decide for me", **dict.fromkeys(LINKED_METHODS)},
            "objective": dict.fromkeys(LINKED_OBJECTIVES),
        },
        "describe_knows": describe_knows,
        "promise": "" if asked is None else state_promise(asked),
        "made": made if made is not None and made.text == project.text else None,
    }


LINKED_PROTECTION_SCREEN = Screen(
    name="protection",
    title="Protection",
    show=_show,
    actions={"ask": ask_linked_protection},
    takes_linked=True,
    template="linked_protection",
)
