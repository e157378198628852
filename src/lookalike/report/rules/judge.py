"""Judge a release by all rules."""

from lookalike.report.rules import threshold
from lookalike.report.rules.hipaa import EXPERT, judge_safe_harbor
from lookalike.report.rules.measured import MeasuredFigures, write_risk
from lookalike.report.rules.rule import NOT_DECIDED, Rule, RuleVerdict
from lookalike.report.rules.wp216 import judge_inference, judge_linkability, judge_singling_out

ISO_27559 = Rule(
    "ISO/IEC 27559",
    "ISO and IEC",
    "assess context, data and identifiability, mitigate, and govern",
    "ISO/IEC 27559, Privacy enhancing data de-identification framework",
    "clauses 6 to 9",
    2022,
)
NIST_800_188 = Rule(
    "NIST SP 800-188",
    "National Institute of Standards and Technology (US)",
    "choose a data-sharing model, govern and review de-identification",
    "NIST SP 800-188, De-Identifying Government Datasets: Techniques and Governance",
    "",
    2023,
)
_LEFT_TO_PEOPLE = {
    EXPERT.name: (
        "The rule names no figure: the expert decides, and considers who receives the release and "
        "what they know."
    ),
    ISO_27559.name: (
        "Measured is the maximum and the average risk (clauses 7.3.2 and 8.2.2). The context "
        "(clause 6), the acceptable risk and the governance (clause 9) are the organisation's."
    ),
    NIST_800_188.name: (
        "The certificate and the proof document what was done and how it was verified. Goals, the "
        "data-sharing model, a disclosure review board and the acceptable risk are the "
        "organisation's."
    ),
}
"""What rules without a figure leave to people."""


def judge_rules(measured: MeasuredFigures) -> tuple[RuleVerdict, ...]:
    """Judge the figures of a release by every rule, in the order of the table.

    Examples
    --------
    >>> from lookalike.report.rules.measured import SmallestClass
    >>> found = judge_rules(MeasuredFigures(100, 0, (SmallestClass(("zip",), "rows", 11, 5),), 11))
    >>> [one.verdict for one in found if one.rule in ("CMS cell size", "EMA Policy 0070")]
    ['met', 'not met']
    """
    return (
        *judge_safe_harbor(measured),
        _leave_open(EXPERT, measured),
        threshold.judge_cms(measured),
        threshold.judge_risk(threshold.EMA, measured),
        threshold.judge_risk(threshold.HEALTH_CANADA, measured),
        threshold.judge_risk(threshold.CIHI, measured),
        judge_singling_out(measured),
        judge_linkability(measured),
        judge_inference(measured),
        threshold.judge_ons(measured),
        _leave_open(ISO_27559, measured),
        _leave_open(NIST_800_188, measured),
    )


def _leave_open(rule: Rule, measured: MeasuredFigures) -> RuleVerdict:
    """Show the measured risk to the people who decide about a rule."""
    return rule.answer(write_risk(measured), NOT_DECIDED, _LEFT_TO_PEOPLE[rule.name])
