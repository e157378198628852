"""What requests about levels share, and what they search for again."""

import re
from dataclasses import replace

import pytest

from lookalike.model.requirement import Requirement
from lookalike.search.options import SearchOptions
from lookalike.studio.levels import level_work
from lookalike.studio.levels.level_work import AskedLevels, LevelWork
from lookalike.studio.levels.open_levels import open_levels, settle_levels
from lookalike.studio.screens import levels as screen

from .forms import read_forms
from .leveled_people import SPECIFICATION, count_people, open_people, read_page

FREQUENCY = count_people(SPECIFICATION, 0)


def ask(k=3):
    return AskedLevels(Requirement(k, 4), Requirement(k, 4), SearchOptions(), ())


@pytest.fixture
def work():
    return LevelWork(FREQUENCY)


def test_a_vector_that_is_not_proved_is_searched_for_again_if_there_is_time(work, monkeypatch):
    monkeypatch.setattr(level_work, "SEARCH_SECONDS", 0.0)
    found = work.find_best(ask())
    assert not found.is_proved
    assert found.vector == FREQUENCY.heights
    monkeypatch.undo()
    assert work.find_best(ask(), is_hasty=True) is found
    proved = work.find_best(ask())
    assert proved.is_proved
    assert proved.precision > found.precision
    assert work.find_best(ask()) is proved


def test_a_page_says_that_the_time_was_over(studio, people, monkeypatch):
    open_people(studio, people)
    monkeypatch.setattr(level_work, "SEARCH_SECONDS", 0.0)
    page = read_page(studio.get("/levels").text)
    assert "not proved the best; none exceeds" in page
    assert "Time ran out." in page
    assert "Best levels so far" in page
    assert "★ best so far" in page
    assert "best so far with these settings" in page
    assert "★ the best" not in page
    monkeypatch.undo()
    assert "proved the best" in read_page(studio.get("/levels").text)
    assert "The time for an answer" not in read_page(studio.get("/levels").text)


KEEPING = SPECIFICATION.replace("max_suppressed = 4", "max_suppressed = 10")
for name, least in (("zip", 0.2), ("sex", 0.1), ("job", 0.1)):
    KEEPING = KEEPING.replace(f"[attributes.{name}]", f"[attributes.{name}]\nkeep = {least}")
"""The most general levels that keep enough of each column do not keep enough of all together."""


def find_best_levels(page):
    """Return the best levels that a page shows."""
    found = re.search(r'<a id="best"[^>]*>([\d,]+)<', page)
    return found and found[1]


def test_that_no_levels_were_found_in_time_does_not_say_that_there_are_none(
    studio, people, monkeypatch
):
    open_people(studio, people, KEEPING)
    monkeypatch.setattr(level_work, "HASTY_SECONDS", 0.0)
    monkeypatch.setattr(level_work, "SEARCH_SECONDS", 0.0)
    for address in ("/levels?moving=1", "/levels", "/levels?k=3&pin-0=same"):
        page = read_page(studio.get(address).text)
        assert "No levels satisfy this" not in page
        assert "raise time_limit" not in page
        assert "No levels that satisfy this were found in the time available." in page
        assert "There may be levels that satisfy this." in page
    form = next(
        one for one in read_forms(studio.get("/levels").text) if "settle" in str(one.buttons)
    )
    assert studio.post(form.buttons[0][0], form.fields).status_code == 303
    studio.session.work.wait(600)
    assert find_best_levels(studio.get("/levels").text) == "1,0,1"


def test_levels_that_were_not_found_in_haste_are_searched_for_again(studio, people, monkeypatch):
    open_people(studio, people, KEEPING)
    monkeypatch.setattr(level_work, "HASTY_SECONDS", 0.0)
    assert find_best_levels(studio.get("/levels?moving=1").text) is None
    assert find_best_levels(studio.get("/levels").text) == "1,0,1"


def test_compiled_code_is_loaded_before_the_time_runs(work):
    assert work.roll_up(Requirement(3)).evaluated == 2
    assert work.roll_up(Requirement(4)).evaluated == 0


def test_searches_of_one_requirement_share_their_evaluations(work):
    work.find_best(ask())
    rollups = work.roll_up(ask().requirement)
    known = rollups.evaluated
    work.find_best(ask())
    assert work.roll_up(ask().requirement) is rollups
    assert rollups.evaluated == known


def test_the_latest_results_are_kept(work):
    for k in range(2, 2 + level_work.MOST_KEPT):
        work.find_best(ask(k))
    assert len(work._kept) == level_work.MOST_KEPT
    assert ("best", ask(2).key) not in work._kept
    assert ("best", ask(1 + level_work.MOST_KEPT).key) in work._kept


def test_the_best_is_searched_for_until_it_is_proved_and_all_is_decided(
    studio, people, monkeypatch
):
    open_people(studio, people, extra=2)
    monkeypatch.setattr(level_work, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(screen, "DECIDE_SECONDS", 0.0)
    before = studio.get("/levels?k=4").text
    assert "384 of 384 vectors are not decided" in read_page(before)
    forms = [one for one in read_forms(before) if one.buttons]
    [form] = [one for one in forms if one.buttons[0][0].startswith("/levels/settle")]
    assert studio.post(form.buttons[0][0], form.fields).headers["location"] == "/levels?k=4"
    studio.session.work.wait(600)
    after = read_page(studio.get("/levels?k=4").text)
    assert "★ the best" in after
    assert "not decided in the time" not in after
    assert "so far" not in after
    assert "so far" in read_page(studio.get("/levels").text)
    monkeypatch.undo()
    asked = replace(studio.project, text=studio.project.text.replace("k = 3", "k = 4"))
    opened = open_levels(asked, LevelWork(studio.session.counted.frequency))
    assert f"{opened.work.find_best(opened.asked).precision:.4f}" in after


def test_what_was_settled_for_another_table_is_not_shown(studio, people, monkeypatch):
    open_people(studio, people)
    session = studio.session
    settled = settle_levels(lambda _: None, studio.project)
    session.keep_result(replace(settled, key="another"))
    monkeypatch.setattr(level_work, "SEARCH_SECONDS", 0.0)
    assert "so far" in read_page(studio.get("/levels").text)
    session.keep_result(settled)
    assert "so far" not in read_page(studio.get("/levels").text)
