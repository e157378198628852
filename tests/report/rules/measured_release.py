"""Figures of an invented release, which tests change one at a time."""

from typing import Any

from lookalike.report.rules.judge import judge_rules
from lookalike.report.rules.measured import MeasuredFigures, SmallestClass
from lookalike.report.rules.rule import RuleVerdict

QUASI_IDENTIFIER = ("zip", "sex")


def measured(size: int = 20, *, counts: Any = "rows", **others: Any) -> MeasuredFigures:
    """Return the figures of a release of 1,000 rows in 10 classes."""
    fields: dict[str, Any] = {
        "rows": 1000,
        "rows_suppressed": 0,
        "smallest": (SmallestClass(QUASI_IDENTIFIER, counts, size, 10),),
        "smallest_together": size,
    }
    return MeasuredFigures(**fields | others)


def verdict_of(rule: str, figures: MeasuredFigures) -> RuleVerdict:
    """Return the verdict of the rule with this name."""
    [found] = [one for one in judge_rules(figures) if one.rule == rule]
    return found
