"""Releases that each keep their protections, and give values away when they are compared."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.ledger.policies.protections_over_time import find_broken_protections

from .steward import ROLES, publish, reopen

FOUR = {"id": ["a", "b", "c", "d"], "zip": ["02138"] * 4, "ill": ["HIV", "HIV", "flu", "gout"]}


def protecting(**protect):
    """The fields of a release at the levels of the table that protects a column."""
    ill = {"role": "sensitive", "unique": True, "protect": protect}
    attributes = {**ROLES, "ill": ill}
    return {"k": 2, "method": "mingen", "policy": "check-only", "attributes": attributes}


def publish_two(place, folder, first, second, **fields):
    """Publish two releases and return their entries."""
    for turn, table in enumerate((first, second), start=1):
        publish(place, folder / str(turn), table=pa.table(table), **fields)
    return reopen(place).releases("people")


def without(table, *places):
    """A table without some of its rows."""
    kept = [place for place in range(len(table["id"])) if place not in places]
    return {name: [column[place] for place in kept] for name, column in table.items()}


def test_those_who_left_with_one_value_are_given_away(place, tmp_path):
    asked = protecting(distinct=2, share=0.5)
    publish_two(place, tmp_path, FOUR, without(FOUR, 0, 1), **asked)

    found = la.attack_ledger(reopen(place), "people")
    assert found.proved, "k holds over both"
    assert [
        (one.release, one.protection, one.rows, one.histories, one.certain)
        for one in found.broken_protections
    ] == [("release 1", "distinct", 2, 1, True), ("release 1", "share", 2, 1, True)]
    assert "2 rows in 1 history break the protection distinct" in found.protection_statements[0]
    assert not any("HIV" in line for line in found.protection_statements)


@pytest.mark.parametrize("left", [(), (0, 2)])
def test_those_who_left_with_different_values_are_not(place, tmp_path, left):
    four = {**FOUR, "ill": ["HIV", "flu", "flu", "HIV"]}
    entries = publish_two(place, tmp_path, four, without(four, *left), **protecting(share=0.5))
    assert find_broken_protections(entries) == ()


def test_those_who_came_with_one_value_are_given_away(place, tmp_path):
    asked = protecting(distinct=2) | {"new_people": True}
    [_, second] = publish_two(place, tmp_path, without(FOUR, 0, 1), FOUR, **asked)
    [found] = find_broken_protections(reopen(place).releases("people"))
    assert (found.release, found.rows) == (second.name, 2)


def test_closeness_by_order_is_compared_as_if_values_were_equally_far_apart(place, tmp_path):
    ages = {**FOUR, "ill": [1, 2, 3, 4]}
    ordered = protecting(closeness={"t": 0.4, "distance": "ordered"})
    entries = publish_two(place, tmp_path, ages, without(ages, 0, 3), **ordered)

    assert [(one.rows, one.certain) for one in find_broken_protections(entries)] == [(4, False)]


def test_a_protection_is_judged_for_its_own_quasi_identifier(place, tmp_path):
    table = {**FOUR, "job": ["x", "x", "y", "y"]}
    asked = protecting(distinct=2) | {
        "quasi_identifiers": [
            {"name": "home", "attributes": ["zip"], "k": 2},
            {"name": "work", "attributes": ["job"], "k": 2},
        ]
    }
    asked["attributes"]["job"] = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    table["ill"] = ["HIV", "flu", "HIV", "flu"]
    entries = publish_two(place, tmp_path, table, table, **asked)
    assert find_broken_protections(entries) == ()


def test_the_preflight_warns_from_the_second_release_on(place, tmp_path):
    def warned(table):
        made = la.release(pa.table(table), **asked)
        made.publish(tmp_path / str(len(found)) / "table.csv")
        return "protected-by-itself" in {one.name for one in made.preflight}

    source = {"row_key": "id", "name": "people"}
    asked, found = {**place, "source": source, **protecting(distinct=2)}, []
    found += [warned(FOUR)]
    found += [warned(without(FOUR, 0, 1))]
    assert found == [False, True]


def test_other_policies_are_not_recommended_as_if_protections_held(place):
    asked = protecting(distinct=2) | {"policy": "based-on"}
    with pytest.raises(la.InvalidInput, match="comparing releases can give values away"):
        publish(place, "nowhere", table=pa.table(FOUR), **asked)
