"""The dossier and the review of linked tables: kept with the release, or not at all."""

import json
import shutil
import stat
from dataclasses import asdict

import pytest

import lookalike as la
from lookalike.flow.require_review import describe_subject
from lookalike.publish.dossier import WAITING, digest_release, keeping_records, read_release_digest
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.publish.review import Decision
from lookalike.spec.specification import Specification
from lookalike.tables.files.file_format import REPORT

SPEC = """
[source]
path = "people.csv"
person = "no"
[release]
k = 3
out = "released/people.csv"
dossier = "private"
purpose = "planning beds"
[attributes]
no = { role = "identifier" }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
[records.visits]
path = "visits.csv"
person = "no"
knows = 1
[records.visits.attributes]
no = { role = "identifier" }
month = { role = "quasi-identifier", hierarchy = { kind = "file", path = "months.csv" } }
bed = { role = "other", unique = true }
ward = { role = "sensitive" }
"""


@pytest.fixture
def asked(tmp_path):
    """The specification of 120 persons, whom their beds and wards single out."""
    people = "\n".join(["no,sex", *(f"{n},{'fm'[n % 2]}" for n in range(120))])
    visits = "\n".join(["no,month,bed,ward", *(f"{n},May,{n},A" for n in range(120))])
    (tmp_path / "people.csv").write_text(people + "\n")
    (tmp_path / "visits.csv").write_text(visits + "\n")
    (tmp_path / "months.csv").write_text("May;*\n")
    (tmp_path / "linked.toml").write_text(SPEC)
    return tmp_path / "linked.toml"


def publish(asked, *, replace=False, **changes):
    """Publish the release; the error is accepted unless a review is given."""
    accepted = {} if "review" in changes else {"accept": ["as-is-unique"]}
    made = la.release_records(spec=asked, **accepted, **changes)
    return made.publish(replace=replace)


def answer(asked, decision="accept"):
    """Review the release, and decide alike about all of its findings."""
    page = la.review(asked)
    decisions = [Decision(one.name, one.sentence, decision, "agreed") for one in page.findings]
    given = la.Review(page.subject, "accept", "fine", "Ann", "2026-11-18", tuple(decisions))
    path = asked.parent / "review.json"
    path.write_text(json.dumps(asdict(given)), encoding="utf-8")
    return path


def test_the_documents_name_all_files_of_their_release_and_are_for_the_owner_alone(asked):
    certificate = publish(asked)
    private = asked.parent / "private"
    kept = json.loads((private / "preflight.json").read_text())
    assert kept["release_sha256"] == digest_release(certificate)
    assert read_release_digest(private / REPORT) == digest_release(certificate)
    assert kept["purpose"] == "planning beds"
    assert kept["left_out"] == {}
    assert [one["accepted"] for one in kept["findings"] if one["severity"] == "error"] == [True]
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(one.stat().st_mode) for one in private.iterdir()} == {0o600}
    assert LinkedCertificate.read(asked.parent / "released").accepted == ("as-is-unique",)
    assert "What the data holder accepted" in la.report(asked.parent / "released").html


def test_a_dossier_is_replaced_only_with_its_release(asked):
    first = publish(asked)
    shutil.rmtree(asked.parent / "released")
    with pytest.raises(la.AlreadyExists, match="dossier"):
        publish(asked)
    second = publish(asked, replace=True)
    kept = json.loads((asked.parent / "private" / "preflight.json").read_text())
    assert digest_release(first) != digest_release(second) == kept["release_sha256"]


def test_a_document_that_waits_belongs_to_the_published_release_or_is_removed(asked):
    certificate = publish(asked)
    private, released = asked.parent / "private", asked.parent / "released"
    own = json.dumps({"release_sha256": digest_release(certificate)})
    [first, *_] = certificate.files.values()
    other = json.dumps({"release_sha256": first.sha256})
    for text, expected in ((own, own), (other, None)):
        (private / "preflight.json").unlink(missing_ok=True)
        (private / f"{WAITING['preflight.json']}0123456789abcdef").write_text(text)
        with keeping_records({}, private, released, replace=True):
            pass
        found = private / "preflight.json"
        assert (found.read_text() if found.exists() else None) == expected


def test_without_reports_the_dossier_holds_the_findings_alone(asked):
    publish(asked, report=False)
    assert {one.name for one in (asked.parent / "private").iterdir()} == {"preflight.json"}


def test_the_command_says_where_the_report_is(asked, type_in, monkeypatch):
    monkeypatch.chdir(asked.parent)
    inside = type_in("release linked.toml --accept as-is-unique --dossier released/private")
    assert inside[0] == 2
    assert "neither inside nor around the release" in " ".join(inside[2].split())
    code, output, _ = type_in("release linked.toml --accept as-is-unique")
    assert code == 0
    assert "Report for the data holder, private: private/report.html" in output
    refused = type_in("report released --regulator file.html --dossier private")
    assert (refused[0], "one table" in refused[2]) == (2, True)


def test_without_a_review_the_error_stops_the_release(asked):
    with pytest.raises(la.RequirementNotMet, match=r"as-is-unique(.|\n)*lookalike review"):
        la.release_records(spec=asked).publish()


def test_a_reviewer_accepts_what_the_answer_names_and_the_dossier_keeps_it(asked):
    path = answer(asked)
    publish(asked, review=str(path))
    kept = json.loads((asked.parent / "private" / "preflight.json").read_text())
    assert kept["review"] == json.loads(path.read_text())
    assert "accepted by Ann on 2026-11-18" in (asked.parent / "private" / REPORT).read_text()


def test_a_refusal_stops_the_release(asked):
    path = answer(asked, "refuse")
    with pytest.raises(la.RequirementNotMet, match="Ann refused on 2026-11-18"):
        publish(asked, review=str(path))


@pytest.mark.parametrize(
    ("file", "old", "new", "differs"),
    [
        ("linked.toml", "knows = 1", "knows = 0", "specification"),
        (
            "linked.toml",
            'bed = { role = "other", unique',
            'bed = { role = "sensitive", unique',
            "s",
        ),
        ("months.csv", "May;*", "May;Spring;*", "specification"),
        ("visits.csv", "5,May,5", "5,May,6", "source"),
        ("people.csv", "5,m", "5,f", "source"),
    ],
)
def test_what_changed_since_the_review_needs_another_one(asked, file, old, new, differs):
    path = answer(asked)
    changed = asked.parent / file
    text = changed.read_text()
    assert old in text
    changed.write_text(text.replace(old, new, 1))
    with pytest.raises(la.RequirementNotMet, match=f"the {differs}.* changed since Ann"):
        publish(asked, review=str(path))


def test_the_page_for_the_reviewer_states_the_promise(asked):
    page = la.review(asked).html
    assert "An attacker who knows somebody&#39;s sex and any one of their visits is left" in page
    assert "120 of 120" in page
    assert "visits.bed" in page
    assert describe_subject(Specification.load(asked)) == la.review(asked).subject


def test_frames_have_no_digest_and_are_not_reviewed(asked):
    path = answer(asked)
    people = la.release_records(spec=asked).sources.tables[0].table.frame.to_native()
    with pytest.raises(la.InvalidInput, match="review: the source must be a file"):
        la.release_records(people, spec=asked, review=str(path))
