"""The part *µ-Argus* of the step *Explore*: its decisions, with what each would leave, and undo."""

from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.model.clock import OutOfTime, deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import precision
from lookalike.model.progress import Announce
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.search.argus import combinations
from lookalike.search.argus.options import ArgusOptions, Unsafe
from lookalike.search.methods import mu_argus
from lookalike.search.takes import refuse_untaken
from lookalike.spec.specification import Specification
from lookalike.studio.counted_list import count_list, load_compiled
from lookalike.studio.editing.edit_toml import find_fields, set_field
from lookalike.studio.editing.form_fields import list_form, read_form, set_fields, set_option
from lookalike.studio.editing.project import Project
from lookalike.studio.screens.screen import Query, Screen, read_text
from lookalike.studio.session import Refused, Session

MOST_SECONDS = 0.7
"""How long a page may take to follow the decisions and to preview the next one."""
_LONG = 3600.0


@dataclass(frozen=True)
class ArgusState:
    """Where µ-Argus stands after some decisions: the rare values at the start, and after each.

    ``previews``: for each attribute that can be generalized, the rows that would have rare values
    then; some are missing if the time was up. ``outcome``: the release if nothing more is decided,
    as :func:`_describe_outcome` describes it.
    """

    decided: tuple[str, ...]
    seen: tuple[Unsafe, ...]
    previews: dict[str, int]
    outcome: dict[str, Any]

    @property
    def unsafe(self) -> Unsafe:
        """The rare values after the last decision."""
        return self.seen[-1]


@dataclass(frozen=True)
class KeptArgusState:
    """The state of the latest decision, so that the page need not find it again.

    ``key``: that of the list that it was found on. ``text``: the specification with the decisions.
    """

    key: str
    text: str
    state: ArgusState


class TakesLong(InvalidInput):
    """To follow the decisions takes longer than a page may."""


def find_argus_state(
    frequency: FrequencyList, specification: Specification, seconds: float | None = None
) -> ArgusState:
    """Follow the decisions of a specification with µ-Argus on a counted table."""
    load_compiled()
    seconds = MOST_SECONDS if seconds is None else seconds
    deadline = deadline_after(seconds)
    asked = specification.naming(frequency.attributes)
    requirement, seen = asked.requirement(frequency.rows), list[Unsafe]()
    decided = tuple(asked.release.generalize or ())

    def decide(unsafe: Unsafe) -> str | None:
        seen.append(unsafe)
        return (*decided, None)[len(seen) - 1]

    options = replace(asked.options(decide=decide), time_limit=seconds)
    recoding = mu_argus(frequency, requirement, options)
    if not recoding.in_time:
        raise TakesLong(
            f"{len(frequency):,} distinct sequences are too many to follow µ-Argus at once; follow "
            "it as a task, or test smaller combinations"
        )
    outcome = _describe_outcome(frequency, recoding, seen[-1].k)
    outcome["precision"] = precision(frequency, recoding, options.weights)
    previews = _preview(frequency, seen[-1], options.argus, deadline)
    return ArgusState(decided, tuple(seen), previews, outcome)


def follow_argus(announce: Announce, project: Project) -> KeptArgusState:
    """Count the table of a project and follow its decisions, for as long as it takes.

    The list is counted again, because to hand a long one over to a task takes longer.
    """
    counted = count_list(announce, project)
    announce("testing combinations")
    state = find_argus_state(counted.frequency, project.specification(), _LONG)
    return KeptArgusState(counted.key, project.text, state)


def _preview(
    frequency: FrequencyList, unsafe: Unsafe, argus: ArgusOptions, deadline: float
) -> dict[str, int]:
    """Return the rows that each next decision would leave, as far as there is time."""
    rolled = frequency.roll_up(tuple(unsafe.levels.values()))
    try:
        tested = combinations.find_unsafe(
            rolled, argus.combinations_of(frequency), unsafe.k, deadline
        )
    except OutOfTime:
        return {}
    return combinations.preview_decisions(tested, unsafe.k, deadline)


def _describe_outcome(frequency: FrequencyList, recoding: Recoding, k: int) -> dict[str, Any]:
    """Count what suppression leaves; all rows are released.

    ``cells``: for each attribute, the cells that are suppressed one by one; ``rows_concerned``
    have such a cell.
    """
    tuples = recoding.released(frequency)
    hidden = tuples.levels == SUPPRESSED_CELL
    class_of, sizes = tuples.classes(frequency, frequency.attributes)
    return {
        "cells": {
            name: int(tuples.counts[cells].sum())
            for name, cells in zip(frequency.attributes, hidden, strict=True)
        },
        "rows": int(tuples.counts.sum()),
        "rows_concerned": int(tuples.counts[hidden.any(axis=0)].sum()),
        "rows_below_k": int(tuples.counts[sizes[class_of] < k].sum()),
        "smallest": int(sizes.min()),
        "classes": len(sizes),
    }


