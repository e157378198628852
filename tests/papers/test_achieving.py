"""The worked examples of Achieving: k-anonymity, generalization, and Prec."""

from decimal import Decimal
from fractions import Fraction
from itertools import chain, combinations

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.model.lattice import Lattice
from lookalike.model.measures import precision
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen
from lookalike.search.options import SearchOptions

from ..brute import find_k_minimal, find_minimal, list_vectors, prec_of_cells
from ..effort import examples
from ..invented import STRANGER, Invented, tables
from ..small_tables import (
    frequency_of,
    generalize,
    occurrences,
    rows_of,
    suppress_everything,
    suppress_nothing,
)
from .definitions import is_k_minimal_distortion, is_k_minimal_generalization
from .sweeney_tables import (
    ACHIEVING_FIGURE_1,
    ACHIEVING_FIGURE_4,
    ACHIEVING_FIGURE_7,
    ACHIEVING_FIGURE_7_GT,
    ACHIEVING_FIGURE_7_HIERARCHIES,
    ACHIEVING_RACE_ZIP,
    RACE_BIRTH_GENDER_ZIP,
)

GENERALIZED = [(1, 0), (1, 1), (0, 2), (0, 1)]
"""The vectors of Figure 4, from left to right after PT."""

FIGURE_4_CELLS = {
    (0, 0): (["Black"] * 4 + ["White"] * 4, ["02138", "02139", "02141", "02142"] * 2),
    (1, 0): (["Person"] * 8, ["02138", "02139", "02141", "02142"] * 2),
    (1, 1): (["Person"] * 8, ["0213*", "0213*", "0214*", "0214*"] * 2),
    (0, 2): (["Black"] * 4 + ["White"] * 4, ["021**"] * 8),
    (0, 1): (["Black"] * 4 + ["White"] * 4, ["0213*", "0213*", "0214*", "0214*"] * 2),
}

few = examples(60)
ks = st.integers(2, 4)


def drop_unknown(invented):
    """Keep the rows whose values the hierarchies know."""
    known = pa.array([STRANGER not in row for row in invented.rows], pa.bool_())
    return Invented(invented.table.filter(known), invented.hierarchies)


def is_small(invented):
    """Return whether the lattice is small enough for a search at every vector."""
    return Lattice.of_heights([rule.height for rule in invented.rules]).size <= 60


known_tables = tables(min_rows=4, max_rows=12).filter(is_small).map(drop_unknown)


def positive_weights(number):
    """Generate weights above 0."""
    some = st.sampled_from([Decimal(text) for text in ("1", "2", "0.5", "1.3", "0.01")])
    return st.lists(some, min_size=number, max_size=number).map(tuple)


class TestFigure1:
    """Example 1, Theorem 1 and Example 2."""

    def test_table_adheres_to_2_anonymity_and_not_to_3(self):
        found = la.check(ACHIEVING_FIGURE_1, RACE_BIRTH_GENDER_ZIP, k=2)
        assert found == la.Checked(k=2, rows=7, classes=3, unique_rows=0, holds=True)
        assert not la.check(ACHIEVING_FIGURE_1, RACE_BIRTH_GENDER_ZIP, k=3).holds

    def test_rows_that_are_alike_are_t1_t2_then_t3_t4_then_t5_t6_t7(self):
        suppress = dict.fromkeys(RACE_BIRTH_GENDER_ZIP, la.Suppress())
        assert occurrences(frequency_of(ACHIEVING_FIGURE_1, suppress)) == {
            ("Black", "1965", "m", "02141"): 2,
            ("Black", "1964", "f", "02138"): 2,
            ("White", "1964", "m", "02138"): 3,
        }

    @pytest.mark.parametrize(
        ("attribute", "printed"),
        [
            ("Race", {"Black": 4, "White": 3}),
            ("Birth", {"1964": 5, "1965": 2}),
            ("Gender", {"m": 5, "f": 2}),
            ("ZIP", {"02138": 5, "02141": 2}),
        ],
    )
    def test_each_value_of_an_attribute_occurs_as_often_as_printed(self, attribute, printed):
        freq = occurrences(frequency_of(ACHIEVING_FIGURE_1, {attribute: la.Suppress()}))
        assert {value: number for (value,), number in freq.items()} == printed

    @pytest.mark.parametrize(
        "subset",
        list(chain.from_iterable(combinations(RACE_BIRTH_GENDER_ZIP, n) for n in range(1, 5))),
        ids=" ".join,
    )
    def test_no_subset_of_the_quasi_identifier_matches_fewer_than_k(self, subset):
        assert la.check(ACHIEVING_FIGURE_1, subset, k=2).holds


