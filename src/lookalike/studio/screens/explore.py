"""The screen *Explore*, part *Frontier*: what many settings keep and lose, and each closely."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from starlette.datastructures import FormData

from lookalike.describe.frontier import KS, TrialSetting, with_setting
from lookalike.errors import InvalidInput, not_one_of
from lookalike.flow.explore.exploration import LIMITS, Grid
from lookalike.search.methods import TAKES
from lookalike.spec.choose_method import DEFAULT_METHODS, list_methods
from lookalike.spec.specification import Specification
from lookalike.studio import frontier
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.form_fields import Given, read_field_number
from lookalike.studio.editing.project import Project, find_problems
from lookalike.studio.frontier import AXES, TriedSettings, name_setting, read_point_place, try_grid
from lookalike.studio.screens.screen import (
    Query,
    Screen,
    read_text,
    read_texts,
    settle_state,
    write_command,
)
from lookalike.studio.session import Refused, Session, read_each

MOST_POINTS = 400
"""The most points of a grid; a page lists all of them."""
USUAL_SECONDS = 300
"""The time limit that is proposed."""
_LONGEST_DAY = 86_400
_Read = TypeVar("_Read")


def propose_grid(project: Project) -> Grid:
    """Return the usual values, and those of the specification."""
    asked = {} if project.problems else project.table("release")
    return Grid(
        tuple(sorted({*KS, asked.get("k", KS[0])})),
        tuple(sorted({*LIMITS, asked.get("max_suppressed", LIMITS[0])})),
        tuple(dict.fromkeys((*DEFAULT_METHODS, asked.get("method", DEFAULT_METHODS[0])))),
    )


def read_grid(given: Given) -> tuple[Grid, float | None]:
    """Return the grid and the time limit that the fields of a form ask for."""
    readers: Mapping[str, Callable[[str], Any]] = {
        "ks": lambda text: Grid(ks=read_different_numbers(text, read_k)).ks,
        "limits": lambda text: Grid(limits=read_different_numbers(text, _read_number)).limits,
        "time_limit": read_seconds,
    }
    found, wrong = read_each(given, readers)
    ks, limits = found.get("ks", ()), found.get("limits", ())
    methods = tuple(name for name in list_methods() if f"method-{name}" in given)
    if not methods:
        wrong["methods"] = "choose at least one method"
    if (points := len(ks) * len(limits) * len(methods)) > MOST_POINTS:
        wrong["ks"] = f"this makes {points:,} points, and at most {MOST_POINTS} can be tried"
    if wrong:
        raise Refused(wrong)
    return Grid(ks, limits, methods), found["time_limit"]


def read_different_numbers(text: str, read: Callable[[str], _Read]) -> tuple[_Read, ...]:
    """Return the different numbers of a text, which spaces or commas separate."""
    words = re.split(r"[\s,;]+", text.strip(" ,;"))
    if words == [""]:
        raise InvalidInput("name at least one number")
    return tuple(dict.fromkeys(map(read, words)))


def _read_number(word: str) -> int | Decimal:
    """Return a number of rows, or a share of the rows."""
    number = read_field_number(word)
    if number is None or re.fullmatch("0[0-9]+", word):
        raise InvalidInput("separate numbers by spaces, and write fractions as 0.01")
    return number


def read_k(word: str) -> int:
    """Return a whole number."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise InvalidInput("k must be a whole number, such as 5")
    return int(word)


def read_seconds(text: str) -> float | None:
    """Return a time limit; none if the field is empty."""
    seconds = read_field_number(text)
    if seconds is not None and not 0 < seconds <= _LONGEST_DAY:
        raise InvalidInput(f"must be more than 0 and at most {_LONGEST_DAY:,} seconds")
    return None if seconds is None else float(seconds)


