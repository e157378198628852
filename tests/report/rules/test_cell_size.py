"""The least number of persons in a cell, just met and just not met."""

import pytest
from tests.report.rules.measured_release import QUASI_IDENTIFIER, measured, verdict_of

from lookalike.report.rules.measured import SmallestClass

CMS, ONS = "CMS cell size", "ONS output threshold"


@pytest.mark.parametrize(
    ("rule", "size", "verdict"),
    [(CMS, 11, "met"), (CMS, 10, "not met"), (ONS, 10, "met"), (ONS, 9, "not met")],
)
def test_the_smallest_class_decides(rule, size, verdict):
    assert verdict_of(rule, measured(size)).verdict == verdict


@pytest.mark.parametrize(
    ("excluded", "verdict"), [(0, "met"), (1, "not met"), (10, "not met"), (11, "met")]
)
def test_a_few_suppressed_rows_are_a_small_cell_for_cms(excluded, verdict):
    found = verdict_of(CMS, measured(rows_suppressed=excluded))
    assert found.verdict == verdict
    assert verdict_of(ONS, measured(rows_suppressed=excluded)).verdict == "met"


def test_rows_blanked_beside_suppressed_ones_are_stated_and_judged_too():
    found = verdict_of(CMS, measured(rows_suppressed=12, rows_complementary=3))
    assert (found.verdict, "3 complementary rows" in found.measured) == ("not met", True)


def test_persons_are_counted_where_k_counts_persons():
    found = verdict_of(CMS, measured(10, counts="persons", smallest_together=40))
    assert (found.verdict, "10 persons" in found.measured) == ("not met", True)
    enough = verdict_of(CMS, measured(11, counts="persons", smallest_together=40))
    assert enough.verdict == "met"
    assert "one row" not in enough.why
    assert "every person has one row" in verdict_of(CMS, measured(11)).why


def test_several_quasi_identifiers_are_judged_together_too():
    both = (
        SmallestClass(QUASI_IDENTIFIER, "rows", 12, 10),
        SmallestClass(("doctor",), "rows", 15, 10),
    )
    found = verdict_of(CMS, measured(smallest=both, smallest_together=3))
    assert found.verdict == "not met"
    assert "3 rows over the columns of all quasi-identifiers together" in found.measured
    assert verdict_of(CMS, measured(smallest=both, smallest_together=11)).verdict == "met"
    smaller = (both[0], SmallestClass(("doctor",), "rows", 10, 10))
    assert verdict_of(CMS, measured(smallest=smaller, smallest_together=10)).verdict == "not met"


def test_columns_released_as_they_are_are_left_to_people():
    assert "columns released as they are" in verdict_of(CMS, measured(as_is=("ward",))).why
