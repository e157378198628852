"""Make the report for the recipient, from the release and its certificate alone."""

from dataclasses import replace

from duckdb import DuckDBPyRelation

from lookalike.publish.certificate import Certificate, describe_text


def add_report(certificate: Certificate, rows: DuckDBPyRelation) -> tuple[Certificate, str]:
    """Make the report for the recipient; return the certificate with its digest, and the report.

    Parameters
    ----------
    certificate
        The certificate, complete but for the report.
    rows
        The rows of the release, read back from the written file.
    """
    report = report_to_recipient(certificate, rows)
    return replace(certificate, report=describe_text(report)), report


def report_to_recipient(certificate: Certificate, rows: DuckDBPyRelation) -> str:
    """Make the report for the recipient.

    Parameters
    ----------
    certificate
        The certificate of the release.
    rows
        Its rows, read back from the written file where there is one.
    """
    from lookalike.report.recipient.facts import count_recipient_facts
    from lookalike.report.recipient.write_report import write_recipient_report  # imports jinja2

    return write_recipient_report(count_recipient_facts(certificate, rows))
