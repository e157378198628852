"""The actions of the screen Levels: apply settings, use levels."""

import re

import pytest

from .leveled_people import SPECIFICATION, open_people, open_renamed, read_page


@pytest.fixture
def counted(studio, people):
    open_people(studio, people)
    return studio


def test_a_table_must_be_counted_before_it_changes(studio):
    assert studio.post("/levels/apply").status_code == 422
    assert studio.post("/levels/use", {"vector": "0"}).status_code == 422


def test_settings_are_applied_as_one_change(counted):
    before = counted.project.text
    given = {"k": "4", "limit": "6", "weight-0": "2.5", "low-2": "1", "high-0": "2"}
    assert counted.post("/levels/apply?vector=1,0,1", given).status_code == 303
    release = counted.project.fields["release"]
    assert (release["k"], release["max_suppressed"]) == (4, 6)
    assert release["constraints"] == ["zip <= 2", "job >= 1"]
    assert float(counted.project.attributes["zip"]["weight"]) == 2.5
    assert "weight" not in counted.project.attributes["sex"]
    assert counted.session.counted is not None
    page = counted.get("/levels").text
    assert 'id="k" name="k" min="2" max="50" step="1" value="4"' in page
    assert 'name="low-2" min="0" max="2" step="1" value="1"' in page
    counted.post("/levels/undo")
    assert counted.project.text == before


def test_other_constraints_stay(counted):
    kept = 'constraints = ["sex <= 0", "job <= 1"]'
    counted.session.change(SPECIFICATION.replace("k = 3", f"k = 3\n{kept}"), "constraints")
    counted.post("/levels/apply", {"high-2": "2", "low-0": "1"})
    assert counted.project.fields["release"]["constraints"] == ["sex <= 0", "zip >= 1"]


@pytest.mark.parametrize(
    ("method", "action", "constraints"),
    [
        ("mingen", "use", ["zip = 2", "sex = 1", "job = 1"]),
        ("samarati", "use", ["zip = 2", "sex = 1", "job = 1"]),
        ("mingen-cells", "bound", ["zip <= 2", "job <= 1"]),
        ("k-similar", "use", ["zip = 2", "sex = 1", "job = 1"]),
    ],
)
def test_levels_are_used(counted, method, action, constraints):
    counted.session.change(SPECIFICATION.replace('"mingen"', f'"{method}"'), "method")
    answer = counted.post(f"/levels/{action}?vector=2,1,1", {"vector": "2,1,1"})
    assert answer.status_code == 303
    assert counted.project.fields["release"]["constraints"] == constraints
    assert counted.project.fields["release"]["method"] == method
    page = counted.get("/levels").text
    if action == "use":
        assert re.search(r'id="best"[^>]*>2,1,1</a>', page)
        assert "1 vector within the bounds, of 24" in read_page(page)
    counted.post("/levels/undo")
    assert "constraints" not in counted.project.fields["release"]


def test_a_method_without_bounds_on_levels_is_replaced(counted):
    counted.session.change(SPECIFICATION.replace('"mingen"', '"datafly"'), "method")
    page = read_page(counted.get("/levels?vector=2,1,1").text)
    assert "datafly does not take bounds on levels; the method becomes mingen" in page
    assert counted.post("/levels/apply", {"low-0": "1"}).status_code == 422
    counted.post("/levels/use", {"vector": "2,1,1"})
    assert counted.project.fields["release"]["method"] == "mingen"
    assert counted.project.fields["release"]["constraints"] == ["zip = 2", "sex = 1", "job = 1"]


def test_levels_that_fail_are_not_used(counted):
    before = counted.project.text
    answer = counted.post("/levels/use", {"vector": "0,0,0"})
    assert answer.status_code == 422
    assert "does not satisfy" in answer.text
    assert counted.project.text == before
    assert 'id="use-exact"' not in counted.get("/levels?vector=0,0,0").text


def test_a_name_that_constraints_cannot_write_is_not_bounded(studio, people):
    open_renamed(studio, people, "sex", " sex")
    answer = studio.post("/levels/apply", {"low-1": "1"})
    assert answer.status_code == 422
    assert "cannot be written in a constraint" in answer.text
