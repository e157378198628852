"""The screen *Policies*: what each policy would show over some months, as a task."""

import pickle

import pytest

from lookalike.errors import InvalidInput
from lookalike.flow.forecast.forecast import AskedForecast
from lookalike.flow.forecast.simulated_people import Rates
from lookalike.studio.editing.project import Project
from lookalike.studio.screens.forecast import ShownForecast, forecast_project
from lookalike.studio.session import Session

from .conftest import SPECIFICATION

HOSTILE = "<script>alert(1)</script>"
FORM = {"months": "2", "leave": "0.1", "come": "0.2", "change": "0", "people": ""}
ASKED = AskedForecast(2, Rates(0.25, 0.5, 0), ("no-ledger", "increments"))


@pytest.fixture
def shown(people):
    return forecast_project(
        lambda _step: None, Project(people, "people.toml", SPECIFICATION), ASKED
    )


def test_the_form_begins_a_simulation_with_what_it_asks_for(studio, monkeypatch):
    begun = []
    monkeypatch.setattr(Session, "begin", lambda _session, *given: begun.append(given))
    studio.post("/forecast/forecast", FORM)
    studio.post("/forecast/forecast", FORM | {"people": "3"})

    assert [given[:2] for given in begun] == [("forecast", forecast_project)] * 2
    assert [given[-1] for given in begun] == [
        AskedForecast(2, Rates(0.1, 0.2, 0)),
        AskedForecast(2, Rates(0.1, 0.2, 0), people=3),
    ]
    assert pickle.loads(pickle.dumps(begun[0][2:]))[-1] == begun[0][-1]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("months", "0"),
        ("months", "121"),
        ("months", HOSTILE),
        ("leave", "1.5"),
        ("come", ""),
        ("change", "-0.1"),
        ("people", "0"),
    ],
)
def test_a_wrong_field_is_refused_beside_it(studio, field, text):
    answer = studio.post("/forecast/forecast", FORM | {field: text})

    assert answer.status_code == 422
    assert f'aria-describedby="forecast-{field}-problem"' in answer.text
    assert HOSTILE not in answer.text


def test_the_page_shows_the_table_and_the_chart(studio, shown):
    assert "Forecast</button>" in studio.get("/forecast").text
    studio.session.keep_result(shown)
    page = studio.get("/forecast").text

    assert "After 2 months" in page
    assert "policy = &#34;increments&#34;" in page or 'policy = "increments"' in page
    assert "<svg" in page
    assert "increments withholds" in page
    assert "--months 2 --leave 0.25 --come 0.5 --change 0" in page
    assert "The specification has changed" not in page
    studio.session.keep_result(ShownForecast("other", shown.found))
    assert "The specification has changed" in studio.get("/forecast").text


def test_the_task_leaves_the_folder_alone(people):
    before = sorted(people.rglob("*"))
    steps = []
    forecast_project(steps.append, Project(people, "people.toml", SPECIFICATION), ASKED)

    assert sorted(people.rglob("*")) == before
    assert "month 2 of 2: increments" in steps


def test_an_undecided_role_is_refused(people):
    text = SPECIFICATION.replace('"sensitive"', '"?"')
    with pytest.raises(InvalidInput, match="not decided"):
        forecast_project(print, Project(people, "people.toml", text), ASKED)


def test_publish_points_to_the_choice(studio):
    assert 'href="/forecast"' in studio.get("/publish").text
