"""Persons are decided: by a draft from what rows share, and never overlooked by a release."""

import json
import random

import pandas as pd
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.errors import InvalidInput, RequirementNotMet

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

LONG = [(2, 300), (19, 60), (21, 60), (25, 300), (500, 20)]
"""Rows of each person, and persons."""
KEYS = ["subject_id", "id", "key", "pid", "patient", "x7"]


def long_table(key, each, persons):
    """Return laboratory rows of people; a person's age, sex and ZIP code stay the same."""
    drawn = random.Random(1)
    people = [
        (number, drawn.randint(20, 89), drawn.choice("fm"), f"0213{drawn.randint(0, 9)}")
        for number in range(1000, 1000 + persons)
    ]
    rows = [
        (*one, drawn.choice("abcdefgh"), round(drawn.gauss(100, 15), 1))
        for one in people
        for _ in range(each)
    ]
    drawn.shuffle(rows)
    return pd.DataFrame(rows, columns=[key, "age", "sex", "zip", "lab", "value"])


def attributes(key, role):
    return {
        key: role,
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10]}},
        "sex": LINKABLE,
        "zip": MASKED,
        "lab": SENSITIVE,
        "value": {"role": "drop"},
    }


def persons_found(made):
    return [one for one in made.preflight if one.name == "repeated-persons"]


@pytest.mark.parametrize(("each", "persons"), LONG)
@pytest.mark.parametrize("key", KEYS)
def test_a_draft_names_the_key_of_persons(key, each, persons):
    found = la.draft(long_table(key, each, persons))
    assert found.source["person"] == key
    assert found.roles[key] == "identifier"


@pytest.mark.parametrize(("each", "persons"), LONG)
def test_the_draft_of_a_long_table_publishes_no_person(each, persons, tmp_path):
    table, out = long_table("subject_id", each, persons), tmp_path / "released" / "lab.csv"
    (tmp_path / "lab.toml").write_text(la.draft(table).decide().toml())
    made = la.release(
        table,
        spec=tmp_path / "lab.toml",
        method="datafly",
        objective="precision",
        max_suppressed=0.1,
    )
    made.publish(out)
    certified = json.loads((out.parent / "certificate.json").read_text())
    assert certified["quasi_identifiers"][0]["persons_reached"] >= 5
    assert "subject_id" not in out.read_text()


