"""The attacks of Model, section 4, and their remedies: Examples 5 to 7."""

from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la

from ..small_tables import generalize, table_of
from .sweeney_tables import (
    MODEL_EXAMPLE_7_NEW,
    MODEL_FIGURE_3,
    MODEL_FIGURE_3_HIERARCHIES,
    MODEL_FIGURE_4_LT,
    MODEL_FIGURE_5_GT1,
    MODEL_FIGURE_5_GT3,
    MODEL_FIGURE_5_HIERARCHIES,
    RACE_BIRTH_GENDER_ZIP,
)


def describe(hierarchies, *unchanged, k=2):
    linkable = {
        name: {"role": "quasi-identifier", "hierarchy": rule} for name, rule in hierarchies.items()
    }
    others = {name: {"role": "sensitive"} for name in unchanged}
    return la.Specification.build({"release": {"k": k}, "attributes": linkable | others})


def shuffled(table, order):
    """Return the rows in another order, as a release has them."""
    return table.take(order)


def exposures(attacked):
    [pair] = attacked.pairs
    return attacked.exposures(pair, pair.linked[0])


class TestExample5:
    """Unsorted matching."""

    specification = describe(MODEL_FIGURE_3_HIERARCHIES)
    gt1 = generalize(MODEL_FIGURE_3, MODEL_FIGURE_3_HIERARCHIES, (1, 0))
    gt2 = generalize(MODEL_FIGURE_3, MODEL_FIGURE_3_HIERARCHIES, (0, 1))

    def test_rows_in_the_same_position_are_unique_together(self):
        attacked = la.attack(self.gt1, self.gt2, spec=self.specification)
        [unsorted] = attacked.pairs[0].unsorted
        assert (unsorted.positions, unsorted.compatible) == (12, 12)
        assert unsorted.by_chance < 0.001
        assert (unsorted.works, unsorted.k, unsorted.rows_exposed) == (True, 1, 12)
        assert not attacked.holds

    def test_in_random_order_both_tables_can_be_released(self):
        order = [3, 1, 4, 11, 5, 9, 2, 6, 8, 7, 10, 0]
        attacked = la.attack(shuffled(self.gt1, order), self.gt2, spec=self.specification)
        assert not attacked.pairs[0].unsorted[0].works
        assert attacked.holds
        assert attacked.left[0].at_least == attacked.left[0].at_most == 2


class TestExample6:
    """Complementary release."""

    specification = describe(MODEL_FIGURE_5_HIERARCHIES, "Problem")

    @pytest.fixture
    def attacked(self):
        order = [11, 3, 8, 0, 7, 5, 2, 10, 1, 4, 9, 6]
        return la.attack(
            MODEL_FIGURE_5_GT1,
            shuffled(MODEL_FIGURE_5_GT3, order),
            spec=self.specification,
        )

    @pytest.mark.parametrize("table", [MODEL_FIGURE_5_GT1, MODEL_FIGURE_5_GT3])
    def test_either_table_satisfies_k_2(self, table):
        assert la.check(table, RACE_BIRTH_GENDER_ZIP, k=2).holds

    def test_exactly_two_sequences_are_exposed(self, attacked):
        found = exposures(attacked)
        assert [tuple(one.values.values()) for one in found] == [
            ("white", "1964", "male", "02138"),
            ("white", "1965", "female", "02139"),
        ]
        assert all(one.rows == (1, 1) and one.certain for one in found)
        assert attacked.rows_exposed == 2

    def test_one_row_is_left_and_k_is_2(self, attacked):
        [left] = attacked.left
        assert (left.at_least, left.at_most, left.known.k) == (1, 1, 2)
        assert (attacked.holds, left.broken) == (False, True)

    def test_linked_table_has_the_sequences_of_figure_4(self, attacked):
        unlinked = MODEL_FIGURE_4_LT.select(RACE_BIRTH_GENDER_ZIP).to_pylist()
        sizes = Counter(tuple(row.values()) for row in unlinked)
        assert attacked.pairs[0].linked[0].sequences == len(sizes)
        assert sum(size == 1 for size in sizes.values()) == 2

    def test_nothing_is_exposed_without_the_problem(self):
        without = [t.drop(["Problem"]) for t in (MODEL_FIGURE_5_GT1, MODEL_FIGURE_5_GT3)]
        order = [11, 3, 8, 0, 7, 5, 2, 10, 1, 4, 9, 6]
        attacked = la.attack(shuffled(without[0], order), without[1], spec=self.specification)
        assert attacked.holds

    def test_gt1_as_the_basis_of_the_next_release_holds(self):
        order = [11, 3, 8, 0, 7, 5, 2, 10, 1, 4, 9, 6]
        again = shuffled(MODEL_FIGURE_5_GT1, order)
        attacked = la.attack(MODEL_FIGURE_5_GT1, again, spec=self.specification)
        assert attacked.holds
        assert attacked.left[0].at_least == 2


