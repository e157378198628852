"""The attacker who knows a person and some of their records, against every choice of records."""

import itertools
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.hierarchy import Mask

K = 2
HIERARCHY = Mask(length=2)
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
KEY = {"role": "identifier"}
VALUES = st.sampled_from(["11", "12", "21", "22"])
PEOPLE = st.lists(st.tuples(VALUES, st.lists(VALUES, max_size=3)), min_size=5, max_size=9)
"""The value of each person, and those of the person's visits."""


def tables(people):
    """The person table and the table of visits."""
    visits = [(number, one) for number, (_, values) in enumerate(people) for one in values]
    who, when = zip(*visits, strict=True) if visits else ((), ())
    persons = pa.table({"no": [*range(len(people))], "zip": [own for own, _ in people]})
    return persons, pa.table(
        {"no": pa.array(who, pa.int64()), "month": pa.array(when, pa.string())}
    )


def release(people, knows, suppressed_records="persons"):
    persons, visits = tables(people)
    asked = {"person": "no", "knows": knows, "attributes": {"no": KEY, "month": MASKED}}
    return la.release_records(
        persons,
        records={"visits": {"table": visits, **asked}},
        source={"person": "no"},
        attributes={"no": KEY, "zip": MASKED},
        k=K,
        max_suppressed=2,
        suppressed_records=suppressed_records,
    )


def read(persons, visits):
    """Put the released persons and their visits together by their pseudonyms."""
    months = [(row["no"], row["month"]) for row in visits.to_pylist()]
    return [
        (row["zip"], Counter(month for who, month in months if who == row["no"]))
        for row in persons.to_pylist()
    ]


def count_candidates(released, levels, own, known, *, every):
    """Count the released persons who may be somebody with this value and these visits."""
    shown = HIERARCHY.generalize(own, levels["persons"]["zip"])
    wanted = Counter(HIERARCHY.generalize(one, levels["visits"]["month"]) for one in known)
    return sum(
        label == shown and (months == wanted if every else not wanted - months)
        for label, months in released
    )


def attack(people, released, levels, knows):
    """Yield the number of candidates for everything that is known of anybody."""
    for own, visits in people:
        sizes = [len(visits)] if knows == "all" else range(min(knows, len(visits)) + 1)
        for known in itertools.chain(*(itertools.combinations(visits, size) for size in sizes)):
            yield count_candidates(released, levels, own, known, every=knows == "all")


@settings(max_examples=15)
@given(PEOPLE, st.sampled_from([0, 1, 2, 3, "all"]), st.sampled_from(["persons", "drop"]))
def test_nobody_who_is_released_has_fewer_than_k_candidates(people, knows, suppressed_records):
    """Whoever is left out, or a record, has none, or as many as those of whom the same is known."""
    try:
        made = release(people, knows, suppressed_records)
    except la.Infeasible:
        reject()
    released = read(made.tables["persons"], made.tables["visits"])
    candidates = {*attack(people, released, made.levels, knows)}
    assert len(released) >= len(people) - 2
    assert min(candidates - {0}) >= K


def release_sets(people, knows):
    """Release one row a person, with the visits as a set in a column, without a pseudonym."""
    rows = {"zip": [own for own, _ in people], "months": ["; ".join(ms) for _, ms in people]}
    return la.release_records(
        pa.table(rows),
        source={"person": "row"},
        attributes={"zip": MASKED, "months": {**MASKED, "separator": ";", "knows": knows}},
        k=K,
        max_suppressed=2,
    )


def read_sets(persons):
    """Return the value and the items of each released person."""
    return [
        (row["zip"], Counter(row["months"].split(";") if row["months"] else ()))
        for row in persons.to_pylist()
    ]


@settings(max_examples=15)
@given(PEOPLE, st.sampled_from([0, 1, 2, 3, "all"]))
def test_nobody_has_fewer_than_k_candidates_by_the_items_of_a_set(people, knows):
    try:
        made = release_sets(people, knows)
    except la.Infeasible:
        reject()
    levels = {
        "persons": made.levels["persons"],
        "visits": {"month": made.levels["months"]["months"]},
    }
    candidates = {*attack(people, read_sets(made.tables["persons"]), levels, knows)}
    assert min(candidates - {0}) >= K


@settings(max_examples=15)
@given(PEOPLE, st.sampled_from([1, 2, "all"]))
def test_records_alone_leave_k_candidates_among_those_who_have_any(people, knows):
    """Without a person table, nothing but the records of a person is known."""
    people = [("", months) for _, months in people if months]
    visits = tables(people)[1]
    asked = {"person": "no", "knows": knows, "attributes": {"no": KEY, "month": MASKED}}
    try:
        made = la.release_records(
            records={"visits": {"table": visits, **asked}}, k=K, max_suppressed=2
        )
    except la.Infeasible:
        reject()
    owned = {}
    for row in made.tables["visits"].to_pylist():
        owned.setdefault(row["no"], Counter())[row["month"]] += 1
    released, levels = [("", one) for one in owned.values()], {"persons": {"zip": 0}, **made.levels}
    candidates = {*attack(people, released, levels, knows)}
    assert min(candidates - {0}) >= K


SEVERAL_VISITS = [("11", ["11", "12"]), ("11", ["11", "21"]), ("11", ["12", "21"])]


@pytest.mark.parametrize(("knows", "found"), [(1, 2), (2, 1)])
def test_two_visits_single_out_a_person_of_the_naive_release(knows, found):
    """Every single visit is that of two persons, and the pseudonym joins the visits."""
    ground = {"persons": {"zip": 0}, "visits": {"month": 0}}
    naive = read(*tables(SEVERAL_VISITS))
    assert min(attack(SEVERAL_VISITS, naive, ground, knows)) == found
    made = release(SEVERAL_VISITS, knows)
    ours = read(made.tables["persons"], made.tables["visits"])
    assert min({*attack(SEVERAL_VISITS, ours, made.levels, knows)} - {0}) >= K
