"""The facts of linked tables, against every choice of records of every person."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.describe import linked as described
from lookalike.describe.linked import LinkedSides, compare_risk, describe_linked
from lookalike.flow.linked_documents import describe_release

from ..linked_worlds import HEIGHT, World, has, list_known, worlds

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
LEVELS = st.integers(0, HEIGHT)


def count_by_hand(world, among, k):
    """How many of some persons something known fits alone, and fits with fewer than k of them."""
    fewest = [
        min(sum(has(world, other, known) for other in among) for known in list_known(world, one))
        for one in among
    ]
    return sum(one == 1 for one in fewest), sum(one < k for one in fewest)


def pick(chosen):
    """Return the numbers of the persons who are chosen."""
    return [number for number, one in enumerate(chosen) if one]


@given(worlds(most_persons=5), st.tuples(LEVELS, LEVELS), st.data())
def test_whom_records_single_out_is_counted_before_and_after(world, vector, data):
    persons = len(world.persons)
    chosen = data.draw(st.lists(st.booleans(), min_size=persons, max_size=persons))
    linked, k = world.linked(), 3
    found = [*compare_risk(LinkedSides(linked, linked, vector, np.array(chosen)), 1, k)]
    assert len(found) == 5
    for knows, one in zip((0, 1, 2, 3, "all"), found, strict=True):
        own = World(world.persons, world.records, (knows,))
        assert one.before == count_by_hand(own, range(persons), k)
        assert one.after == count_by_hand(own.at(vector), pick(chosen), k)


@pytest.mark.parametrize("apart", [False, True])
@given(data=st.data(), vector=st.tuples(LEVELS, LEVELS, LEVELS))
def test_what_may_be_known_by_the_specification_is_counted_over_all_tables(data, vector, apart):
    world = data.draw(worlds(most_persons=4, tables=2, apart=apart))
    linked = world.linked()
    released = linked.mark_released(vector, 2)
    found = describe_linked(LinkedSides(linked, linked, vector, released), {}, 2)
    everybody = range(len(world.persons))
    assert found.promised.before == count_by_hand(world, everybody, 2)
    assert found.promised.after == (0, 0)
    least = min(
        sum(has(world, other, known) for other in everybody)
        for one in everybody
        for known in list_known(world, one)
    )
    assert found.fewest_before == least


def release(knows=1, **changes):
    """Release nine people, one of whom is left out, with their visits."""
    people = pa.table({"no": [*range(9)], "sex": [*"ffffmmmmx"]})
    visits = [(n, ("flu", "cough")[n % 2]) for n in range(8) for _ in range(n % 3)]
    numbers, causes = zip(*visits, (8, "gout"), (8, "flu"), strict=True)
    asked = {
        "table": pa.table({"no": numbers, "cause": causes, "month": ["May"] * len(numbers)}),
        "person": "no",
        "knows": knows,
        "attributes": {"no": KEY, "month": HIDE, "cause": {"role": "other"}},
    }
    return la.release_records(
        people,
        records={"visits": asked},
        source={"person": "no"},
        attributes={"no": KEY, "sex": HIDE},
        k=2,
        max_suppressed=1,
        constraints=["sex = 0", "visits.month = 0"],
        **changes,
    )


def test_values_and_records_are_counted_in_the_private_and_in_the_released_rows():
    found = describe_release(release())
    persons, visits = found.tables
    assert [one.figures.attribute for one in persons.attributes] == ["sex"]
    assert (persons.attributes[0].before.rows, persons.attributes[0].after.rows) == (9, 8)
    assert [one.label for one in persons.attributes[0].suppressed.listed] == ["x"]
    assert persons.records is None
    [cause] = visits.columns
    shown = {one.label: (one.of_rows, one.rows) for one in cause.after.listed}
    assert (shown, cause.lost) == ({"cough": (4, 4), "flu": (4, 3)}, 1)  # nobody has gout
    sizes = {one.label: (one.of_rows, one.rows) for one in visits.records.listed}
    assert sizes == {"0": (3, 3), "1": (3, 3), "2": (3, 2)}


def test_too_many_choices_of_records_are_not_counted_and_said_to_be(monkeypatch):
    whole = describe_release(release()).tables[1]
    assert (len(whole.risk), whole.is_risk_cut) == (5, False)
    monkeypatch.setattr(described, "_MOST_REPORTED", 5)
    cut = describe_release(release()).tables[1]
    assert cut.is_risk_cut
    assert [one.known for one in cut.risk] == ["sex and all of their visits"]
    monkeypatch.setattr(described, "_MOST_REPORTED", 8)
    some = describe_release(release()).tables[1].risk
    assert [one.before is None for one in some] == [True] * 4 + [False]  # of nine persons, one each
    assert all(one.after is not None for one in some)


def test_without_a_link_no_records_of_one_person_are_compared():
    found = describe_release(release(link=False))
    assert [one.risk for one in found.tables] == [(), ()]
    assert found.promised.known == "sex, or any one of their visits"
    assert describe_release(release()).promised.known == "sex and any one of their visits"
    assert found.promised.after == (0, 0)


def test_left_out_records_of_released_persons_count_before_but_not_after():
    """Only the first of six people came in June, too: that visit is left out."""
    months = [*((n, "May", "flu") for n in range(6)), (0, "June", "gout")]
    numbers, month, cause = map(list, zip(*months, strict=True))
    visits = {
        "table": pa.table({"no": numbers, "month": month, "cause": cause}),
        "person": "no",
        "knows": 1,
        "attributes": {"no": KEY, "month": HIDE, "cause": {"role": "other"}},
    }
    made = la.release_records(
        pa.table({"no": [*range(6)], "sex": [*"ffffff"]}),
        records={"visits": visits},
        source={"person": "no"},
        attributes={"no": KEY, "sex": HIDE},
        k=2,
        max_suppressed=1,
        constraints=["visits.month = 0"],
        suppressed_records="drop",
    )
    found = describe_release(made).tables[1]
    assert made.rows_dropped == {"persons": 0, "visits": 1}
    sizes = {one.label: (one.of_rows, one.rows) for one in found.records.listed}
    assert sizes == {"1": (5, 6)}  # what nobody shows is not listed
    [values] = found.columns
    assert {one.label: (one.of_rows, one.rows) for one in values.after.listed} == {"flu": (6, 6)}
    assert values.lost == 1
    assert found.attributes[0].after.rows == 6
    assert (found.risk[1].before, found.risk[1].after) == ((1, 1), (0, 0))
