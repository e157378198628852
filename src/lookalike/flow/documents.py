"""Documents: the certificate, the reports and the proof of the bound of a release.

Everything that they show is computed before the ledger's turn. What only the turn knows is added
while the lock of the source is held: nothing is searched, counted, recoded or drawn there. Nothing
is written here: :mod:`lookalike.publish` does. Start reading at :func:`draft_documents`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from duckdb import DuckDBPyRelation

from lookalike.describe.classes import measure_classes
from lookalike.describe.description import Description
from lookalike.examine.people import certify_registers
from lookalike.examine.specification import (
    certify_coarsening,
    certify_decoys,
    certify_formulas,
    list_requested,
)
from lookalike.flow.record_findings import name_accepted, record_preflight
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.cell_costs import add_up_cost
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import Measures, loss
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import write_statement
from lookalike.publish.certified import (
    CertifiedAlone,
    CertifiedAnswers,
    CertifiedProtection,
    CertifiedQuasiIdentifier,
    GeneralizedColumn,
    ReleasedFile,
)
from lookalike.publish.digest import describe_text
from lookalike.publish.dossier import PreflightRecord, digest_release
from lookalike.publish.publish import Documents
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.verify.bound.proof import (
    Proof,
    allow_suppression,
    digest_hierarchies,
    digest_table,
    encode_values,
    round_bound,
)
from lookalike.verify.recount import Promise, Verdict

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn
    from lookalike.report.rules.measured import MeasuredFigures


def certify(
    specification: Specification,
    plan: Plan,
    measures: Measures,
    promises: Sequence[Promise],
    verdicts: Sequence[Verdict],
    files: dict[str, ReleasedFile],
    protections: tuple[CertifiedProtection, ...] = (),
    answers: CertifiedAnswers | None = None,
) -> Certificate:
    """Make the certificate of a release.

    ``verdicts``: of each quasi-identifier, of each attribute with its own k, and of all together.
    """
    recoding, requirement, rows = plan.recoding, plan.requirement, plan.frequency.rows
    reached = _certify_promises(promises, verdicts)
    alone = _certify_alone(specification, rows, verdicts[len(reached) :])
    made = Certificate(
        statement="",
        quasi_identifiers=reached,
        alone=alone,
        k_over_all=verdicts[-1].k if any(one.is_outside for one in alone) else None,
        protections=protections,
        answers=answers,
        secrecy=requirement.secrecy if protections else None,
        registers=certify_registers(specification),
        recoding="attribute level" if recoding.tuples is None else "cell level",
        generalized=_describe_columns(specification, plan),
        released_as_they_are=plan.unchanged,
        pseudonyms=tuple(plan.table.pseudonym_keys),
        columns=plan.table.released,
        rows_in=rows,
        rows_out=verdicts[0].rows,
        rows_suppressed=recoding.rows_suppressed,
        rows_complementary=recoding.rows_complementary,
        suppressed_rows=requirement.suppressed_rows,
        files=files,
        **_certify_values(specification, plan.table.released, files),
        **list_requested(specification.release),
        **_list_kept(recoding, measures),
    )
    return replace(made, statement=write_statement(made))


def _certify_values(
    specification: Specification, released: Sequence[str], files: Iterable[str]
) -> dict[str, Any]:
    """Return the fields about values that are not written as the private table has them."""
    cleaning = specification.cleaning
    return {
        "formulas": certify_formulas(specification.release, files),
        "coarsened": certify_coarsening(specification, released),
        "mapped": tuple(name for name in released if cleaning.of(name).map),
    }


def add_exposure(
    certificate: Certificate, rate: Decimal, found: Exposure | None, *, stated: bool
) -> Certificate:
    """Add what a recipient can count of what classes show beyond their values, and the decoys.

    Gains are left out: they would show how frequent private values are. ``stated``: whether the
    holder wants the share stated, which somebody with the hierarchies can count all the same.
    """
    certain = None if found is None or not stated else found.certain_share
    return replace(certificate, certain_share=certain, decoys=certify_decoys(rate))


def _certify_promises(
    promises: Sequence[Promise], verdicts: Sequence[Verdict]
) -> tuple[CertifiedQuasiIdentifier, ...]:
    """Return each quasi-identifier with the k promised and the k reached."""
    return tuple(
        CertifiedQuasiIdentifier(
            name=one.name,
            attributes=one.attributes,
            k=one.k,
            k_reached=verdict.k,
            classes=verdict.classes,
            rows_below_k=verdict.rows_below_k,
            counts="rows" if one.person is None else "persons",
            persons_reached=verdict.persons,
        )
        for one, verdict in zip(promises, verdicts, strict=False)
    )


def _certify_alone(
    specification: Specification, rows: int, verdicts: Sequence[Verdict]
) -> tuple[CertifiedAlone, ...]:
    """Return each attribute with a k of its own, with the k reached."""
    return tuple(
        CertifiedAlone(one.quasi_identifier, one.attribute, f"{one.linking:f}", one.k, verdict.k)
        for one, verdict in zip(specification.alone(rows), verdicts, strict=False)
    )


def _list_kept(recoding: Recoding, measures: Measures) -> dict[str, Any]:
    """Return the fields that state what is kept, and whether a better release can exist.

    With decoys no bound is stated: next to the precision it would show how many were drawn.
    """
    optimality, decoyed = recoding.optimality, recoding.before_decoys is not None
    proved = "proved before decoys" if decoyed else "proved"
    bound = round_bound(recoding.precision_bound, measures.precision)
    return {
        "precision": measures.precision,
        "accuracy": measures.accuracy,
        "completeness": measures.completeness,
        "objective": optimality.objective if optimality else None,
        "optimality": proved if optimality and optimality.proved else "not proved",
        "precision_bound": None if decoyed else bound,
    }


def _describe_columns(specification: Specification, plan: Plan) -> dict[str, GeneralizedColumn]:
    """Return for each attribute of the quasi-identifier how it was generalized."""
    frequency, vector, rules = plan.frequency, plan.recoding.vector, specification.hierarchies()
    tuples, described = plan.recoding.released(frequency), {}
    for place, name in enumerate(frequency.attributes):
        hidden = tuples.hidden(frequency, place)
        rows = np.bincount(tuples.levels[place, ~hidden], tuples.counts[~hidden])
        by_level = {level: int(number) for level, number in enumerate(rows) if number}
        described[name] = GeneralizedColumn(
            hierarchy=rules[name].name,
            height=frequency.heights[place],
            level=None if vector is None else vector[place],
            weight=str(specification.attributes[name].weight),
            tolerance=str(specification.tolerance(name)),
            keep=str(specification.attributes[name].keep or 0),
            cells_by_level=by_level if vector is None else None,
            cells_suppressed=int(tuples.counts[hidden].sum()),
        )
    return described


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
    certificate = name_accepted(certificate, release.preflight)
    drafted = DraftedDocuments(certificate, dossier)
    if dossier is not None:
        proof = prove_bound(release.specification, release.plan, certificate)
        classes = measure_classes(release.plan) if described is None else described.classes
        preflight = record_preflight(release, certificate, classes)
        drafted = replace(drafted, proof=proof, preflight=preflight)
    if release.has_reports:
        from lookalike.report.recipient.write_report import draw_recipient_report  # imports jinja2

        drafted = replace(drafted, recipient=draw_recipient_report(certificate, rows))
    if described is not None:
        import lookalike.report.rules.judge  # noqa: F401  (loaded before the ledger's turn)
        from lookalike.flow.measure_for_rules import measure_for_rules  # imports draft
        from lookalike.report.holder.write_report import draw_holder_report  # imports jinja2

        drawn = draw_holder_report(described, certificate)
        drafted = replace(drafted, holder=(drawn, measure_for_rules(release, certificate)))
    return drafted


def complete_documents(drafted: DraftedDocuments, turn: "Turn | None") -> Documents:
    """Add what only the ledger's turn knows to the certificate, and fill the reports."""
    certificate, report, private = drafted.certificate, None, None
    if turn is not None:
        certificate = replace(certificate, earlier_releases=turn.earlier)
        certificate = replace(certificate, statement=write_statement(certificate))
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


