"""The measures, computed by hand on small tables."""

from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from lookalike import InvalidInput, Mask, Suppress, Taxonomy
from lookalike.hierarchy import Listed
from lookalike.model.measures import (
    absolute_distance,
    accuracy,
    average_class,
    completeness,
    discernibility,
    entropy,
    loss,
    measure,
    precision,
    relative_distance,
)
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement

from ..small_tables import frequency_of, suppress_everything, suppress_nothing, table_of

SEX = Taxonomy({"human": ["f", "m"]})
ZIP = Mask(steps=2, length=5, suppression_level=True)
HIERARCHIES = {"sex": SEX, "zip": ZIP}
PEOPLE = table_of(
    ("sex", "zip"),
    [("f", "02138"), ("f", "02138"), ("m", "02138"), ("m", "02139"), ("m", "02139")],
)


@pytest.fixture
def freq():
    return frequency_of(PEOPLE, HIERARCHIES)


class TestPrecision:
    def test_is_1_minus_the_mean_share_of_the_height(self, freq):
        assert precision(freq, suppress_nothing(freq, (1, 1))) == float(Fraction(1, 3))
        assert precision(freq, suppress_nothing(freq, (0, 2))) == float(Fraction(2, 3))

    def test_a_suppressed_row_counts_as_full_height(self, freq):
        recoding = recode_at(freq, (0, 0), Requirement(2), 1)
        assert recoding.rows_suppressed == 1
        assert precision(freq, recoding) == float(Fraction(4, 5))

    def test_rows_of_a_class_that_is_suppressed_in_part_are_counted_apart(self):
        freq = frequency_of(table_of(("a",), [("x",)] * 4 + [("y",)]), {"a": Suppress()})
        recoding = recode_at(freq, (0,), Requirement(2, 1, "blank"), 1)
        assert precision(freq, recoding) == float(Fraction(3, 5))

    def test_weights_say_how_much_each_attribute_matters(self, freq):
        recoding = suppress_nothing(freq, (1, 0))
        assert precision(freq, recoding, [Decimal(1), Decimal(3)]) == 0.75
        assert precision(freq, recoding, [Decimal(0), Decimal(1)]) == 1

    def test_weights_are_exact_decimals(self, freq):
        weights = [Decimal("0.1"), Decimal("0.2")]
        prec = precision(freq, suppress_nothing(freq, (1, 0)), weights)
        assert prec == float(Fraction(2, 3))

    @pytest.mark.parametrize("weights", [(0, 0), (-1, 2)])
    def test_weights_that_cannot_be_are_refused(self, freq, weights):
        with pytest.raises(InvalidInput, match="at least one must be above 0"):
            precision(freq, suppress_nothing(freq, (0, 0)), [Decimal(w) for w in weights])

    def test_an_attribute_of_height_0_loses_nothing_even_if_suppressed(self):
        table = table_of(("country", "sex"), [("us", "f"), ("us", "m")])
        freq = frequency_of(table, {"country": Listed({"us": ["us"]}), "sex": SEX})
        assert precision(freq, suppress_nothing(freq, (0, 1))) == 0.5
        assert precision(freq, suppress_everything(freq, (0, 0))) == 0.5

    def test_a_missing_value_is_charged_the_level_of_its_attribute(self):
        freq = frequency_of(table_of(("zip",), [("02138",), (None,)]), {"zip": ZIP})
        assert precision(freq, suppress_nothing(freq, (0,))) == 1
        assert precision(freq, suppress_nothing(freq, (1,))) == float(Fraction(2, 3))

    def test_an_unknown_value_that_is_suppressed_is_charged_the_full_height(self):
        rule = Taxonomy({"human": ["f", "m"]}, unknown="suppress", suppression_level=True)
        freq = frequency_of(table_of(("sex",), [("f",), ("m",), ("?",), ("!",)]), {"sex": rule})
        assert precision(freq, suppress_nothing(freq, (0,))) == 0.5
        assert precision(freq, suppress_nothing(freq, (1,))) == 0.25


class TestDistances:
    def test_absolute_distance_is_the_number_of_steps(self):
        assert absolute_distance((0, 2, 1)) == 3

    def test_relative_distance_divides_each_step_by_its_height(self):
        assert relative_distance((1, 1, 0), (1, 2, 5)) == Fraction(3, 2)

    def test_relative_distance_ignores_attributes_of_height_0(self):
        assert relative_distance((0, 1), (0, 4)) == Fraction(1, 4)

    def test_accuracy_is_1_at_the_bottom_and_0_at_the_top(self):
        assert accuracy((0, 0), (1, 3)) == 1
        assert accuracy((1, 3), (1, 3)) == 0
        assert accuracy((0, 1), (1, 3)) == 0.75

    def test_accuracy_is_1_where_nothing_can_be_generalized(self):
        assert accuracy((0,), (0,)) == 1

    def test_completeness_is_the_share_of_released_rows(self):
        assert completeness(12, 3) == 0.75
        assert completeness(0, 0) == 1


