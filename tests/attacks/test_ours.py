"""Each attack succeeds on naive releases and fails on ours."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.risk.releases.assumptions import Assumptions
from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.comparable_releases import find_blocks, make_comparable
from lookalike.risk.releases.possible_worlds import find_possible

from ..effort import examples
from ..invented import tables_and_vectors
from ..seen_rows import see_rows
from ..small_tables import generalize, rows_of

PEOPLE = pa.table(
    {
        "zip": [f"0213{number % 10}" for number in range(60)],
        "sex": ["f" if number % 3 else "m" for number in range(60)],
        "ill": [f"ill {number % 53}" for number in range(60)],
    }
)

ATTRIBUTES = {
    "zip": {"role": "quasi-identifier", "hierarchy": la.Mask(length=5)},
    "sex": {"role": "quasi-identifier", "hierarchy": la.Suppress()},
    "ill": {"role": "sensitive"},
}
SPECIFICATION = la.Specification.build({"release": {"k": 3}, "attributes": ATTRIBUTES})
BY_ZIP = ("zip <= 0", "sex >= 1")
BY_SEX = ("zip >= 5", "sex <= 0")


def release(constraints=(), table=PEOPLE, **fields):
    return la.release(
        table, attributes=ATTRIBUTES, k=3, method="mingen", constraints=constraints, **fields
    )


def attack(*releases):
    return la.attack(*releases, spec=SPECIFICATION)


class TestUnsorted:
    """Rows in the same position."""

    def test_it_works_on_releases_in_the_order_of_the_source(self):
        attacked = attack(release(BY_ZIP, keep_order=True), release(BY_SEX, keep_order=True))
        [unsorted] = attacked.pairs[0].unsorted
        assert unsorted.works
        assert unsorted.compatible == unsorted.positions == 60

    @pytest.mark.parametrize("keep", [True, False])
    def test_it_fails_if_one_of_them_is_in_random_order(self, keep):
        attacked = attack(release(BY_ZIP, keep_order=keep), release(BY_SEX))
        assert not attacked.pairs[0].unsorted[0].works

    def test_an_order_that_fits_any_release_is_no_attack(self):
        hidden = pa.table({"zip": ["*"] * 60, "sex": ["*"] * 60, "ill": ["gout"] * 60})
        attacked = attack(hidden, hidden)
        assert not attacked.pairs[0].unsorted[0].works
        assert attacked.left[0].at_least == 60


class TestComplementary:
    """What both show as it is joins them."""

    def test_it_works_on_releases_that_take_no_notice_of_each_other(self):
        attacked = attack(release(BY_ZIP), release(BY_SEX))
        assert not attacked.holds
        assert attacked.left[0].at_most < 3
        assert attacked.rows_exposed > 0

    def test_it_fails_on_a_release_that_is_based_on_the_first(self):
        attacked = attack(release(BY_ZIP), release(("zip >= 1", "sex >= 1")))
        assert attacked.holds

    def test_it_fails_on_the_same_release_twice(self):
        assert attack(release(BY_ZIP), release(BY_ZIP)).holds

    def test_three_releases_each_based_on_the_last_are_proved(self):
        chain = [release((f"zip >= {level}", f"zip <= {level}", "sex >= 1")) for level in (0, 1, 3)]
        attacked = attack(*chain)
        assert attacked.holds
        assert attacked.left[0].exact

    def test_a_third_release_that_takes_no_notice_is_found(self):
        attacked = attack(release(BY_ZIP), release(("zip >= 1", "sex >= 1")), release(BY_SEX))
        assert attacked.left[0].broken
        assert not attacked.holds


class TestTemporal:
    """People come."""

    def test_a_newcomer_in_an_old_class_is_found(self):
        new = pa.table({"zip": ["02131"], "sex": ["f"], "ill": ["gout"]})
        attacked = attack(release(BY_ZIP), release(BY_ZIP, pa.concat_tables([PEOPLE, new])))
        assert attacked.pairs[0].kind == "temporal"
        [one] = attacked.exposures(attacked.pairs[0], attacked.pairs[0].linked[0])
        assert (one.values["zip"], one.rows, one.certain) == ("02131", (None, 1), True)

    def test_newcomers_in_a_class_of_their_own_are_not(self):
        new = pa.table({"zip": ["02150"] * 3, "sex": ["f"] * 3, "ill": ["gout", "flu", "cold"]})
        attacked = attack(release(BY_ZIP), release(BY_ZIP, pa.concat_tables([PEOPLE, new])))
        assert attacked.holds


def change(column, some=lambda row: True):
    """Return the people with other values in a column, or some of them."""
    values = PEOPLE[column].to_pylist()
    changed = [f"new {row % 5}" if some(row) else value for row, value in enumerate(values)]
    return PEOPLE.set_column(PEOPLE.column_names.index(column), column, pa.array(changed))


class TestCertain:
    """Whether somebody must be in an exposed sequence."""

    def worlds(self, work):
        possible = attack_worlds()
        possible.worlds.work = work
        return possible.worlds.has_somebody(np.array([0], np.int32), np.array([0], np.int32))

    def test_it_is_left_undecided_when_it_is_too_much_work(self):
        arcs = len(attack_worlds().worlds.tails)
        assert self.worlds(arcs) is not None
        assert self.worlds(arcs - 1) is None


def attack_worlds():
    """Return the worlds of two releases of two people, in which anybody can be anybody."""
    one = see_rows("R", ["x"], [("a",), ("a",)], levels={"x": 0}, k=2)
    comparable = make_comparable([one, one], {}, one.known)
    left, right = comparable.releases
    return find_possible(left, right, find_blocks(left, right, comparable.columns), 2)


class TestContradictions:
    """Values change and people leave, so that rows do not fit: an attacker goes on all the same."""

    def test_a_column_that_changed_for_everybody_is_not_used(self):
        attacked = attack(release(BY_ZIP), release(BY_ZIP, change("ill")))
        assert attacked.assumed == Assumptions(60, (), ("ill",), 60)
        assert attacked.holds

    def test_what_is_left_still_finds_rows(self):
        days = pa.array([f"day {row}" for row in range(60)])
        other = {"days": {"role": "other", "unique": True}}
        attributes = ATTRIBUTES | other
        described = la.Specification.build({"release": {"k": 3}, "attributes": attributes})
        first, second = (
            la.release(
                table.append_column("days", days),
                attributes=attributes,
                k=3,
                method="mingen",
                constraints=levels,
            )
            for table, levels in ((PEOPLE, BY_ZIP), (change("ill"), BY_SEX))
        )
        attacked = la.attack(first, second, spec=described)
        assert attacked.assumed == Assumptions(60, ("days",), ("ill",), 60)
        assert attacked.left[0].broken

    def test_a_few_rows_that_changed_are_people_who_left_and_others_who_came(self):
        changed = change("ill", lambda row: row in (10, 11))
        attacked = attack(release(BY_ZIP), release(BY_SEX, changed))
        assert attacked.assumed == Assumptions(62, ("ill",), (), 60)
        assert attacked.left[0].broken

    def test_three_releases_that_fit_two_by_two_only(self):
        """Each two of them have a world, all three have not."""
        rows = [
            see_rows("R1", ["x", "y", "z"], [("1", "1", "*")], levels=dict.fromkeys("xyz"), k=1),
            see_rows("R2", ["x", "y", "z"], [("1", "*", "1")], levels=dict.fromkeys("xyz"), k=1),
            see_rows("R3", ["x", "y", "z"], [("*", "1", "2")], levels=dict.fromkeys("xyz"), k=1),
        ]
        rules = dict.fromkeys("xyz", la.Suppress())
        assert attack_classes(rows[:2], rules).people == 1
        assert attack_classes(rows, rules).people > 1


@examples(40)
@given(tables_and_vectors(number=3, min_rows=1, max_rows=10), st.data())
def test_releases_that_are_based_on_each_other_leave_what_the_first_leaves(drawn, data):
    """Model's second remedy: everybody is in every release, and a column differs in every row."""
    invented, vectors = drawn
    names = [*invented.hierarchies, "number"]
    chain = [generalize(invented.table, invented.hierarchies, vector) for vector in vectors]
    k = la.check(chain[0], list(invented.hierarchies)).k
    releases = []
    for table, vector in zip(chain, vectors, strict=True):
        rows = [(*row, str(number)) for number, row in enumerate(rows_of(table))]
        levels = dict(zip(invented.hierarchies, vector, strict=True))
        shuffled = data.draw(st.permutations(rows))
        releases.append(see_rows("R", names, shuffled, levels=levels, k=k, counts=[1] * len(rows)))
    rules = dict(zip(invented.hierarchies, invented.rules, strict=True))
    [left] = attack_classes(releases, rules).left
    assert (left.at_least, left.at_most) == (k, k)
