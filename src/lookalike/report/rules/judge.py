"""Judge a release by all rules."""

from lookalike.report.rules.cell_size import judge_cms, judge_ons
from lookalike.report.rules.frameworks import judge_iso_27559, judge_nist_800_188
from lookalike.report.rules.hipaa import judge_expert, judge_safe_harbor
from lookalike.report.rules.measured import MeasuredFigures
from lookalike.report.rules.rule import RuleVerdict
from lookalike.report.rules.threshold import judge_ema, judge_health_canada
from lookalike.report.rules.wp216 import judge_inference, judge_linkability, judge_singling_out


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
