"""A review counts only for what was reviewed, and one refusal stops the release."""

import json
from dataclasses import asdict, replace

import pytest

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.publish.review import Decision, Review, Subject

SUBJECT = Subject("a" * 64, "b" * 64, "ministry", "planning")
ACCEPTED = Decision("as-is-unique", "9 of 9 rows.", "accept", "a contract binds them")
REVIEW = Review(SUBJECT, "accept", "for one year", "Ann", "2026-11-18", (ACCEPTED,))


def write(folder, **changes):
    path = folder / "review.json"
    path.write_text(json.dumps(asdict(REVIEW) | changes), encoding="utf-8")
    return path


def test_it_is_read_as_it_was_written(tmp_path):
    assert Review.read(write(tmp_path)) == REVIEW


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reviewer": " "}, "reviewer"),
        ({"reason": ""}, "reason"),
        ({"reviewed": "yesterday"}, "reviewed"),
        ({"decision": "maybe"}, "decision"),
        ({"format": "lookalike review 2"}, "format"),
        ({"decisions": [asdict(ACCEPTED) | {"reason": ""}]}, "decisions.0.reason"),
        ({"subject": {"source_sha256": "b" * 64}}, "subject.specification_sha256"),
        ({"signed": True}, "signed"),
    ],
)
def test_a_file_that_is_no_review_is_refused_by_its_field(changes, field, tmp_path):
    with pytest.raises(InvalidInput, match=f"review.json: {field}: "):
        Review.read(write(tmp_path, **changes))


def test_a_file_that_is_missing_or_no_json_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"review: .*none.json cannot be read: No such file"):
        Review.read(tmp_path / "none.json")
    (tmp_path / "page.html").write_text("<!doctype html>")
    with pytest.raises(InvalidInput, match=r"page.html: the file: Invalid JSON"):
        Review.read(tmp_path / "page.html")


def test_the_subject_that_was_reviewed_is_taken():
    REVIEW.require(SUBJECT)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"specification_sha256": "c" * 64}, "the specification changed"),
        ({"source_sha256": "c" * 64}, "the source changed"),
        ({"recipient": None}, "the recipient changed"),
        ({"purpose": "sale"}, "the purpose changed"),
    ],
)
def test_a_review_of_something_else_is_refused(changed, named):
    with pytest.raises(RequirementNotMet, match=f"{named} since Ann reviewed"):
        REVIEW.require(replace(SUBJECT, **changed))


@pytest.mark.parametrize(
    ("refusing", "named"),
    [
        ({"decision": "refuse"}, "the release: for one year"),
        (
            {"decisions": (ACCEPTED, replace(ACCEPTED, finding="free-text", decision="refuse"))},
            "free-text: a contract binds them",
        ),
    ],
)
def test_one_refusal_stops_the_release(refusing, named):
    with pytest.raises(RequirementNotMet, match=f"Ann refused on 2026-11-18(.|\n)*{named}"):
        replace(REVIEW, **refusing).require(SUBJECT)


def test_a_decision_is_about_one_sentence():
    assert REVIEW.find("as-is-unique", "9 of 9 rows.") == ACCEPTED
    assert REVIEW.find("as-is-unique", "8 of 9 rows.") is None
    assert REVIEW.find("free-text", "9 of 9 rows.") is None
