"""The whole table of rules."""

from tests.report.rules.measured_release import measured

from lookalike.report.rules.judge import judge_rules


def test_every_rule_is_named_once_and_has_a_source_with_its_year():
    found = judge_rules(measured())
    assert len({one.rule for one in found}) == len(found) == 15
    for one in found:
        assert one.source.endswith(")")
        assert 2011 <= int(one.source[-5:-1]) <= 2025
        assert all((one.issuer, one.asks, one.measured, one.why))


def test_frameworks_are_never_met_by_figures():
    verdicts = {one.rule: one.verdict for one in judge_rules(measured(1000))}
    for rule in ("ISO/IEC 27559", "NIST SP 800-188"):
        assert verdicts[rule] == "not for software to decide"
