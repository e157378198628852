"""Requirement: k, the allowance of suppressed rows, and tables that are too small."""

from decimal import Decimal

import pytest

from lookalike import Infeasible, InvalidInput
from lookalike.model.requirement import Requirement


class TestFields:
    @pytest.mark.parametrize("k", [1, 0, -3])
    def test_k_below_2_is_refused(self, k):
        with pytest.raises(InvalidInput, match=f"k must be at least 2 for a release, not {k}"):
            Requirement(k)

    @pytest.mark.parametrize("fraction", ["1.01", "2", "-0.1"])
    def test_a_fraction_outside_0_to_1_is_refused(self, fraction):
        with pytest.raises(InvalidInput, match=r"must lie between 0\.0 and 1\.0"):
            Requirement(2, Decimal(fraction))

    def test_a_negative_number_of_rows_is_refused(self):
        with pytest.raises(InvalidInput, match="must not be negative, but is -1"):
            Requirement(2, -1)


class TestAllowance:
    @pytest.mark.parametrize("rows", [0, 7, 10**12])
    def test_an_integer_is_a_number_of_rows(self, rows):
        assert Requirement(2, 3).allowance(rows) == 3

    @pytest.mark.parametrize(
        ("fraction", "rows", "allowed"),
        [
            ("0.29", 100, 29),
            ("0.57", 100, 57),
            ("0.3", 10, 3),
            ("0.01", 99, 0),
            ("0.01", 100, 1),
            ("0.999", 10, 9),
            ("0.0", 50, 0),
            ("1.0", 50, 50),
            ("0.5", 0, 0),
            ("0.1", 10**15 + 9, 10**14),
            ("0." + 32 * "9", 100, 99),
        ],
    )
    def test_a_decimal_is_a_fraction_of_the_rows_rounded_down_as_written(
        self, fraction, rows, allowed
    ):
        assert Requirement(2, Decimal(fraction)).allowance(rows) == allowed

    def test_one_as_a_decimal_is_all_rows_and_as_an_integer_one_row(self):
        assert Requirement(2, Decimal(1)).allowance(40) == 40
        assert Requirement(2, 1).allowance(40) == 1

    def test_without_one_the_method_decides(self):
        assert Requirement(2).allowance(100) == 0
        assert Requirement(2).allowance(100, default=5) == 5

    def test_one_that_is_given_goes_before_that_of_the_method(self):
        assert Requirement(2, 0).allowance(100, default=5) == 0


class TestCheckFeasible:
    def test_as_many_rows_as_k_are_enough(self):
        Requirement(3).check_feasible(3)

    @pytest.mark.parametrize("rows", [0, 1, 2])
    def test_fewer_rows_than_k_are_infeasible_with_the_reason_and_the_way_out(self, rows):
        with pytest.raises(Infeasible, match=f"has {rows} eligible rows.*k = 3.*lower k"):
            Requirement(3).check_feasible(rows)
