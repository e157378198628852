"""The screen Levels in a real browser: sliders by keyboard, a node, apply and undo."""

import shutil

import pytest

from ..browser import WIDTHS, expand, find_overflow, list_violations, needs_browser
from .leveled_people import write_people
from .steps import enter, press, tab_to
from .test_browser import HOSPITAL

pytestmark = [pytest.mark.slow, needs_browser]


def test_settings_are_tried_by_keyboard_and_a_node_is_used(context, chromium, people, served):
    write_people(people)
    page = enter(context, served)
    page.check("input[value='workers.csv']")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/levels")
    press(page, "count")
    page.wait_for_selector("#outcome")
    before = page.inner_text("#outcome")
    tab_to(page, "k")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=Best levels with these settings")
    assert page.evaluate("document.activeElement.id") == "k"
    assert page.inner_text("output[for=k]") == "8"
    assert page.inner_text("#outcome") != before
    page.wait_for_url("**k=8*")  # each answer writes its own address, also one that came late
    page.set_viewport_size({"width": 1280, "height": 800})
    check_cockpit(page)
    rove(page)
    page.click("#pin")
    page.wait_for_selector("#pinned")
    top = page.locator(".hasse a").first
    top.click()
    page.wait_for_selector(f"#{top.get_attribute('id')}.looked")
    assert "vector=" in page.url
    check_accessibility(chromium, context, page.url)
    press(page, "apply")
    page.wait_for_selector("#undo:not([disabled])")
    page.wait_for_selector("text=k = 8 >> nth=0")
    press(page, "use-exact")
    page.wait_for_selector("#undo[title^='Undo: levels']")
    assert "constraints = [" in page.text_content("#specification pre")
    press(page, "undo")
    page.wait_for_selector("#redo[title^='Redo: levels']")
    assert "constraints = [" not in page.text_content("#specification pre")
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}


def test_a_map_of_a_large_lattice_scrolls_by_itself_on_a_phone(context, people, served):
    shutil.copy(HOSPITAL, people)
    page = enter(context, served)
    page.check("input[value='hospital.csv']")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{served[0]}/levels")
    page.click("#count")
    page.wait_for_selector("table.map")
    assert find_overflow(page) == []


def check_cockpit(page):
    """Check that sliders, outcome and lattice are in view together, without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    for part in ("#k", "#outcome .cards", ".hasse"):
        box = page.locator(part).bounding_box()
        assert box["y"] + min(box["height"], 200) < 800 - 64, part


def rove(page):
    """Check that the vectors of the diagram are one tab stop, with arrow keys."""
    assert page.locator(".hasse a[tabindex='0']").count() == 1
    page.focus(".hasse a[tabindex='0']")
    seen = set()
    for key in ("Home", *["ArrowDown"] * 9, *["ArrowLeft", "ArrowUp", "ArrowRight"] * 3):
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.id"))
    assert len(seen) > 5
    assert all(one.startswith("node-") for one in seen)
    assert page.locator(".hasse a[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert not page.evaluate("!!document.activeElement.closest('.hasse')")


def check_accessibility(chromium, context, address):
    """Run axe on the full page at each width, light and dark."""
    for width, colour in zip(WIDTHS.values(), ("light", "dark"), strict=True):
        tested = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=colour,
            bypass_csp=True,
            storage_state=context.storage_state(),
        )
        page = tested.new_page()
        page.goto(address)
        assert find_overflow(page) == []
        expand(page)
        assert list_violations(page) == []
        tested.close()
