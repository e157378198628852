"""The screen *Explore* for linked tables: what it costs that records of a person may be known."""

from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.flow.explore.exploration import Grid
from lookalike.flow.explore.linked import LINKED_SECONDS
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.releases.linked_summary import TriedKnowledge, try_knowledge
from lookalike.studio.screens.explore import read_different_numbers, read_k, read_seconds
from lookalike.studio.screens.screen import (
    Query,
    Screen,
    read_text,
    read_texts,
    settle_state,
    write_command,
)
from lookalike.studio.session import Refused, Session, read_each

MOST_KS = 20
"""The most values of k that are tried."""


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return what was tried, and the fields of the form."""
    tried = session.find_result(TriedKnowledge)
    return {
        "tried": tried,
        "is_current": tried is not None and tried.text == session.project.text,
        "fields": _list_fields(session),
    }


def _list_fields(session: Session) -> dict[str, str]:
    """Return the fields that ask for what was tried, or for what is proposed."""
    tried = session.find_result(TriedKnowledge)
    k = session.project.table("release").get("k", "")
    ks, seconds = ((k,), LINKED_SECONDS) if tried is None else (tried.ks, tried.time_limit)
    return {"ks": " ".join(map(str, ks)), "time_limit": "" if seconds is None else f"{seconds:g}"}


def _run(session: Session, form: FormData) -> None:
    """Try 0, 1 and 2 known records for every k."""
    given, wrong = read_each(
        read_texts(form),
        {
            "ks": lambda text: Grid(ks=read_different_numbers(text, read_k)).ks,
            "time_limit": read_seconds,
        },
    )
    ks = given.get("ks", ())
    if len(ks) > MOST_KS:
        wrong["ks"] = f"at most {MOST_KS} values of k are tried"
    if wrong:
        raise Refused(wrong)
    asked = session.project, ks, given["time_limit"]
    session.begin_release("exploration", try_knowledge, *asked)


def _use(session: Session, form: FormData) -> None:
    """Let the specification ask for the k and the known records of a point."""
    tried = session.find_result(TriedKnowledge)
    if tried is None:
        raise InvalidInput("nothing was tried yet; explore first")
    points = tried.found.points
    point = points[read_whole(read_text(form, "point"), "point", len(points) - 1)]
    text = session.project.text
    for name, value in {"k": point.k, "highest_risk": None, "preset": None}.items():
        text = set_field(text, ("release",), name, value)
    for name, known in point.knows.items():
        if name not in session.project.tables:
            raise InvalidInput(f"the specification has no table {name!r} any more; explore again")
        text = set_field(text, ("records", name), "knows", known)
    session.change(text, f"k = {point.k}, knows {tried.found.label(point)}")


def _command(session: Session) -> str:
    """Return the command that tries the same."""
    fields = _list_fields(session)
    options = [f"--k {k}" for k in fields["ks"].split()]
    if fields["time_limit"]:
        options.append(f"--time-limit {fields['time_limit']}")
    return write_command("explore", *options)(session)


LINKED_EXPLORE_SCREEN = Screen(
    name="explore",
    title="Known records",
    show=_show,
    command=_command,
    actions={"run": _run, "use": _use},
    step_title="Explore",
    state=lambda session: settle_state(session.find_result(TriedKnowledge) is not None),
    takes_linked=True,
    template="linked_explore",
)
