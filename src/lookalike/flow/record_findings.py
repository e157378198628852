"""Record for the dossier what was found before a release and accepted, and its risk."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lookalike.describe.classes import ClassFacts
from lookalike.flow.require_review import digest_sources
from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord, digest_release
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.publish.review import Review
from lookalike.risk.finding import PreflightFinding

if TYPE_CHECKING:
    from lookalike.flow.linked_release import LinkedRelease
    from lookalike.flow.result import Release

_Named = TypeVar("_Named", Certificate, LinkedCertificate)


def name_accepted(certificate: _Named, findings: Sequence[PreflightFinding]) -> _Named:
    """Name the checks whose errors were accepted: to the recipient, no figure of a private row."""
    named = [one.name for one in findings if one.severity == "error" and one.accepted]
    return replace(certificate, accepted=tuple(dict.fromkeys(named)))


def record_preflight(
    release: "Release", certificate: Certificate, classes: Iterable[ClassFacts]
) -> PreflightRecord:
    """Make the record of the findings and the risk, and of what was accepted, for one release."""
    roles = release.plan.table.roles.items()
    left_out = {name: role for name, role in roles if name not in certificate.columns}
    return record_findings(release, certificate, map(_record_risk, classes), left_out)


def record_findings(
    release: "Release | LinkedRelease",
    certificate: Certificate | LinkedCertificate,
    risks: Iterable[dict[str, Any]],
    left_out: Mapping[str, str],
) -> PreflightRecord:
    """Make the record for a release of one table, or of linked ones."""
    asked = release.specification.release
    return PreflightRecord(
        software=certificate.software,
        release_sha256=digest_release(certificate),
        recorded=datetime.now(UTC).isoformat(timespec="seconds"),
        findings=tuple(asdict(finding) for finding in release.preflight),
        source_sha256=digest_sources(release.specification),
        recipient=asked.recipient,
        purpose=asked.purpose,
        review=None if asked.review is None else Review.read(Path(asked.review)),
        risks=tuple(risks),
        left_out=left_out,
    )


def _record_risk(facts: ClassFacts) -> dict[str, Any]:
    """Return the risk over one quasi-identifier, before and after."""
    sizes = {"before": facts.before, "after": facts.after}
    return {
        "attributes": facts.attributes,
        "counts": facts.counts,
        "k": facts.k,
        **{
            when: {
                "unique_rows": one.uniqueness.unique_rows,
                "rows_below_k": one.uniqueness.rows_below_k,
                "highest_risk": one.risk.highest,
                "average_risk": one.risk.average,
            }
            for when, one in sizes.items()
        },
    }
