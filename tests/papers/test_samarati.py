"""Samarati, sections 3 and 4: generalized tables, suppression, and what is minimal."""

from collections import Counter
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.model.lattice import Lattice, dominates
from lookalike.model.minimality import is_minimal
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.rollup import RollUps

from ..brute import find_k_minimal, generalize_rows, list_vectors
from ..effort import examples
from ..invented import tables, tables_and_vectors
from ..small_tables import frequency_of, generalize, occurrences, rows_of
from .definitions import is_k_minimal_generalization
from .samarati_tables import (
    SAMARATI_FIGURE_2,
    SAMARATI_FIGURE_4,
    SAMARATI_FIGURE_6,
    SAMARATI_FIGURE_6_GT_0_2_1_2_2,
    SAMARATI_FIGURE_6_GT_1_3_0_1_1,
    SAMARATI_FIGURE_6_HIERARCHIES,
    SAMARATI_FIGURE_7,
)

few = examples(60)
ks = st.integers(2, 4)

VECTORS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
STRATEGIES = [
    ((0, 0), (1, 0), (1, 1), (1, 2)),
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
]
"""The strategies of Figure 3, from left to right."""

RACES = {0: ["asian"] * 4 + ["black"] * 4 + ["white"] * 4, 1: ["person"] * 12}
ZIPS = {
    0: ["94138", "94139", "94141", "94142"] * 3,
    1: ["9413*", "9413*", "9414*", "9414*"] * 3,
    2: ["941**"] * 12,
}
"""The columns of Figure 4 at each level."""

MARKED_IN_FIGURE_8 = {
    (0, 0): {
        ("black", "94138"): 1,
        ("black", "94141"): 1,
        ("black", "94142"): 1,
        ("white", "94138"): 1,
    },
    (1, 0): {("person", "94141"): 1},
    (0, 1): {("black", "9413*"): 1, ("white", "9413*"): 1},
    (0, 2): {("white", "941**"): 1},
    (1, 1): {},
    (1, 2): {},
}

LEFT_IN_FIGURE_9 = {
    (0, 0): {("asian", "94138"): 2, ("asian", "94142"): 2},
    (1, 0): {("person", "94138"): 4, ("person", "94142"): 3},
    (0, 1): {("asian", "9413*"): 2, ("asian", "9414*"): 2, ("black", "9414*"): 2},
    (0, 2): {("asian", "941**"): 4, ("black", "941**"): 3},
    (1, 1): {("person", "9413*"): 4, ("person", "9414*"): 4},
    (1, 2): {("person", "941**"): 8},
}


class TestSection31:
    """Figures 2 and 3 with Examples 3.1 and 3.2: hierarchies and strategies."""

    @pytest.mark.parametrize(
        ("attribute", "value", "path"),
        [
            ("ZIP", "94142", ("94142", "9414*", "941**")),
            ("Race", "asian", ("asian", "person")),
            ("Sex", "male", ("male", "not released")),
            ("MaritalStatus", "widow", ("widow", "been married", "not released")),
            ("MaritalStatus", "single", ("single", "never married", "not released")),
        ],
    )
    def test_example_3_1_every_value_has_one_path_to_the_top(self, attribute, value, path):
        values = SAMARATI_FIGURE_6[attribute].to_pylist()
        rule = SAMARATI_FIGURE_6_HIERARCHIES[attribute].fit(values)
        assert rule.ancestors(value) == path

    def test_condition_2_the_top_of_every_hierarchy_is_one_value(self):
        freq = frequency_of(SAMARATI_FIGURE_6, SAMARATI_FIGURE_6_HIERARCHIES)
        assert [len(bound.labels[-1]) for bound in freq.hierarchies] == [1] * 5

    def test_the_heights_are_those_of_figure_2(self):
        freq = frequency_of(SAMARATI_FIGURE_6, SAMARATI_FIGURE_6_HIERARCHIES)
        heights = dict(zip(freq.attributes, freq.heights, strict=True))
        heights.pop("DOB")
        assert heights == {"Race": 1, "Sex": 1, "ZIP": 2, "MaritalStatus": 2}

    def test_example_3_2_the_three_strategies_of_figure_3(self):
        assert set(Lattice.of_heights((1, 2)).strategies()) == set(STRATEGIES)

    @pytest.mark.parametrize(
        ("path", "sequences"),
        list(zip(STRATEGIES, [[12, 4, 2, 1], [12, 6, 2, 1], [12, 6, 3, 1]], strict=True)),
        ids=["first", "second", "third"],
    )
    def test_figure_3_the_values_along_each_strategy(self, freq_of_4, path, sequences):
        seen = [freq_of_4.roll_up(vector).sequences() for vector in path]
        assert list(map(len, seen)) == sequences
        assert seen[-1] == [("person", "941**")]