class TestExample7:
    """Temporal."""

    specification = describe(MODEL_FIGURE_5_HIERARCHIES, "Problem")

    def attack(self, first, second):
        return la.attack(first, second, spec=self.specification)

    def test_gt1_and_gtt1_reveal_the_same_unique_rows(self):
        later = pa.concat_tables([MODEL_FIGURE_5_GT3, MODEL_EXAMPLE_7_NEW])
        order = [11, 3, 8, 0, 13, 7, 5, 2, 10, 12, 1, 4, 9, 6]
        attacked = self.attack(MODEL_FIGURE_5_GT1, shuffled(later, order))
        assert attacked.pairs[0].kind == "temporal"
        assert [tuple(one.values.values()) for one in exposures(attacked)] == [
            ("white", "1964", "male", "02138"),
            ("white", "1965", "female", "02139"),
        ]
        assert attacked.left[0].at_most == 1

    def test_gt1_and_the_new_rows_hold(self):
        later = pa.concat_tables([MODEL_FIGURE_5_GT1, MODEL_EXAMPLE_7_NEW])
        order = [11, 3, 8, 0, 13, 7, 5, 2, 10, 12, 1, 4, 9, 6]
        attacked = self.attack(MODEL_FIGURE_5_GT1, shuffled(later, order))
        assert attacked.holds
        assert attacked.left[0].at_least == 2

    def test_one_new_row_by_itself_is_exposed(self):
        later = pa.concat_tables([MODEL_FIGURE_5_GT1, MODEL_EXAMPLE_7_NEW.slice(0, 1)])
        order = [11, 3, 8, 0, 7, 5, 2, 10, 12, 1, 4, 9, 6]
        attacked = self.attack(MODEL_FIGURE_5_GT1, shuffled(later, order))
        [one] = exposures(attacked)
        assert one.rows == (None, 1)
        assert not attacked.holds


class TestFirstRemedy:
    """All released attributes join the quasi-identifier: not sufficient by itself."""

    specification = describe({"A": la.Suppress(), "B": la.Suppress()}, "Problem")
    first = table_of(
        ["A", "B", "Problem"],
        [("a1", "*", "p"), ("a1", "*", "q"), ("a2", "*", "p"), ("a2", "*", "q")],
    )
    second = table_of(
        ["A", "B", "Problem"],
        [("*", "b2", "q"), ("*", "b1", "p"), ("*", "b2", "q"), ("*", "b1", "p")],
    )

    def test_the_second_release_is_2_anonymous_over_everything_released(self):
        assert la.check(self.second, ["A", "B", "Problem"], k=2).holds

    def test_linked_on_problem_they_give_the_private_table_back(self):
        attacked = la.attack(self.first, self.second, spec=self.specification)
        assert [tuple(one.values.values()) for one in exposures(attacked)] == [
            ("a1", "b1"),
            ("a1", "b2"),
            ("a2", "b1"),
            ("a2", "b2"),
        ]
        assert attacked.left[0].at_most == 1
        assert attacked.rows_exposed == 4