class TestFigure4:
    """Figures 2 to 4 with Examples 3 to 6."""

    def test_hierarchies_have_the_heights_of_figures_2_and_3(self, freq):
        assert freq.heights == (2, 3)

    @pytest.mark.parametrize("vector", FIGURE_4_CELLS, ids=str)
    def test_released_table_equals_the_figure_cell_by_cell(self, vector):
        races, zips = FIGURE_4_CELLS[vector]
        released = generalize(ACHIEVING_FIGURE_4, ACHIEVING_RACE_ZIP, vector)
        assert rows_of(released) == list(zip(races, zips, strict=True))

    @pytest.mark.parametrize("vector", FIGURE_4_CELLS, ids=str)
    def test_roll_up_counts_what_the_figure_shows(self, freq, vector):
        cells = list(zip(*FIGURE_4_CELLS[vector], strict=True))
        assert occurrences(freq.roll_up(vector)) == {row: cells.count(row) for row in set(cells)}

    @pytest.mark.parametrize(
        ("vector", "largest_k"), [((0, 1), 2), ((1, 0), 2), ((0, 2), 4), ((1, 1), 4)]
    )
    def test_example_3_tells_for_which_k_each_table_satisfies_k_anonymity(self, vector, largest_k):
        released = generalize(ACHIEVING_FIGURE_4, ACHIEVING_RACE_ZIP, vector)
        satisfied = [k for k in range(2, 9) if la.check(released, ["Race", "ZIP"], k).holds]
        assert satisfied == list(range(2, largest_k + 1))

    def test_equation_1_counts_the_generalizations_of_the_lattice(self, freq):
        assert Lattice.of_heights(freq.heights).size == 12
        assert Lattice.of_heights(freq.heights).size == len(list_vectors(freq.heights))

    def test_example_4_only_0_1_and_1_0_are_minimal(self, freq):
        satisfying = [v for v in list_vectors(freq.heights) if freq.outliers(v, 2) == 0]
        assert set(GENERALIZED) < set(satisfying)
        assert find_minimal(satisfying) == {(0, 1), (1, 0)}
        assert keep(is_k_minimal_generalization, freq, 2) == {(0, 1), (1, 0)}

    @pytest.mark.parametrize(("k", "minimal"), [(3, {(0, 2), (1, 1)}), (4, {(0, 2), (1, 1)})])
    def test_example_3_for_k_3_and_4_the_other_two_are_minimal(self, freq, k, minimal):
        assert keep(is_k_minimal_generalization, freq, k) == minimal

    def test_example_5_the_private_table_has_prec_1_and_the_suppressed_one_0(self, freq):
        assert precision(freq, suppress_nothing(freq, (0, 0))) == 1
        assert precision(freq, suppress_nothing(freq, freq.heights)) == 0
        assert precision(freq, suppress_everything(freq, (0, 0))) == 0

    @pytest.mark.parametrize(
        ("vector", "printed", "exact"),
        [
            ((1, 0), 0.75, Fraction(3, 4)),
            ((1, 1), 0.58, Fraction(7, 12)),
            ((0, 2), 0.67, Fraction(2, 3)),
            ((0, 1), 0.83, Fraction(5, 6)),
        ],
        ids=str,
    )
    def test_example_6_prec_of_each_table(self, freq, vector, printed, exact):
        prec = precision(freq, suppress_nothing(freq, vector))
        assert prec == float(exact)
        assert round(prec, 2) == printed

    def test_definition_6_only_0_1_is_a_2_minimal_distortion(self, freq):
        satisfying = [v for v in list_vectors(freq.heights) if freq.outliers(v, 2) == 0]
        prec = {v: precision(freq, suppress_nothing(freq, v)) for v in satisfying}
        assert [v for v in satisfying if prec[v] == max(prec.values())] == [(0, 1)]
        assert keep(is_k_minimal_distortion, freq, 2) == {(0, 1)}
        assert mingen(freq, Requirement(2)).vector == (0, 1)

    def test_definition_6_weights_can_make_1_0_the_2_minimal_distortion(self, freq):
        options = SearchOptions(weights=(Decimal(1), Decimal(2)))
        assert keep(is_k_minimal_distortion, freq, 2, options) == {(1, 0)}

    def test_definition_6_where_several_tie_all_are_kept_as_in_step_2_3(self, freq):
        options = SearchOptions(weights=(Decimal(2), Decimal(3)))
        assert keep(is_k_minimal_distortion, freq, 2, options) == {(0, 1), (1, 0)}

    @pytest.fixture
    def freq(self):
        return frequency_of(ACHIEVING_FIGURE_4, ACHIEVING_RACE_ZIP)


