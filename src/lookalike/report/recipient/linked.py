"""Write the report for the recipient of linked tables, from their folder and nothing else."""

from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import name_software
from lookalike.publish.certified import state_accepted
from lookalike.publish.linked_certificate import CertifiedTable, LinkedCertificate, can_compare
from lookalike.report.page import fill_page
from lookalike.report.recipient.write_report import (
    describe_column,
    explain_kind,
    explain_level,
)
from lookalike.shown_text import show_text
from lookalike.spec.record_fields import describe_knows
from lookalike.tables.connection import Connection
from lookalike.tables.read import parse_once
from lookalike.tables.released_file import count_release
from lookalike.verify.recount import open_release

_AS_IT_IS = "released as it is", "The promise does not cover this column."
_CONTENTS = (
    ("tables", "Tables"),
    ("promised", "What is promised"),
    ("read", "How to read the values"),
    ("columns", "Columns"),
    ("not-promised", "What is not promised"),
    ("verify", "How to check it"),
)


def report_on_linked(folder: Path, connection: Connection) -> str:
    """Write the report of a published folder of linked tables."""
    return fill_linked_report(folder, LinkedCertificate.read(folder), connection)


def fill_linked_report(folder: Path, certificate: LinkedCertificate, connection: Connection) -> str:
    """Write the report of the files in a folder, from them and their certificate."""
    by_file = {one.file: one for one in reversed(certificate.tables)}
    shown = [one for one in certificate.tables if by_file[one.file] is one]
    tables = [_describe(folder, certificate, one, connection) for one in shown]
    done = [one for table in certificate.tables for one in table.generalized.values()]
    return fill_page(
        "linked",
        software=name_software(),
        kind="Report for the recipient",
        title=show_text(", ".join(one.name for one in certificate.tables)),
        contents=_CONTENTS,
        certificate=certificate,
        tables=tables,
        kinds=dict(explain_kind(one) for one in done if 0 < (one.level or 0) < one.height),
        can_compare=can_compare(certificate.tables, linked=certificate.linked),
        counts_unknown=any(one.knows not in ("all", None) for one in certificate.tables),
        hidden=any(one.level == one.height > 0 for one in done),
        accepted=state_accepted(certificate.accepted, certificate.unit, certificate.units),
        as_they_are=[one for one in tables if one["table"].released_as_they_are],
    )


def _describe(
    folder: Path, certificate: LinkedCertificate, table: CertifiedTable, connection: Connection
) -> dict[str, Any]:
    """Return what the page shows of one table."""
    path = folder / table.file
    rows = parse_once(open_release(path, connection), path)
    if tuple(rows.columns) != table.columns:
        raise InvalidInput(
            f"{path} has other columns than the certificate names; check the release with "
            "lookalike verify"
        )
    links = [(table.link,)] if table.link else []
    counted = count_release(rows, links, certificate.suppressed_label)
    records = counted.sizes[0] if links else {}
    together = [one for one in certificate.tables if one.file == table.file]
    done = {name: how for one in together for name, how in one.generalized.items()}
    return {
        "table": table,
        "known": None if table.knows is None else describe_knows(table.knows),
        "columns": [
            describe_column(
                name,
                explain_level(done[name]) if name in done else _AS_IT_IS,
                counted.values[name],
            )
            for name in table.columns
            if name in done or name in table.released_as_they_are
        ],
        "records": records,
        "without": certificate.persons_out - sum(records.values()),
    }
