"""The screen *Explore*: many settings are tried, looked at closely, and used."""

import html
import pickle
import re
from dataclasses import replace

import pytest

from lookalike.describe.frontier import TrialSetting
from lookalike.flow.explore.exploration import Grid
from lookalike.studio import frontier
from lookalike.studio.frontier import (
    AXES,
    TriedSettings,
    find_better,
    find_point_place,
    try_grid,
)
from lookalike.studio.work import TaskLine

from . import tasks
from .explored_folder import GRID, HOSTILE_NAME, TEXT, explore_once, fill_folder, show_explored

HOSTILE = '<script>alert("x")</script>'


def test_the_step_is_called_explore_and_its_part_frontier(studio):
    page = studio.get("/explore").text
    assert re.search(r'id="step-explore"[^>]*aria-current="step">[^/]*</span> Explore<', page)
    assert "<h1>Frontier</h1>" in page


def test_what_is_tried_can_be_sent_between_processes():
    tried, steps = explore_once()
    again = pickle.loads(pickle.dumps(tried))
    assert isinstance(again, TriedSettings)
    assert again.exploration.points == tried.exploration.points
    assert {*again.charts} == {*AXES}
    assert any("point 3 of 12: mingen" in step for kind, step in steps if kind == "step")
    assert HOSTILE_NAME not in repr(tried)


@pytest.mark.parametrize("across", AXES)
def test_every_point_is_a_link_of_the_chart_and_of_the_table(studio, across):
    found = show_explored(studio)
    made = {place for place, one in enumerate(found.points) if one.outcome is not None}
    page = html.unescape(studio.get(f"/explore?across={across}").text)
    chart, table = page.partition("</svg>")[0], page.partition('id="points"')[2]
    assert made == {*map(int, re.findall(rf'href="\?across={across}&point=(\d+)" ', chart))}
    assert made == {
        *map(int, re.findall(rf'id="row-\d+" href="\?across={across}&point=(\d+)"', table))
    }
    assert "mingen, k = 3, no rows suppressed: " in chart
    for outcome in (point.outcome for point in found.points if point.outcome):
        assert f"{100 * outcome.precision:.1f} %" in table


def test_the_points_are_sorted(studio):
    found = show_explored(studio)
    page = studio.get("/explore?sort=kept").text
    order = [int(one) for one in re.findall(r'id="row-(\d+)"', page)]
    kept = [found.points[place].outcome.precision for place in order]
    assert kept == sorted(kept, reverse=True)
    assert 'aria-sort="descending"><a id="sort-kept"' in page
    losses = re.findall(r'id="row-(\d+)"', studio.get("/explore?sort=lost").text)
    lost = [found.points[int(place)].outcome.rows_lost for place in losses]
    assert lost == sorted(lost)


