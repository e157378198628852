"""Rules on the highest risk of re-identification, for clinical data that everybody can read."""

from fractions import Fraction

from lookalike.report.rules.measured import MeasuredFigures, assume_one_row, write_risk
from lookalike.report.rules.rule import MET, NOT_MET, Rule, RuleVerdict
from lookalike.spec.presets import PRESETS

THRESHOLD = Fraction(PRESETS["ema"].value)
"""The highest risk that both agencies name: 9 %."""

EMA = Rule(
    "EMA Policy 0070",
    "European Medicines Agency",
    "risk of re-identification of at most 0.09",
    "External guidance on the implementation of Policy 0070, version 1.5",
    "anonymisation of clinical reports",
    2025,
)
HEALTH_CANADA = Rule(
    "Health Canada PRCI",
    "Health Canada",
    "risk of re-identification of at most 0.09",
    "Guidance document on Public Release of Clinical Information",
    "anonymization",
    2019,
)
_ROUNDED = (
    " A class of 11 has a risk of 0.0909, which rounds to 0.09; whether that is enough is for the "
    "agency to say. highest_risk = 0.09 makes classes of 12."
)


def judge_ema(measured: MeasuredFigures) -> RuleVerdict:
    """Judge the threshold of the European Medicines Agency."""
    return _judge(EMA, measured)


def judge_health_canada(measured: MeasuredFigures) -> RuleVerdict:
    """Judge the threshold of Health Canada."""
    return _judge(HEALTH_CANADA, measured)


def _judge(rule: Rule, measured: MeasuredFigures) -> RuleVerdict:
    """Compare the highest risk over every quasi-identifier with the threshold."""
    words, risk = write_risk(measured), measured.highest_risk
    if risk > THRESHOLD:
        rounded = _ROUNDED if risk == Fraction(1, 11) else " Set highest_risk = 0.09 (k = 12)."
        return rule.answer(words, NOT_MET, f"The highest risk is above 0.09.{rounded}")
    return rule.answer(
        words,
        MET,
        "Compared is the risk of a person who is known to be in the release, found by the "
        f"quasi-identifier.{assume_one_row(measured)} The rule also asks for a report on the "
        "method, and covers free text, which is not measured.",
    )