class TestSection32:
    """Figures 4 and 5 with Examples 3.3 to 3.5: generalized tables without suppression."""

    @pytest.mark.parametrize("vector", VECTORS, ids=str)
    def test_figure_4_and_example_3_4_the_table_at_each_distance_vector(self, vector):
        race, zip_ = vector
        released = generalize(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2, vector)
        assert rows_of(released) == list(zip(RACES[race], ZIPS[zip_], strict=True))

    @pytest.mark.parametrize(
        ("vector", "largest_k"),
        [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((0, 2), 4), ((1, 1), 6), ((1, 2), 12)],
    )
    def test_example_3_3_for_which_k_each_table_satisfies(self, freq_of_4, vector, largest_k):
        released = generalize(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2, vector)
        expected = list(range(1, largest_k + 1))
        assert [k for k in range(1, 14) if la.check(released, ["Race", "ZIP"], k).holds] == expected
        assert [k for k in range(1, 14) if freq_of_4.outliers(vector, k) == 0] == expected

    def test_figure_5_the_lattice_has_six_vectors_in_four_heights(self):
        lattice = Lattice.of_heights((1, 2))
        assert list(lattice) == VECTORS
        assert [set(lattice.at_height(height)) for height in range(4)] == [
            {(0, 0)},
            {(1, 0), (0, 1)},
            {(1, 1), (0, 2)},
            {(1, 2)},
        ]

    def test_figure_5_the_arcs_are_the_direct_generalizations(self):
        lattice = Lattice.of_heights((1, 2))
        assert {(low, high) for low in lattice for high in lattice.successors(low)} == {
            ((0, 0), (1, 0)),
            ((0, 0), (0, 1)),
            ((1, 0), (1, 1)),
            ((0, 1), (1, 1)),
            ((0, 1), (0, 2)),
            ((1, 1), (1, 2)),
            ((0, 2), (1, 2)),
        }

    def test_dominance_orders_all_but_three_pairs_of_figure_5(self):
        pairs = combinations(VECTORS, 2)
        apart = {(v, w) for v, w in pairs if not dominates(v, w) and not dominates(w, v)}
        assert apart == {((0, 1), (1, 0)), ((0, 2), (1, 0)), ((0, 2), (1, 1))}

    @pytest.mark.parametrize(
        ("k", "printed"), [(2, {(1, 0), (0, 1)}), (3, {(1, 0), (0, 2)})], ids=["k=2", "k=3"]
    )
    def test_example_3_5_the_k_minimal_generalizations(self, freq_of_4, k, printed):
        assert all_minimal(freq_of_4, k, 0) == printed

    def test_definition_3_3_means_less_for_with_less_or_equal_nothing_is_minimal(self, freq_of_4):
        satisfying = [v for v in VECTORS if freq_of_4.outliers(v, 2) == 0]
        printed = [v for v in satisfying if not any(dominates(v, w) for w in satisfying)]
        meant = [v for v in satisfying if not any(w != v and dominates(v, w) for w in satisfying)]
        assert printed == []
        assert [v for v in VECTORS if is_minimal(freq_of_4, v, Requirement(2), 0)] == meant

    @few
    @given(tables(max_rows=8), ks)
    def test_a_table_that_satisfies_k_is_its_own_only_minimal_generalization(self, invented, k):
        freq = invented.reorder([*range(invented.table.num_rows)] * k).frequency
        assert all_minimal(freq, k, 0) == {(0,) * len(freq.heights)}


