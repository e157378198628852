"""HIPAA Safe Harbor by the recognized columns, and Expert Determination."""

import pytest
from tests.report.rules.measured_release import measured, verdict_of

from lookalike.report.rules.measured import RecognizedIdentifier

RULE_OF = {
    "places": "HIPAA Safe Harbor: places",
    "dates": "HIPAA Safe Harbor: dates and ages",
    "others": "HIPAA Safe Harbor: other identifiers",
}
OPEN = "not for software to decide"


def identifier(group, state):
    return RecognizedIdentifier("column", group, "identifier", state, f"{state} values")


@pytest.mark.parametrize("group", RULE_OF)
@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ((), "met"),
        (("removed",), "met"),
        (("removed", "unclear"), OPEN),
        (("unclear", "shown"), "not met"),
    ],
)
def test_the_worst_column_decides(group, states, verdict):
    figures = measured(identifiers=tuple(identifier(group, state) for state in states))
    assert verdict_of(RULE_OF[group], figures).verdict == verdict


def test_a_column_of_one_group_leaves_the_others_alone():
    figures = measured(identifiers=(identifier("dates", "shown"),))
    assert verdict_of(RULE_OF["places"], figures).verdict == "met"


def test_unrecognized_columns_are_left_to_people():
    found = verdict_of(RULE_OF["others"], measured(unrecognized=("x17",)))
    assert (found.verdict, "x17" in found.why) == (OPEN, True)


def test_knowledge_and_expertise_are_never_judged():
    for rule in ("HIPAA Safe Harbor: actual knowledge", "HIPAA Expert Determination"):
        assert verdict_of(rule, measured(1000)).verdict == OPEN
    assert "0.0500" in verdict_of("HIPAA Expert Determination", measured(20)).measured
