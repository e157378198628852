"""Singling out, linkability and inference."""

import pytest
from tests.report.rules.measured_release import measured, verdict_of

from lookalike.report.rules.measured import SensitiveColumn

SINGLING_OUT, LINKABILITY = "GDPR: singling out", "GDPR: linkability"
INFERENCE = "GDPR: inference"
OPEN = "not for software to decide"


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [
        (measured(2), "met"),
        (measured(1), "not met"),
        (measured(5, smallest_together=1), "not met"),
        (measured(as_is=("income",), unique_as_is=0, unique_rows=0), "met"),
        (measured(as_is=("income",), unique_as_is=1, unique_rows=9), "not met"),
        (measured(as_is=("income",), unique_as_is=0, unique_rows=9), OPEN),
        (measured(as_is=("income",), unique_as_is=None, unique_rows=None), OPEN),
    ],
)
def test_unique_rows_single_out(figures, verdict):
    assert verdict_of(SINGLING_OUT, figures).verdict == verdict


def test_rows_that_were_not_counted_are_named():
    figures = measured(as_is=("income",), unique_as_is=None, unique_rows=None)
    assert "not counted" in verdict_of(SINGLING_OUT, figures).measured


def test_pseudonyms_link_and_other_data_are_unknown():
    found = verdict_of(LINKABILITY, measured(pseudonyms=("patient",)))
    assert (found.verdict, "patient" in found.measured) == ("not met", True)
    assert verdict_of(LINKABILITY, measured()).verdict == OPEN
    assert "not checked" in verdict_of(LINKABILITY, measured()).measured
    checked = verdict_of(LINKABILITY, measured(earlier_releases=2)).measured
    assert "2 earlier releases considered" in checked


@pytest.mark.parametrize(("rows", "verdict"), [(0, OPEN), (1, "not met"), (None, OPEN)])
def test_classes_with_one_sensitive_value_disclose_it(rows, verdict):
    classes = None if rows is None else min(rows, 1)
    column = SensitiveColumn("diagnosis", rows, classes, protected=False)
    assert verdict_of(INFERENCE, measured(sensitive=(column,))).verdict == verdict


def test_nothing_is_measured_without_sensitive_columns():
    assert verdict_of(INFERENCE, measured()).measured == "no sensitive columns"
