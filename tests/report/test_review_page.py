"""The page for a reviewer in a real browser: accessible, and it saves what the reviewer answers."""

import json

import pytest

from lookalike.publish.review import Review, Subject
from lookalike.report.review_page import PlannedRelease, write_review_page
from lookalike.risk.finding import PreflightFinding

from ..browser import browsing, check_page, needs_browser, needs_chromium, open_in

pytestmark = [pytest.mark.slow, pytest.mark.reports]

SUBJECT = Subject("a" * 64, "b" * 64, "ministry", "planning \"beds\" <b> & 'more'")
FINDINGS = (
    PreflightFinding("as-is-unique", "error", "9 of 9 rows <script> of “x”.", "leave it out"),
    PreflightFinding("earlier-releases", "note", "Not considered.", "keep a ledger"),
)


@pytest.fixture
def page(tmp_path):
    planned = PlannedRelease(
        SUBJECT, FINDINGS, ((("zip", "sex"), 5, "rows"),), ("ill",), "mingen", 1000, 990, 0.9
    )
    path = tmp_path / "review.html"
    path.write_text(write_review_page(planned), encoding="utf-8")
    return path


@needs_browser
def test_it_is_accessible_at_both_widths_light_and_dark(page):
    check_page(page, charts=0)


def answer(opened, choices):
    """Answer every question, in the order of the page."""
    parts = opened.page.locator("fieldset")
    for number, choice in enumerate(choices):
        parts.nth(number).locator(f"input[value={choice}]").check()
        parts.nth(number).locator("textarea").fill(f" reason {number} “§ 4” <b>\n")
    opened.page.fill("input[name=reviewer]", "Dr. A. Müller")
    opened.page.fill("input[name=reviewed]", "2026-11-18")


@needs_chromium
def test_it_saves_the_answer_and_sends_nothing(page, tmp_path):
    with browsing() as browser:
        opened = open_in(browser, page, 1280)
        answer(opened, ("accept", "refuse", "accept"))
        with opened.page.expect_download() as download:
            opened.page.click("button")
        download.value.save_as(tmp_path / "review.json")
        assert "Send this file back" in opened.page.inner_text("#saved")
        assert [one for one in opened.requests if not one.startswith("blob:")] == [page.as_uri()]
        assert (opened.messages, opened.errors) == ([], [])
    saved = Review.read(tmp_path / "review.json")
    assert saved.subject == SUBJECT
    assert (saved.decision, saved.reviewer, saved.reviewed) == (
        "accept",
        "Dr. A. Müller",
        "2026-11-18",
    )
    decided = [saved.find(one.name, one.sentence) for one in FINDINGS]
    assert [one and one.decision for one in decided] == ["accept", "refuse"]
    assert decided[1].reason == "reason 1 “§ 4” <b>"


@needs_chromium
@pytest.mark.parametrize("left_out", ["a choice", "a reason", "the name"])
def test_nothing_is_saved_before_everything_is_answered(left_out, page):
    with browsing() as browser:
        opened = open_in(browser, page, 390)
        answer(opened, ("accept", "accept", *(() if left_out == "a choice" else ("accept",))))
        if left_out == "a reason":
            opened.page.locator("textarea").first.fill("  ")
        if left_out == "the name":
            opened.page.fill("input[name=reviewer]", " ")
        opened.page.click("button")
        assert opened.page.inner_text("#saved") == ""
        assert opened.page.evaluate("document.querySelector('form').checkValidity()") is False


@needs_chromium
def test_another_script_is_not_run(page):
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</body>", "<script>document.title = 'run'</script></body>"))
    with browsing() as browser:
        assert open_in(browser, page, 1280).page.title() == "May this release be published?"


def test_data_stay_text_and_the_specification_says_what_is_missing(page):
    text = page.read_text(encoding="utf-8")
    assert "rows <script>" not in text
    assert json.dumps(SUBJECT.purpose)[1:-1] not in text
    unnamed = PlannedRelease(Subject("a" * 64, "b" * 64), (), (), (), "mingen", 10, 10, 1.0)
    said = write_review_page(unnamed)
    assert "No recipient is named: judge it as a release to the public." in said
    assert "No purpose is named." in said
    assert "found nothing beyond what the certificate states" in said