ARGUS = "mu-argus"
_REPAIR = "release.repair"
COMBINATIONS_SHOWN = 12
"""How many combinations with rare values the page lists, those with most rows."""
_LEVELS = [*map(str, range(combinations.NOT_IDENTIFYING, combinations.IDENTIFYING + 1))]


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return where µ-Argus stands after the decisions of the specification."""
    release = session.project.table("release")
    found = _find_state(session)
    unsafe = found["state"].unsafe.combinations if found["state"] else {}
    ranked = sorted(unsafe.items(), key=lambda item: -item[1][1])  # those with most rows first
    return {
        **found,
        "is_argus": release.get("method") == ARGUS,
        "method": release.get("method") or "",
        "decided": list_decided(session.project.text),
        "ranked": [(names, rare, rows) for names, (rare, rows) in ranked],
        "most": COMBINATIONS_SHOWN,
        "repairs": release.get("repair") is True,
        "levels": {level: level for level in _LEVELS},
        "identification": _list_identification(session),
    }


def _find_state(session: Session) -> dict[str, Any]:
    """Return the state of the counted table, or why there is none."""
    nothing = {"state": None, "refusal": "", "takes_long": False}
    counted = session.counted
    if counted is None:
        return nothing
    if session.project.problems:
        return {**nothing, "refusal": "the specification has errors; fix them first"}
    asked, kept = _with_argus(session.project), session.find_result(KeptArgusState)
    if kept is not None and (kept.key, kept.text) == (counted.key, asked.text):
        return {**nothing, "state": kept.state}
    try:
        return {**nothing, "state": find_argus_state(counted.frequency, asked.specification())}
    except LookalikeError as error:
        return {**nothing, "refusal": str(error), "takes_long": isinstance(error, TakesLong)}


def _with_argus(project: Project) -> Project:
    """Return a project whose method is µ-Argus.

    The list of decisions is written even if it is empty: without it, the command line asks.
    """
    return replace(project, text=decide_argus(project.text, list_decided(project.text)))


def _list_identification(session: Session) -> list[tuple[int, str, Any]]:
    """Return the place, name and identification level of each attribute."""
    return [
        (place, name, column.get("identification", 1))
        for place, (name, column) in enumerate(session.project.attributes.items())
        if column["role"] == "quasi-identifier"
    ]


def _use(session: Session, _form: FormData) -> None:
    """Choose µ-Argus, if it takes what the specification asks for."""
    asked, counted = _with_argus(session.project), session.counted
    if counted is not None and not asked.problems:
        specification = asked.specification().naming(counted.frequency.attributes)
        requirement = specification.requirement(counted.frequency.rows)
        refuse_untaken(ARGUS, counted.frequency.attributes, requirement, specification.options())
    session.change(asked.text, "µ-Argus as the method")


def _generalize(session: Session, form: FormData) -> None:
    """Decide to generalize an attribute by one level, if that is possible.

    If it takes long to see what is left, a task does it.
    """
    attribute, counted = read_text(form, "attribute"), session.require_counted()
    decisions = [*list_decided(session.project.text), attribute]
    decided = replace(session.project, text=decide_argus(session.project.text, decisions))
    what = f"µ-Argus: generalize {attribute}"
    try:
        state = find_argus_state(counted.frequency, decided.specification())
    except TakesLong:
        session.begin("µ-Argus", follow_argus, decided)
        session.change(decided.text, what)
    else:
        session.change(decided.text, what)
        session.keep_result(KeptArgusState(counted.key, decided.text, state))


def _follow(session: Session, _form: FormData) -> None:
    """Follow the decisions as a task."""
    session.require_counted()
    session.begin("µ-Argus", follow_argus, _with_argus(session.project))


def _take_back(session: Session, _form: FormData) -> None:
    """Take back the last decision."""
    decisions = list_decided(session.project.text)
    if not decisions:
        raise InvalidInput("there is no decision to undo")
    text = decide_argus(session.project.text, decisions[:-1])
    session.change(text, f"µ-Argus: {decisions[-1]} not generalized")


def _ask(session: Session, form: FormData) -> None:
    """Change the options of µ-Argus."""
    options = {**read_form(form, list_form("argus")), _REPAIR: _REPAIR in form}
    text = set_fields(session.project.text, options)
    usual = combinations.MOST_IDENTIFYING
    for place, name, _ in _list_identification(session):
        level = read_text(form, f"identification-{place}")
        if level not in _LEVELS:
            raise Refused({f"identification-{place}": "must be 0, 1, 2 or 3"})
        text = set_option(text, ("attributes", name), "identification", int(level), usual)
    _refuse_impossible(session, text)
    session.change(text, "options of µ-Argus")


def _refuse_impossible(session: Session, text: str) -> None:
    """Refuse options that cannot be tested together, beside the field that has to change."""
    changed = replace(session.project, text=text)
    if session.counted is None or changed.problems:
        return
    frequency = session.counted.frequency
    asked = changed.specification().naming(frequency.attributes)
    try:
        asked.options().argus.combinations_of(frequency)
    except InvalidInput as error:
        field, _, reason = str(error).partition(": ")
        raise Refused({f"release.{field}": reason}) from None


def _leave(session: Session, _form: FormData) -> None:
    """Name no method any more; the decisions and options of µ-Argus go with it."""
    places = ("release.method", "release.generalize", _REPAIR)
    options = [one.place for one in list_form("argus")]
    text = set_fields(session.project.text, dict.fromkeys((*places, *options)))
    session.change(text, "µ-Argus left")


ARGUS_SCREEN = Screen(
    name="argus",
    title="µ-Argus",
    show=_show,
    actions={
        "use": _use,
        "leave": _leave,
        "generalize": _generalize,
        "follow": _follow,
        "repair": lambda session, _: session.change(
            set_fields(_with_argus(session.project).text, {_REPAIR: True}), "µ-Argus with repair"
        ),
        "back": _take_back,
        "ask": _ask,
    },
    step="explore",
)


def decide_argus(text: str, decisions: list[str]) -> str:
    """Choose µ-Argus with decisions about what to generalize; it optimizes no objective."""
    text = set_fields(text, {"release.method": ARGUS, "release.objective": None})
    return set_field(text, ("release",), "generalize", decisions)


def list_decided(text: str) -> list[str]:
    """Return the decisions of a specification; none if it has a wrong value there."""
    found = find_fields(text, "release").get("generalize")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