class TestDefinition6:
    """Definition 6 and Theorem 2 on invented tables, with no row suppressed.

    Values that no hierarchy knows are left out: they are released suppressed, so their Prec
    is lost at every level and raising it costs nothing.
    """

    @few
    @given(known_tables, ks, st.data())
    def test_theorem_2_a_minimal_distortion_is_a_minimal_generalization(self, invented, k, data):
        freq = invented.frequency
        assume(freq.rows >= k)
        options = SearchOptions(weights=data.draw(positive_weights(len(freq.heights))))
        best = keep(is_k_minimal_distortion, freq, k, options)
        assert best
        assert best <= keep(is_k_minimal_generalization, freq, k)
        assert best <= find_k_minimal(freq, k, 0)

    @few
    @given(known_tables, ks, st.data())
    def test_a_minimal_distortion_has_the_greatest_prec_of_all_that_satisfy_k(
        self, invented, k, data
    ):
        freq = invented.frequency
        assume(freq.rows >= k)
        weights = data.draw(positive_weights(len(freq.heights)))
        satisfying = [v for v in list_vectors(freq.heights) if freq.outliers(v, k) == 0]
        lost = {v: lose(v, freq.heights, weights) for v in satisfying}
        best = {v for v in satisfying if lost[v] == min(lost.values())}
        assert keep(is_k_minimal_distortion, freq, k, SearchOptions(weights=weights)) == best

    @few
    @given(known_tables, ks)
    def test_a_table_that_satisfies_k_is_its_own_only_minimal_distortion(self, invented, k):
        assume(invented.frequency.rows)
        freq = invented.reorder([*range(invented.table.num_rows)] * k).frequency
        assert keep(is_k_minimal_distortion, freq, k) == {(0,) * len(freq.heights)}


class TestFigure7:
    """Figures 6 and 7: GT is a 2-anonymous table, but its printed Prec is a misprint."""

    def test_hierarchies_have_the_heights_2_5_2_3(self):
        freq = frequency_of(ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES)
        assert freq.heights == (2, 5, 2, 3)
        assert Lattice.of_heights(freq.heights).size == 216

    def test_gt_satisfies_k_2(self):
        found = la.check(ACHIEVING_FIGURE_7_GT, list(ACHIEVING_FIGURE_7_HIERARCHIES))
        assert (found.k, found.rows, found.classes) == (2, 12, 5)

    def test_prec_of_gt_is_0_8229_and_not_the_printed_0_90(self):
        prec = prec_of_cells(
            ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_GT, ACHIEVING_FIGURE_7_HIERARCHIES
        )
        assert prec == 1 - Fraction(17, 2) / 48
        assert round(float(prec), 4) == 0.8229

    def test_prec_of_gt_is_0_906_if_birth_date_starts_at_the_year(self, years):
        hierarchies = {**ACHIEVING_FIGURE_7_HIERARCHIES, "BirthDate": la.Intervals([5, 10])}
        prec = prec_of_cells(years, ACHIEVING_FIGURE_7_GT, hierarchies)
        assert prec == 1 - Fraction(9, 2) / 48
        assert round(float(prec), 3) == 0.906

    @pytest.fixture
    def years(self):
        return start_at_year(ACHIEVING_FIGURE_7)


def start_at_year(table):
    """Replace each birth date of Figure 7 by its year."""
    years = [day[-4:] for day in table["BirthDate"].to_pylist()]
    return table.set_column(1, "BirthDate", pa.array(years))


def keep(predicate, freq, k, *options):
    """Return the vectors for which a predicate holds without suppression."""
    requirement = Requirement(k, 0)
    return {v for v in list_vectors(freq.heights) if predicate(freq, v, requirement, *options)}


def lose(vector, heights, weights):
    """Return the loss of Prec of the cells of a row at a vector."""
    parts = zip(vector, heights, weights, strict=True)
    return sum(Fraction(weight) * Fraction(d, h) for d, h, weight in parts if h)
