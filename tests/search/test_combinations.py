"""Combinations: which are tested, and whose values are rare (Achieving, Figures 11 and 12)."""

import pytest

from lookalike import Suppress, Taxonomy
from lookalike.search.argus.combinations import (
    IDENTIFYING,
    MORE_IDENTIFYING,
    MOST_IDENTIFYING,
    NOT_IDENTIFYING,
    find_unsafe,
    kind_of,
    list_combinations,
    list_program_combinations,
)

from ..small_tables import frequency_of, table_of

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
TRIPLES = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]


def find(rows, k, combinations, **hierarchies):
    """Test combinations of a few rows at level 0."""
    freq = frequency_of(table_of(list(hierarchies), rows), hierarchies)
    return find_unsafe(freq, combinations, k)


def outliers(tested):
    """Return the rare combinations of each sequence."""
    return {values: tested.outliers(n) for n, values in enumerate(tested.classes.sequences())}


def test_the_levels_are_those_of_the_paper():
    assert (NOT_IDENTIFYING, MOST_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING) == (0, 1, 2, 3)


class TestListCombinations:
    @pytest.mark.parametrize(
        ("dimension", "expected"),
        [
            (2, PAIRS),
            (3, PAIRS + TRIPLES),
            (4, [*PAIRS, *TRIPLES, (0, 1, 2, 3)]),
            (9, [*PAIRS, *TRIPLES, (0, 1, 2, 3)]),
        ],
    )
    def test_all_of_two_up_to_the_dimension(self, dimension, expected):
        assert list_combinations((1, 2, 3, 1), dimension) == expected

    def test_without_attributes_that_are_not_identifying(self):
        assert list_combinations((0, 3, 0, 1), 3) == [(1, 3)]

    @pytest.mark.parametrize("levels", [(0, 0), (1, 0), (3,)])
    def test_fewer_than_two_attributes_have_none(self, levels):
        assert list_combinations(levels, 3) == []


class TestListProgramCombinations:
    def kinds(self, *levels):
        return {kind_of(chosen, levels) for chosen in list_program_combinations(levels)}

    def test_three_kinds_are_tested_only_if_several_attributes_are_identifying(self):
        always = self.kinds(
            MOST_IDENTIFYING,
            MOST_IDENTIFYING,
            MOST_IDENTIFYING,
            MORE_IDENTIFYING,
            MORE_IDENTIFYING,
            MORE_IDENTIFYING,
            IDENTIFYING,
        )
        several = self.kinds(
            MOST_IDENTIFYING,
            MOST_IDENTIFYING,
            MOST_IDENTIFYING,
            MORE_IDENTIFYING,
            MORE_IDENTIFYING,
            MORE_IDENTIFYING,
            IDENTIFYING,
            IDENTIFYING,
        )
        assert always == {
            (MOST_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING),
            (MOST_IDENTIFYING, MOST_IDENTIFYING, IDENTIFYING),
            (MOST_IDENTIFYING, MOST_IDENTIFYING, MOST_IDENTIFYING),
            (MORE_IDENTIFYING, IDENTIFYING),
            (MOST_IDENTIFYING, IDENTIFYING),
            (MOST_IDENTIFYING, MORE_IDENTIFYING),
            (MOST_IDENTIFYING, MOST_IDENTIFYING),
        }
        assert several - always == {
            (MOST_IDENTIFYING, MORE_IDENTIFYING, MORE_IDENTIFYING),
            (MOST_IDENTIFYING, MOST_IDENTIFYING, MORE_IDENTIFYING),
            (MORE_IDENTIFYING, MORE_IDENTIFYING),
        }

    @pytest.mark.parametrize(
        "levels", [(MORE_IDENTIFYING, MORE_IDENTIFYING, MORE_IDENTIFYING), (IDENTIFYING,) * 3]
    )
    def test_nothing_is_tested_where_all_attributes_are_of_one_lower_level(self, levels):
        assert list_program_combinations(levels) == []

    def test_not_identifying_attributes_are_never_tested(self):
        assert list_program_combinations((MOST_IDENTIFYING, NOT_IDENTIFYING, MOST_IDENTIFYING)) == [
            (0, 2)
        ]

    def test_a_kind_does_not_depend_on_the_order_of_attributes(self):
        assert kind_of((0, 1, 2), (3, 1, 2)) == kind_of((0, 1, 2), (2, 3, 1)) == (1, 2, 3)


