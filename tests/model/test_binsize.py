"""Binsize: levels of anonymity and linking weights become numbers of rows (Samarati, section 7)."""

from decimal import Decimal

import pytest

from lookalike.model.binsize import (
    LinkableAttribute,
    WeightedQuasiIdentifier,
    bin_size,
    list_protected,
)
from lookalike.model.requirement import QuasiIdentifier

HALF = Decimal("0.5")


class TestBinSize:
    @pytest.mark.parametrize(
        ("level", "constant", "rows", "size"),
        [
            ("0", "0.01", 10**6, 0),
            ("1", "1", 12, 12),
            ("0.2", "0.01", 30_162, 61),
            ("0.2", "0.01", 30_000, 60),
            ("0.001", "0.01", 5, 1),
            ("1", "0.01", 0, 0),
            ("0.1", "0.3", 100, 3),
            ("0.7", "0.1", 100, 7),
            ("0.07", "1", 100, 7),
        ],
    )
    def test_it_is_the_level_of_the_constant_of_the_rows_rounded_up(
        self, level, constant, rows, size
    ):
        assert bin_size(Decimal(level), Decimal(constant), rows) == size

    def test_no_digit_is_lost(self):
        assert bin_size(Decimal("0." + "3" * 40), Decimal(1), 3) == 1
        assert bin_size(Decimal("0." + "3" * 39 + "4"), Decimal(1), 3) == 2


class TestAlone:
    def test_attributes_that_are_sure_to_be_linked_are_in_the_combination_only(self):
        weighted = WeightedQuasiIdentifier(
            "people", 5, (LinkableAttribute("zip"), LinkableAttribute("sex"))
        )
        assert weighted.combined == QuasiIdentifier("people", ("zip", "sex"), 5)
        assert weighted.alone == ()

    @pytest.mark.parametrize(
        ("linking", "k", "asked"),
        [("0.5", 5, 3), ("0.9", 5, 5), ("0.2", 10, 2), ("0.1", 10, 0), ("0", 10, 0)],
    )
    def test_one_below_1_must_reach_its_share_of_k_and_is_not_combined(self, linking, k, asked):
        weighted = WeightedQuasiIdentifier(
            "people", k, (LinkableAttribute("zip", Decimal(linking)), LinkableAttribute("sex"))
        )
        assert weighted.combined.attributes == ("sex",)
        assert [(one.attribute, one.k) for one in weighted.alone] == [("zip", asked)]

    def test_its_share_is_of_its_own_binsize_if_it_has_one(self):
        weighted = WeightedQuasiIdentifier(
            "people", 5, (LinkableAttribute("zip", HALF, own=20), LinkableAttribute("sex"))
        )
        assert [(one.attribute, one.k) for one in weighted.alone] == [("zip", 10)]

    @pytest.mark.parametrize(("own", "asked"), [(0, []), (5, []), (6, [6])])
    def test_a_binsize_of_its_own_counts_where_it_is_above_that_of_the_combination(
        self, own, asked
    ):
        weighted = WeightedQuasiIdentifier(
            "people", 5, (LinkableAttribute("zip", own=own), LinkableAttribute("sex"))
        )
        assert weighted.combined.attributes == ("zip", "sex")
        assert [one.k for one in weighted.alone] == asked


class TestProtect:
    def test_an_attribute_of_several_must_reach_the_most_of_each_kind_of_respondent(self):
        patient = WeightedQuasiIdentifier(
            "patient", 4, (LinkableAttribute("town", HALF), LinkableAttribute("age")), "number"
        )
        doctor = WeightedQuasiIdentifier(
            "doctor", 9, (LinkableAttribute("town", HALF), LinkableAttribute("specialty"))
        )
        assert list_protected([patient, doctor]) == (
            QuasiIdentifier("patient", ("age",), 4, "number"),
            QuasiIdentifier("doctor", ("specialty",), 9),
            QuasiIdentifier("town", ("town",), 2, "number", alone=True),
            QuasiIdentifier("town", ("town",), 5, alone=True),
        )

    def test_nothing_is_required_of_one_that_nothing_is_asked_of(self):
        one = WeightedQuasiIdentifier(
            "people", 5, (LinkableAttribute("zip", Decimal(0)), LinkableAttribute("sex"))
        )
        assert list_protected([one]) == (QuasiIdentifier("people", ("sex",), 5),)
