"""Make the reports: for the recipient from the release alone, and for the data holder."""

from dataclasses import replace
from typing import TYPE_CHECKING

from duckdb import DuckDBPyRelation

from lookalike.publish.certificate import Certificate, describe_text
from lookalike.publish.dossier import PreflightRecord

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn


def add_report(certificate: Certificate, rows: DuckDBPyRelation) -> tuple[Certificate, str]:
    """Make the report for the recipient; return the certificate with its digest, and the report."""
    report = report_to_recipient(certificate, rows)
    return replace(certificate, report=describe_text(report)), report


def report_to_recipient(certificate: Certificate, rows: DuckDBPyRelation) -> str:
    """Make the report for the recipient."""
    from lookalike.report.recipient.facts import count_recipient_facts
    from lookalike.report.recipient.write_report import write_recipient_report  # imports jinja2

    return write_recipient_report(count_recipient_facts(certificate, rows))


def report_to_holder(
    release: "Release",
    certificate: Certificate,
    preflight: PreflightRecord,
    turn: "Turn | None" = None,
) -> str:
    """Make the report for the data holder, which shows values of the private table."""
    from lookalike.flow.documents.holder.gather_holder_facts import gather_holder_facts
    from lookalike.report.holder.write_report import write_holder_report  # imports jinja2

    entries = None if turn is None else turn.entries
    return write_holder_report(gather_holder_facts(release, certificate, preflight, entries))
