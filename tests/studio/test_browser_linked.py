"""The path of linked tables in a real browser, from three files to a verified folder."""

import json
import shutil

import pytest

from lookalike.flow.release_records import release_records

from ..browser import needs_browser
from .linked_folder import RECORDS, TABLES
from .steps import check_accessibility, enter, press, tab_to

pytestmark = [pytest.mark.slow, needs_browser]


@pytest.fixture
def folder(people):
    """A folder with the three tables of the demonstration's hospital alone."""
    for name in ("people.csv", "people.toml"):
        (people / name).unlink()
    for name in TABLES:
        shutil.copy(str(RECORDS.joinpath(name)), people)
    return people


def test_three_tables_are_released_by_keyboard(folder, context, served):
    page = enter(context, served)
    press(page, "open-together")
    for place in (1, 2, 3):
        press(page, f"together-{place}", "Space")
    press(page, "link")
    page.wait_for_selector("#linked")
    assert page.locator("#linked tbody tr").count() == len(TABLES)
    check_accessibility(context, f"{served[0]}/data?table=1")
    press(page, "next")
    page.wait_for_selector("#of-table")
    page.wait_for_load_state()
    page.select_option("#of-table", "1")
    page.wait_for_selector("text=4 of 4 columns")
    tab_to(page, "role-7")
    page.keyboard.press("5")
    page.wait_for_selector("#undo:not([disabled])[title*='admissions.diagnosis']")
    page.click("#undo")
    check_accessibility(context, f"{served[0]}/roles?table=1")
    page.goto(f"{served[0]}/protection")
    page.select_option("#knows-0", "1")
    page.wait_for_selector("#promise:has-text('any one of their admissions')")
    check_accessibility(context, page.url)
    page.goto(f"{served[0]}/explore")
    page.click("#run")
    page.wait_for_selector("#points")
    check_accessibility(context, page.url)
    page.goto(f"{served[0]}/compare")
    check_accessibility(context, page.url)
    press(page, "lead-on")
    page.wait_for_url(f"{served[0]}/publish")
    press(page, "try")
    page.wait_for_selector("#linked-levels")
    press(page, "publish")
    page.wait_for_selector("#published")
    press(page, "verify")
    page.wait_for_selector("#verification .met")
    check_accessibility(context, page.url)
    [certificate] = folder.glob("released/*/certificate.json")
    stated = json.loads(certificate.read_text())
    [specification] = folder.glob("*.toml")
    made = release_records(spec=specification)
    assert stated["persons_out"] == made.persons_out
    assert stated["precision"] == made.overall_precision
    assert f"{made.overall_precision:.4f}" in page.inner_text("dl.cards")
    page.goto(f"{served[0]}/releases")
    page.click(".release-list a")
    page.wait_for_selector("#chosen")
    check_accessibility(context, page.url)
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