class TestFindUnsafe:
    ROWS = (("a", "x"), ("a", "x"), ("a", "y"), ("b", "y"), ("b", "y"), ("b", "y"))

    def test_values_below_k_in_combination_are_rare(self):
        tested = find(self.ROWS, 2, [(0, 1)], letter=Suppress(), other=Suppress())
        assert outliers(tested) == {
            ("a", "x"): [],
            ("a", "y"): [("letter", "other")],
            ("b", "y"): [],
        }
        assert (tested.distinct, tested.rows) == ((1,), (1,))

    @pytest.mark.parametrize(
        ("k", "distinct", "rows"), [(1, 0, 0), (2, 1, 1), (3, 2, 3), (4, 3, 6)]
    )
    def test_k_says_what_is_rare(self, k, distinct, rows):
        tested = find(self.ROWS, k, [(0, 1)], letter=Suppress(), other=Suppress())
        assert (tested.distinct, tested.rows) == ((distinct,), (rows,))

    def test_rows_of_several_sequences_count_together_over_a_combination(self):
        rows = [("a", "x", "1"), ("a", "x", "2"), ("b", "x", "1"), ("b", "x", "1")]
        rules = dict.fromkeys(("one", "two", "three"), Suppress())
        tested = find(rows, 2, [(0, 1), (0, 2)], **rules)
        assert outliers(tested) == {
            ("a", "x", "1"): [("one", "three")],
            ("a", "x", "2"): [("one", "three")],
            ("b", "x", "1"): [],
        }
        assert (tested.distinct, tested.rows) == ((0, 2), (0, 2))

    def test_missing_is_a_value_like_any_other(self):
        rows = [("a", None), ("a", None), ("b", None), ("b", "y")]
        tested = find(rows, 2, [(0, 1)], one=Suppress(), two=Suppress())
        assert [n for n, found in outliers(tested).items() if found] == [("b", "y"), ("b", None)]

    def test_a_cell_that_is_suppressed_as_unknown_is_not_tested(self):
        letters = Taxonomy({"A": ["a", "b"]}, unknown="suppress")
        rows = [("a", "x"), ("a", "x"), ("?", "x"), ("b", "y")]
        tested = find(rows, 2, [(0, 1)], letter=letters, other=Suppress())
        assert outliers(tested)["*", "x"] == []
        assert outliers(tested)["b", "y"] == [("letter", "other")]
        assert (tested.distinct, tested.rows) == ((1,), (1,))

    def test_an_attribute_at_a_suppressed_top_is_not_tested(self):
        rules = {"letter": Suppress(), "other": Suppress()}
        freq = frequency_of(table_of(list(rules), self.ROWS), rules).roll_up((1, 0))
        assert find_unsafe(freq, [(0, 1)], 4).rows == (0,)

    def test_an_attribute_at_a_top_that_tells_something_is_tested(self):
        rules = {"letter": Taxonomy({"person": ["a", "b"]}), "other": Suppress()}
        freq = frequency_of(table_of(list(rules), self.ROWS), rules).roll_up((1, 0))
        assert find_unsafe(freq, [(0, 1)], 3).rows == (2,)

    def test_no_combination_finds_nothing(self):
        tested = find(self.ROWS, 9, [], letter=Suppress(), other=Suppress())
        assert tested.unsafe.shape == (3, 0)
        assert not any(outliers(tested).values())