class TestClasses:
    def test_average_class_is_1_where_every_class_has_k_rows(self):
        assert average_class(np.array([3, 3]), 3) == 1
        assert average_class(np.array([2, 4, 6]), 2) == 2

    def test_average_class_without_classes_is_0(self):
        assert average_class(np.array([], dtype=np.int64), 2) == 0

    def test_discernibility_adds_the_squares_of_the_sizes(self):
        assert discernibility(np.array([2, 3]), rows=5, left_out=0) == 13

    def test_discernibility_charges_the_whole_table_for_a_row_left_out(self):
        assert discernibility(np.array([2, 4]), rows=8, left_out=2) == 4 + 16 + 16

    def test_discernibility_is_exact_beyond_64_bits(self):
        sizes = np.array([2**33, 2**33], dtype=np.int64)
        assert discernibility(sizes, rows=2**34, left_out=0) == 2 * 2**66


class TestLoss:
    def test_is_the_mean_share_of_the_other_leaves_under_a_value(self):
        tree = {"north": ["a", "b"], "south": ["c", "d", "e"]}
        freq = frequency_of(table_of(("at",), [("a",), ("c",)]), {"at": Taxonomy(tree)})
        assert loss(freq, suppress_nothing(freq, (0,))) == 0
        assert loss(freq, suppress_nothing(freq, (1,))) == (1 / 4 + 2 / 4) / 2
        assert loss(freq, suppress_nothing(freq, (2,))) == 1

    def test_leaves_are_the_values_of_the_column_where_the_rule_lists_none(self, freq):
        # Of sex nothing is lost; under 0213* lie both ZIP codes of the column.
        assert loss(freq, suppress_nothing(freq, (0, 1))) == 0.5

    def test_a_suppressed_row_loses_all(self, freq):
        assert loss(freq, recode_at(freq, (0, 0), Requirement(2), 1)) == 1 / 5
        assert loss(freq, suppress_everything(freq, (0, 0))) == 1

    def test_a_domain_of_one_value_loses_nothing(self):
        freq = frequency_of(table_of(("a",), [("x",), ("x",)]), {"a": Suppress()})
        assert loss(freq, suppress_nothing(freq, (1,))) == 0


class TestEntropy:
    def test_is_the_share_of_the_bits_that_are_lost(self):
        tree = {"A": ["a", "b"], "C": ["c"]}
        table = table_of(("letter",), [(letter,) for letter in "aabc"])
        freq = frequency_of(table, {"letter": Taxonomy(tree)})
        everything = 2 * log2(4 / 2) + 2 * log2(4)
        lost = 2 * log2(3 / 2) + log2(3)
        assert entropy(freq, suppress_nothing(freq, (0,))) == 0
        assert entropy(freq, suppress_nothing(freq, (1,))) == pytest.approx(lost / everything)
        assert entropy(freq, suppress_nothing(freq, (2,))) == 1

    def test_a_suppressed_row_loses_all_bits_of_its_values(self):
        freq = frequency_of(table_of(("a",), [("x",)] * 3 + [("y",)]), {"a": Suppress()})
        everything = 3 * log2(4 / 3) + log2(4)
        recoding = recode_at(freq, (0,), Requirement(2), 1)
        assert entropy(freq, recoding) == pytest.approx(log2(4) / everything)
        assert entropy(freq, suppress_everything(freq, (0,))) == 1

    def test_values_that_are_all_alike_have_nothing_to_lose(self):
        freq = frequency_of(table_of(("a",), [("x",), ("x",)]), {"a": Suppress()})
        assert entropy(freq, suppress_everything(freq, (1,))) == 0


class TestMeasure:
    def test_puts_every_measure_together(self, freq):
        recoding = recode_at(freq, (0, 0), Requirement(2), 1)
        measures = measure(freq, recoding, Requirement(2))
        assert asdict(measures) == {
            "precision": 0.8,
            "absolute_distance": 0,
            "relative_distance": 0.0,
            "accuracy": 1.0,
            "completeness": 0.8,
            "classes": 2,
            "smallest_class": 2,
            "rows_below_k": 0,
            "cells_suppressed": 0,
            "average_class": 1.0,
            "discernibility": 4 + 4 + 5,
            "loss": 0.2,
            "entropy": entropy(freq, recoding),
        }

    def test_blank_rows_are_a_class_of_the_release(self):
        freq = frequency_of(table_of(("a",), [("x",)] * 5 + [("y",)]), {"a": Suppress()})
        requirement = Requirement(3, 1, "blank")
        measures = measure(freq, recode_at(freq, (0,), requirement, 1), requirement)
        assert (measures.classes, measures.smallest_class) == (2, 3)
        assert measures.average_class == 1
        assert (measures.completeness, measures.accuracy) == (1, 0.5)
        assert measures.discernibility == 3**2 + 3**2

    def test_weights_reach_the_precision(self, freq):
        recoding = suppress_nothing(freq, (1, 0))
        weights = [Decimal(1), Decimal(3)]
        assert measure(freq, recoding, Requirement(2), weights).precision == 0.75


def test_a_column_whose_only_value_is_unknown_to_its_hierarchy_loses_everything():
    strangers = table_of(("zip",), [("stranger",), ("stranger",)])
    freq = frequency_of(strangers, {"zip": Mask(length=2, unknown="suppress")})
    assert loss(freq, suppress_nothing(freq, (0,))) == 1.0
