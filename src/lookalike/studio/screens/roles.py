"""The screen *Roles*: the role of every column, with the proposal and its reason."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

from starlette.datastructures import FormData

from lookalike.draft.make_draft import DEFAULT_K
from lookalike.errors import InvalidInput, not_one_of
from lookalike.model.requirement import check_k
from lookalike.risk.table.budget import BitBudget
from lookalike.risk.table.separation import Separation
from lookalike.spec.presets import choose_k
from lookalike.spec.record_fields import PERSONS
from lookalike.studio.editing.changes import set_role
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.editing.project import ColumnPath, find_table, name_column
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

KEYED_ROLES: tuple[str, ...] = get_args(Role)
"""The roles, in the order of their keys 1 to 5."""


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the columns that the query asks for, with their roles, and what they tell together."""
    project, columns = session.project, session.project.columns
    text, asked, tables = query.get("text", ""), query.get("role", ""), [*project.tables]
    table = read_whole(query["table"], "table", len(tables) - 1) if query.get("table") else None
    of_table = {
        place: path
        for place, path in enumerate(columns)
        if table is None or find_table(path) == tables[table]
    }
    listed = [
        (place, path, columns[path], session.find_facts(path), _find_separation(session, path))
        for place, path in of_table.items()
        if text.casefold() in name_column(path).casefold() and asked in ("", columns[path]["role"])
    ]
    roles = {path: columns[path]["role"] for path in of_table.values()}
    return {
        "columns": listed,
        "text": text,
        "asked_role": asked,
        "tables": [PERSONS if one is None else one for one in tables],
        "table": table,
        "counts": Counter(str(one) for one in roles.values()),
        "roles": KEYED_ROLES,
        "separated": [
            _separate(session, one) for place, one in enumerate(tables) if table in (None, place)
        ],
        "budget": None if project.is_linked else _measure_budget(session),
        "undecided": [name_column(path) for path, one in roles.items() if one == UNDECIDED],
    }


def _find_separation(session: Session, path: ColumnPath) -> Separation | None:
    """Return how well a column alone tells the rows of its table apart, if that is known."""
    facts = session.find_table_facts(find_table(path))
    known = None if facts is None else facts.linkable
    return None if known is None else known.separations.get(path[-1])


def _list_linkable(session: Session, table: str | None = None) -> list[str]:
    """List the quasi-identifiers of a table."""
    named = session.project.columns.items()
    linkable = [path for path, one in named if one["role"] == "quasi-identifier"]
    return [path[-1] for path in linkable if find_table(path) == table]


def _separate(session: Session, table: str | None) -> dict[str, Any]:
    """Measure how well the quasi-identifiers of a table tell its rows apart, if it is known.

    ``unknown``: those that the table does not have.
    """
    facts, names = session.find_table_facts(table), _list_linkable(session, table)
    known = None if facts is None else facts.linkable
    unknown = [] if known is None else [name for name in names if name not in known.codes]
    return {
        "table": PERSONS if table is None else table,
        "linkable": len(names),
        "together": None if known is None or unknown == names else known.separate(names),
        "unknown": unknown,
        "sampled": None if known is None else known.sampled,
    }


def _measure_budget(session: Session) -> BitBudget | None:
    """Measure what the quasi-identifiers cost, if the table is known and k is right."""
    release, facts = session.project.table("release"), session.facts
    chosen = _list_linkable(session)
    if facts is None or facts.linkable is None or not chosen:
        return None
    try:
        k = choose_k(release.get("k"), release.get("preset"), DEFAULT_K)
        check_k(k)
    except (InvalidInput, TypeError):  # the specification says what is wrong
        return None
    return facts.linkable.measure(chosen, k, session.project.table("source").get("person"))


def _assign(session: Session, form: FormData) -> None:
    """Give each column of the form the role that it chooses."""
    columns = enumerate(session.project.columns)
    fields = {path: field for place, path in columns if (field := f"role-{place}") in form}
    _give_roles(session, {path: read_text(form, field) for path, field in fields.items()})


def _assign_several(session: Session, form: FormData) -> None:
    """Give all selected columns one role."""
    names, chosen = [*session.project.columns], form.getlist("column")
    places = [read_whole(str(one), "column", len(names) - 1) for one in chosen]
    if not places:
        raise InvalidInput("select at least one column first")
    _give_roles(session, dict.fromkeys([names[one] for one in places], read_text(form, "role")))


def _give_roles(session: Session, roles: Mapping[ColumnPath, str]) -> None:
    """Give columns roles, as one change."""
    text, changed, columns = session.project.text, [], session.project.columns
    for path, role in roles.items():
        name = name_column(path)
        if role == columns[path]["role"]:
            continue
        if role not in KEYED_ROLES:
            raise InvalidInput(not_one_of(f"the role of {name!r}", role, KEYED_ROLES))
        text = set_role(text, path, role, session.find_facts(path))
        changed.append(name)
    session.change(text, f"role of {', '.join(changed)}")


ROLES_SCREEN = Screen(
    name="roles",
    title="Roles",
    show=_show,
    actions={"assign": _assign, "several": _assign_several},
    takes_linked=True,
)