class TestFigures6And7:
    """Section 4: because of the last tuple much must be generalized, unless it is suppressed."""

    def test_figure_6_two_generalizations_are_minimal_for_k_2(self, freq_of_6):
        assert all_minimal(freq_of_6, 2, 0) == {(0, 2, 1, 2, 2), (1, 3, 0, 1, 1)}

    @pytest.mark.parametrize(
        ("vector", "printed"),
        [
            ((0, 2, 1, 2, 2), SAMARATI_FIGURE_6_GT_0_2_1_2_2),
            ((1, 3, 0, 1, 1), SAMARATI_FIGURE_6_GT_1_3_0_1_1),
        ],
        ids=str,
    )
    def test_figure_6_each_table_cell_by_cell(self, freq_of_6, vector, printed):
        released = generalize(SAMARATI_FIGURE_6, SAMARATI_FIGURE_6_HIERARCHIES, vector)
        assert rows_of(released) == printed
        assert occurrences(freq_of_6.roll_up(vector)) == Counter(printed)
        assert min(Counter(printed).values()) >= 2

    def test_figure_6_is_released_where_nothing_may_be_suppressed(self):
        made = release_figure_6(max_suppressed=0)
        assert made.recoding.vector == (1, 3, 0, 1, 1)
        assert made.recoding.k_minimal
        assert rows_of(made.table) == SAMARATI_FIGURE_6_GT_1_3_0_1_1

    def test_figure_6_the_other_is_released_where_race_must_stay_as_it_is(self):
        made = release_figure_6(max_suppressed=0, constraints=["Race = 0"])
        assert made.recoding.vector == (0, 2, 1, 2, 2)
        assert made.recoding.k_minimal
        assert rows_of(made.table) == SAMARATI_FIGURE_6_GT_0_2_1_2_2

    def test_figure_7_without_the_last_tuple_one_step_on_dob_is_enough(self):
        freq = frequency_of(SAMARATI_FIGURE_6.slice(0, 10), SAMARATI_FIGURE_6_HIERARCHIES)
        assert all_minimal(freq, 2, 0) == {(0, 1, 0, 0, 0)}

    def test_figure_7_is_released_once_one_tuple_may_be_suppressed(self, freq_of_6):
        made = release_figure_6(max_suppressed=1)
        assert all_minimal(freq_of_6, 2, 1) == {(0, 1, 0, 0, 0)} == {made.recoding.vector}
        assert rows_of(made.table) == SAMARATI_FIGURE_7

    def test_figure_7_the_last_tuple_is_the_one_suppressed(self, freq_of_6):
        recoding = recode_at(freq_of_6, (0, 1, 0, 0, 0), Requirement(2, 1), 1)
        gone = [row for row, n in zip(freq_of_6.sequences(), recoding.suppressed, strict=True) if n]
        assert gone == rows_of(SAMARATI_FIGURE_6.slice(10))

    def test_suppression_alone_would_suppress_every_tuple(self, freq_of_6):
        assert freq_of_6.outliers((0, 0, 0, 0, 0), 2) == 11


