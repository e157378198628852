"""The form of *Explore*: which settings are tried, and what is wrong beside each field."""

import html
import re

import pytest

from lookalike.describe.frontier import KS
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.studio.frontier import try_grid
from lookalike.studio.screens.explore import MOST_POINTS, propose_grid, read_grid, write_grid
from lookalike.studio.session import Session

from .conftest import SPECIFICATION
from .explored_folder import GRID

HOSTILE = '<script>alert("x")</script>'
ASKED = {"ks": "2 4", "limits": "0.0, 0.01", "time_limit": "9", "method-mingen": "on"}


@pytest.fixture
def begun(monkeypatch):
    """The tasks that would have been begun."""
    tasks = []
    monkeypatch.setattr(Session, "begin", lambda _session, *given: tasks.append(given))
    return tasks


def test_the_usual_grid_is_proposed_with_what_the_specification_asks_for(studio):
    text = SPECIFICATION.replace("k = 2", 'k = 7\nmax_suppressed = 9\nmethod = "k-similar"')
    studio.session.change(text, "k")
    grid = propose_grid(studio.project)
    assert {*grid.ks} == {*KS, 7}
    assert 9 in grid.limits
    assert {*grid.methods} == {*DEFAULT_METHODS, "k-similar"}
    page = studio.get("/explore").text
    for name in ALGORITHMS:
        box = re.search(rf'<input[^>]*name="method-{name}"[^>]*>', page)[0]
        assert ("checked" in box) == (name in grid.methods)
        assert TAKES[name].meaning in html.unescape(page)


def test_a_grid_is_read_from_the_fields_that_ask_for_it():
    assert read_grid(write_grid(GRID, 60.0)) == (GRID, 60.0)
    assert read_grid(write_grid(GRID, None)) == (GRID, None)


def test_the_grid_of_the_form_is_tried(studio, begun):
    assert studio.post("/explore/run", ASKED).status_code == 303
    [(name, task, project, grid, seconds)] = begun
    assert (name, task, project) == ("exploration", try_grid, studio.project)
    assert (grid.ks, [str(one) for one in grid.limits]) == ((2, 4), ["0.0", "0.01"])
    assert (grid.methods, seconds) == (("mingen",), 9.0)


BAD = [
    ("ks", "", "at least one"),
    ("ks", "1", "at least 2"),
    ("ks", "2.5", "whole number"),
    ("ks", "5 many", "whole number"),
    ("ks", HOSTILE, "whole number"),
    ("ks", " ".join(map(str, range(2, MOST_POINTS))), f"at most {MOST_POINTS}"),
    ("limits", "", "at least one"),
    ("limits", "0,01", "write fractions as 0.01"),
    ("limits", "-1", "must be a number"),
    ("limits", "1.5", "fraction"),
    ("time_limit", "0", "more than 0"),
    ("time_limit", "1e9", "must be a number"),
    ("time_limit", "999999", "more than 0"),
]


@pytest.mark.parametrize(("field", "value", "why"), BAD)
def test_a_wrong_field_is_refused_beside_it(studio, begun, field, value, why):
    answer = studio.post("/explore/run", ASKED | {field: value})
    assert answer.status_code == 422
    place = f"{field.replace('_', '-')}-problem"
    problem = re.search(rf'id="{place}">(.*?)</p>', answer.text)[1]
    assert why in html.unescape(problem)
    assert f'aria-describedby="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert begun == []


def test_a_method_is_required_and_the_form_is_shown_again(studio, begun):
    given = {name: value for name, value in ASKED.items() if not name.startswith("method")}
    answer = studio.post("/explore/run", given)
    assert answer.status_code == 422
    assert "choose at least one method" in answer.text
    assert 'value="2 4"' in answer.text
    assert not re.search(r'name="method-mingen" checked', answer.text)
    assert begun == []


@pytest.mark.parametrize(
    ("before", "after"), [('"sensitive"', '"?"'), ("k = 2", "k = 2\nmethod = 3")]
)
def test_an_unfinished_specification_is_not_tried(studio, people, begun, before, after):
    (people / "people.toml").write_text(SPECIFICATION.replace(before, after))
    studio.post("/data/load")
    assert studio.post("/explore/run", ASKED).status_code == 422
    assert begun == []
