"""The frontier in a real browser: explore, click a point, use its setting, undo."""

import shutil

import pytest

from ..browser import needs_browser
from .steps import check_accessibility, enter, press
from .test_browser import HOSPITAL

pytestmark = [pytest.mark.slow, needs_browser]


def test_a_point_of_the_frontier_is_used_and_undone(context, served, people):
    shutil.copy(HOSPITAL, people)
    page = enter(context, served)
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/explore")
    page.fill("#ks", "5 10")
    page.fill("#limits", "0.01 0.05")
    page.uncheck("#method-mingen-cells")
    page.uncheck("#method-datafly")  # it takes no bound on the levels of dates
    page.click("#run")
    page.wait_for_selector("#step")
    page.wait_for_selector("figure.frontier a >> nth=7")
    assert page.locator("figure.frontier a").count() == 8
    page.locator("figure.frontier a[aria-label^='samarati, k = 10, at most 5 %']").click()
    page.wait_for_selector("#point-title:has-text('samarati, k = 10, at most 5 %')")
    assert "point=" in page.url
    press(page, "use")
    page.wait_for_selector("text=This is the setting of the specification")
    assert 'method = "samarati"' in page.text_content("#specification pre")
    press(page, "undo")
    page.wait_for_selector("#use")
    assert 'method = "samarati"' not in page.text_content("#specification pre")
    assert page.locator("figure.frontier a[tabindex='0']").count() == 1
    page.focus("figure.frontier a[tabindex='0']")
    visited = set()
    for key in ("Home", *["ArrowRight"] * 9, *["ArrowLeft"] * 9):
        page.keyboard.press(key)
        visited.add(page.evaluate("document.activeElement.id"))
    assert visited == {f"explored_points-{place}" for place in range(8)}
    place = page.evaluate("document.activeElement.id")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#{place}[aria-current]")
    assert page.evaluate("document.activeElement.id") == place
    page.keyboard.press("Tab")
    assert not page.evaluate("!!document.activeElement.closest('svg.chart')")
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
    check_accessibility(context, page.url)
