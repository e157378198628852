"""The studio in a real browser: the whole path by keyboard, without a script, in two tabs."""

import shutil
from collections import Counter
from itertools import product
from pathlib import Path

import pyarrow.csv
import pytest

import lookalike
from lookalike.studio.screens import SCREENS

from ..browser import expand, find_overflow, list_violations, needs_browser
from .steps import LONG, enter, press, tab_to

HOSPITAL = Path(lookalike.__file__).parent / "shell" / "data" / "hospital" / "hospital.csv"
LINKABLE = ["birth_date", "sex", "zip", "admission_date", "amount_billed"]

pytestmark = [pytest.mark.slow, needs_browser]


def classes(path):
    """Count the rows of each class."""
    table = pyarrow.csv.read_csv(path).select(LINKABLE)
    return Counter(tuple(map(str, row.values())) for row in table.to_pylist())


def test_from_a_table_to_a_verified_release_by_keyboard(
    context, served, people, answer, monkeypatch
):
    shutil.copy(HOSPITAL, people)
    page = enter(context, served)
    press(page, "table-1", "Space")
    press(page, "choose")
    page.wait_for_selector("text=What the table looks like")
    press(page, "next")
    page.wait_for_selector("#role-9")
    tab_to(page, "role-9")
    page.keyboard.type("drop")
    page.wait_for_selector("#undo[title='Undo: role of ward']")
    assert page.evaluate("document.activeElement.id") == "role-9"
    press(page, "next")
    page.wait_for_selector("text=level by level")
    press(page, "next")
    page.wait_for_selector("#k")
    tab_to(page, "k")
    page.keyboard.press("Control+A")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=shared by at least 4 persons")
    press(page, "next")
    page.wait_for_selector("#part-explore")
    press(page, "next")
    page.wait_for_selector("#compare")
    press(page, "step-publish")
    page.wait_for_selector("#try")
    press(page, "try")
    page.wait_for_selector("text=What would be released")
    press(page, "publish")
    page.wait_for_selector("#published")
    press(page, "verify")
    page.wait_for_selector("#verification .met")
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}

    monkeypatch.chdir(people)
    made = answer("release hospital.toml --out again/hospital.csv --dossier own")
    assert made["k"] == 4
    [file] = people.glob("released/*/hospital.csv")
    released = classes(file)
    assert classes(people / "again" / "hospital.csv") == released
    assert len(released) == made["classes"]


def test_without_scripts_the_same_forms_work(chromium, served):
    context = chromium.new_context(java_script_enabled=False)
    page = enter(context, served)
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.click("#next")
    page.select_option("#role-1", "drop")
    page.click("#assign")
    page.wait_for_selector("#undo[title='Undo: role of no']")
    page.click("#undo")
    page.wait_for_selector("#redo[title='Redo: role of no']")
    context.close()


def test_two_tabs_and_a_reload_lose_nothing(context, served, people):
    one = enter(context, served)
    one.check("#table-1")
    one.click("#choose")
    one.wait_for_selector("#step")
    one.goto(f"{served[0]}/explore")
    assert not one.is_visible("#specification")
    one.click("#drawer > summary")
    one.reload()
    one.wait_for_selector("#specification")
    one.click("#drawer > summary")
    one.fill("#ks", "9")
    one.uncheck("#method-datafly")
    assert " running " in one.get_attribute("#content", "data-work")
    one.wait_for_selector("#content:not([data-work*=' running '])")
    assert one.input_value("#ks") == "9"
    assert not one.is_checked("#method-datafly")
    one.goto(f"{served[0]}/protection")
    one.fill("#k", "4")
    other = context.new_page()
    other.goto(f"{served[0]}/protection")
    other.fill("#k", "3")
    other.press("#k", "Tab")
    other.wait_for_selector("text=occurs at least 3 times")
    one.press("#k", "Tab")
    one.wait_for_selector("text=This page was out of date")
    assert one.input_value("#k") == "3"
    one.fill("#k", "4")
    one.press("#k", "Tab")
    one.wait_for_selector("text=occurs at least 4 times")
    other.wait_for_selector("text=occurs at least 4 times")  # without a reload
    one.fill("#k", "many")
    one.press("#k", "Tab")
    one.wait_for_selector("#k-problem")
    one.fill("#k", "4")
    one.press("#k", "Tab")
    one.wait_for_selector("#k-problem", state="detached")
    assert context.noted["complaints"] == []
    one.keyboard.press("Control+s")
    one.wait_for_selector("text=saved >> nth=0")
    one.wait_for_selector(".badge.good")
    assert "k = 4" in (people / "people.toml").read_text()


