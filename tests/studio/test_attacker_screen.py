"""The screen *What would an attacker see?*: the address has a person and what is known."""

import re

import pytest

from lookalike.studio.editing.project import Project
from lookalike.studio.releases import paired_table
from lookalike.studio.releases.release_summary import compare_release
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION
from .test_compare import HOSTILE


@pytest.fixture
def attacked(studio, people):
    """A studio after a dry run."""
    found = compare_release(TaskLine(), Project(people, "people.toml", SPECIFICATION), None)
    studio.session.keep_result(found)
    return studio


def read_counts(page):
    """Return how many rows fit, in the private table and in the release."""
    found = re.findall(r"<b>([0-9,]+)</b> rows? fits?", page)
    return [int(one.replace(",", "")) for one in found]


def test_without_a_dry_run_the_page_offers_one(studio):
    page = studio.get("/attacker").text
    assert "Make a dry run" in page
    assert 'id="seen"' not in page


def test_at_first_somebody_unique_is_shown_whose_quasi_identifier_is_known(attacked):
    page = attacked.get("/attacker").text
    assert read_counts(page) == [1, 2]
    assert "A guess is right with a probability of 50.0 %" in page
    assert "2 rows that may be the person's" in page
    assert "These values are private" in page


def test_somebody_who_knows_the_sensitive_value_may_find_fewer_than_k(attacked, people):
    assert read_counts(attacked.get("/attacker?row=1").text) == [4, 4]
    assert read_counts(attacked.get("/attacker?row=1&know1=on").text) == [2, 2]
    (people / "people.csv").write_text("no,zip,ill\n1,02138,flu\n2,02139,cold\n3,02138,flu\n")
    found = compare_release(TaskLine(), Project(people, "people.toml", SPECIFICATION), None)
    attacked.session.keep_result(found)
    page = attacked.get("/attacker?row=2&know0=on&know1=on").text
    assert read_counts(page) == [1, 1]
    assert "Fewer than k = 2 rows remain: ill is released as it is" in page
    assert "The person is found." in page


def test_an_invented_person_has_other_values(attacked):
    page = attacked.get("/attacker?row=1&know0=on&know1=on&value0=2").text
    assert read_counts(page) == [0, 0]
    assert "The attacker finds nobody." in page
    other = attacked.get("/attacker?row=1&know0=on&value0=2").text
    assert read_counts(other) == [1, 2]
    assert '<option value="2" selected>02141</option>' in other


def test_what_else_is_learned_is_shown_with_its_share(attacked):
    page = attacked.get("/attacker?row=1&know0=on").text
    learned = page.split("What else the attacker learns")[1]
    assert '<span class="value">flu</span> 100.0 %' in learned
    assert '<b class="not-met">100.0 %</b>' in learned
    assert "50.0 %</td>" in learned


@pytest.mark.parametrize(
    "query", ["row=0", "row=5", "row=x", "row=1&value0=9", "row=1&value1=²", f"row={HOSTILE}"]
)
def test_a_person_who_does_not_exist_is_refused(attacked, query):
    answer = attacked.get(f"/attacker?{query}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert HOSTILE not in answer.text


def test_a_table_that_was_compared_in_part_is_refused(studio, people, monkeypatch):
    monkeypatch.setattr(paired_table, "CELLS_PAIRED", 4)
    found = compare_release(TaskLine(), Project(people, "people.toml", SPECIFICATION), None)
    studio.session.keep_result(found)
    page = studio.get("/attacker").text
    assert "too many rows for this page" in page
    assert 'id="seen"' not in page


@pytest.mark.parametrize("role", ["sensitive", "quasi-identifier"])
def test_columns_that_are_not_offered_are_counted(studio, people, monkeypatch, role):
    monkeypatch.setattr(paired_table, "COLUMNS_PAIRED", 1)
    hidden = 'role = "quasi-identifier"\nhierarchy = { kind = "suppress" }'
    asked = {
        "sensitive": SPECIFICATION,
        "quasi-identifier": SPECIFICATION.replace('role = "sensitive"', hidden),
    }
    found = compare_release(TaskLine(), Project(people, "people.toml", asked[role]), None)
    studio.session.keep_result(found)
    assert "1 further column is not offered here" in studio.get("/attacker").text
    page = studio.get("/compare").text
    assert "1 further column is not shown" in page


def test_an_older_dry_run_is_named(attacked):
    attacked.session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
    assert "predates that change" in attacked.get("/attacker").text


def test_values_of_the_table_are_text(studio, people):
    (people / "people.csv").write_text(f"no,zip,ill\n1,02138,{HOSTILE}\n2,02139,{HOSTILE}\n")
    found = compare_release(TaskLine(), Project(people, "people.toml", SPECIFICATION), None)
    studio.session.keep_result(found)
    page = studio.get("/attacker?row=1&know1=on").text
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
