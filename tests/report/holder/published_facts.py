"""Reports of releases as if they were published, for tests of the holder's report."""

from dataclasses import dataclass, replace
from typing import Any

from lookalike.describe.description import Description, describe_plan
from lookalike.flow.measure_for_rules import measure_for_rules
from lookalike.flow.record_findings import record_preflight
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import ReleasedFile
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.holder.write_report import draw_holder_report, write_holder_report
from lookalike.report.rules.judge import judge_rules

SHA256 = "0123456789abcdef" * 4


@dataclass(frozen=True)
class Published:
    """What the holder's report shows."""

    described: Description
    certificate: Certificate
    preflight: PreflightRecord
    rules: Any
    earlier: Any = None


def describe(made):
    """Return the description of a release."""
    given = made.facts, made.exposure, made.measures.precision
    return describe_plan(made.specification, made.plan, *given)


def facts_of(made):
    """Return what the report of a release shows, as if it were published."""
    files = {"table.csv": ReleasedFile(SHA256, 1)}
    certificate = replace(made.certificate, files=files)
    described = describe(made)
    preflight = record_preflight(made, certificate, described.classes)
    rules = judge_rules(measure_for_rules(made, certificate))
    return Published(described, certificate, preflight, rules)


def page_of(facts, **changes):
    """Return the report; keyword arguments change parts of the description."""
    drawn = draw_holder_report(replace(facts.described, **changes), facts.certificate)
    given = facts.certificate, facts.preflight, facts.rules, facts.earlier
    return write_holder_report(drawn, *given)
