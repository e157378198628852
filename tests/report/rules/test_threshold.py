"""The highest risks of 0.09 and 0.05, just met and just not met."""

import pytest
from tests.report.rules.measured_release import QUASI_IDENTIFIER, measured, verdict_of

from lookalike.report.rules.measured import SmallestClass

RULES = ("EMA Policy 0070", "Health Canada PRCI")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "verdict"), [(12, "met"), (11, "not met"), (2, "not met")])
def test_the_highest_risk_decides(rule, size, verdict):
    assert verdict_of(rule, measured(size)).verdict == verdict


@pytest.mark.parametrize(("size", "verdict"), [(20, "met"), (19, "not met"), (11, "not met")])
def test_the_file_of_cihi_allows_5_percent(size, verdict):
    found = verdict_of("CIHI public use file", measured(size))
    assert found.verdict == verdict
    assert ("highest_risk = 0.05 (k = 20)" in found.why) == (verdict == "not met")


def test_a_class_of_11_is_named_as_just_beyond():
    assert "0.0909" in verdict_of("EMA Policy 0070", measured(11)).why
    assert "0.0909" not in verdict_of("EMA Policy 0070", measured(10)).why


def test_the_risk_is_that_of_the_worst_quasi_identifier():
    both = (
        SmallestClass(QUASI_IDENTIFIER, "rows", 12, 10),
        SmallestClass(("doctor",), "rows", 4, 50),
    )
    found = verdict_of("EMA Policy 0070", measured(smallest=both))
    assert found.verdict == "not met"
    assert found.measured == "highest risk 0.2500 (1 of 4 rows), average 0.0500"


def test_no_average_is_stated_where_persons_are_counted():
    found = verdict_of("EMA Policy 0070", measured(12, counts="persons"))
    assert found.measured == "highest risk 0.0833 (1 of 12 persons)"
