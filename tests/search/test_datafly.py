"""Datafly, step by step (Achieving, Figure 8)."""

from decimal import Decimal

import pytest

from lookalike import Infeasible, InvalidInput, Mask, Suppress, Taxonomy
from lookalike.hierarchy import Listed
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.methods import ALGORITHMS, datafly
from lookalike.search.options import SearchOptions

from ..small_tables import frequencies

SEX = Taxonomy({"human": ["f", "m"]}, suppression_level=True)
ZIP = Mask(length=5)


def test_is_registered_under_its_name():
    assert ALGORITHMS["datafly"] is datafly


class TestWhenItStops:
    def test_at_once_if_k_holds_already(self):
        freq = frequencies(("f",), ("f",), ("m",), ("m",), sex=SEX)
        recoding = datafly(freq, Requirement(2))
        assert recoding.vector == (0,)
        assert recoding.rows_suppressed == 0
        assert len(recoding.steps) == 1

    def test_once_no_more_than_k_rows_are_outliers(self):
        freq = frequencies(("f",), ("m",), ("x",), ("x",), sex=Suppress())
        recoding = datafly(freq, Requirement(2))
        assert (recoding.vector, recoding.rows_suppressed) == ((0,), 2)

    def test_not_while_more_than_k_rows_are_outliers(self):
        freq = frequencies(("f",), ("m",), ("n",), ("x",), ("x",), sex=Suppress())
        recoding = datafly(freq, Requirement(2))
        assert (recoding.vector, recoding.rows_suppressed) == ((1,), 0)

    def test_max_suppressed_takes_the_place_of_k(self):
        freq = frequencies(("f",), ("m",), ("x",), ("x",), sex=Suppress())
        assert datafly(freq, Requirement(2, max_suppressed=2)).vector == (0,)
        assert datafly(freq, Requirement(2, max_suppressed=1)).vector == (1,)

    def test_at_the_top_where_k_is_the_number_of_rows(self):
        freq = frequencies(*[(str(number) * 5,) for number in range(7)], zip=ZIP)
        recoding = datafly(freq, Requirement(7, max_suppressed=0))
        assert (recoding.vector, recoding.rows_suppressed) == ((5,), 0)


class TestWhichAttributeGoesUp:
    def test_the_one_with_most_distinct_values(self):
        rows = [("f", "02138"), ("m", "02139"), ("f", "02140")]
        steps = datafly(frequencies(*rows, sex=SEX, zip=ZIP), Requirement(3, 0)).steps
        assert [step.vector for step in steps[:2]] == [(0, 0), (0, 1)]

    def test_the_first_of_several(self):
        rows = [("f", "02138"), ("m", "02139")]
        steps = datafly(frequencies(*rows, sex=SEX, zip=ZIP), Requirement(2, 0)).steps
        assert [step.vector for step in steps] == [(0, 0), (1, 0), (1, 1)]
        reverse = [(zip_, sex) for sex, zip_ in rows]
        steps = datafly(frequencies(*reverse, zip=ZIP, sex=SEX), Requirement(2, 0)).steps
        assert [step.vector for step in steps] == [(0, 0), (1, 0), (1, 1)]

    def test_a_missing_value_is_one_of_the_distinct_values(self):
        rows = [("f", "a"), ("m", "b"), (None, "b")]
        steps = datafly(frequencies(*rows, sex=SEX, b=Suppress()), Requirement(3, 0)).steps
        assert steps[0].distinct == (3, 2)
        assert steps[1].vector == (1, 0)

    def test_never_one_of_height_0(self):
        rows = [("us", "f"), ("us", "m")]
        freq = frequencies(*rows, country=Listed({"us": ["us"]}), sex=SEX)
        assert datafly(freq, Requirement(2, 0)).vector == (0, 1)


class TestSteps:
    def test_describe_vector_distinct_values_sequences_and_outliers(self):
        rows = [("f", "02138"), ("f", "02139"), ("m", "02138"), ("m", "02138")]
        steps = datafly(frequencies(*rows, sex=SEX, zip=Mask(length=5)), Requirement(2, 0)).steps
        assert [(s.vector, s.distinct, s.sequences, s.outliers) for s in steps] == [
            ((0, 0), (2, 2), 3, 2),
            ((1, 0), (1, 2), 2, 1),
            ((1, 1), (1, 1), 1, 0),
        ]