def prove_bound(specification: Specification, plan: Plan, certificate: Certificate) -> Proof | None:
    """Make the proof of the bound on the objective; None if the method has proved none.

    A list that was generalized before the search proves a bound, but not to a reader of the
    private table, whose list is another.
    """
    optimality, frequency = plan.recoding.optimality, plan.frequency
    if optimality is None or optimality.duals is None or frequency.coarsened is not None:
        return None
    listed = frequency.without_beside[1]
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
        release_sha256=digest_release(certificate),
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
        cost=add_up_cost(frequency, plan.recoding, weights, duals.scale, optimality.objective),
        precision=certificate.precision,
        **_state_loss(plan, weights),
        **_prove_before(plan.recoding, frequency, weights, duals.scale, optimality.objective),
        bound=sum(count * value for count, value in worth) - allowed * duals.price,
        searched=None if beyond is None else int(beyond * duals.scale),
        precision_bound=plan.recoding.precision_bound,
        proved=certificate.optimality != "not proved",
        values=encode_values(duals.values),
    )


def _state_loss(plan: Plan, weights: Sequence[Decimal]) -> dict[str, Any]:
    """Return the fields of a proof that state the loss and its bound, if that is the objective."""
    known = plan.recoding.optimality
    if known is None or known.objective != "loss":
        return {}
    reached = loss(plan.frequency, plan.recoding, weights)
    return {"objective": "loss", "loss": reached, "loss_bound": known.bound}


def _prove_before(
    recoding: Recoding,
    frequency: FrequencyList,
    weights: Sequence[Decimal],
    scale: int,
    objective: str,
) -> dict[str, Any]:
    """Return the release before decoys and its cost, which the claim of optimality is about."""
    before = recoding.before_decoys
    if before is None:
        return {}
    undecoyed = replace(recoding, tuples=before, before_decoys=None)
    lines = np.vstack([before.sequence, before.levels, before.counts]).astype(np.int64)
    return {
        "cost_before": add_up_cost(frequency, undecoyed, weights, scale, objective),
        "tuples_before": encode_values(lines.ravel()),
    }
