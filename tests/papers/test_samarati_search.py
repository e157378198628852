"""Samarati, section 5 and the end of 6: how k-minimal generalizations are computed."""

from itertools import pairwise
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike.model.lattice import Lattice, dominates
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.find_vector import (
    find_all_by_halving,
    find_all_by_strategies,
    find_vector,
)
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import samarati
from lookalike.search.methods.samarati import list_minimal
from lookalike.search.options import SearchOptions

from ..brute import find_k_minimal, list_vectors, satisfies_within
from ..effort import examples
from ..invented import tables, tables_and_vectors

few = examples(60)
ks = st.integers(2, 4)
allowances = st.integers(0, 5)
any_heights = st.lists(st.integers(0, 3), min_size=1, max_size=3)
people = tables(min_rows=4, max_rows=12)


def has_few_strategies(invented):
    """Return whether all strategies of a table can be followed quickly."""
    return Lattice.of_heights(invented.frequency.heights).count_strategies() <= 1000


walkable = people.filter(has_few_strategies)


class TestStrategies:
    """Theorem 5.1: a k-minimal generalization is locally minimal in some strategy."""

    @pytest.mark.parametrize(
        ("heights", "number"), [((1, 2), 3), ((1, 5, 1, 2, 2), 83_160), ((4,), 1), ((1, 1, 1), 6)]
    )
    def test_the_number_of_strategies(self, heights, number):
        lattice = Lattice.of_heights(heights)
        assert lattice.count_strategies() == number
        assert number == factorial(sum(heights)) // prod(map(factorial, heights))

    @few
    @given(any_heights)
    def test_as_many_strategies_are_listed_as_the_formula_counts(self, heights):
        lattice = Lattice.of_heights(heights)
        assert len(set(lattice.strategies())) == lattice.count_strategies()

    def test_the_converse_fails_1_1_is_locally_minimal_in_the_second_strategy(self, freq_of_8):
        satisfies = satisfies_within(freq_of_8, 2, 1)
        second = ((0, 0), (0, 1), (1, 1), (1, 2))
        lattice = Lattice.of_heights((1, 2))
        assert second in set(lattice.strategies())
        assert next(filter(satisfies, second)) == (1, 1)
        assert find_all_by_strategies(lattice, satisfies) == {(1, 0), (0, 2)}

    @few
    @given(walkable, ks, allowances)
    def test_theorem_5_1_every_minimal_vector_is_locally_minimal(self, invented, k, allowed):
        assume(invented.frequency.rows >= k)
        freq, satisfies = invented.frequency, satisfies_within(invented.frequency, k, allowed)
        paths = Lattice.of_heights(freq.heights).strategies()
        local = {next(filter(satisfies, path)) for path in paths}
        assert find_k_minimal(freq, k, allowed) <= local


class TestHeights:
    """Theorem 5.2, Corollary 5.1 and Lemma 5.1: going up in a strategy."""

    @few
    @given(tables_and_vectors(number=2), ks)
    def test_theorem_5_2_outliers_can_only_become_fewer_going_up(self, case, k):
        invented, (lower, upper) = case
        kept = [~Requirement(k).outlying(invented.frequency, v) for v in (lower, upper)]
        assert np.all(kept[0] <= kept[1])
        assert invented.frequency.outliers(lower, k) >= invented.frequency.outliers(upper, k)

    @few
    @given(people, ks, allowances)
    def test_corollary_5_1_what_lies_above_a_vector_within_max_sup_is_within_it(
        self, invented, k, allowed
    ):
        lattice = Lattice.of_heights(invented.frequency.heights)
        satisfies = satisfies_within(invented.frequency, k, allowed)
        assert all(
            satisfies(upper)
            for lower in filter(satisfies, lattice)
            for upper in lattice.successors(lower)
        )

    @few
    @given(any_heights)
    def test_lemma_5_1_every_step_of_a_strategy_is_one_higher(self, heights):
        lattice = Lattice.of_heights(heights)
        at_height = [set(lattice.at_height(height)) for height in range(lattice.height + 1)]
        for path in lattice.strategies():
            assert all(v in vectors for v, vectors in zip(path, at_height, strict=True))
            assert all(dominates(high, low) and low != high for low, high in pairwise(path))

    @few
    @given(any_heights)
    def test_the_height_of_a_vector_is_the_sum_of_its_elements(self, heights):
        lattice = Lattice.of_heights(heights)
        for height in range(lattice.height + 1):
            expected = [v for v in list_vectors(heights) if sum(v) == height]
            assert list(lattice.at_height(height)) == expected


