"""Read from a published folder what the recipient's report shows."""

from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.open_published import open_published
from lookalike.report.recipient.facts import RecipientFacts, count_recipient_facts
from lookalike.tables.connection import Connection


def read_recipient_facts(folder: Path, connection: Connection) -> RecipientFacts:
    """Read from a published folder, and nothing else, what the recipient's report shows."""
    certificate = Certificate.read(folder)
    rows = open_published(folder, certificate, connection)
    if tuple(rows.columns) != certificate.columns:
        raise InvalidInput(
            f"{folder}: the file has other columns than the certificate names; check the release "
            "with lookalike verify"
        )
    return count_recipient_facts(certificate, rows)
