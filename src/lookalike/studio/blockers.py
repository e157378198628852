"""Blockers: what must be decided before a release can be made, and where."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lookalike.flow.source import describe_nearly_unique, is_nearly_unique
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.editing.project import ColumnPath, Project, name_column
from lookalike.studio.table_facts import ColumnFacts
from lookalike.tables.source import UNDECIDED

_PLAIN_FIELDS = {"role", "protect"}
"""The fields of a column that leave its values as they were profiled."""


@dataclass(frozen=True)
class Blocker(Discreet):
    """A decision without which no release can be made, and where to make it.

    ``screen``: the name of the screen; ``rows``: by name of a column, the anchor of its row there.
    """

    title: str
    why: str
    screen: str
    rows: Mapping[str, str]


def list_blockers(
    project: Project, find_facts: Callable[[ColumnPath], ColumnFacts | None] | None
) -> list[Blocker]:
    """List what must be decided.

    ``find_facts``: returns what is known of a column; `None` if nothing is known of the tables as
    they are read now.
    """
    anchors, found = dict[ColumnPath, str](), list[Blocker]()
    open_rows = dict[str, str]()
    for place, (path, asked) in enumerate(project.columns.items()):
        anchors[path] = f"role-{place}"
        if asked["role"] == UNDECIDED:
            open_rows[name_column(path)] = anchors[path]
    if open_rows:
        named = ", ".join(map(repr, open_rows))
        why = f"the role of {named} is not decided; choose one"
        found.append(Blocker("Role", why, "roles", open_rows))
    persons = {
        "who is a person" if name is None else f"whose records {name} are": find_person_id(place)
        for place, (name, one) in enumerate(project.tables.items())
        if one.get("person") == UNDECIDED
    }
    if persons:
        why = "who is a person is not decided; name the column, or say that each row is a person"
        found.append(Blocker("Person", why, "protection", persons))
    for path, why in () if find_facts is None else _list_nearly_unique(project, find_facts):
        found.append(Blocker("Nearly unique", why, "roles", {name_column(path): anchors[path]}))
    return found


def find_person_id(place: int) -> str:
    """Return the identifier of the field for the column of persons of the table at a place."""
    return f"person-{place}" if place else "person"


def _list_nearly_unique(
    project: Project, find_facts: Callable[[ColumnPath], ColumnFacts | None]
) -> Iterator[tuple[ColumnPath, str]]:
    """Yield the columns that would be refused because they identify nearly every row, and why."""
    for path, asked in project.columns.items():
        column = find_facts(path)
        is_as_it_is = asked["role"] in ("sensitive", "other") and {*asked} <= _PLAIN_FIELDS
        if column is None or not is_as_it_is:
            continue
        distinct, rows = column.figures.distinct, column.figures.present
        if is_nearly_unique(distinct, rows):
            yield path, describe_nearly_unique(name_column(path), distinct, rows)
