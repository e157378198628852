"""Linked_documents: what the dossier of a release of linked tables holds.

Everything is computed before the release is put in place. Nothing is written here.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lookalike.describe.linked import KnownRisk, LinkedDescription, LinkedSides, describe_linked
from lookalike.flow.record_findings import record_findings
from lookalike.publish.dossier import PREFLIGHT
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.spec.record_fields import PERSONS
from lookalike.tables.files.file_format import REPORT

if TYPE_CHECKING:
    from lookalike.flow.linked_release import LinkedRelease


def describe_release(release: "LinkedRelease") -> LinkedDescription:
    """Describe a release of linked tables that was decided on."""
    made, k = release.recoding, release.requirement.k
    plans = {
        one.name: (one.specification, one.plan(levels, rows, k), rows)
        for one, levels in release.private.divide(made.vector)
        for rows in [release.rows[one.name]]
    }
    private, shown = release.private.linked, release.sources.linked
    compared = LinkedSides(private, shown, made.vector, made.released)
    return describe_linked(compared, plans, k, release.specification.release.unit)


def draft_private(
    release: "LinkedRelease", certificate: LinkedCertificate, described: LinkedDescription
) -> dict[str, str]:
    """Return the name and the text of each document of the dossier."""
    known = [described.promised, *(risk for one in described.tables for risk in one.risk)]
    risks = (_record_risk(one, certificate.k) for one in known)
    record = record_findings(release, certificate, risks, dict(_list_left_out(release)))
    texts = {PREFLIGHT: record.to_json()}
    if release.specification.release.report:
        from lookalike.report.holder.linked import write_linked_report  # imports jinja2

        texts[REPORT] = write_linked_report(described, certificate, record)
    return texts


def _list_left_out(release: "LinkedRelease") -> Iterator[tuple[str, str]]:
    """List the columns that are not released with their roles; before one of records, its table."""
    for source in release.sources.tables:
        shown = release.sources.list_columns(source)
        for name, role in source.table.roles.items() if source.separator is None else ():
            if name not in shown:
                yield name if source.name == PERSONS else f"{source.name}.{name}", role


def _record_risk(risk: KnownRisk, k: int) -> dict[str, Any]:
    """Return whom something that may be known singles out, before and after."""
    names = ("unique_persons", "persons_below_k")
    pairs = {"before": risk.before, "after": risk.after}
    few = {when: one and dict(zip(names, one, strict=True)) for when, one in pairs.items()}
    return {"known": risk.known, "k": k, **few}
