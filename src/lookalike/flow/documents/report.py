"""Make the reports: for the recipient from the release alone, and for the data holder."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from duckdb import DuckDBPyRelation

from lookalike.describe.description import Description
from lookalike.flow.documents.measure_for_rules import count_considered, measure_for_rules
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate, describe_text
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.holder.write_report import draw_holder_report, write_holder_report
from lookalike.report.recipient.write_report import draw_recipient_report, write_recipient_report
from lookalike.report.rules.judge import judge_rules
from lookalike.report.rules.measured import MeasuredFigures

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn


@dataclass(frozen=True, eq=False)
class DrawnReports(Discreet):
    """What the reports show, drawn, and the figures that rules ask for."""

    recipient: dict[str, Any]
    holder: dict[str, Any] | None = None
    measured: MeasuredFigures | None = None

    def add_to(self, certificate: Certificate) -> tuple[Certificate, str]:
        """Fill the report for the recipient; return it after the certificate with its digest."""
        report = write_recipient_report(self.recipient, certificate)
        return replace(certificate, report=describe_text(report)), report

    def write_private(
        self, certificate: Certificate, preflight: PreflightRecord, turn: "Turn | None"
    ) -> str | None:
        """Fill the report for the data holder, which shows values of the private table."""
        if self.holder is None or self.measured is None:
            return None
        measured = replace(self.measured, earlier_releases=count_considered(certificate))
        entries = None if turn is None else turn.entries
        rules = judge_rules(measured)
        return write_holder_report(self.holder, certificate, preflight, rules, entries)


def draw_reports(
    release: "Release",
    certificate: Certificate,
    rows: DuckDBPyRelation,
    described: Description | None,
) -> DrawnReports:
    """Count and draw what the reports show; that for the data holder if there is a description."""
    recipient = draw_recipient_report(certificate, rows)
    if described is None:
        return DrawnReports(recipient)
    holder = draw_holder_report(described, certificate)
    return DrawnReports(recipient, holder, measure_for_rules(release, certificate))
