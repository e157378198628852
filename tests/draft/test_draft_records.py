"""Several tables: which has the persons, how records refer to them, and what is left to decide."""

import sys

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.draft.find_links import find_links
from lookalike.errors import InvalidInput
from lookalike.tables.read import read_frame

NUMBERS = [*range(1, 41)]
PEOPLE = pa.table({"patient_no": NUMBERS, "sex": ["f", "m"] * 20, "age": [20, 31, 42, 53] * 10})
STAYS = pa.table(
    {
        "stay_no": [*range(101, 161)],
        "patient_no": [1 + n % 37 for n in range(60)],
        "day": [f"2025-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(60)],
    }
)
LAB = pa.table({"patient_no": [5, 5, 6, 7] * 5, "stay_no": [101, 102] * 10, "result": ["+"] * 20})


def links(**tables):
    return find_links({name: read_frame(one) for name, one in tables.items()})


def test_the_table_with_most_references_to_its_key_has_the_persons():
    found = links(lab=LAB, stays=STAYS, people=PEOPLE)
    assert (found.persons, found.key) == ("people", "patient_no")
    assert {(one.table, one.column, one.to) for one in found.found if one.is_certain} == {
        ("stays", "patient_no", "people"),
        ("lab", "patient_no", "people"),
    }


def test_short_numbers_refer_to_a_key_only_if_their_name_says_so():
    ages = pa.table({"subject": [3, 9, 11, 12], "score": ["a", "b", "c", "d"]})
    with pytest.raises(InvalidInput, match="no table has one row for each person"):
        links(people=PEOPLE, ages=ages)
    named = pa.table({"people_id": [3, 9, 11, 12], "score": ["a", "b", "c", "d"]})
    assert links(people=PEOPLE, ages=named).persons == "people"


def test_an_id_that_repeats_refers_to_the_id_of_another_table():
    people = PEOPLE.rename_columns(["id", "sex", "age"])
    own = pa.table({"id": [1, 2, 3, 4], "ward": [*"abab"]})
    with pytest.raises(InvalidInput):
        links(people=people, visits=own)
    visits = pa.table({"id": [1, 2, 3, 4, 4], "ward": [*"ababa"]})
    assert links(people=people, visits=visits).persons == "people"


def test_a_table_that_is_given_twice_is_refused():
    with pytest.raises(InvalidInput, match="given twice"):
        la.draft_records(["people.csv", "people.csv"])


def test_texts_that_all_occur_in_a_key_refer_to_it_whatever_their_name():
    people = pa.table({"id": [f"a{n}-x" for n in NUMBERS], "sex": ["f", "m"] * 20})
    events = pa.table({"who": ["a3-x", "a3-x", "a9-x", "a1-x"], "what": ["p", "q", "r", "s"]})
    reference, _ = links(people=people, events=events).choose("events")
    assert (reference.column, reference.is_named, reference.nobody) == ("who", False, 0)


@pytest.mark.parametrize(("strangers", "refers"), [(1, True), (2, False)])
def test_few_records_may_belong_to_nobody(strangers, refers):
    """Up to a twentieth of the values; how many records that are is said."""
    numbers = [*range(1, 21 - strangers), *range(900, 900 + strangers)]
    visits = pa.table({"patient_no": numbers, "ward": ["A", "B"] * 10})
    if not refers:
        with pytest.raises(InvalidInput):
            links(people=PEOPLE, visits=visits)
        return
    found = la.draft_records({"people": PEOPLE, "visits": visits})
    assert "records that belong to no row of people: 1;" in found.tables["visits"].remarks["person"]


def test_records_of_nobody_are_not_those_of_one_person():
    """Twelve tests without a patient, and nine of a stranger, are not twelve of a person."""
    numbers = [str(1 + n % 30) for n in range(60)] + ["900"] * 9 + [None] * 12
    lab = pa.table({"patient_no": numbers, "result": ["+", "-", "?"] * 27})
    remark = la.draft_records({"people": PEOPLE, "lab": lab}).tables["lab"].remarks["person"]
    assert "the most records of a person are 2;" in remark
    assert "records that belong to no row of people: 21;" in remark
    [reference] = links(people=PEOPLE, lab=lab).list_to_persons()
    assert reference.rows == {str(n): 2 for n in range(1, 31)}


@pytest.mark.parametrize(
    "prices", [[0.5, 1.5, 2.5, 10.0], ["0.5", "1.5", "2.5", "10"], ["-1e-3", ".5", "1.5", "+2.0"]]
)
def test_measurements_are_no_key(prices):
    """Prices that all differ have visits, too, but they name no person."""
    tariffs = pa.table({"price": prices, "name": [*"abcd"]})
    visits = pa.table({"cost": prices * 2, "ward": ["A", "B"] * 4})
    with pytest.raises(InvalidInput, match="no table has one row for each person"):
        links(tariffs=tariffs, visits=visits)
    codes = ["I10.5", *map(str, prices[1:])]  # what is no number may be a key
    known = pa.table({"code": codes, "name": [*"abcd"]})
    assert links(known=known, visits=pa.table({"what": codes * 2})).persons == "known"


def test_whole_numbers_with_gaps_refer_although_their_type_has_decimals():
    """As pandas reads a column of integers with missing values."""
    visits = pa.table({"patient_no": [1.0, 2.0, 3.0, None, float("nan")], "ward": [*"ababa"]})
    reference, _ = links(people=PEOPLE, visits=visits).choose("visits")
    assert (reference.column, reference.nobody) == ("patient_no", 2)


def test_negative_numbers_occur_in_a_key_by_chance_too():
    steps = pa.table({"step": [-2, -1, 0, 1], "name": [*"abcd"]})
    with pytest.raises(InvalidInput):
        links(steps=steps, visits=pa.table({"change": [-2, -1, 1, -2], "ward": [*"abab"]}))


def test_records_are_not_called_as_results_call_the_person_table(tmp_path):
    found = la.draft_records({"people": PEOPLE, "persons": STAYS})
    assert [*found.tables] == ["people", "persons-2"]
    assert found.knows == {"persons-2": 2}
    assert la.draft_records({"persons": PEOPLE, "stays": STAYS}).persons == "persons"
    found.write(tmp_path / "s.toml")
    assert [*la.Specification.load(tmp_path / "s.toml").records] == ["persons-2"]


def test_two_columns_that_may_name_the_person_are_asked_about():
    visits = pa.table({"patient_a": [1, 2, 3, 4], "patient_b": [5, 6, 7, 8], "ward": [*"abab"]})
    stays = STAYS.select(["patient_no", "day"])
    patients = {"patients": PEOPLE, "visits": visits, "stays": stays}
    found = la.draft_records(patients)
    assert found.undecided_persons == ("visits",)
    assert '"patient_a", "patient_b"' in found.tables["visits"].remarks["person"]
    assert 'person = "?"' in found.toml()


def test_a_table_that_refers_to_records_only_is_left_out():
    details = pa.table({"stay_no": [101, 102, 103, 104], "code": [*"abcd"]})
    found = la.draft_records({"people": PEOPLE, "stays": STAYS, "details": details})
    assert [*found.tables] == ["people", "stays"]
    assert 'it belongs to stays by "stay_no"' in found.left_out["details"]


def test_rows_that_are_visits_are_not_taken_for_persons():
    """Diagnoses refer to visits by their number, and several visits are of one patient."""
    names = [f"Person Number{n % 12}" for n in range(60)]
    birth = [f"19{50 + n % 12}-03-0{1 + n % 9}" for n in range(12)] * 5
    visits = STAYS.drop(["patient_no"]).append_column("medical_record_number", pa.array(names))
    visits = visits.append_column("birth_date", pa.array(birth))
    diagnoses = pa.table({"stay_no": [*range(101, 131)], "code": ["a", "b"] * 15})
    found = la.draft_records({"visits": visits, "diagnoses": diagnoses})
    assert (found.persons, found.undecided_persons) == ("visits", ("visits",))
    assert "medical_record_number" in found.tables["visits"].remarks["person"]


def test_fewer_records_are_known_where_two_cannot_be_counted(monkeypatch):
    """Of three persons with 10 stays and 10 tests: 45 × 45 pairs of pairs each, or 10 × 10."""
    often = pa.table({"patient_no": [1, 2, 3] * 10, "day": STAYS["day"][:30]})
    tables = {"people": PEOPLE, "stays": often, "tests": often}
    for most, known, limits in ((6075, 2, 0), (6074, 1, 0), (300, 1, 0), (299, 1, 2)):
        monkeypatch.setattr(sys.modules[la.draft_records.__module__], "COUNTED_COMBINATIONS", most)
        found = la.draft_records(tables)
        assert found.knows == {"stays": known, "tests": known}
        assert found.toml().count("at_most = 20") == limits


def test_nothing_is_known_of_a_table_without_quasi_identifier():
    results = LAB.select(["patient_no", "result"])
    assert la.draft_records({"people": PEOPLE, "lab": results}).knows == {"lab": 0}


def test_hierarchies_of_two_tables_have_files_of_their_own(tmp_path):
    """Columns of the same name in two tables may have other values."""
    town = [f"town {'abcdefgh'[n % 8]}" for n in range(40)]
    people = PEOPLE.append_column(
        "nationality", pa.array(["France", "Italy", "Spain", "Peru"] * 10)
    )
    trips = pa.table(
        {"patient_no": NUMBERS, "nationality": ["Chad", "Mali", "Laos", "Iran"] * 10, "town": town}
    )
    found = la.draft_records({"people": people, "trips": trips})
    files = found.write(tmp_path / "s.toml")
    assert len({one.name.lower() for one in files}) == len(files)
    assert la.Specification.load(tmp_path / "s.toml").records["trips"].person == "patient_no"
