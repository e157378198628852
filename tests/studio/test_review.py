"""A review in the studio: its page after a dry run, and the answer that comes back."""

import html
import json
import re
from dataclasses import replace

import pytest

import lookalike as la
from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.studio.editing.project import undo_change
from lookalike.studio.releases.release_summary import (
    ReleaseComparison,
    compare_release,
    publish_release,
)
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION, TABLE
from .published import HOSTILE


@pytest.fixture
def tried(studio):
    """A studio after a dry run."""
    studio.session.keep_result(compare_release(TaskLine(), studio.project, None))
    return studio


def read_subject(page):
    """Return what the answer to a page for a reviewer is about."""
    return json.loads(html.unescape(re.search(r'data-subject="([^"]*)"', page)[1]))


def answer(page, decision="accept"):
    """Return what a reviewer saves who decides so about everything."""
    found = re.findall(r'data-finding="([^"]*)" data-sentence="([^"]*)"', page)
    return {
        "format": "lookalike review 1",
        "subject": read_subject(page),
        "decision": decision,
        "reason": "read",
        "reviewer": "R. Reader",
        "reviewed": "2026-11-18",
        "decisions": [
            {"finding": name, "sentence": html.unescape(text), "decision": "accept", "reason": "ok"}
            for name, text in found
        ],
    }


def send(studio, content):
    files = {"file": ("review.json", content, "application/json")}
    return studio.post("/publish/answer", files=files)


def test_the_page_is_about_the_same_as_that_of_the_command(tried, people):
    page = tried.get("/publish/review")
    assert "attachment" in page.headers["content-disposition"]
    named = la.review(people / "people.toml").subject
    assert read_subject(page.text)["specification_sha256"] == named.specification_sha256
    assert read_subject(page.text)["source_sha256"] == named.source_sha256


def test_an_answer_is_kept_and_counts_when_publishing(tried, people):
    given = json.dumps(answer(tried.get("/publish/review").text))
    assert send(tried, given).status_code == 303
    assert (people / "review.json").read_text() == given
    assert tried.project.table("release")["review"] == "review.json"
    assert "the answer of a reviewer is in" in tried.get("/publish").text.lower()
    published = publish_release(TaskLine(), tried.project, False)
    assert published.files


def test_an_answer_and_what_is_accepted_ask_for_no_other_dry_run(tried):
    """The finding that stops the release loses its button once it is accepted."""
    compared = tried.session.find_result(ReleaseComparison)
    first = replace(compared.summary.findings[0], severity="error", accepted=False)
    summary = replace(compared.summary, findings=(first,))
    tried.session.keep_result(replace(compared, summary=summary))
    assert "Accept this finding" in tried.get("/publish").text
    tried.post("/publish/accept", {"finding": first.name})
    page = tried.get("/publish").text
    assert "Error, accepted" in page
    assert "Accept this finding" not in page
    tried.session.store.change(undo_change)
    send(tried, json.dumps(answer(tried.get("/publish/review").text)))
    page = tried.get("/publish").text
    assert "R. Reader accepted on 2026-11-18" in page
    assert "Error, accepted" in page
    for screen in ("publish", "compare", "attacker"):
        assert "has changed since then" not in tried.get(f"/{screen}").text
    assert 'href="/publish/review"' not in page
    tried.session.change(tried.project.text.replace("k = 2", "k = 3"), "k")
    for screen in ("publish", "compare"):
        assert "has changed since then" in tried.get(f"/{screen}").text


def test_an_answer_about_something_else_is_not_taken_and_does_not_show_as_accepted(tried, people):
    given = answer(tried.get("/publish/review").text)
    other = given | {"subject": given["subject"] | {"source_sha256": "0" * 64}}
    refused = send(tried, json.dumps(other))
    assert refused.status_code == 422
    assert "about another specification, source" in refused.text
    assert not (people / "review.json").exists()
    send(tried, json.dumps(given))
    assert '<p class="met">R. Reader accepted' in tried.get("/publish").text
    tried.session.change(tried.project.text.replace("k = 2", 'k = 2\npurpose = "ads"'), "purpose")
    page = tried.get("/publish").text
    assert '<p class="not-met">R. Reader accepted' in page
    assert "set it aside" in page
    tried.session.change(tried.project.text.replace("k = 2", "k = 3"), "k")
    assert "A dry run shows whether that is about this specification" in tried.get("/publish").text


def test_an_answer_about_something_else_is_set_aside_for_another_dry_run(tried, people):
    given = json.dumps(answer(tried.get("/publish/review").text))
    send(tried, given)
    tried.session.change(tried.project.text.replace("k = 2", "k = 4"), "k")
    with pytest.raises(RequirementNotMet, match=r"the specification changed since R\. Reader"):
        compare_release(TaskLine(), tried.project, None)
    tried.session._results.clear()
    assert 'id="set-aside"' in tried.get("/publish").text
    tried.post("/publish/set-aside")
    assert "review" not in tried.project.table("release")
    assert (people / "review.json").read_text() == given
    assert 'id="review-page"' not in tried.get("/publish").text
    compare_release(TaskLine(), tried.project, None)


def test_a_table_that_changes_during_a_dry_run_has_no_page_for_a_reviewer(studio, people):
    """The digest would be that of rows that no finding is about."""

    def change(_kind, step):
        if step == "comparing rows":
            (people / "people.csv").write_text(TABLE.replace("02142,cold", "02142,gout"))

    with pytest.raises(InvalidInput, match=r"people.csv: changed since"):
        compare_release(TaskLine(change), studio.project, None)


def test_a_refusal_stops_publishing(tried):
    send(tried, json.dumps(answer(tried.get("/publish/review").text, "refuse")))
    assert "R. Reader refused on 2026-11-18" in tried.get("/publish").text
    with pytest.raises(RequirementNotMet, match=r"R\. Reader refused"):
        publish_release(TaskLine(), tried.project, False)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", HOSTILE.encode()])
def test_what_is_no_answer_is_refused_beside_its_field(tried, people, content):
    refused = send(tried, content)
    assert refused.status_code == 422
    assert 'id="answer-problem"' in refused.text
    assert HOSTILE not in refused.text
    assert not (people / "review.json").exists()


def test_without_a_dry_run_of_this_specification_there_is_no_page(studio, tried):
    tried.session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
    refused = tried.get("/publish/review")
    assert refused.status_code == 422
    assert "make a dry run first" in refused.text
