"""How many persons some of their records single out, against every choice of records."""

import pyarrow as pa
import pytest
from hypothesis import given

import lookalike as la
from lookalike import InvalidInput
from lookalike.risk.table import records

from ..known_records import World, worlds

VISITS = {"who": [1, 1, 2, 2, 3, 3], "month": ["May", "June", "May", "July", "June", "July"]}


def text_table(lines):
    links, values = zip(*lines, strict=True) if lines else ((), ())
    return pa.table({"who": pa.array(links, pa.string()), "v": pa.array(values, pa.string())})


def measure(world, k=2):
    """The risk of a world with one table of records."""
    persons = None if world.persons is None else text_table([*world.persons.items()])
    return la.record_risk(
        text_table(world.tables[0]),
        ["v"],
        person="who",
        persons=persons,
        attributes=[] if persons is None else ["v"],
        k=k,
    )


def find_by_hand(world, knows, below):
    """Count the persons of whom something is known that fits fewer persons."""
    known = World(world.persons, world.tables[:1], (knows,))
    return sum(
        any(known.support(one) < below for one in known.known_of(link)) for link in known.links
    )


@given(worlds(tables=1))
def test_persons_are_counted_as_every_choice_of_records_does(world):
    found = measure(world, k=3)
    assert [one.records for one in found.known] == [0, 1, 2, 3, "all"]
    for one in found.known:
        assert one.unique_persons == find_by_hand(world, one.records, below=2)
        assert one.persons_below_k == find_by_hand(world, one.records, below=3)
    assert found.persons == len(world.links)
    assert found.rows == len(world.tables[0])
    assert found.unlinked == 0


def test_two_visits_single_out_persons_whom_one_does_not():
    found = la.record_risk(pa.table(VISITS), ["month"], person="who")
    assert [one.unique_persons for one in found.known] == [0, 0, 3, 3, 3]
    assert found.warnings == (
        "3 (100.0 %) of the 3 persons are singled out by 3 records that an attacker may happen to "
        "know, none by 1 record.",
    )
    assert "singled out by 3 records" in str(found)
    assert "1 record" in found._repr_html_()


def test_persons_may_have_another_name_and_type_in_the_records():
    people = pa.table({"id": ["1", "2", "3", "4"], "sex": list("ffmm")})
    found = la.record_risk(
        pa.table(VISITS),
        ["month"],
        person="id",
        persons=people,
        attributes=["sex"],
        record_person="who",
    )
    assert (found.persons, found.rows, found.most_records) == (4, 6, 2)
    assert [one.unique_persons for one in found.known] == [0, 3, 3, 3, 4]


def test_records_of_nobody_are_stated_and_not_counted():
    visits = pa.table({"who": ["p", "q", "x", None], "month": ["May", "May", "May", "June"]})
    people = pa.table({"who": ["p", "q"]})
    found = la.record_risk(visits, ["month"], person="who", persons=people, k=2)
    assert (found.unlinked, found.rows) == (2, 2)
    assert not any(one.persons_below_k for one in found.known)
    assert found.warnings == (
        "Records without a person, or whose person the person table does not have: 2. They were "
        "not counted.",
    )


def test_too_many_combinations_are_left_out_and_stated(monkeypatch):
    monkeypatch.setattr(records, "MOST_COMBINATIONS", 6)
    counted = la.record_risk(pa.table(VISITS), ["month"], person="who")
    assert counted.not_counted == ()
    monkeypatch.setattr(records, "MOST_COMBINATIONS", 5)
    found = la.record_risk(pa.table(VISITS), ["month"], person="who")
    assert [one.records for one in found.known] == [0, "all"]
    assert found.not_counted == (1, 2, 3)
    assert "1 and 2 and 3 records were not counted" in found.warnings[1]


def test_a_table_of_nobody_has_no_risk():
    empty = pa.table({"who": pa.array([], pa.string()), "month": pa.array([], pa.string())})
    found = la.record_risk(empty, ["month"], person="who")
    assert (found.persons, found.most_records, found.warnings) == (0, 0, ())


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ({"who": [1, 1, 2]}, "several rows in the person table"),
        ({"who": [1, None]}, "has no person"),
        ({"who": [8, 9]}, "no value of 'who' in the records is a person"),
        ({"person": [1]}, "the person table has no column 'who'"),
    ],
)
def test_a_person_table_that_does_not_fit_is_refused(people, message):
    with pytest.raises(InvalidInput, match=message):
        la.record_risk(pa.table(VISITS), ["month"], person="who", persons=pa.table(people))


def test_attributes_without_a_person_table_are_refused():
    with pytest.raises(InvalidInput, match="need the person table"):
        la.record_risk(pa.table(VISITS), ["month"], person="who", attributes=["sex"])


def test_an_unknown_column_of_records_is_refused():
    with pytest.raises(InvalidInput, match="the table of records has no column 'day'"):
        la.record_risk(pa.table(VISITS), ["day"], person="who")
