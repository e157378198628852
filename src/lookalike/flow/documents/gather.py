"""Make the documents of a release between verifying and publishing it.

Everything that they show is computed before the ledger's turn. What only the turn knows is added
while the lock of the source is held: nothing is searched, counted, recoded or drawn there.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from duckdb import DuckDBPyRelation

from lookalike.describe.description import Description
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import add_up_loss
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate, describe_text
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.publish import Documents
from lookalike.risk.finding import PreflightFinding
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.verify.bound.proof import (
    Proof,
    allow_suppression,
    digest_hierarchies,
    digest_table,
    encode_values,
)

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn
    from lookalike.report.rules.measured import MeasuredFigures


@dataclass(frozen=True, eq=False)
class DraftedDocuments(Discreet):
    """The documents of a release, but for what only the ledger's turn knows.

    ``recipient`` and ``holder`` are what their reports show, drawn; the latter with the figures
    that rules ask for.
    """

    certificate: Certificate
    dossier: Path | None
    proof: Proof | None = None
    preflight: PreflightRecord | None = None
    recipient: dict[str, Any] | None = None
    holder: "tuple[dict[str, Any], MeasuredFigures] | None" = None


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
    drafted = DraftedDocuments(certificate, dossier)
    if dossier is not None:
        proof = prove_bound(release.specification, release.plan, certificate)
        preflight = record_preflight(release.preflight, certificate)
        drafted = replace(drafted, proof=proof, preflight=preflight)
    if release.has_reports:
        from lookalike.report.recipient.write_report import draw_recipient_report  # imports jinja2

        drafted = replace(drafted, recipient=draw_recipient_report(certificate, rows))
    if described is not None:
        from lookalike.flow.documents.measure_for_rules import measure_for_rules  # imports draft
        from lookalike.report.holder.write_report import draw_holder_report  # imports jinja2

        drawn = draw_holder_report(described, certificate)
        drafted = replace(drafted, holder=(drawn, measure_for_rules(release, certificate)))
    return drafted


def complete_documents(drafted: DraftedDocuments, turn: "Turn | None") -> Documents:
    """Add what only the ledger's turn knows to the certificate, and fill the reports."""
    certificate, report, private = drafted.certificate, None, None
    if turn is not None:
        certificate = replace(certificate, earlier_releases=turn.earlier)
    if drafted.recipient is not None:
        from lookalike.report.recipient.write_report import write_recipient_report  # imports jinja2

        report = write_recipient_report(drafted.recipient, certificate)
        certificate = replace(certificate, report=describe_text(report))
    if drafted.holder is not None and drafted.preflight is not None:
        from lookalike.report.holder.write_report import write_holder_report  # imports jinja2
        from lookalike.report.rules.judge import judge_rules

        drawn, measured = drafted.holder
        rules = judge_rules(replace(measured, earlier_releases=certificate.earlier_considered))
        entries = None if turn is None else turn.entries
        private = write_holder_report(drawn, certificate, drafted.preflight, rules, entries)
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


def prove_bound(specification: Specification, plan: Plan, certificate: Certificate) -> Proof | None:
    """Make the proof of the bound on precision; None if the method has proved none.

    A list that was generalized before the search proves a bound, but not to a reader of the
    private table, whose list is another.
    """
    optimality, frequency = plan.recoding.optimality, plan.frequency
    if optimality is None or optimality.duals is None or frequency.coarsened is not None:
        return None
    listed = frequency.without_beside()[1]
    duals, options = optimality.duals, specification.options()
    weights = options.weights_of(frequency)
    lattice, _ = options.lattice_of(frequency)
    allowed = allow_suppression(
        plan.requirement.allowance(frequency.rows),
        blank=plan.requirement.suppressed_rows == "blank",
        to_the_top=lattice.top == frequency.heights,
    )
    beyond = optimality.beyond
    worth = zip(listed.counts.tolist(), duals.values.tolist(), strict=True)
    return Proof(
        software=certificate.software,
        method=certificate.method,
        release_sha256=next(iter(certificate.files.values())).sha256,
        table_sha256=digest_table(listed),
        hierarchies_sha256=digest_hierarchies(frequency),
        attributes=frequency.attributes,
        heights=frequency.heights,
        weights=tuple(f"{weight:f}" for weight in weights),
        k=plan.requirement.k,
        allowed=allowed,
        bottom=lattice.bottom,
        top=lattice.top,
        scale=duals.scale,
        price=duals.price,
        cost=int(add_up_loss(frequency, plan.recoding, weights) * duals.scale),
        precision=certificate.precision,
        **_prove_before(plan.recoding, frequency, weights, duals.scale),
        bound=sum(count * value for count, value in worth) - allowed * duals.price,
        searched=None if beyond is None else int(beyond * duals.scale),
        precision_bound=plan.recoding.precision_bound,
        proved=certificate.optimality != "not proved",
        values=encode_values(duals.values),
    )


def _prove_before(
    recoding: Recoding, frequency: FrequencyList, weights: Sequence[Decimal], scale: int
) -> dict[str, Any]:
    """Return the release before decoys and its cost, which the claim of optimality is about."""
    before = recoding.before_decoys
    if before is None:
        return {}
    undecoyed = replace(recoding, tuples=before, before_decoys=None)
    lines = np.vstack([before.sequence, before.levels, before.counts]).astype(np.int64)
    return {
        "cost_before": int(add_up_loss(frequency, undecoyed, weights) * scale),
        "tuples_before": encode_values(lines.ravel()),
    }
