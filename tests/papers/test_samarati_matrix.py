"""Samarati, section 5: the matrix VT of distance vectors, Figure 11 and Example 5.1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.model.lattice import dominates
from lookalike.search.lattice.distance_matrix import distance_matrix

from ..brute import find_k_minimal, list_vectors, satisfies_within
from ..effort import examples
from ..invented import tables, tables_and_vectors
from ..small_tables import frequency_of, rows_of
from .samarati_tables import (
    SAMARATI_FIGURE_2,
    SAMARATI_FIGURE_4,
    SAMARATI_FIGURE_6,
    SAMARATI_FIGURE_11,
)

few = examples(60)
ks = st.integers(2, 4)
allowances = st.integers(0, 5)
people = tables(min_rows=4, max_rows=12)


@pytest.fixture
def matrix(freq_of_6):
    return distance_matrix(freq_of_6, 2)


def places(freq):
    """Return where t1 … t11 of Figure 6 are in its frequency list."""
    return [freq.sequences().index(row) for row in rows_of(SAMARATI_FIGURE_6)]


class TestFigure11:
    """The matrix VT of the table of Figure 6, and Example 5.1."""

    def test_all_121_cells_are_as_printed(self, freq_of_6, matrix):
        place = places(freq_of_6)
        assert sorted(matrix.outliers.tolist()) == sorted(place)
        line = [matrix.outliers.tolist().index(position) for position in place]
        assert matrix.distances[line][:, place].tolist() == [
            [[*map(int, cell)] for cell in printed.split()]
            for printed in SAMARATI_FIGURE_11.split("\n")[1:-1]
        ]

    def test_asian_94139_and_black_94139_of_figure_4_are_1_0_apart(self):
        freq = frequency_of(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2)
        distances = distance_matrix(freq, 2).distances
        asian, black = (freq.sequences().index((race, "94139")) for race in ("asian", "black"))
        assert distances[asian, black].tolist() == [1, 0]

    def test_example_5_1_a_solution_with_t11_lies_above_one_of_two_vectors(self, freq_of_6, matrix):
        line = matrix.outliers.tolist().index(places(freq_of_6)[-1])
        bounds = matrix.lower_bounds(0)[line]
        assert bounds == [(0, 2, 1, 2, 2), (1, 3, 0, 1, 1)]
        assert min(map(sum, bounds)) == 6

    def test_example_5_1_no_solution_with_t11_lies_below_height_6(self, freq_of_6):
        satisfying = filter(satisfies_within(freq_of_6, 2, 0), list_vectors(freq_of_6.heights))
        assert min(map(sum, satisfying)) == 6

    def test_a_tuple_that_may_be_suppressed_bounds_nothing(self, matrix):
        assert len(matrix.lower_bounds(0)) == 11
        assert matrix.lower_bounds(1) == []

    def test_example_5_1_the_least_upper_bound_has_1_for_sex_and_not_the_printed_2(self, matrix):
        assert matrix.least_upper_bound() == (1, 3, 1, 2, 2)

    def test_only_distances_that_occur_can_be_in_a_solution(self, matrix):
        assert matrix.occurring_levels() == [[0, 1], [0, 1, 2, 3], [0, 1], [0, 1, 2], [0, 1, 2]]

    def test_req_sup_is_what_generalizing_leaves_at_all_216_vectors(self, freq_of_6, matrix):
        for vector in list_vectors(freq_of_6.heights):
            assert matrix.required_suppression(vector) == freq_of_6.outliers(vector, 2)


class TestDistanceMatrix:
    """Properties of VT from section 5, on generated tables."""

    @few
    @given(people, ks)
    def test_it_has_a_line_for_each_outlier_and_a_column_for_each_sequence(self, invented, k):
        freq = invented.frequency
        matrix = distance_matrix(freq, k)
        assert matrix.distances.shape == (sum(freq.counts < k), len(freq), len(freq.heights))
        assert not any(matrix.distances[line, x].any() for line, x in enumerate(matrix.outliers))

    @few
    @given(tables_and_vectors(), ks)
    def test_two_tuples_become_equal_just_at_and_above_their_distance(self, case, k):
        invented, (vector,) = case
        matrix = distance_matrix(invented.frequency, k)
        class_of = invented.frequency.classify(vector)[0]
        for line, x in enumerate(matrix.outliers):
            below = [dominates(vector, distance) for distance in matrix.distances[line].tolist()]
            assert below == (class_of == class_of[x]).tolist()

    @few
    @given(people, ks)
    def test_req_sup_is_what_generalizing_leaves(self, invented, k):
        matrix = distance_matrix(invented.frequency, k)
        for vector in list_vectors(invented.frequency.heights):
            assert matrix.required_suppression(vector) == invented.frequency.outliers(vector, k)

    @few
    @given(people, ks, allowances)
    def test_every_solution_lies_above_a_bound_of_each_tuple_it_must_release(
        self, invented, k, allowed
    ):
        matrix = distance_matrix(invented.frequency, k)
        satisfies = satisfies_within(invented.frequency, k, allowed)
        for vector in filter(satisfies, list_vectors(invented.frequency.heights)):
            for bounds in matrix.lower_bounds(allowed):
                assert any(dominates(vector, bound) for bound in bounds)

    @few
    @given(people, ks, allowances)
    def test_every_minimal_solution_lies_below_the_upper_bound_at_levels_that_occur(
        self, invented, k, allowed
    ):
        matrix = distance_matrix(invented.frequency, k)
        for vector in find_k_minimal(invented.frequency, k, allowed):
            assert dominates(matrix.least_upper_bound(), vector)
            levels = zip(vector, matrix.occurring_levels(), strict=True)
            assert all(level in occurring for level, occurring in levels)
