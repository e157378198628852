"""The screen *Levels*: which levels satisfy the requirement, why others fail, and trying settings.

Everything is evaluated in the request, on the counted table, and within time limits.
"""

import shlex
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import FormData

from lookalike.describe.lattice import MOST_DRAWN
from lookalike.errors import InvalidInput, LookalikeError
from lookalike.model.lattice import Lattice, Vector
from lookalike.search.lattice.decide import MOST_DECIDED
from lookalike.studio.editing.form_fields import read_whole
from lookalike.studio.levels import open_levels as levels
from lookalike.studio.levels import vector_facts
from lookalike.studio.levels.level_work import LevelTrial, LevelWork, SettledLevels
from lookalike.studio.levels.open_levels import ATTRIBUTE_METHOD, LevelSettings, OpenLevels
from lookalike.studio.levels.vector_facts import MarkedLattice, describe_vector
from lookalike.studio.levels.wanted_vectors import LOSSES, read_wanted
from lookalike.studio.screens.screen import Query, Screen, read_text, read_texts, write_command
from lookalike.studio.session import Session

DECIDE_SECONDS = 0.25
"""How long the lattice is decided for a page."""
MOVING_SECONDS = 0.04
"""The same while a slider moves."""
_SAME = "same"
"""The query of settings that do not differ from the specification."""
MOST_PINS = 4
_PINS = tuple(f"pin-{place}" for place in range(MOST_PINS))
"""The fields of the address that have settings to compare with, each as an address of its own."""
_VIEW_FIELDS = ("height", "x", "y", "kept", "lost", *_PINS)
"""The fields of the address that choose what is looked at."""


