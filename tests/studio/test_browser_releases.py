"""Compare, Publish with a ledger, and Releases in a real browser."""

import csv
import shutil

import pytest

from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import publish_release
from lookalike.studio.work import TaskLine

from ..browser import needs_browser
from .steps import check_accessibility, enter
from .test_browser import HOSPITAL

SPECIFICATION = """
[source]
path = "hospital.csv"
encoding = "cp1252"
missing = ["", "NA"]

[release]
k = 5
max_suppressed = 0.1
method = "mingen"
constraints = ["{levels}"]
accept = ["as-is-unique", "as-is-unique-in-class", "repeated-persons"]
out = "{place}/hospital.csv"

[attributes]
birth_date = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
sex = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
zip = {{ role = "quasi-identifier", zero_pad = 5, hierarchy = {{ kind = "mask" }} }}
diagnosis = {{ role = "sensitive" }}

[defaults]
role = "drop"
"""
pytestmark = [pytest.mark.slow, needs_browser]


@pytest.fixture(autouse=True)
def _settings(monkeypatch, tmp_path_factory):
    """Keys of ledgers are kept for this test only."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))


@pytest.fixture
def folder(people):
    """A folder with the hospital table alone."""
    (people / "people.csv").unlink()
    shutil.copy(HOSPITAL, people)
    return people


def choose_table(page):
    page.check("#table-1")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")


def test_a_release_is_compared_recorded_and_opened_with_both_reports(people, context, served):
    page = enter(context, served)
    choose_table(page)
    page.goto(f"{served[0]}/compare")
    page.check("#utility")
    page.click("#compare")
    page.wait_for_selector("#utility-figures")
    page.click(".group >> nth=-1")
    page.wait_for_selector("#every-class")
    assert page.url.endswith("class=2&attribute=0&first=0&second=1")
    assert page.locator(".group").all_inner_texts() == ["2", "2"]
    page.select_option("#kind", "suppressed")
    page.wait_for_selector("text=There are no such rows")
    page.go_back()
    page.wait_for_selector(".group")
    check_accessibility(context, page.url)

    page.goto(f"{served[0]}/publish")
    assert page.locator("text=What would be released").count() == 1
    page.click("#settings > summary")
    page.fill("#dossier", "private/people")
    page.fill("#ledger", "ledger.db")
    page.select_option("#row-key", "no")
    page.click("#settle")
    page.wait_for_selector("text=There is no ledger yet")
    page.click("#publish")
    page.wait_for_selector("#published")
    assert "based on 1 earlier release" in page.inner_text("#history")
    for name, words in {"recipient-report": "0213*", "holder-report": "02138"}.items():
        with context.expect_page() as opened:
            page.click(f"#{name}")
        opened.value.wait_for_load_state()
        assert words in opened.value.inner_text("body")
        opened.value.close()
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
    check_accessibility(context, page.url)


def test_an_attacker_learns_more_and_both_tables_scroll_together(folder, context, served):
    from playwright.sync_api import expect

    page = enter(context, served)
    page.check("input[name=table]")
    page.click("#choose")
    page.wait_for_selector("text=What the table looks like")
    page.goto(f"{served[0]}/attacker")
    page.click("#compare")
    page.wait_for_selector("#seen")
    assert page.locator(".before b").inner_text() == "1"
    rows, steps = int(page.inner_text(".after b")), page.locator(".steps-down tbody tr").count()
    page.uncheck("#know1")
    page.wait_for_selector(f".steps-down tbody tr:nth-child({steps - 1}):last-child")
    assert "know1" not in page.url
    assert int(page.inner_text(".after b")) >= rows
    check_accessibility(context, page.url)
    page.goto(f"{served[0]}/compare?sort=loss")
    private, released = page.locator(".side").all()
    private.evaluate("one => one.scrollTo(0, 400)")
    expect(released).to_have_js_property("scrollTop", 400)
    released.evaluate("one => one.scrollTo(1e6, 400)")
    expect(private).not_to_have_js_property("scrollLeft", 0)
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}


def publish_twice(folder):
    """Publish two releases of the hospital table that show too much together."""
    for place, levels in (("spring", "sex >= 1"), ("summer", "zip <= 1")):
        text = SPECIFICATION.format(place=place, levels=levels)
        (folder / "hospital.toml").write_text(text)
        publish_release(TaskLine(), Project(folder, "hospital.toml", text), False)


def write_voters(folder):
    """Write a register of some patients."""
    with (folder / "hospital.csv").open(encoding="cp1252") as stream:
        patients = [*csv.DictReader(stream)][:150]
    with (folder / "voters.csv").open("w") as stream:
        lines = csv.writer(stream)
        lines.writerow(["voter", "born", "sex", "zip"])
        for number, one in enumerate(patients):
            lines.writerow([f"voter {number}", one["birth_date"], one["sex"], one["zip"].zfill(5)])


def test_two_releases_are_attacked_and_linked_with_a_register(folder, context, served):
    publish_twice(folder)
    write_voters(folder)
    page = enter(context, served)
    choose_table(page)
    page.goto(f"{served[0]}/releases")
    for place in ("spring", "summer"):
        page.check(f"[aria-label='Attack {place}']")
    page.check("#attack-show")
    page.click("#attack")
    page.wait_for_selector("#attacked .verdict.bad")
    assert "spring with summer" in page.inner_text("#attacked")
    page.click(".release-list a:has-text('spring')")
    page.wait_for_selector("#chosen")
    page.select_option("#register", "voters.csv")
    page.click("#read-register")
    page.wait_for_selector("#on-0")
    assert [page.input_value(f"#on-{place}") for place in range(4)] == ["", "sex", "zip", ""]
    page.fill("#on-0", "born")
    page.fill("#identity", "voter")
    page.click("#link")
    page.wait_for_selector("#linked")
    assert "over birth_date, sex, zip" in page.inner_text("#linked")
    assert "voter 1" not in page.content()
    assert context.noted == {"hosts": {"127.0.0.1"}, "complaints": []}
    check_accessibility(context, page.url)
