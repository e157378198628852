"""The worked examples of Datafly: Achieving, section 4.1, and Samarati, section 7."""

from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.model.measures import precision
from lookalike.model.recoding import Step, recode_at
from lookalike.model.requirement import Requirement
from lookalike.search.methods import datafly

from ..brute import find_minimal, list_vectors
from ..small_tables import frequency_of, occurrences, rows_of
from .samarati_tables import SAMARATI_FIGURE_2, SAMARATI_FIGURE_4
from .sweeney_tables import (
    ACHIEVING_FIGURE_7,
    ACHIEVING_FIGURE_7_HIERARCHIES,
    ACHIEVING_FIGURE_10,
)

QUASI_IDENTIFIER = list(ACHIEVING_FIGURE_7_HIERARCHIES)

FIGURE_9B = {
    ("black", "1965", "male", "02141"): 2,
    ("black", "1965", "female", "02138"): 2,
    ("black", "1964", "female", "02138"): 2,
    ("white", "1964", "male", "02138"): 1,
    ("white", "1965", "female", "02139"): 1,
    ("white", "1964", "male", "02139"): 2,
    ("white", "1967", "male", "02138"): 2,
}
T7 = ("white", "1964", "male", "02138")
T8 = ("white", "1965", "female", "02139")


class TestFigures8To10:
    """Datafly on PT of Figure 7, k = 2."""

    def test_figure_9a_freq_holds_twelve_sequences_that_occur_once(self, freq):
        assert occurrences(freq) == dict.fromkeys(rows_of(ACHIEVING_FIGURE_7, QUASI_IDENTIFIER), 1)

    def test_figure_9a_birth_date_has_the_most_distinct_values(self, made):
        assert made.recoding.steps[0] == Step((0, 0, 0, 0), (2, 12, 2, 3), 12, 12)

    def test_figure_9b_freq_after_step_2(self, freq, made):
        assert occurrences(freq.roll_up(made.recoding.vector)) == FIGURE_9B

    def test_figure_9b_birth_date_is_left_with_3_distinct_values(self, made):
        assert made.recoding.steps[-1] == Step((0, 2, 0, 0), (2, 3, 2, 3), 7, 2)

    def test_birth_date_alone_is_generalized_by_way_of_the_month(self, made):
        vectors = [step.vector for step in made.recoding.steps]
        assert vectors == [(0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0)]

    def test_t7_and_t8_are_suppressed(self, freq, made):
        class_of, classes = freq.classify(made.recoding.vector)
        suppressed = Counter()
        for position, number in zip(class_of, made.recoding.suppressed, strict=True):
            suppressed[classes.sequences()[position]] += int(number)
        assert +suppressed == {T7: 1, T8: 1}
        assert (made.recoding.rows_suppressed, made.recoding.rows_complementary) == (2, 0)

    def test_figure_10_mgt_row_by_row(self, made):
        assert Counter(rows_of(made.table)) == Counter(ACHIEVING_FIGURE_10)

    def test_figure_10_in_the_order_of_the_figure_where_order_is_kept(self):
        assert rows_of(release_figure_7(keep_order=True).table) == ACHIEVING_FIGURE_10

    def test_mgt_satisfies_k_2(self, made):
        assert la.check(made.table, QUASI_IDENTIFIER, k=2).k == 2

    def test_prec_of_mgt_is_0_75(self, made):
        assert made.measures.precision == 0.75
        assert made.measures.precision == float(1 - (10 * Fraction(2, 5) + 2 * 4) / 48)

    def test_prec_is_0_833_if_birth_date_starts_at_the_year(self):
        years = [day[-4:] for day in ACHIEVING_FIGURE_7["BirthDate"].to_pylist()]
        table = ACHIEVING_FIGURE_7.set_column(1, "BirthDate", pa.array(years))
        made = release_figure_7(table, BirthDate=la.Intervals([5, 10]))
        assert made.recoding.vector == (0, 0, 0, 0)
        assert made.measures.precision == float(Fraction(5, 6))
        assert Counter(rows_of(made.table)) == Counter(ACHIEVING_FIGURE_10)

    def test_step_4_blank_rows_number_k_so_nothing_more_is_suppressed(self):
        made = release_figure_7(suppressed_rows="blank")
        expected = [*ACHIEVING_FIGURE_10]
        expected += [(*"****", "short of breath"), (*"****", "hypertension")]
        assert Counter(rows_of(made.table)) == Counter(expected)
        assert made.recoding.rows_complementary == 0


class TestDistortion:
    """How much more than needed Datafly distorted PT of Figure 7, among all 216 vectors."""

    def test_at_max_suppressed_2_its_vector_is_the_only_minimal_one(self, freq, made):
        within = [v for v in list_vectors(freq.heights) if freq.outliers(v, 2) <= 2]
        assert find_minimal(within) == {(0, 2, 0, 0)} == {made.recoding.vector}
        assert made.recoding.k_minimal

    def test_at_max_suppressed_2_its_vector_has_the_best_prec(self, freq):
        within = [v for v in list_vectors(freq.heights) if freq.outliers(v, 2) <= 2]
        assert find_best(freq, within) == ([(0, 2, 0, 0)], 0.75)

    def test_at_max_suppressed_0_the_best_vector_is_1_2_0_1(self, freq):
        within = [v for v in list_vectors(freq.heights) if freq.outliers(v, 2) == 0]
        vectors, prec = find_best(freq, within)
        assert vectors == [(1, 2, 0, 1)]
        assert round(prec, 4) == 0.6917


class TestSamaratiSection7:
    """Datafly can overgeneralize: Samarati, Figure 4, k = 3, no suppression."""

    @pytest.fixture
    def freq(self):
        return frequency_of(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2)

    def test_datafly_generalizes_zip_then_race(self, freq):
        recoding = datafly(freq, Requirement(3, max_suppressed=0))
        assert [(step.vector, step.distinct) for step in recoding.steps] == [
            ((0, 0), (3, 4)),
            ((0, 1), (3, 2)),
            ((1, 1), (1, 2)),
        ]
        assert recoding.vector == (1, 1)
        assert recoding.rows_suppressed == 0

    def test_its_answer_is_not_among_the_3_minimal_ones(self, freq):
        within = [v for v in list_vectors(freq.heights) if freq.outliers(v, 3) == 0]
        assert find_minimal(within) == {(1, 0), (0, 2)}
        assert not datafly(freq, Requirement(3, max_suppressed=0)).k_minimal


@pytest.fixture
def freq():
    return frequency_of(ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES)


@pytest.fixture(scope="module")
def made():
    return release_figure_7()


def release_figure_7(table=ACHIEVING_FIGURE_7, BirthDate=None, **fields):  # noqa: N803
    """Release the table of Figure 7 by Datafly with k = 2."""
    hierarchies = dict(ACHIEVING_FIGURE_7_HIERARCHIES)
    if BirthDate is not None:
        hierarchies["BirthDate"] = BirthDate
    attributes = {
        name: {"role": "quasi-identifier", "hierarchy": hierarchy}
        for name, hierarchy in hierarchies.items()
    }
    attributes["Problem"] = {"role": "sensitive"}
    return la.release(table, attributes=attributes, k=2, method="datafly", **fields)


def find_best(freq, vectors):
    """Return the vectors with the highest Prec once outliers are suppressed, and that Prec."""
    prec = {v: precision(freq, recode_at(freq, v, Requirement(2), 2)) for v in vectors}
    best = max(prec.values())
    return [v for v in vectors if prec[v] == best], best