def write_grid(grid: Grid, seconds: float | None) -> dict[str, str]:
    """Return the fields of a form that ask for a grid; the inverse of :func:`read_grid`."""
    return {
        "ks": " ".join(map(str, grid.ks)),
        "limits": " ".join(map(str, grid.limits)),
        "time_limit": "" if seconds is None else f"{seconds:g}",
        **{f"method-{name}": "on" for name in grid.methods},
    }


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the grid to try, and what was found."""
    tried = session.find_result(TriedSettings)
    shown = {
        "fields": write_grid(*_find_grid(session)),
        "methods": {name: TAKES[name].meaning for name in list_methods()},
        "tried": tried,
    }
    return shown if tried is None else {**shown, **_show_found(session, tried, query)}


def _find_grid(session: Session) -> tuple[Grid, float | None]:
    """Return the grid and the time limit that were tried, or else those to propose."""
    tried = session.find_result(TriedSettings)
    if tried is None:
        return propose_grid(session.project), USUAL_SECONDS
    return tried.grid, tried.time_limit


def _show_found(session: Session, tried: TriedSettings, query: Query) -> dict[str, Any]:
    """Return the chart, the points, and one of them closely."""
    found, across = tried.exploration, query.get("across", "k")
    if across not in AXES:
        raise InvalidInput(not_one_of("across", across, AXES))
    if across not in tried.charts:  # more are drawn at the end
        (across,) = tried.charts
    own = frontier.find_own_setting(session.project, found)
    own_place = frontier.find_point_place(found, own)
    failures: dict[str, list[TrialSetting]] = {}  # why points are not possible
    for point in found.points:
        if point.error is not None:
            failures.setdefault(point.error, []).append(point.setting)
    place = read_point_place(found, query["point"]) if "point" in query else own_place
    chart = frontier.mark_point(tried.charts[across], own_place, across, "own")
    return {
        "found": found,
        "differences": frontier.list_differences(tried, session.project),
        "axes": {name: AXES[name] for name in tried.charts},
        "across": across,
        "chart": frontier.mark_point(chart, place, across, "opened"),
        "own": own,
        "own_place": own_place,
        "sort": query.get("sort"),
        "points": frontier.list_points(found, query.get("sort", "k")),
        "undrawn": sum(one.outcome is not None for one in found.points) - chart.count("<a "),
        "failures": failures,
        "unreached": [
            one.setting for one in found.points if not one.is_reached and not session.is_busy
        ],
        "name_setting": name_setting,
        "name_limit": frontier.name_limit,
        "address_point": frontier.address_point,
        **_show_point(tried, place, own_place),
    }


def _show_point(tried: TriedSettings, place: int | None, own_place: int | None) -> dict[str, Any]:
    """Return one point closely, beside that of the specification."""
    found = tried.exploration
    own = None if own_place is None else found.points[own_place].outcome
    if place is None or (outcome := found.points[place].outcome) is None:
        return {"place": None}
    return {
        "place": place,
        "point": found.points[place],
        "outcome": outcome,
        "better": frontier.find_better(found, place),
        "own_outcome": None if place == own_place else own,
    }


def _run(session: Session, form: FormData) -> None:
    """Try the settings of a grid."""
    grid, seconds = read_grid(read_texts(form))
    session.begin_release("exploration", try_grid, session.project, grid, seconds)


def _find_tried(session: Session) -> TriedSettings:
    """Return what was tried, if it is still there."""
    tried = session.find_result(TriedSettings)
    if tried is None:
        raise InvalidInput("nothing was tried yet; explore first")
    return tried


def _use(session: Session, form: FormData) -> None:
    """Let the specification ask for the setting of a point."""
    found = _find_tried(session).exploration
    setting = found.points[read_point_place(found, read_text(form, "point"))].setting
    text = use_setting(session.project.text, setting, found.rows)
    session.change(text, f"setting: {name_setting(setting)}")


def _follow(session: Session, form: FormData) -> None:
    """Write the fields and weights that an advice names into the specification."""
    listed, text = _find_tried(session).exploration.advice, session.project.text
    place = read_text(form, "advice")
    if place not in map(str, range(len(listed))):
        raise InvalidInput("there is no such advice; reload the page")
    advice = listed[int(place)]
    for name, value in advice.release.items():
        text = set_field(text, ("release",), name, value)
    for attribute, weight in advice.weights.items():
        text = set_field(text, ("attributes", attribute), "weight", weight)
    session.change(text, f"advice: {', '.join((*advice.release, *advice.weights))}")


def _command(session: Session) -> str:
    """Return the command that tries the same settings; it needs no option for the usual ones."""
    (grid, seconds), usual = _find_grid(session), propose_grid(session.project)
    options = [f"--k {k}" for k in grid.ks if grid.ks != usual.ks]
    options += [f"--max-suppressed {limit}" for limit in grid.limits if grid.limits != usual.limits]
    options += [f"--method {name}" for name in grid.methods if grid.methods != usual.methods]
    options += [] if seconds is None else [f"--time-limit {seconds:g}"]
    return write_command("explore", *options)(session)


EXPLORE_SCREEN = Screen(
    name="explore",
    title="Frontier",
    show=_show,
    command=_command,
    actions={"run": _run, "use": _use, "follow": _follow},
    step_title="Explore",
    state=lambda session: settle_state(session.find_result(TriedSettings) is not None),
)


def use_setting(text: str, setting: TrialSetting, rows: int) -> str:
    """Return a specification that asks for a setting; what else is wrong with it is said later."""
    fields = {
        "method": setting.method,
        "k": setting.k,
        "max_suppressed": setting.max_suppressed,
        "highest_risk": None,
    }
    for name, value in fields.items():
        text = set_field(text, ("release",), name, value)
    if find_problems(text):
        return text
    asked = Specification.build(parse_toml(text))
    if asked.requirement(rows) != with_setting(asked, setting).requirement(rows):
        raise InvalidInput(
            "the specification sets k in another place, too, such as a quasi-identifier or a "
            "recipient; change it in the text of the specification"
        )
    return text
