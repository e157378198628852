"""The screen *Hierarchies* in a real browser: a tree and bounds, by keyboard and by pointer."""

from itertools import product

import pytest

from ..browser import expand, find_overflow, list_violations, needs_browser
from .folk import AGE, JOB, TOWN, write_folk
from .steps import enter, press, tab_to

pytestmark = [pytest.mark.slow, needs_browser]


def open_folk(context, served, people):
    """Profile the table, and go to the hierarchies by keyboard."""
    write_folk(people)
    page = enter(context, served)
    page.reload()
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    press(page, "step-hierarchies")
    page.wait_for_selector(f"#column-{JOB}")
    return page


def find_box(page, value):
    """Return the id of the box of a value in the tree."""
    return page.locator(f".tree label.leaf:has-text('{value}') input").get_attribute("id")


def test_a_tree_and_bounds_are_edited_by_keyboard_and_undone(context, served, people, chromium):
    page = open_folk(context, served, people)
    press(page, f"column-{JOB}")
    page.wait_for_selector("#tree-heading")
    for value in ("nurse", "cook"):
        press(page, find_box(page, value), "Space")
    tab_to(page, "name")
    page.keyboard.type("night work")
    press(page, "group")
    page.wait_for_selector("#undo[title='Undo: new group in the hierarchy of job']")
    page.wait_for_selector("summary:has-text('night work') >> text=2 values")
    press(page, "undo")
    page.wait_for_selector("#redo[title='Redo: new group in the hierarchy of job']")
    assert page.locator("summary:has-text('night work')").count() == 0
    assert page.inner_text("#column-name").startswith("job")

    press(page, "all")
    page.wait_for_selector(f"#column-{AGE}")
    press(page, f"column-{AGE}")
    page.wait_for_selector("#histogram")
    press(page, "kind-ranges")
    page.wait_for_selector("#f-starts")
    tab_to(page, "f-starts")
    page.keyboard.press("Control+A")
    page.keyboard.type("17, 40, 60")
    page.keyboard.press("Tab")
    page.wait_for_selector("#bound-1[value='40']")
    tab_to(page, "bound-1")
    for moved in ("41", "42"):
        page.keyboard.press("ArrowUp")
        page.wait_for_selector(f"#bound-1[name='move-{moved}']")
        assert page.evaluate("document.activeElement.id") == "bound-1"
    page.locator("#histogram a[aria-label='Add a bound at 50']").click()
    page.wait_for_selector("#bound-2[value='50']")
    assert "not applied yet" in page.inner_text("#decide")
    press(page, "apply")
    page.wait_for_selector("#undo[title='Undo: hierarchy of age']")
    assert "ranges = [[[17, 41], [42, 49], [50, 59], [60, 76]]]" in page.text_content(
        "#specification"
    )
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
    check_pages(chromium, context.cookies(), served[0])


def check_pages(chromium, cookies, address):
    """Check the full pages by axe-core, which their policy would not let in."""
    context = chromium.new_context(bypass_csp=True)
    context.add_cookies(cookies)
    page = context.new_page()
    for place, width, scheme in product((AGE, TOWN), (1280, 360), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/hierarchies?column={place}")
        expand(page)
        assert find_overflow(page) == [], (place, width)
        assert list_violations(page) == [], (place, width, scheme)
    context.close()


def drag(page, start, end):
    """Drag from the middle of a box to a point of another."""
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(*end, steps=8)


def test_bounds_and_values_are_dragged(context, people, served):
    write_folk(people)
    page = enter(context, served)
    page.check("input[value='folk.csv']")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    fields = "kind=ranges&defined=1&level=1&last=76&starts=17,40,60"
    page.goto(f"{served[0]}/hierarchies?column={AGE}&{fields}")
    first = page.locator(".compact tbody tr").nth(1)
    before = first.inner_text()
    handle = page.locator("#histogram .handle").first.bounding_box()
    drag(page, handle, (handle["x"] + 80, handle["y"] + 20))
    moved = page.input_value("#bound-1")
    assert int(moved) > 40
    # the levels are counted while the bound is held
    page.wait_for_selector(f"#live input[name=starts][value*='{moved}']", state="attached")
    assert first.inner_text() != before
    page.mouse.up()
    page.wait_for_selector(f"#bound-1[name='move-{moved}']")
    page.click("#apply")
    page.wait_for_selector("#undo[title='Undo: hierarchy of age']")
    assert f"[[17, {int(moved) - 1}], [{moved}, 59], [60, 76]]" in page.text_content(
        "#specification"
    )

    page.goto(f"{served[0]}/hierarchies?column={JOB}&kind=ordering&defined=1&sizes=2")
    page.click("#apply")
    page.wait_for_selector("#undo[title='Undo: hierarchy of job']")
    page.click("#kind-taxonomy")
    leaf = page.locator(".tree .leaf", has_text="nurse")
    leaf.scroll_into_view_if_needed()
    group = page.locator(".tree summary", has_text="baker – cook").bounding_box()
    drag(page, leaf.locator(".value").bounding_box(), (group["x"] + 60, group["y"] + 8))
    page.wait_for_selector(".tree .over summary:has-text('baker – cook')")
    page.mouse.up()
    page.wait_for_selector("#undo[title='Undo: moved values in the hierarchy of job']")
    page.wait_for_selector("summary:has-text('baker – cook') >> text=3 values")
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
