"""Record what the checks before publishing found, for the holder's dossier."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from lookalike.flow.preflight.finding import PreflightFinding
from lookalike.publish.certificate import Certificate
from lookalike.publish.preflight_record import PreflightRecord


def record_preflight(
    findings: Sequence[PreflightFinding], certificate: Certificate
) -> PreflightRecord:
    """Make the record of the findings, and of what was accepted, for one release.

    Parameters
    ----------
    findings
        The findings.
    certificate
        The certificate, with the digest of the released file.
    """
    return PreflightRecord(
        software=certificate.software,
        release_sha256=next(iter(certificate.files.values())).sha256,
        recorded=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=tuple(asdict(finding) for finding in findings),
    )