class TestFigures8And9:
    """Examples 4.1 and 4.2: what must be suppressed at each vector, and what is then minimal."""

    @pytest.mark.parametrize("vector", VECTORS, ids=str)
    def test_example_4_1_the_tuples_that_must_be_suppressed(self, freq_of_8, vector):
        classes = freq_of_8.roll_up(vector)
        outlying = Requirement(2).outlying(classes, vector)
        gone = zip(classes.sequences(), classes.counts, outlying, strict=True)
        assert {row: n for row, n, out in gone if out} == MARKED_IN_FIGURE_8[vector]
        assert freq_of_8.outliers(vector, 2) == sum(MARKED_IN_FIGURE_8[vector].values())

    @pytest.mark.parametrize("vector", VECTORS, ids=str)
    def test_figure_9_what_is_left_at_each_vector(self, freq_of_8, vector):
        recoding = recode_at(freq_of_8, vector, Requirement(2), 8)
        class_of, classes = freq_of_8.classify(vector)
        left = Counter()
        for position, number in zip(class_of, freq_of_8.counts - recoding.suppressed, strict=True):
            left[classes.sequences()[position]] += int(number)
        assert +left == LEFT_IN_FIGURE_9[vector]

    @pytest.mark.parametrize(
        ("max_suppressed", "printed"),
        [
            (0, {(1, 1)}),
            (1, {(1, 0), (0, 2)}),
            (2, {(1, 0), (0, 1)}),
            (3, {(1, 0), (0, 1)}),
            (4, {(0, 0)}),
            (5, {(0, 0)}),
            (8, {(0, 0)}),
        ],
    )
    def test_example_4_2_what_is_minimal_for_each_max_sup(self, freq_of_8, max_suppressed, printed):
        assert all_minimal(freq_of_8, 2, max_suppressed) == printed


class TestMinimality:
    """Definitions 4.2 and 4.3 and Lemma 4.1, on generated tables."""

    @few
    @given(tables_and_vectors(max_rows=7), ks)
    def test_lemma_4_1_the_minimal_required_suppression_is_one_and_within_every_other(
        self, case, k
    ):
        invented, (vector,) = case
        shown = generalize_rows(invented.rows, invented.rules, vector)
        enough = [set(gone) for gone in subsets(range(len(shown))) if satisfies(shown, gone, k)]
        least = min(map(len, enough))
        (minimal,) = [gone for gone in enough if len(gone) == least]
        assert all(minimal <= gone for gone in enough)
        assert minimal == suppressed_rows(invented, vector, k)

    @few
    @given(tables(max_rows=10), ks, st.integers(0, 5))
    def test_definition_4_3_as_it_is_written(self, invented, k, max_suppressed):
        freq = invented.frequency
        requirement = Requirement(k, max_suppressed)
        minimal = {
            vector
            for vector in list_vectors(freq.heights)
            if is_k_minimal_generalization(freq, vector, requirement)
        }
        assert minimal == find_k_minimal(freq, k, max_suppressed)


def all_minimal(freq, k, max_suppressed):
    """Return the k-minimal vectors, which the search and the predicate must agree on."""
    requirement = Requirement(k, max_suppressed)
    lattice = Lattice.of_heights(freq.heights)
    found = find_minimal(RollUps(freq, requirement), lattice, max_suppressed)
    assert found.complete
    minimal = {v for v in lattice if is_k_minimal_generalization(freq, v, requirement)}
    assert set(found.vectors) == minimal
    return minimal


def release_figure_6(**fields):
    """Release the table of Figure 6 by Samarati's method with k = 2, its rows in order."""
    attributes = {
        name: {"role": "quasi-identifier", "hierarchy": hierarchy}
        for name, hierarchy in SAMARATI_FIGURE_6_HIERARCHIES.items()
    }
    return la.release(
        SAMARATI_FIGURE_6, attributes=attributes, k=2, method="samarati", keep_order=True, **fields
    )


def subsets(items):
    """Iterate over all subsets, the smallest first."""
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def satisfies(rows, gone, k):
    """Return whether rows satisfy k-anonymity without some of them."""
    left = Counter(row for place, row in enumerate(rows) if place not in gone)
    return all(number >= k for number in left.values())


def suppressed_rows(invented, vector, k):
    """Return the places of the rows whose sequence must be suppressed at a vector."""
    freq = invented.frequency
    outlying = dict(zip(freq.sequences(), Requirement(k).outlying(freq, vector), strict=True))
    ground = generalize_rows(invented.rows, invented.rules, freq.vector)
    return {place for place, row in enumerate(ground) if outlying[row]}