class TestFindVector:
    """Figure 10 and Theorem 5.3."""

    @pytest.mark.parametrize(
        ("max_suppressed", "vector"),
        [(0, (1, 1)), (1, (1, 0)), (2, (0, 1)), (3, (0, 1)), (4, (0, 0))],
    )
    def test_it_finds_a_minimal_vector_of_example_4_2(self, freq_of_8, max_suppressed, vector):
        lattice = Lattice.of_heights(freq_of_8.heights)
        assert find_vector(lattice, satisfies_within(freq_of_8, 2, max_suppressed)) == vector

    def test_figure_10_the_heights_it_tries_for_the_table_of_figure_6(self, freq_of_6):
        tried = []
        satisfies = satisfies_within(freq_of_6, 2, 0)

        def record(vector):
            tried.append(sum(vector))
            return satisfies(vector)

        lattice = Lattice.of_heights(freq_of_6.heights)
        assert lattice.height == 11
        assert find_vector(lattice, record) == (1, 3, 0, 1, 1)
        assert list(dict.fromkeys(tried)) == [5, 8, 7, 6]
        assert tried.count(5) == len(list(lattice.at_height(5)))

    @few
    @given(people, ks, allowances)
    def test_theorem_5_3_it_returns_a_minimal_vector_of_least_height(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        found = find_vector(Lattice.of_heights(freq.heights), satisfies_within(freq, k, allowed))
        minimal = find_k_minimal(freq, k, allowed)
        assert found == min(minimal, key=lambda vector: (sum(vector), vector))

    @few
    @given(people, ks, allowances)
    def test_the_method_gives_the_same_vector(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        assume(freq.rows > allowed)
        recoding = samarati(freq, Requirement(k, allowed))
        lattice = Lattice.of_heights(freq.heights)
        assert recoding.vector == find_vector(lattice, satisfies_within(freq, k, allowed))
        assert recoding.k_minimal

    @few
    @given(people, ks, allowances)
    def test_its_answer_is_preferred_by_minimum_absolute_distance(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        options = SearchOptions(prefer=("minimum-absolute-distance",))
        chosen = list_minimal(freq, Requirement(k, allowed), options).preferred
        found = find_vector(Lattice.of_heights(freq.heights), satisfies_within(freq, k, allowed))
        assert found == chosen[0].vector


class TestAllSolutions:
    """The end of section 6: every k-minimal vector, by her two searches and by ours."""

    @few
    @given(people, ks, allowances)
    def test_find_minimal_finds_those_of_the_definition_in_order(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        found = search_minimal(freq, k, allowed)
        expected = find_k_minimal(freq, k, allowed)
        assert list(found) == sorted(expected, key=lambda vector: (sum(vector), vector))

    @few
    @given(walkable, ks, allowances)
    def test_following_every_strategy_gives_the_same(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        lattice = Lattice.of_heights(freq.heights)
        found = find_all_by_strategies(lattice, satisfies_within(freq, k, allowed))
        assert found == set(search_minimal(freq, k, allowed))

    @few
    @given(walkable, ks, allowances)
    def test_halving_between_vectors_gives_the_same(self, invented, k, allowed):
        freq = invented.frequency
        assume(freq.rows >= k)
        lattice = Lattice.of_heights(freq.heights)
        found = find_all_by_halving(lattice, satisfies_within(freq, k, allowed))
        assert found == set(search_minimal(freq, k, allowed))

    @pytest.mark.parametrize("search", [find_all_by_strategies, find_all_by_halving])
    def test_both_of_her_searches_find_figure_6(self, freq_of_6, search):
        lattice = Lattice((0, 0, 0, 0, 0), (1, 3, 1, 2, 2))
        assert search(lattice, satisfies_within(freq_of_6, 2, 0)) == {
            (0, 2, 1, 2, 2),
            (1, 3, 0, 1, 1),
        }


def search_minimal(freq, k, max_suppressed):
    """Return the k-minimal vectors that our search finds."""
    rollups = RollUps(freq, Requirement(k, max_suppressed))
    return find_minimal(rollups, Lattice.of_heights(freq.heights), max_suppressed).vectors
