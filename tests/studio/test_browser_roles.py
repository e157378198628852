"""The screen Roles in a real browser: columns are found and given roles by keys."""

import pytest

from ..browser import needs_browser
from .folk import write_folk
from .steps import check_accessibility, enter, tab_to

pytestmark = [pytest.mark.slow, needs_browser]


def test_columns_get_their_roles_by_keys(context, people, served):
    write_folk(people)
    (people / "folk.toml").unlink()
    page = enter(context, served)
    page.check("input[value='folk.csv']")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/roles")
    rows = page.locator(".roles tbody tr")
    assert max(one.bounding_box()["height"] for one in rows.all()) <= 33
    assert page.locator(".pick input[tabindex='0']").count() == 1

    tab_to(page, "pick-0")
    page.keyboard.press("5")
    page.wait_for_selector("#undo[title='Undo: role of zip']")
    assert page.evaluate("document.activeElement.id") == "pick-0"
    before = page.inner_text("#together")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("4")
    page.wait_for_selector("#undo[title='Undo: role of age, job']")
    assert page.inner_text("#together") != before

    tab_to(page, "find-column")
    page.keyboard.type("o")
    page.wait_for_selector("text=/^2 of 5 columns/")
    assert "text=o" in page.url
    page.select_option("#with-role", "other")
    page.wait_for_selector("text=/^1 of 5 columns/")
    assert page.locator("#role-2").input_value() == "other"
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
    check_accessibility(context, f"{served[0]}/roles")
