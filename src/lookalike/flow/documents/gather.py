"""Make the documents of a release between verifying and publishing it.

Everything that they show is computed before the ledger's turn. What only the turn knows is added
while the lock of the source is held: nothing is searched, counted, recoded or drawn there.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from duckdb import DuckDBPyRelation

from lookalike.describe.description import Description
from lookalike.flow.documents.prove import prove_bound
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.publish import Documents
from lookalike.risk.finding import PreflightFinding
from lookalike.verify.bound.proof import Proof

if TYPE_CHECKING:
    from lookalike.flow.documents.report import DrawnReports
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn


@dataclass(frozen=True, eq=False)
class DraftedDocuments(Discreet):
    """The documents of a release, but for what only the ledger's turn knows."""

    certificate: Certificate
    dossier: Path | None
    proof: Proof | None
    preflight: PreflightRecord | None
    reports: "DrawnReports | None"


def draft_documents(
    release: "Release",
    certificate: Certificate,
    rows: DuckDBPyRelation,
    dossier: Path | None,
    described: Description | None,
) -> DraftedDocuments:
    """Compute and draw everything that the documents of a release show.

    ``described``: the description of the release, if there is a report for the data holder.
    """
    proof = preflight = reports = None
    if dossier is not None:
        proof = prove_bound(release.specification, release.plan, certificate)
        preflight = record_preflight(release.preflight, certificate)
    if release.has_reports:
        from lookalike.flow.documents.report import draw_reports  # imports jinja2

        reports = draw_reports(release, certificate, rows, described)
    return DraftedDocuments(certificate, dossier, proof, preflight, reports)


def complete_documents(drafted: DraftedDocuments, turn: "Turn | None") -> Documents:
    """Add what only the ledger's turn knows to the certificate, and fill the reports."""
    certificate, report, private = drafted.certificate, None, None
    if turn is not None:
        certificate = replace(certificate, earlier_releases=turn.earlier)
    if drafted.reports is not None:
        certificate, report = drafted.reports.add_to(certificate)
        if drafted.preflight is not None:
            private = drafted.reports.write_private(certificate, drafted.preflight, turn)
    kept = drafted.proof, drafted.preflight, drafted.dossier
    return Documents(certificate, *kept, report, private)


def record_preflight(
    findings: Sequence[PreflightFinding], certificate: Certificate
) -> PreflightRecord:
    """Make the record of the findings, and of what was accepted, for one release."""
    return PreflightRecord(
        software=certificate.software,
        release_sha256=next(iter(certificate.files.values())).sha256,
        recorded=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=tuple(asdict(finding) for finding in findings),
    )
