"""The screen *Roles*: the role of every column, with the proposal and its reason."""

from typing import Any, get_args

from starlette.datastructures import FormData

from lookalike.draft.make_draft import DEFAULT_K
from lookalike.errors import InvalidInput, not_one_of
from lookalike.model.requirement import check_k
from lookalike.risk.table.budget import BitBudget
from lookalike.spec.presets import choose_k
from lookalike.studio.editing.changes import set_role
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Session
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the columns with their roles."""
    attributes = session.project.attributes
    return {
        "columns": [
            (place, name, column, session.find_facts(name))
            for place, (name, column) in enumerate(attributes.items())
        ],
        "roles": get_args(Role),
        "budget": _measure_budget(session),
        "undecided": [name for name, one in attributes.items() if one["role"] == UNDECIDED],
    }


def _measure_budget(session: Session) -> BitBudget | None:
    """Measure what the quasi-identifiers cost, if the table is known and k is right."""
    release, facts = session.project.table("release"), session.facts
    chosen = [
        name
        for name, one in session.project.attributes.items()
        if one["role"] == "quasi-identifier"
    ]
    if facts is None or facts.linkable is None or not chosen:
        return None
    try:
        k = choose_k(release.get("k"), release.get("preset"), DEFAULT_K)
        check_k(k)
    except (InvalidInput, TypeError):  # the specification says what is wrong
        return None
    return facts.linkable.measure(chosen, k, session.project.table("source").get("person"))


def _assign(session: Session, form: FormData) -> None:
    """Give each column the role that the form chooses."""
    text, changed = session.project.text, []
    for place, (name, column) in enumerate(session.project.attributes.items()):
        role = read_text(form, f"role-{place}")
        if role == column["role"]:
            continue
        if role not in get_args(Role):
            raise InvalidInput(not_one_of(f"the role of {name!r}", role, get_args(Role)))
        text = set_role(text, name, role, session.find_facts(name))
        changed.append(name)
    session.change(text, f"role of {', '.join(changed)}")


ROLES_SCREEN = Screen(
    name="roles",
    title="Roles",
    show=_show,
    actions={"assign": _assign},
)