def test_a_file_is_dropped_on_the_first_screen(context, served):
    page = enter(context, served)
    page.evaluate(
        """() => {
            const rows = Array.from({length: 30}, (_, place) => `${place},${place % 3}`)
            const data = new DataTransfer()
            data.items.add(new File([["no,kind", ...rows].join("\\n")], "dropped.csv"))
            for (const name of ["dragover", "drop"])
                document.body.dispatchEvent(
                    new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}))
        }"""
    )
    page.wait_for_selector("text=What the table looks like")
    assert "dropped.toml" in page.inner_text("#top")
    assert context.noted["complaints"] == []


def test_points_appear_and_what_was_found_is_kept(context, served, people):
    """Also on another page, and after a reload; the points are one tab stop."""
    shutil.copy(HOSPITAL, people)
    page = enter(context, served)
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/explore")
    page.fill("#ks", " ".join(map(str, range(2, 20))))
    page.click("#run")
    page.wait_for_selector("#found svg.chart a")
    page.goto(f"{served[0]}/roles")
    page.wait_for_selector("#share:not([hidden])")
    page.goto(f"{served[0]}/explore")
    page.reload()
    page.wait_for_selector("#found svg.chart a")
    page.click("#enough")
    page.wait_for_selector("#content:not([data-work*=' running '])")
    points = page.locator("#found svg.chart a")
    assert 1 <= points.count() < 18 * 4 * 4
    assert page.locator("#found svg.chart a[tabindex='0']").count() == 1
    page.locator("#found svg.chart a[tabindex='0']").focus()
    page.keyboard.press("End")
    assert points.last.get_attribute("tabindex") == "0"
    assert page.locator("#found svg.chart a[tabindex='0']").count() == 1
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}


def test_a_task_and_a_long_search_are_cancelled(context, served, people):
    shutil.copy(HOSPITAL, people)
    page = enter(context, served)
    page.check("#table-1")
    page.click("#choose")
    page.click("#cancel")
    page.wait_for_selector("text=Profile was cancelled")
    assert not (people / "hospital.toml").exists()
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/explore")
    page.click("#run")
    page.wait_for_selector("#step:has-text('point ')")
    page.click("#cancel")
    page.wait_for_selector("text=Exploration was cancelled")
    assert page.locator("svg.chart").count() == 0


def test_a_hostile_table_is_shown_as_text(context, served, people):
    evil = "<img src=x onerror=alert(1)>"
    names = [evil, '"><script>alert(2)</script>', "=cmd|' /C calc'!A0", "{{ 7 * 7 }}"]
    quoted = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names]
    rows = [",".join([quoted[0], quoted[1], str(n % 7), quoted[3]]) for n in range(60)]
    (people / "a.csv").write_text("\n".join([",".join(quoted), *rows]) + "\n")
    page = enter(context, served)
    dialogs = []
    page.on("dialog", lambda one: (dialogs.append(one.message), one.dismiss()))
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    for screen in SCREENS:
        page.goto(f"{served[0]}/{screen.name}")
        assert page.locator("img, main script").count() == 0
        assert "{{ 7 * 7 }}" in page.text_content("#specification pre")
        assert evil in page.text_content("#specification pre")
    page.goto(f"{served[0]}/publish")
    page.click("#try")
    page.wait_for_selector("#try:not([disabled])")
    assert dialogs == []
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}


@pytest.mark.parametrize(
    "looks",
    [
        [(1280, "light"), (360, "dark")],
        pytest.param([(360, "light"), (1280, "dark")], marks=pytest.mark.exhaustive),
    ],
)
def test_every_screen_is_accessible_and_fits_its_window(chromium, served, looks):
    """By axe-core, which the policy of the pages would not let in; with all details expanded."""
    context = chromium.new_context(bypass_csp=True)
    context.set_default_timeout(LONG)
    page = enter(context, served)
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/publish")
    page.click("#try")
    page.wait_for_selector("text=What would be released")
    for screen, (width, scheme) in product([one.name for one in SCREENS], looks):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{served[0]}/{screen}")
        expand(page)
        assert find_overflow(page) == [], (screen, width)
        if page.locator("#next").count():
            box, height = page.locator("#next").bounding_box(), page.viewport_size["height"]
            assert 0 <= box["y"] <= height - box["height"], (screen, width)
        assert list_violations(page) == [], (screen, width, scheme)
    context.close()
