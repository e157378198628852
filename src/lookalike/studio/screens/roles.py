"""The screen *Roles*: the role of every column, with the proposal and its reason."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

from starlette.datastructures import FormData

from lookalike.draft.make_draft import DEFAULT_K
from lookalike.errors import InvalidInput, not_one_of
from lookalike.model.requirement import check_k
from lookalike.risk.table.budget import BitBudget
from lookalike.spec.presets import choose_k
from lookalike.studio.editing.changes import set_role
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

KEYED_ROLES: tuple[str, ...] = get_args(Role)
"""The roles, in the order of their keys 1 to 5."""


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the columns that the query asks for, with their roles, and what they tell together."""
    attributes, facts = session.project.attributes, session.facts
    text, asked = query.get("text", ""), query.get("role", "")
    alone = facts.linkable.separations if facts is not None and facts.linkable is not None else {}
    listed = [
        (place, name, column, session.find_facts(name), alone.get(name))
        for place, (name, column) in enumerate(attributes.items())
        if text.casefold() in name.casefold() and asked in ("", column["role"])
    ]
    return {
        "columns": listed,
        "text": text,
        "asked_role": asked,
        "counts": Counter(str(one["role"]) for one in attributes.values()),
        "roles": KEYED_ROLES,
        **_separate(session),
        "budget": _measure_budget(session),
        "undecided": [name for name, one in attributes.items() if one["role"] == UNDECIDED],
    }


def _list_linkable(session: Session) -> list[str]:
    """List the quasi-identifiers."""
    named = session.project.attributes.items()
    return [name for name, one in named if one["role"] == "quasi-identifier"]


def _separate(session: Session) -> dict[str, Any]:
    """Measure how well the quasi-identifiers tell the rows apart, if the table is known.

    ``unknown``: those that the table does not have.
    """
    facts, names = session.facts, _list_linkable(session)
    if facts is None or facts.linkable is None:
        return {"together": None, "unknown": []}
    unknown = [name for name in names if name not in facts.linkable.codes]
    together = None if len(unknown) == len(names) else facts.linkable.separate(names)
    return {"together": together, "unknown": unknown}


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
    columns = enumerate(session.project.attributes)
    fields = {name: field for place, name in columns if (field := f"role-{place}") in form}
    _give_roles(session, {name: read_text(form, field) for name, field in fields.items()})


def _assign_several(session: Session, form: FormData) -> None:
    """Give all selected columns one role."""
    names, chosen = [*session.project.attributes], form.getlist("column")
    places = [read_whole(str(one), "column", len(names) - 1) for one in chosen]
    if not places:
        raise InvalidInput("select at least one column first")
    _give_roles(session, dict.fromkeys([names[one] for one in places], read_text(form, "role")))


def _give_roles(session: Session, roles: Mapping[str, str]) -> None:
    """Give columns roles, as one change."""
    text, changed, attributes = session.project.text, [], session.project.attributes
    for name, role in roles.items():
        if role == attributes[name]["role"]:
            continue
        if role not in KEYED_ROLES:
            raise InvalidInput(not_one_of(f"the role of {name!r}", role, KEYED_ROLES))
        text = set_role(text, name, role, session.find_facts(name))
        changed.append(name)
    session.change(text, f"role of {', '.join(changed)}")


ROLES_SCREEN = Screen(
    name="roles",
    title="Roles",
    show=_show,
    actions={"assign": _assign, "several": _assign_several},
)
