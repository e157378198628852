"""The screen *Policies*: what each policy would show of the table over some months."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.flow.forecast import forecast
from lookalike.flow.forecast.simulate import ALONE
from lookalike.flow.forecast.simulated_people import Rates
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.studio.editing.form_fields import read_field_number, read_whole
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import decide_roles
from lookalike.studio.screens.screen import Query, Screen, read_text, read_texts
from lookalike.studio.session import Refused, Session, read_each

_RATES = {name: str(getattr(forecast.RATES, name)) for name in ("leave", "come", "change")}


@dataclass(frozen=True)
class ShownForecast(Discreet):
    """A forecast, and the text of the specification that it was made with."""

    text: str
    found: forecast.Forecast


def forecast_project(
    announce: Announce, project: Project, asked: forecast.AskedForecast
) -> ShownForecast:
    """Simulate every policy on the table of a project."""
    found = forecast.forecast_policies(decide_roles(project), asked, announce)
    return ShownForecast(project.text, found)


def _show(session: Session, _query: Query) -> dict[str, Any]:
    """Return the latest forecast with its chart, and what the form begins with."""
    shown = session.find_result(ShownForecast)
    return {
        "begin_with": {"months": str(forecast.MONTHS), **_RATES, "people": ""},
        "found": None if shown is None else shown.found,
        "chart": "" if shown is None else shown.found.draw(),
        "is_current": shown is not None and shown.text == session.project.text,
        "alone": ALONE,
    }


def _forecast(session: Session, form: FormData) -> None:
    """Begin the simulation that a form asks for."""
    for name in ("months", *_RATES, "people"):
        read_text(form, name)
    given, wrong = read_each(
        read_texts(form),
        {
            "months": lambda text: _read_number(text, "months", forecast.MOST_MONTHS),
            **dict.fromkeys(_RATES, _read_rate),
            "people": lambda text: _read_number(text, "people", 10**9) if text.strip() else None,
        },
    )
    if wrong:
        raise Refused(wrong)
    rates = Rates(*(given[name] for name in _RATES))
    asked = forecast.AskedForecast(given["months"], rates, people=given["people"])
    session.begin_release("forecast", forecast_project, session.project, asked)


def _read_number(text: str, what: str, most: int) -> int:
    """Read a whole number from 1 on."""
    number = read_whole(text, what, most)
    if number < 1:
        raise InvalidInput(f"{what} must be at least 1")
    return number


def _read_rate(text: str) -> float:
    """Read a share of the people."""
    number = read_field_number(text)
    if number is None or not 0 <= number <= 1:
        raise InvalidInput("must be a share of the people from 0 to 1, such as 0.04")
    return float(number)


def _command(session: Session) -> str:
    """Return the command that makes the latest forecast."""
    shown, words = session.find_result(ShownForecast), list[str]()
    if shown is not None:
        found = shown.found
        asked: Mapping[str, object] = {
            "months": found.months_asked,
            "leave": found.leave,
            "come": found.come,
            "change": found.change,
        }
        words = [word for name, one in asked.items() for word in (f"--{name}", str(one))]
    return shlex.join(("lookalike", "ledger", "forecast", session.project.name, *words))


FORECAST_SCREEN = Screen(
    name="forecast",
    title="Policies",
    show=_show,
    command=_command,
    actions={"forecast": _forecast},
    step="publish",
)
