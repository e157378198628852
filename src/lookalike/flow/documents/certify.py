"""Make the certificate of a release, for the recipient."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from lookalike.examine.registers import certify_registers
from lookalike.examine.specification import (
    certify_coarsening,
    certify_decoys,
    certify_formulas,
    method_parameters,
    write_amount,
)
from lookalike.model.measures import Measures
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import write_statement
from lookalike.publish.certified import (
    CertifiedAlone,
    CertifiedProtection,
    CertifiedQuasiIdentifier,
    GeneralizedColumn,
    ReleasedFile,
)
from lookalike.risk.table.exposure import Exposure
from lookalike.spec.release_fields import ReleaseFields
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
    protections: tuple[CertifiedProtection, ...] = (),
) -> Certificate:
    """Make the certificate of a release.

    ``verdicts``: the results of the recount: one for each quasi-identifier, one for each attribute
    with a k of its own, and one for all attributes together if some are outside the combination.
    """
    recoding, requirement, names = plan.recoding, plan.requirement, plan.frequency.attributes
    reached = _certify_promises(promises, verdicts)
    alone = tuple(
        CertifiedAlone(one.quasi_identifier, one.attribute, f"{one.linking:f}", one.k, verdict.k)
        for one, verdict in zip(
            specification.alone(plan.frequency.rows), verdicts[len(reached) :], strict=False
        )
    )
    registers = certify_registers(specification)
    secrecy = requirement.secrecy if protections else None
    return Certificate(
        statement=write_statement(reached, alone, protections, secrecy, registers),
        quasi_identifiers=reached,
        alone=alone,
        k_over_all=verdicts[-1].k if any(one.is_outside for one in alone) else None,
        protections=protections,
        secrecy=secrecy,
        registers=registers,
        recoding="attribute level" if recoding.tuples is None else "cell level",
        generalized={one: _describe_column(specification, plan, i) for i, one in enumerate(names)},
        released_as_they_are=plan.table.unchanged,
        pseudonyms=tuple(plan.table.pseudonym_keys),
        columns=plan.table.released,
        rows_in=plan.frequency.rows,
        rows_out=verdicts[0].rows,
        rows_suppressed=recoding.rows_suppressed,
        rows_complementary=recoding.rows_complementary,
        suppressed_rows=requirement.suppressed_rows,
        precision=measures.precision,
        accuracy=measures.accuracy,
        completeness=measures.completeness,
        files=files,
        formulas=certify_formulas(specification.release, files),
        coarsened=certify_coarsening(specification, plan.table.released),
        **_list_requested(specification.release),
        **_list_optimality(recoding, measures.precision),
    )


def _list_requested(asked: ReleaseFields) -> dict[str, Any]:
    """Return the fields that state what was asked for."""
    return {
        "recipient": asked.recipient,
        "suppressed_label": asked.suppressed_label,
        "method": asked.method,
        "parameters": method_parameters(asked),
        "max_suppressed": write_amount(asked.max_suppressed),
        "prefer": asked.prefer,
        "constraints": asked.constraints,
        "average_risk": write_amount(asked.average_risk),
        "order": "kept" if asked.keep_order else "randomized",
    }


def add_exposure(certificate: Certificate, rate: Decimal, found: Exposure | None) -> Certificate:
    """Add what a recipient can count of what classes show beyond their values, and the decoys.

    Gains are left out: they would show how frequent private values are.
    """
    certain = None if found is None else found.certain_share
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


def _list_optimality(recoding: Recoding, precision: float) -> dict[str, Any]:
    """Return the fields that state whether a better release can exist.

    With decoys no bound is stated: next to the precision it would show how many were drawn.
    """
    optimality, decoyed = recoding.optimality, recoding.before_decoys is not None
    proved = "proved before decoys" if decoyed else "proved"
    return {
        "objective": optimality.objective if optimality else None,
        "optimality": proved if optimality and optimality.proved else "not proved",
        "precision_bound": None if decoyed else round_bound(recoding.precision_bound, precision),
    }


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