@dataclass(frozen=True, eq=False)
class _Tried:
    """What an address asks for: the specification, the settings to try, and their outcome."""

    own: OpenLevels
    settings: LevelSettings
    opened: OpenLevels
    trial: LevelTrial

    @property
    def is_other(self) -> bool:
        """Whether the settings differ from the specification."""
        return self.settings != self.own.settings

    @cached_property
    def changes(self) -> dict[str, str]:
        """The fields of the settings that differ from the specification."""
        before = self.own.settings.fields
        return {name: one for name, one in self.settings.fields.items() if before[name] != one}

    @property
    def query(self) -> str:
        """The settings as the query of an address."""
        return urlencode(self.changes) or _SAME


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the outcome of the settings, the lattice, and the vector that is looked at."""
    counted = session.counted
    if counted is None:
        return {"own": None, "problem": ""}
    try:
        own = _open(session, counted.levels)
    except LookalikeError as error:
        return {"own": None, "problem": str(error)}
    settled = session.find_result(SettledLevels)
    if settled is not None and settled.key == counted.key:
        own.work.take(settled)
    settings, is_hasty = own.read(query), "moving" in query
    tried = _Tried(own, settings, *levels.try_levels(own, settings, is_hasty=is_hasty))
    shown = _find_shown(query, tried)
    view = {name: query[name] for name in _VIEW_FIELDS if query.get(name)}
    if "vector" in query or any(name.startswith("at-") for name in query):
        view["vector"] = ",".join(map(str, shown))

    def write_address(**fields: Any) -> str:
        state = {**tried.changes, **view, **fields}
        kept = {name: one for name, one in state.items() if one is not None}
        return f"?{urlencode(kept, safe=',')}"

    return {
        "own": own,
        "problem": "",
        "tried": tried,
        "before": own.work.find_best(own.asked, is_hasty=is_hasty)
        if tried.is_other
        else tried.trial,
        **_compare_pins(query, tried),
        "sliders": levels.list_sliders(own, settings),
        "fields": settings.fields,
        "view": view,
        "reset": urlencode(view, safe=","),
        "address": write_address,
        "commands": _write_command(session, tried, shown),
        **_show_lattice(query, tried, shown),
    }


def _open(session: Session, work: LevelWork) -> OpenLevels:
    """Return what the specification asks for, opened once."""
    project = session.project
    return work.share(("opened", project.text), lambda: levels.open_levels(project, work))


def _compare_pins(query: Query, tried: _Tried) -> dict[str, Any]:
    """Return the settings to compare with, each with the field that has them, and their outcome."""
    own, pinned, free = tried.own, list[tuple[str, _Tried]](), list[str]()
    for name in _PINS:
        if name not in query:
            free.append(name)
            continue
        settings = own.read(dict(parse_qsl(query[name])))
        outcome = levels.try_levels(own, settings, is_hasty=True)
        pinned.append((name, _Tried(own, settings, *outcome)))
    return {
        "pinned": pinned,
        "free_pin": next(iter(free), None),
        "no_changes": dict.fromkeys(tried.changes),
        "name_setting": lambda field: _name_setting(own, field),
    }


def _name_setting(own: OpenLevels, field: str) -> str:
    """Return the name of a field of settings, in words."""
    kind, _, place = field.partition("-")
    if not place:
        return {"k": "k", "limit": "suppressed"}[kind]
    word = {"weight": "weight of", "low": "lowest level of", "high": "highest level of"}[kind]
    return f"{word} {own.frequency.attributes[int(place)]}"


def _find_shown(query: Query, tried: _Tried) -> Vector:
    """Return the vector that the address names, or the best one."""
    frequency = tried.own.frequency
    named = query.get("vector")
    shown = tried.trial.vector or tried.opened.lattice.top
    if named is not None:
        shown = levels.read_vector(named, frequency)
    return tuple(
        read_whole(query[field], field, height) if (field := f"at-{n}") in query else level
        for n, (level, height) in enumerate(zip(shown, frequency.heights, strict=True))
    )


def _show_lattice(query: Query, tried: _Tried, shown: Vector) -> dict[str, Any]:
    """Return the lattice, as a diagram or by height, and the described vector."""
    asked, work, lattice = tried.opened.asked, tried.own.work, tried.opened.lattice
    seconds = MOVING_SECONDS if "moving" in query else DECIDE_SECONDS
    decided = work.decide(asked, lattice, seconds) if lattice.size <= MOST_DECIDED else None
    rollups = work.roll_up(asked.requirement)
    wanted, few = read_wanted(query, rollups, asked), None
    if wanted.is_choice and decided is not None:
        few = work.decide(asked, lattice, seconds, wanted.allowance)
    marked = MarkedLattice(rollups, asked, lattice, decided, tried.trial, shown, wanted, few)
    whole = Lattice.of_heights(tried.own.frequency.heights)
    drawn = whole if whole.size <= MOST_DRAWN else lattice
    large = drawn.size > MOST_DRAWN
    return {
        "lattice": lattice,
        "whole": whole,
        "decided": decided,
        "facts": describe_vector(rollups, asked, shown),
        "budgets": work.measure_budgets(asked, shown),
        "marked": marked.mark(shown),
        "diagram": None if large else vector_facts.draw_diagram(marked, drawn),
        "heights": decided.count_by_height() if large and decided is not None else [],
        "listed": _list_vectors(marked, query) if large else None,
        "wanted": wanted,
        "losses": LOSSES,
        "map": vector_facts.map_levels(marked, query) if large else None,
        "conditions": [vector_facts.write_constraint(one) for one in asked.conditions],
    }


def _list_vectors(marked: MarkedLattice, query: Query) -> dict[str, Any] | None:
    """List the wanted vectors, or those of the height that the address names."""
    if "height" in query or not marked.wanted.is_choice:
        return vector_facts.list_height(marked, query)
    return vector_facts.list_wanted(marked)


def _write_command(session: Session, tried: _Tried, shown: Vector) -> str:
    """Return the command that shows a release at a vector, with the k and limit that are tried."""
    named = zip(tried.own.frequency.attributes, shown, strict=True)
    levels = [f"--constraint {shlex.quote(f'{name} = {level}')}" for name, level in named]
    numbers = (("k", "--k"), ("limit", "--max-suppressed"))
    changed = [
        f"{option} {tried.changes[name]}" for name, option in numbers if name in tried.changes
    ]
    release = write_command("release", "--dry-run")(session)
    return " ".join([release, f"--method {ATTRIBUTE_METHOD}", *changed, *levels])


def _read_form(session: Session, form: FormData) -> tuple[OpenLevels, LevelSettings]:
    """Return what is open, and the settings of a form."""
    own = levels.open_levels(session.project, session.require_counted().levels)
    return own, own.read(read_texts(form))


def _settle(session: Session, form: FormData) -> None:
    """Continue until the best vector is proved and every vector is decided, as a task."""
    own, settings = _read_form(session, form)
    opened = own if settings == own.settings else own.change(settings)
    session.begin("levels", levels.settle_levels, opened.project)


def _apply(session: Session, form: FormData) -> None:
    """Write the settings that were tried into the specification."""
    own, tried = _read_form(session, form)
    changed = own.change(tried)
    changed.require_taken()
    session.change(changed.project.text, "weights, levels, k and suppression")


def _hold(session: Session, form: FormData, *, exactly: bool) -> None:
    """Release exactly a vector, or bound levels by it, with the settings with which it was found.

    It must satisfy the requirement. A method that does not take bounds on levels is replaced by one
    that does.
    """
    own, tried = _read_form(session, form)
    vector = levels.read_vector(read_text(form, "vector"), own.frequency)
    bottom = vector if exactly else tuple(map(min, tried.bottom, vector))
    held = replace(tried, bottom=bottom, top=vector)
    changed = own.change(held, "" if own.takes.level_bounds else ATTRIBUTE_METHOD)
    changed.require_taken()
    rollups = own.work.roll_up(changed.asked.requirement)
    if not describe_vector(rollups, changed.asked, vector).can_be_released:
        raise InvalidInput("a release at these levels does not satisfy the requirement")
    session.change(changed.project.text, f"levels {','.join(map(str, vector))}")


LEVELS_SCREEN = Screen(
    name="levels",
    title="Levels",
    show=_show,
    command=write_command("minimal"),
    actions={
        "settle": _settle,
        "apply": _apply,
        "use": lambda session, form: _hold(session, form, exactly=True),
        "bound": lambda session, form: _hold(session, form, exactly=False),
    },
    step="explore",
)