ROLES = {
    "identifier": IDENTIFIER,
    "drop": {"role": "drop"},
    "other": {"role": "other"},
    "sensitive": SENSITIVE,
    "quasi-identifier": LINKABLE,
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("each", [2, 25])
@pytest.mark.parametrize("source", [None, {"person": "row"}])
def test_a_key_of_any_role_stops_a_release_that_counts_rows(role, each, source, tmp_path):
    roles = attributes("x7", ROLES[role])
    made = la.release(
        long_table("x7", each, 60), attributes=roles, k=2, source=source, method="datafly"
    )
    [one] = persons_found(made)
    assert one.severity == "error"
    assert "share age, sex, zip" in one.sentence
    assert 'person = "x7"' in one.remedy
    with pytest.raises(RequirementNotMet, match="repeated-persons"):
        made.publish(tmp_path / "released" / "lab.csv")


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_the_finding_says_what_k_would_be_in_persons(method):
    """Two classes of rows: 25 rows of one person, and 25 rows of five persons."""
    table = pa.table(
        {
            "pid": ["a"] * 25 + [f"b{row % 5}" for row in range(25)],
            "sex": ["f"] * 25 + ["m"] * 25,
            "zip": ["02138"] * 25 + ["02139"] * 25,
        }
    )
    roles = {"pid": IDENTIFIER, "sex": LINKABLE, "zip": MASKED}
    [one] = persons_found(la.release(table, attributes=roles, k=5, method=method))
    assert "6 different ones in 50 rows" in one.sentence
    assert one.sentence.endswith("and the class with the fewest has 1 person at most.")


def test_naming_the_persons_satisfies_the_check():
    roles = attributes("x7", IDENTIFIER)
    made = la.release(
        long_table("x7", 25, 60), attributes=roles, k=2, source={"person": "x7"}, method="datafly"
    )
    assert persons_found(made) == []


def test_counting_visits_as_persons_is_found():
    table = long_table("patient", 6, 60)
    table["visit"] = [f"{one}-{number % 3}" for number, one in enumerate(table["patient"])]
    roles = attributes("patient", {"role": "drop"}) | {"visit": IDENTIFIER}
    made = la.release(table, attributes=roles, k=2, source={"person": "visit"}, method="datafly")
    [one] = persons_found(made)
    assert "'patient'" in one.sentence
    assert "k values of 'visit'" in one.sentence


def test_without_their_key_several_rows_of_people_are_a_warning():
    table = long_table("x7", 25, 60).drop(columns="x7")
    roles = attributes("x7", IDENTIFIER)
    del roles["x7"]
    [one] = persons_found(la.release(table, attributes=roles, k=5, method="datafly"))
    assert (one.severity, "x7" in one.sentence) == ("warning", False)
    assert la.draft(table).source["person"] == "?"


def test_an_agency_is_no_person():
    """An agency works in one state, with people of every age and both sexes."""
    table = long_table("agency", 1, 2000)
    table["agency"] = [f"{place}{number % 20}" for number, place in enumerate(table["zip"])]
    found = la.draft(table)
    assert found.source["person"] == "row"
    assert found.roles["agency"] != "identifier"


def test_two_people_of_one_name_are_not_one_person():
    table = long_table("full_name", 1, 400)
    table["full_name"] = [f"Name {number % 300}" for number in range(400)]
    assert la.draft(table).source["person"] == "row"
    roles = attributes("full_name", IDENTIFIER)
    made = la.release(table, attributes=roles, k=2, method="datafly", max_suppressed=0.5)
    assert persons_found(made) == []


def test_a_key_beside_measurements_alone_is_taken_for_that_of_persons():
    """Nothing shows that the ids are not persons: days, tests and values change from row to row."""
    drawn = random.Random(1)
    rows = [
        (f"{number % 200}", drawn.randint(0, 9000), "abc"[number % 3]) for number in range(4000)
    ]
    found = la.draft(pd.DataFrame(rows, columns=["id", "days", "test"]))
    assert found.source["person"] == "id"


def test_numbers_of_patients_that_differ_are_asked_about():
    table = long_table("patient_id", 1, 240)
    table["patient_id"] = [f"P{number // 3}" for number in range(240)]
    assert la.draft(table).source["person"] == "?"


def test_a_release_with_undecided_persons_is_refused_with_the_evidence():
    table, roles = long_table("x7", 25, 60), attributes("x7", IDENTIFIER)
    with pytest.raises(InvalidInput) as refused:
        la.release(table, attributes=roles, k=2, source={"person": "?"})
    assert "rows with the same value of 'x7' share age, sex, zip" in str(refused.value)
    assert 'person = "x7"' in str(refused.value)
    assert 'person = "row"' in str(refused.value)


def test_the_holder_decides_in_a_draft():
    found = la.draft(long_table("x7", 25, 60).drop(columns="x7"))
    assert found.decide().is_person_undecided
    assert found.decide(person="row").source["person"] == "row"
    named = found.decide(person="lab")
    assert (named.source["person"], named.roles["lab"]) == ("lab", "identifier")


def test_several_columns_identify_persons_together(tmp_path):
    """Two clinics number their patients from 1 on: a number alone is of two people."""
    table = long_table("x7", 10, 60)
    table["clinic"] = [one % 2 for one in table["x7"]]
    table["number"] = [one // 2 for one in table["x7"]]
    roles = attributes("number", IDENTIFIER) | {"clinic": {"role": "drop"}, "x7": {"role": "drop"}}
    for person, persons in ((["clinic", "number"], 60), ("number", 30)):
        source = {"person": person}
        made = la.release(table, attributes=roles, k=2, source=source, method="datafly")
        certified = made.certificate.quasi_identifiers[0]
        assert (certified.counts, certified.persons_reached <= persons) == ("persons", True)
        assert persons_found(made) == []
    everything = {name: {"role": "drop"} for name in roles} | {
        "sex": LINKABLE,
        "number": IDENTIFIER,
    }
    table["sex"] = "f"
    source = {"person": ["clinic", "number"]}
    made = la.release(table, attributes=everything, k=60, source=source, method="mingen")
    assert made.certificate.quasi_identifiers[0].persons_reached == 60
    made.publish(tmp_path / "released" / "lab.csv")
    assert la.verify(tmp_path / "released").holds


def test_a_column_called_row_is_a_list_of_one():
    table = long_table("row", 5, 60)
    roles = attributes("row", IDENTIFIER)
    made = la.release(table, attributes=roles, k=2, source={"person": ["row"]}, method="datafly")
    assert made.certificate.quasi_identifiers[0].counts == "persons"


@pytest.mark.parametrize(
    ("person", "problem"),
    [
        (["lab", "sex"], "must never be released"),
        (["x7", "xx"], "'xx'"),
        ([], "different columns"),
        (["x7", "x7"], "different columns"),
    ],
)
def test_what_cannot_identify_persons_is_refused(person, problem):
    roles = attributes("x7", IDENTIFIER)
    with pytest.raises(InvalidInput, match=problem):
        la.release(long_table("x7", 2, 20), attributes=roles, k=2, source={"person": person})