class TestInfeasible:
    @pytest.mark.parametrize("rows", [0, 1, 2])
    def test_with_fewer_rows_than_k(self, rows):
        freq = frequencies(*[("f",)] * rows, sex=SEX)
        with pytest.raises(Infeasible, match="fewer than k = 3"):
            datafly(freq, Requirement(3))

    def test_where_the_stop_rule_would_suppress_every_row(self):
        with pytest.raises(Infeasible, match="max_suppressed = 0"):
            datafly(frequencies(("f",), ("m",), sex=SEX), Requirement(2))

    def test_not_where_the_way_out_of_the_message_is_taken(self):
        recoding = datafly(frequencies(("f",), ("m",), sex=SEX), Requirement(2, max_suppressed=0))
        assert recoding.vector == (1,)


class TestTolerance:
    ROWS = (("a", "1", "x"), ("b", "2", "y"), ("c", "3", "y"), ("d", "3", "y"))

    def vectors(self, *tolerances, rows=ROWS):
        options = SearchOptions(tolerances=tuple(Decimal(text) for text in tolerances))
        freq = frequencies(*rows, a=Suppress(), b=Suppress(), c=Suppress())
        return [step.vector for step in datafly(freq, Requirement(4, 0), options).steps[1:]]

    def test_all_are_tolerated_alike_if_nothing_is_said(self):
        assert self.vectors() == self.vectors("0.5", "0.5", "0.5")
        assert self.vectors() == [(1, 0, 0), (1, 1, 0), (1, 1, 1)]

    def test_distinct_values_count_times_the_tolerance(self):
        assert self.vectors("0.4", "0.5", "1")[0] == (0, 0, 1)
        assert self.vectors("0.6", "0.5", "1")[0] == (1, 0, 0)

    def test_the_first_of_equals_goes_up(self):
        assert self.vectors("0.5", "0.5", "1")[0] == (1, 0, 0)
        assert self.vectors("0.3", "0.4", "0.6") == [(1, 0, 0), (1, 1, 0), (1, 1, 1)]

    def test_what_should_not_change_goes_up_last_most_distinct_values_first(self):
        assert self.vectors("0", "0", "0.001") == [(0, 0, 1), (1, 0, 1), (1, 1, 1)]
        reverse = [tuple(reversed(row)) for row in self.ROWS]
        vectors = self.vectors("0.001", "0", "0", rows=reverse)
        assert vectors == [(1, 0, 0), (1, 0, 1), (1, 1, 1)]

    def test_no_digit_is_lost(self):
        nearly = "0." + "9" * 40
        rows = [("a", "1", "x"), ("b", "2", "x"), ("c", "3", "x"), ("d", "4", "x")]
        assert self.vectors(nearly, "1", "1", rows=rows)[0] == (0, 1, 0)
        assert self.vectors("1", nearly, "1", rows=rows)[0] == (1, 0, 0)

    @pytest.mark.parametrize("tolerances", [("1",), ("1", "1", "1.1"), ("-0.1", "1", "1")])
    def test_there_is_one_from_0_to_1_for_each_attribute(self, tolerances):
        with pytest.raises(InvalidInput, match="tolerances: give one from 0 to 1 for each of a, b"):
            self.vectors(*tolerances)


class TestWhatCannotHelpIsPassedOver:
    ROWS = (("1", "x"), ("1", "y"), ("2", "x"), ("2", "y"), ("3", "x"), ("3", "z"))

    def answer(self, *quasi_identifiers):
        freq = frequencies(*self.ROWS, a=Suppress(), b=Suppress())
        return datafly(freq, Requirement(2, 0, quasi_identifiers=quasi_identifiers)).vector

    def test_an_attribute_in_no_quasi_identifier(self):
        assert self.answer(QuasiIdentifier("b", ("b",), 2)) == (0, 1)

    def test_an_attribute_whose_quasi_identifiers_hold(self):
        alone = QuasiIdentifier("a", ("a",), 2, alone=True)
        assert self.answer(QuasiIdentifier("b", ("b",), 2), alone) == (0, 1)

    def test_not_one_whose_quasi_identifier_does_not(self):
        alone = QuasiIdentifier("a", ("a",), 3, alone=True)
        assert self.answer(QuasiIdentifier("b", ("b",), 2), alone) == (1, 1)
