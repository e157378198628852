"""`lookalike link` and `attack` on releases of people with records, with the demo's hospital."""

import json

import pytest

from ..demo_files import copy_demo

ON = "--on birth_date,sex,zip,admissions.day,admissions.ward --spec records.toml"
KNOWN = "--records admissions=admissions.csv --identity patient_no"


@pytest.fixture
def released(stage, after):
    """A release of the demo's hospital, in which two admissions may be known."""
    copy_demo(stage, "records")
    after("release records.toml --dossier private")


def test_a_list_of_names_alone_leaves_k_persons(released, type_in):
    code, printed, _ = type_in(
        "link released patients.csv --on birth_date,sex,zip -k 5 --json --spec records.toml"
    )
    found = json.loads(printed)
    assert (code, found["holds"], found["covered"]) == (0, True, 900)
    assert found["persons"]["none"] == 13


def test_all_admissions_find_persons_and_two_do_not(released, type_in):
    code, printed, _ = type_in(f"link released patients.csv {ON} {KNOWN} -k 5 --json")
    found = json.loads(printed)
    assert (code, found["holds"], found["persons"]["one"] > 0) == (1, False, True)
    assert found["covered"] < 900
    assert found["covered_fewest"] >= 5
    assert "shown" not in found


def test_persons_are_shown_on_request_only(released, type_in):
    _, printed, _ = type_in(f"link released patients.csv {ON} {KNOWN} -k 5")
    shown = type_in(f"link released patients.csv {ON} {KNOWN} -k 5 --show --most 1 --wide")[1]
    assert "Not protected: what is known of an external person leaves only 1 person" in printed
    assert "released persons per external person" in printed
    assert "person: patient_no" not in printed
    assert "person: patient_no" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"link released patients.csv {ON}", "--records admissions=FILE"),
        (f"link released patients.csv {ON} {KNOWN} --truth sex", "pseudonyms nobody"),
        ("link patients.csv --on sex", "name the external table of persons"),
        (f"link patients.csv patients.csv --on sex {KNOWN}", "--records is for a published folder"),
        (f"link released patients.csv {ON} {KNOWN} --records admissions=x", "named twice"),
        ("attack released --spec records.toml", "at least two releases"),
        ("attack released patients.csv --spec records.toml", "compared with each other only"),
    ],
)
def test_what_does_not_fit_is_refused(released, type_in, words, told):
    code, printed, complaint = type_in(words)
    assert (code, printed) == (2, "")
    assert told in " ".join(complaint.split())


def test_two_releases_are_linked_by_the_records_of_persons(released, after, type_in):
    changed = "--constraint 'zip <= 0' --out second/patients.csv --dossier other"
    after(f"release records.toml {changed}")
    code, printed, _ = type_in("attack released second --spec records.toml --json")
    attacked = json.loads(printed)
    assert attacked["columns"] == ["birth_date", "sex", "zip", "admissions", "lab"]
    assert code == (not attacked["holds"])
    assert attacked["people"] == 900
