"""Recoding: suppression at a vector, and complementary suppression for blank rows."""

import numpy as np
import pytest

from lookalike import Infeasible, Suppress, Taxonomy
from lookalike.model.minimality import is_minimal
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement

from ..small_tables import TREE, frequency_of, table_of

LETTERS = "abcdefgh"


def classes_of(*sizes):
    """Return the frequency list of one attribute whose values have the given counts."""
    rows = [(letter,) for letter, size in zip(LETTERS, sizes, strict=False) for _ in range(size)]
    return frequency_of(table_of(("letter",), rows), {"letter": Suppress()})


def recode(sizes, k, suppressed_rows="drop"):
    """Recode classes of some sizes at level 0; return the suppressed rows and the recoding."""
    recoding = recode_at(classes_of(*sizes), (0,), Requirement(k, None, suppressed_rows), 0)
    return recoding.suppressed.tolist(), recoding


class TestOutliers:
    def test_classes_below_k_are_suppressed_whole_and_no_others(self):
        given, recoding = recode([1, 3, 2, 4], k=3)
        assert given == [1, 0, 2, 0]
        assert (recoding.rows_suppressed, recoding.rows_complementary) == (3, 0)

    def test_nothing_is_suppressed_where_k_holds(self):
        given, recoding = recode([3, 4], k=3)
        assert given == [0, 0]
        assert recoding.rows_suppressed == 0

    def test_a_vector_suppresses_every_sequence_of_a_small_class(self):
        table = table_of(("letter",), [(letter,) for letter in "aabcd"])
        freq = frequency_of(table, {"letter": TREE})
        assert recode_at(freq, (1,), Requirement(3), 2).suppressed.tolist() == [0, 0, 1, 1]

    def test_a_release_without_rows_is_infeasible(self):
        with pytest.raises(Infeasible, match="every one of the 4 rows would be suppressed"):
            recode([2, 1, 1], k=3)

    def test_a_table_without_rows_is_infeasible(self):
        with pytest.raises(Infeasible, match="every one of the 0 rows"):
            recode([], k=2)


class TestComplementarySuppression:
    """Blank rows number 0 or at least k (Achieving, Figure 8, step 4)."""

    @pytest.mark.parametrize(
        ("sizes", "k", "given"),
        [
            pytest.param([3, 4], 3, [0, 0], id="no outlier needs no more"),
            pytest.param([1, 2, 5], 3, [1, 2, 0], id="exactly k outliers need no more"),
            pytest.param([2, 2, 9], 3, [2, 2, 0], id="more than k outliers need no more"),
            pytest.param([1, 5, 4], 3, [1, 2, 0], id="the largest class gives first"),
            pytest.param([1, 4, 5], 3, [1, 0, 2], id="the largest class gives, wherever it is"),
            pytest.param([2, 4, 4], 3, [2, 1, 0], id="the first of two largest gives"),
            pytest.param([1, 4, 4], 3, [1, 1, 1], id="classes give while k remain in them"),
            pytest.param([1, 5, 7], 4, [1, 0, 3], id="a class may give down to k"),
            pytest.param([1, 5, 6], 4, [1, 1, 2], id="the rest comes from the next largest"),
            pytest.param([1, 3, 4], 3, [1, 3, 0], id="too few to spare: the smallest gives all"),
            pytest.param([1, 3, 3, 3], 3, [1, 3, 0, 0], id="none to spare: the first smallest"),
            pytest.param([1, 6, 5, 5], 5, [1, 0, 5, 0], id="what could be spared stays then"),
        ],
    )
    def test_fewest_further_rows_are_taken(self, sizes, k, given):
        outliers = sum(size for size in sizes if size < k)
        taken, recoding = recode(sizes, k, "blank")
        assert taken == given
        assert recoding.rows_suppressed == outliers
        assert recoding.rows_complementary == sum(given) - outliers

    @pytest.mark.parametrize("sizes", [[1, 3], [1, 4], [2, 3]])
    def test_is_infeasible_if_nothing_would_be_left(self, sizes):
        with pytest.raises(Infeasible, match="nothing is left to release"):
            recode(sizes, 3, "blank")

    @pytest.mark.parametrize("sizes", [[1, 5, 4], [1, 3, 4]])
    def test_does_not_run_where_suppressed_rows_are_left_out(self, sizes):
        assert recode(sizes, 3, "drop")[0] == [1, 0, 0]

    def test_a_class_that_gives_some_rows_draws_them_from_all_its_sequences(self):
        table = table_of(("letter",), [(letter,) for letter in "x" + "abc" * 2])
        tree = {"A": ["a", "b", "c"], "X": ["x"]}
        freq = frequency_of(table, {"letter": Taxonomy(tree)})
        requirement = Requirement(2, 1, "blank")
        drawn = {tuple(recode_at(freq, (1,), requirement, 1).suppressed) for _ in range(200)}
        assert drawn == {(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)}

    def test_rows_are_equally_likely_to_be_drawn(self):
        table = table_of(("letter",), [(letter,) for letter in "x" + "a" * 9 + "b"])
        freq = frequency_of(table, {"letter": Taxonomy({"A": ["a", "b"], "X": ["x"]})})
        requirement = Requirement(2, 1, "blank")
        drawn = sum(recode_at(freq, (1,), requirement, 1).suppressed for _ in range(2_000))
        # b has one row in ten, so 200 draws are expected; 13.4 is the standard deviation.
        assert 100 < drawn[1] < 300

    def test_never_more_rows_are_drawn_from_a_sequence_than_it_has(self):
        table = table_of(("letter",), [(letter,) for letter in "x" + "abcdefg"])
        tree = {"A": list("abcdefg"), "X": ["x"]}
        freq = frequency_of(table, {"letter": Taxonomy(tree)})
        for _ in range(50):
            recoding = recode_at(freq, (1,), Requirement(4, 1, "blank"), 1)
            assert recoding.suppressed.sum() == 4
            assert np.all(recoding.suppressed <= freq.counts)


class TestMinimality:
    def test_a_vector_is_minimal_if_none_below_it_will_do(self):
        freq = classes_of(1, 1, 2)
        assert is_minimal(freq, (1,), Requirement(2), allowance=0)
        assert is_minimal(freq, (1,), Requirement(2), allowance=1)

    def test_a_vector_above_one_that_will_do_is_not_minimal(self):
        assert not is_minimal(classes_of(1, 1, 2), (1,), Requirement(2), allowance=2)

    def test_a_vector_that_suppresses_more_than_allowed_is_not_minimal(self):
        assert not is_minimal(classes_of(1, 1, 2), (0,), Requirement(2), allowance=1)

    def test_the_bottom_is_minimal_where_it_will_do(self):
        assert is_minimal(classes_of(1, 1, 2), (0,), Requirement(2), allowance=2)

    def test_a_recoding_says_whether_it_is_minimal(self):
        freq = classes_of(1, 1, 2)
        assert recode_at(freq, (1,), Requirement(2), 0).k_minimal
        assert not recode_at(freq, (1,), Requirement(2), 2).k_minimal
