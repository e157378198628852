"""Samarati, sections 5 and 6: the recorded steps of each of her searches."""

from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.trace import SEARCHES, trace
from lookalike.search.options import SearchOptions

from ..brute import find_k_minimal
from ..effort import examples
from ..invented import tables, tables_and_vectors

few = examples(60)
ks = st.integers(2, 4)
allowances = st.integers(0, 5)
people = tables(min_rows=4, max_rows=12)


def has_few_strategies(invented):
    """Return whether all strategies of a table can be followed quickly."""
    return Lattice.of_heights(invented.frequency.heights).count_strategies() <= 1000


walkable = people.filter(has_few_strategies)


def in_short(found):
    """Return the heights left, the height tried and the vector found by each step."""
    return [(step.low, step.high, step.tried, step.found) for step in found.steps]


def asked(step):
    """Return the vectors that a step evaluated, with their outliers."""
    return [(one.vector, one.outliers) for one in step.evaluated]


class TestTrace:
    """Her searches step by step."""

    def test_figure_10_on_figure_6(self, freq_of_6):
        found = trace(freq_of_6, Requirement(2, 0), "find-vector")
        assert in_short(found) == [
            (0, 11, 5, None),
            (6, 11, 8, (0, 3, 1, 2, 2)),
            (6, 8, 7, (0, 2, 1, 2, 2)),
            (6, 7, 6, (1, 3, 0, 1, 1)),
        ]
        assert [len(step.evaluated) for step in found.steps] == [35, 1, 1, 28]
        assert asked(found.steps[2]) == [((0, 2, 1, 2, 2), 0)]
        assert found.found == ((1, 3, 0, 1, 1),)

    def test_figure_10_on_figure_6_if_the_last_tuple_may_be_suppressed_gives_figure_7(
        self, freq_of_6
    ):
        found = trace(freq_of_6, Requirement(2, 1), "find-vector")
        assert [step.tried for step in found.steps] == [5, 2, 1, 0]
        assert asked(found.steps[-1]) == [((0, 0, 0, 0, 0), 11)]
        assert found.found == ((0, 1, 0, 0, 0),)

    def test_figure_10_on_figure_8_with_maxsup_1(self, freq_of_8):
        found = trace(freq_of_8, Requirement(2, 1), "find-vector")
        assert in_short(found) == [(0, 3, 1, (1, 0)), (0, 1, 0, None)]
        assert asked(found.steps[0]) == [((0, 1), 2), ((1, 0), 1)]
        assert asked(found.steps[1]) == [((0, 0), 4)]
        assert [one.satisfies for one in found.steps[0].evaluated] == [False, True]

    def test_example_5_1_the_matrix_leaves_heights_6_to_9_and_not_the_printed_10(self, freq_of_6):
        """The printed bound [1,3,2,2,2] has a 2 that occurs nowhere in Figure 11."""
        found = trace(freq_of_6, Requirement(2, 0), "matrix")
        assert found.matrix.least_upper_bound() == (1, 3, 1, 2, 2)
        assert found.matrix.lowest_height(0) == 6
        assert in_short(found) == [(6, 9, 7, (0, 2, 1, 2, 2)), (6, 7, 6, (1, 3, 0, 1, 1))]

    def test_the_three_strategies_of_figure_3_with_maxsup_1(self, freq_of_8):
        found = trace(freq_of_8, Requirement(2, 1), "strategies")
        assert [asked(step) for step in found.steps] == [
            [((0, 0), 4), ((1, 0), 1)],
            [((0, 0), 4), ((0, 1), 2), ((1, 1), 0)],
            [((0, 0), 4), ((0, 1), 2), ((0, 2), 1)],
        ]
        assert found.local == (((1, 0), 1), ((0, 2), 1), ((1, 1), 1))
        assert found.found == ((1, 0), (0, 2))

    def test_halving_begins_anew_between_vectors(self, freq_of_8):
        found = trace(freq_of_8, Requirement(2, 1), "halving")
        parts = [(step.between.bottom, step.between.top, step.found) for step in found.steps]
        assert parts == [
            ((0, 0), (1, 2), None),
            ((0, 0), (1, 0), (1, 0)),
            ((0, 1), (1, 2), None),
            ((0, 1), (1, 1), (1, 1)),
            ((0, 1), (0, 2), (0, 2)),
        ]
        assert found.found == ((1, 0), (0, 2))

    @few
    @given(walkable, ks, allowances, st.sampled_from(SEARCHES))
    def test_every_search_finds_what_the_definition_says(self, invented, k, allowed, search):
        freq = invented.frequency
        assume(freq.rows >= k)
        found = trace(freq, Requirement(k, allowed), search)
        minimal = sorted(find_k_minimal(freq, k, allowed), key=lambda v: (sum(v), v))
        all_of_them = search in ("halving", "strategies")
        assert list(found.found) == (minimal if all_of_them else minimal[:1])
        assert found.complete
        for step in found.steps:
            for one in step.evaluated:
                assert one.outliers == freq.outliers(one.vector, k)
                assert one.satisfies == (one.outliers <= allowed)

    @few
    @given(tables_and_vectors(min_rows=4, max_rows=12), ks, allowances)
    def test_bounds_on_levels_restrict_the_matrix_as_they_restrict_find_vector(
        self, case, k, allowed
    ):
        invented, (bottom,) = case
        freq = invented.frequency
        assume(freq.rows >= k)
        levels = zip(freq.attributes, bottom, strict=True)
        bounds = tuple(Constraint.parse(f"{name} >= {level}") for name, level in levels)
        options = SearchOptions(constraints=bounds)
        plain, matrix = (
            trace(freq, Requirement(k, allowed), search, options).found
            for search in ("find-vector", "matrix")
        )
        assert plain == matrix
