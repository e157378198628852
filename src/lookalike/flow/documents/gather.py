"""Gather the documents of a release between verifying and publishing it."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.flow.documents.prove import prove_bound
from lookalike.flow.documents.report import add_report, report_to_holder
from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.publish import Documents
from lookalike.publish.stage import Recounted
from lookalike.risk.finding import PreflightFinding

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn


def gather_documents(
    release: "Release",
    certificate: Certificate,
    recounted: Recounted,
    turn: "Turn | None",
    dossier: Path | None,
) -> Documents:
    """Complete the certificate, and make the recipient's report and the holder's documents."""
    if turn is not None:
        certificate = replace(certificate, earlier_releases=turn.earlier)
    report = None
    if release.has_reports:
        certificate, report = add_report(certificate, recounted.rows)
    if dossier is None:
        return Documents(certificate, report=report)
    proof = prove_bound(release.specification, release.plan, certificate)
    preflight = record_preflight(release.preflight, certificate)
    private = None
    if release.has_reports:
        private = report_to_holder(release, certificate, preflight, turn)
    return Documents(certificate, proof, preflight, dossier, report, private)


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
