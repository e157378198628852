"""Judge a release by all rules."""

from lookalike.report.rules.cell_size import judge_cms, judge_ons
from lookalike.report.rules.hipaa import judge_expert, judge_safe_harbor
from lookalike.report.rules.measured import MeasuredFigures, write_risk
from lookalike.report.rules.rule import NOT_DECIDED, Rule, RuleVerdict
from lookalike.report.rules.threshold import judge_ema, judge_health_canada
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
        judge_expert(measured),
        judge_cms(measured),
        judge_ema(measured),
        judge_health_canada(measured),
        judge_singling_out(measured),
        judge_linkability(measured),
        judge_inference(measured),
        judge_ons(measured),
        judge_iso_27559(measured),
        judge_nist_800_188(measured),
    )


def judge_iso_27559(measured: MeasuredFigures) -> RuleVerdict:
    """Name what is measured for ISO/IEC 27559 and what is the organisation's."""
    return ISO_27559.answer(
        write_risk(measured),
        NOT_DECIDED,
        "Measured is the maximum and the average risk (clauses 7.3.2 and 8.2.2). The context "
        "(clause 6), the acceptable risk and the governance (clause 9) are the organisation's.",
    )


def judge_nist_800_188(measured: MeasuredFigures) -> RuleVerdict:
    """Name what is measured for NIST SP 800-188 and what is the organisation's."""
    return NIST_800_188.answer(
        write_risk(measured),
        NOT_DECIDED,
        "The certificate and the proof document what was done and how it was verified. Goals, the "
        "data-sharing model, a disclosure review board and the acceptable risk are the "
        "organisation's.",
    )