@pytest.mark.parametrize("query", ["point=99", "point=-1", "point=x", "across=x", "sort=x"])
def test_what_does_not_exist_is_refused(studio, query):
    show_explored(studio)
    answer = studio.get(f"/explore?{query}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_a_failed_point_cannot_be_opened_and_its_reason_is_listed(studio):
    found = show_explored(studio)
    [failed, *_] = [place for place, one in enumerate(found.points) if one.error]
    assert studio.get(f"/explore?point={failed}").status_code == 422
    assert studio.post("/explore/use", {"point": str(failed)}).status_code == 422
    page = studio.get("/explore").text
    assert "Settings without a release" in page
    assert "60 eligible rows, fewer than k = 61" in page


def test_points_that_were_not_reached_are_listed(studio):
    found = show_explored(studio)
    late = tuple(replace(one, outcome=None, error=None) for one in found.points)
    tried = replace(
        studio.session.find_result(TriedSettings), exploration=replace(found, points=late)
    )
    studio.session.keep_result(tried)
    page = studio.get("/explore").text
    assert "12 settings were tried" in page
    assert "and 7 more" in page


def test_a_point_shows_each_column_before_and_after(studio):
    found = show_explored(studio)
    place = find_point_place(found, TrialSetting("mingen", 5, 0))
    outcome = found.points[place].outcome
    page = html.unescape(studio.get(f"/explore?point={place}").text)
    shown = page.partition('id="point"')[2].partition("</section>")[0]
    for one in outcome.figures:
        assert one.attribute in shown
        assert f"{one.levels[0]} of {one.height}" in shown
        assert f"{one.values_before} → {one.values_after}" in shown
        path = found.examples[one.attribute][0]
        assert f'{path[0]}</span> → <span class="value">{path[one.levels[0]]}<' in shown
    assert "In no class do all rows share one value of <code>ill" in shown
    assert "against the specification" in shown
    assert page.count('aria-current="true"') == 3
    assert page.count('class="ring opened" aria-hidden="true" t') == 1


def test_points_are_shown_as_they_are_found_until_it_is_enough(studio, tmp_path, monkeypatch):
    monkeypatch.setattr(frontier, "SHOWN_EVERY", 0.0)
    parts = []
    line = TaskLine(
        lambda kind, message: parts.append(message) if kind == "part" else None,
        lambda: len(parts) >= 2,
    )
    tried = try_grid(line, fill_folder(tmp_path), GRID, 60.0)
    reached = [
        sum(point.is_reached for point in one.exploration.points) for one in (*parts[:3], tried)
    ]
    assert reached == [1, 2, 2, 2]
    assert len(tried.exploration.points) == 12
    assert (tried.exploration.weights, tried.exploration.keeps) == ((), ())
    studio.session.begin("exploration", tasks.wait_until_enough)
    work = studio.session.work
    work._hear("part", parts[0])
    page = studio.get("/explore?across=lost").text
    assert "1 of 12 settings" in page
    assert 'id="enough"' in page
    assert 'id="across-k"' in page
    assert 'id="across-lost"' not in page
    assert "Time ran out" not in page
    studio.post("/explore/cancel")
    work.wait(60)
    assert "1 of 12 settings" not in studio.get("/explore").text


def test_a_point_that_another_one_beats_names_it(studio):
    found, kinds = show_explored(studio), set()
    first, second, *rest = found.points
    worse = replace(second, outcome=replace(second.outcome, rows_lost=second.outcome.rows_lost + 1))
    found = replace(found, points=(first, worse, *rest))
    tried = studio.session.find_result(TriedSettings)
    studio.session.keep_result(replace(tried, exploration=found))
    for place, point in enumerate(found.points):
        if (own := point.outcome) is None:
            continue
        others = [
            other
            for other, one in enumerate(found.points)
            if (made := one.outcome) is not None
            and one.setting.k >= point.setting.k
            and made.precision >= own.precision
            and made.rows_lost <= own.rows_lost
            and (made.precision, one.setting.k, made.rows_lost)
            != (own.precision, point.setting.k, own.rows_lost)
        ]
        best = find_better(found, place)
        kinds.add(best is None)
        assert (best is None) == (not others)
        page = html.unescape(studio.get(f"/explore?point={place}").text)
        assert ("On the frontier:" in page) == (not others)
        if others:
            most = max(found.points[other].outcome.precision for other in others)
            assert found.points[best].outcome.precision == most
            assert f'id="better" href="?across=k&point={best}"' in page
    assert kinds == {True, False}


def test_the_setting_of_the_specification_is_opened_and_marked(studio):
    show_explored(studio)
    page = studio.get("/explore").text
    assert "This is the setting of the specification" in page
    assert re.search(r"1 of \d+ classes share one value of <code>ill", page)
    assert page.count('aria-describedby="own-setting"') == 1
    assert page.count('id="own-setting"') == 1
    studio.session.change(TEXT.replace("k = 3", "k = 4"), "k")
    page = studio.get("/explore").text
    assert "has no result here" in page
    assert 'aria-describedby="own-setting"' not in page


def test_a_setting_is_used_as_one_change(studio):
    found = show_explored(studio)
    place = max(number for number, one in enumerate(found.points) if one.outcome is not None)
    setting = found.points[place].setting
    assert setting != found.chosen
    assert studio.post(f"/explore/use?point={place}", {"point": str(place)}).status_code == 303
    asked = studio.project.table("release")
    assert (asked["method"], asked["k"], asked["max_suppressed"]) == (
        setting.method,
        setting.k,
        setting.max_suppressed,
    )
    page = studio.get(f"/explore?point={place}").text
    assert "This is the setting of the specification" in page
    assert 'id="out-of-date"' not in page
    studio.post("/explore/undo")
    assert studio.project.text == TEXT


def test_a_setting_is_not_used_if_the_specification_says_otherwise_elsewhere(studio):
    show_explored(studio)
    group = '[[quasi_identifiers]]\nname = "home"\nk = 4\nattributes = ["zip", "sex"]\n'
    other = f"[[quasi_identifiers]]\nname = 'age'\nattributes = ['{HOSTILE_NAME}']\n"
    studio.session.change(f"{TEXT}\n{group}\n{other}", "groups")
    before = studio.project.text
    answer = studio.post("/explore/use", {"point": "0"})
    assert answer.status_code == 422
    assert "sets k in another place" in answer.text
    assert studio.project.text == before


@pytest.mark.parametrize("path", ["use", "follow"])
@pytest.mark.parametrize("value", ["", "99", "-1", "x", HOSTILE])
def test_what_was_not_tried_cannot_be_used(studio, path, value):
    given = {"point": value, "advice": value}
    assert studio.post(f"/explore/{path}", given).status_code == 422
    show_explored(studio)
    answer = studio.post(f"/explore/{path}", given)
    assert answer.status_code == 422
    assert HOSTILE not in answer.text
    assert studio.project.text == TEXT


def test_a_link_on_the_page_of_a_refused_form_leads_to_the_screen(studio):
    show_explored(studio)
    answer = studio.get("/explore/use?across=lost&point=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/explore?across=lost&point=1")
    assert studio.get("/explore/run").headers["location"] == "/explore"
    assert studio.project.text == TEXT


def test_advice_is_followed_as_one_change(studio):
    found = show_explored(studio)
    assert found.advice
    for number, advice in enumerate(found.advice):
        assert advice.text[:60] in html.unescape(studio.get("/explore").text)
        assert studio.post("/explore/follow", {"advice": str(number)}).status_code == 303
        asked = studio.project.fields
        assert advice.release.items() <= asked["release"].items()
        for name, weight in advice.weights.items():
            assert asked["attributes"][name]["weight"] == weight
        studio.post("/explore/undo")
        assert studio.project.text == TEXT


def test_the_page_says_what_was_changed_since(studio):
    show_explored(studio)
    assert 'id="out-of-date"' not in studio.get("/explore").text
    assert 'id="advice-0"' in studio.get("/explore").text
    studio.session.change(TEXT.replace('"mask" }', '"mask", keep = [3] }'), "hierarchy")
    page = studio.get("/explore").text
    assert "<code>attributes.zip.hierarchy</code>. Explore again" in page
    assert 'id="advice-0"' not in page


def test_the_page_says_that_a_file_was_changed_since(studio):
    show_explored(studio)
    with (studio.project.folder / "people.csv").open("a") as table:
        table.write("02139,30,f,flu\n")
    assert "<code>the files that it reads</code>" in studio.get("/explore").text


def test_another_output_does_not_make_it_out_of_date(studio):
    show_explored(studio)
    studio.session.change(TEXT.replace("released/people.csv", "other/people.csv"), "out")
    assert 'id="out-of-date"' not in studio.get("/explore").text


def test_names_from_data_stay_text(studio):
    show_explored(studio)
    for query in ("", "?point=1", "?across=lost&sort=kept"):
        page = studio.get(f"/explore{query}").text
        assert "<b>" + '"age"' not in page
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert len(ids) == len(set(ids))


def test_the_command_line_tries_the_same_settings(studio, answer, monkeypatch):
    show_explored(studio)
    page = html.unescape(studio.get("/explore").text)
    command = re.search(r'id="command">lookalike (.*?)</code>', page)[1]
    monkeypatch.chdir(studio.project.folder)
    made = answer(command)
    tried = [(one["method"], one["k"]) for one in made["points"]]
    found, _ = explore_once()
    assert tried == [(one.setting.method, one.setting.k) for one in found.exploration.points]
    assert Grid() != found.grid


def test_the_usual_settings_need_no_option(studio):
    page = html.unescape(studio.get("/explore").text)
    assert 'id="command">lookalike explore people.toml --time-limit 300</code>' in page
