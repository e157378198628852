"""Make the certificate of a release, for the recipient."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from lookalike.flow.check_registers import certify_register, read_register_promises
from lookalike.model.measures import Measures
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import (
    Certificate,
    CertifiedAlone,
    CertifiedQuasiIdentifier,
    GeneralizedColumn,
    ReleasedFile,
)
from lookalike.publish.certificate_sentences import write_statement
from lookalike.spec.fields import ReleaseFields
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.verify.bound.proof import round_bound
from lookalike.verify.recount import Promise, Verdict


def certify(
    specification: Specification,
    plan: Plan,
    measures: Measures,
    promises: Sequence[Promise],
    verdicts: Sequence[Verdict],
    files: dict[str, ReleasedFile],
) -> Certificate:
    """Make the certificate of a release.

    Parameters
    ----------
    specification
        The specification of the release.
    plan
        The recoding of the release.
    measures
        The measures of the recoding.
    promises
        The promise of each quasi-identifier.
    verdicts
        The results of the recount: one for each quasi-identifier, one for each attribute with a k
        of its own, and one for all attributes together if some are outside the combination.
    files
        The files of the release; empty if it is not written.
    """
    asked, recoding = specification.release, plan.recoding
    reached = _certify_promises(promises, verdicts)
    alone = _certify_alone(specification, plan.frequency.rows, verdicts[len(reached) :])
    certificate = Certificate(
        statement=write_statement(reached, alone),
        recipient=asked.recipient,
        quasi_identifiers=reached,
        alone=alone,
        k_over_all=verdicts[-1].k if any(one.is_outside for one in alone) else None,
        recoding="attribute level" if recoding.tuples is None else "cell level",
        generalized=_describe_columns(specification, plan),
        released_as_they_are=plan.table.unchanged,
        pseudonyms=tuple(plan.table.pseudonym_keys),
        columns=plan.table.released,
        rows_in=plan.frequency.rows,
        rows_out=verdicts[0].rows,
        rows_suppressed=recoding.rows_suppressed,
        rows_complementary=recoding.rows_complementary,
        suppressed_rows=plan.requirement.suppressed_rows,
        suppressed_label=asked.suppressed_label,
        method=asked.method,
        parameters=method_parameters(asked),
        max_suppressed=write_amount(asked.max_suppressed),
        prefer=asked.prefer,
        constraints=asked.constraints,
        precision=measures.precision,
        accuracy=measures.accuracy,
        completeness=measures.completeness,
        order="kept" if asked.keep_order else "randomized",
        files=files,
    )
    return _add_registers(_add_optimality(certificate, recoding), specification)


def _certify_promises(
    promises: Sequence[Promise], verdicts: Sequence[Verdict]
) -> tuple[CertifiedQuasiIdentifier, ...]:
    """Return each quasi-identifier with the k promised and the k reached."""
    return tuple(
        CertifiedQuasiIdentifier(
            one.name, one.attributes, one.k, verdict.k, verdict.classes, verdict.rows_below_k
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


def _add_optimality(certificate: Certificate, recoding: Recoding) -> Certificate:
    """Add whether a better release can exist, if the method knows a bound."""
    optimality = recoding.optimality
    return replace(
        certificate,
        objective=optimality.objective if optimality else None,
        optimality="proved" if optimality and optimality.proved else "not proved",
        precision_bound=round_bound(recoding.precision_bound, certificate.precision),
    )


def _add_registers(certificate: Certificate, specification: Specification) -> Certificate:
    """Add what holds for the people of registers, if the specification names some."""
    registers = tuple(map(certify_register, read_register_promises(specification)))
    statement = write_statement(certificate.quasi_identifiers, certificate.alone, registers)
    return replace(certificate, statement=statement, registers=registers)


def _describe_columns(specification: Specification, plan: Plan) -> dict[str, GeneralizedColumn]:
    """Return for each attribute of the quasi-identifier how it was generalized."""
    names = plan.frequency.attributes
    return {name: _describe_column(specification, plan, i) for i, name in enumerate(names)}


def _describe_column(specification: Specification, plan: Plan, attribute: int) -> GeneralizedColumn:
    """Return how one attribute was generalized."""
    frequency, vector = plan.frequency, plan.recoding.vector
    tuples = plan.recoding.released(frequency)
    name = frequency.attributes[attribute]
    hidden = tuples.hidden(frequency, attribute)
    rows = np.bincount(tuples.levels[attribute, ~hidden], tuples.counts[~hidden])
    by_level = {level: int(number) for level, number in enumerate(rows) if number}
    return GeneralizedColumn(
        hierarchy=specification.hierarchies()[name].name,
        height=frequency.heights[attribute],
        level=None if vector is None else vector[attribute],
        weight=str(specification.attributes[name].weight),
        tolerance=str(specification.tolerance(name)),
        cells_by_level=by_level if vector is None else None,
        cells_suppressed=int(tuples.counts[hidden].sum()),
    )


def write_amount(amount: int | Decimal | None) -> str | None:
    """Write a number of rows without a decimal point, and a fraction of the rows with one."""
    if amount is None:
        return None
    return f"{amount:f}" if isinstance(amount, Decimal) else str(amount)


def method_parameters(asked: ReleaseFields) -> dict[str, str]:
    """Return the parameters that the certificate lists: those of µ-Argus, and greatest risks."""
    names = ["combinations", "dimension", "suppress_by", "repair"]
    shown = {name: str(getattr(asked, name)).lower() for name in names}
    risks = {"highest_risk": asked.highest_risk, "average_risk": asked.average_risk}
    known = {name: f"{risk:f}" for name, risk in risks.items() if risk is not None}
    return (shown if asked.method == "mu-argus" else {}) | known
