"""Releases that each keep their protections, and give values away when they are compared."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.ledger.policies import policy
from lookalike.ledger.policies.protections_over_time import find_broken_protections

from .steward import ROLES, publish, reopen

OVER_RELEASES = (
    "In every class over zip, and in every set of its rows that this release and the earlier ones "
    "considered show alike, no value of ill has more than 50 % of the rows. Classes were chosen by "
    "the quasi-identifier alone: to somebody who knows the method, and no other release of these "
    "people, a value is as likely as its share in the class."
)
SHOWN = {"role": "sensitive", "unique": True}
FOUR = {"id": ["a", "b", "c", "d"], "zip": ["02138"] * 4, "ill": ["HIV", "HIV", "flu", "gout"]}


def protecting(**protect):
    """The fields of a release at the levels of the table that protects a column."""
    ill = {**SHOWN, "protect": protect} if protect else SHOWN
    attributes = {**ROLES, "ill": ill}
    return {"k": 2, "method": "mingen", "policy": "check-only", "attributes": attributes}


def publish_two(place, folder, first, second, **fields):
    """Publish two releases and return their entries."""
    for turn, table in enumerate((first, second), start=1):
        publish(place, folder / str(turn), table=pa.table(table), **fields)
    return reopen(place).releases("people")


@pytest.fixture
def judged_one_by_one(monkeypatch):
    """Publish as before protections were judged over releases."""
    monkeypatch.setattr(policy, "refuse_broken_protections", lambda *_: None)


def refusal(place, folder, first, second, **fields):
    """Return why the second release is refused."""
    publish(place, folder / "1", table=pa.table(first), **fields)
    with pytest.raises(la.RequirementNotMet) as refused:
        publish(place, folder / "2", table=pa.table(second), **fields)
    assert not (folder / "2").exists()
    assert "HIV" not in str(refused.value)
    return str(refused.value)


def without(table, *places):
    """A table without some of its rows."""
    kept = [place for place in range(len(table["id"])) if place not in places]
    return {name: [column[place] for place in kept] for name, column in table.items()}


class TestARelease:
    """A release that breaks a protection together with earlier ones is refused."""

    def test_after_which_those_who_left_have_one_value(self, place, tmp_path):
        told = refusal(place, tmp_path, FOUR, without(FOUR, 0, 1), **protecting(distinct=2))
        assert "distinct of 'ill', which release 1 promises, fails for 2 rows" in told
        assert 'policy = "increments"' in told

    def test_in_which_those_who_came_have_one_value(self, place, tmp_path):
        asked = protecting(distinct=2) | {"new_people": True}
        told = refusal(place, tmp_path, without(FOUR, 0, 1), FOUR, **asked)
        assert "distinct of 'ill', which the next release promises, fails for 2 rows" in told

    def test_of_people_whose_last_values_were_alike(self, place, tmp_path):
        """Two changed: the values that the first release showed of them are alike."""
        later = {**FOUR, "ill": ["flu", "gout", "flu", "gout"]}
        told = refusal(place, tmp_path, FOUR, later, **protecting(distinct=2))
        assert "which release 1 promises, fails for 2 rows" in told

    def test_that_promises_less_than_the_one_before(self, place, tmp_path):
        publish(place, tmp_path / "1", table=pa.table(FOUR), **protecting(distinct=2))
        plain = protecting() | {"attributes": {**ROLES, "ill": {**SHOWN}}}
        with pytest.raises(la.RequirementNotMet, match="which release 1 promises"):
            publish(place, tmp_path / "2", table=pa.table(without(FOUR, 0, 1)), **plain)

    @pytest.mark.parametrize("left", [(), (0, 2)])
    def test_passes_if_different_values_left(self, place, tmp_path, left):
        four = {**FOUR, "ill": ["HIV", "flu", "flu", "HIV"]}
        asked = protecting(share=0.5)
        entries = publish_two(place, tmp_path, four, without(four, *left), **asked)
        assert find_broken_protections(entries) == ()
        earlier = entries[1].certificate.earlier_releases
        assert (earlier.considered, earlier.protections_over_releases) == (1, True)
        assert entries[1].certificate.statement.endswith(OVER_RELEASES)

    def test_whose_closeness_cannot_be_judged_by_hashes(self, place, tmp_path):
        ages = {**FOUR, "ill": [1, 2, 3, 4]}
        ordered = protecting(closeness={"t": 0.4, "distance": "ordered"})
        told = refusal(place, tmp_path, ages, without(ages, 0, 3), **ordered)
        assert "closeness of 'ill', which release 1 promises, cannot be shown to hold" in told

    def test_passes_if_classes_are_not_divided_however_values_are_compared(self, place, tmp_path):
        ages = {**FOUR, "ill": [1, 2, 3, 4]}
        ordered = protecting(closeness={"t": 0.01, "distance": "ordered"})
        entries = publish_two(place, tmp_path, ages, ages, **ordered)
        assert find_broken_protections(entries) == ()

    def test_is_not_blamed_for_what_releases_before_broke(self, place, tmp_path, monkeypatch):
        asked = protecting(distinct=2)
        with monkeypatch.context() as past:
            past.setattr(policy, "refuse_broken_protections", lambda *_: None)
            publish_two(place, tmp_path, FOUR, without(FOUR, 0, 1), **asked)
        publish(place, tmp_path / "3", table=pa.table(without(FOUR, 0, 1)), **asked)
        with pytest.raises(la.RequirementNotMet, match="fails for 2 rows"):
            publish(place, tmp_path / "4", table=pa.table(FOUR), **asked)

    def test_in_which_a_protected_column_joins_the_quasi_identifier(self, place, tmp_path):
        asked = protecting(distinct=2) | {"policy": "all-released-attributes"}
        publish(place, tmp_path / "1", table=pa.table(FOUR), **asked)
        with pytest.raises(la.InvalidInput, match='use policy = "increments"'):
            publish(place, tmp_path / "2", table=pa.table(FOUR), **asked)


@pytest.mark.usefixtures("judged_one_by_one")
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


@pytest.mark.usefixtures("judged_one_by_one")
def test_those_who_came_with_one_value_are_given_away(place, tmp_path):
    asked = protecting(distinct=2) | {"new_people": True}
    [_, second] = publish_two(place, tmp_path, without(FOUR, 0, 1), FOUR, **asked)
    [found] = find_broken_protections(reopen(place).releases("people"))
    assert (found.release, found.rows) == (second.name, 2)


@pytest.mark.usefixtures("judged_one_by_one")
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


def test_the_preflight_notes_that_no_ledger_judges_protections(place):
    def noted(**fields):
        made = la.release(pa.table(FOUR), **protecting(distinct=2), **fields)
        return "protected-by-itself" in {one.name for one in made.preflight}

    source = {"row_key": "id", "name": "people"}
    assert noted()
    assert not noted(**place, source=source)


def test_a_policy_that_cannot_plan_names_the_one_that_can(place):
    asked = protecting(closeness={"t": 0.5}) | {"policy": "based-on"}
    with pytest.raises(la.InvalidInput, match=r'use policy = "increments".*or ask for distinct'):
        publish(place, "nowhere", table=pa.table(FOUR), **asked)
