"""Certify: put together what the recipient of a release is told."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from lookalike.model.measures import Measures
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
from lookalike.tables.recode import Plan
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
    """Put together what the recipient is told.

    Parameters
    ----------
    specification
        What was asked for.
    plan
        What was done.
    measures
        What it costs.
    promises
        What was promised of each quasi-identifier.
    verdicts
        What the recount says of each quasi-identifier, then of each attribute that is protected
        by itself, then of all attributes together if some are apart.
    files
        The files of the release, if it was written.
    """
    asked, recoding, optimality = specification.release, plan.recoding, plan.recoding.optimality
    reached = tuple(
        CertifiedQuasiIdentifier(
            one.name, one.attributes, one.k, verdict.k, verdict.classes, verdict.rows_below_k
        )
        for one, verdict in zip(promises, verdicts, strict=False)
    )
    alone = tuple(
        CertifiedAlone(one.quasi_identifier, one.attribute, f"{one.linking:f}", one.k, verdict.k)
        for one, verdict in zip(
            specification.alone(plan.frequency.rows), verdicts[len(reached) :], strict=False
        )
    )
    return Certificate(
        statement=write_statement(reached, alone),
        recipient=asked.recipient,
        quasi_identifiers=reached,
        alone=alone,
        k_over_all=verdicts[-1].k if any(one.apart for one in alone) else None,
        recoding="attribute level" if recoding.tuples is None else "cell level",
        generalized={
            name: _generalized(specification, plan, attribute)
            for attribute, name in enumerate(plan.frequency.attributes)
        },
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
        objective=optimality.objective if optimality else None,
        optimality="proved" if optimality and optimality.proved else "not proved",
        precision_bound=round_bound(recoding.precision_bound, measures.precision),
        order="kept" if asked.keep_order else "randomized",
        files=files,
    )


def _generalized(specification: Specification, plan: Plan, attribute: int) -> GeneralizedColumn:
    """Tell what was done to one attribute."""
    frequency, vector = plan.frequency, plan.recoding.vector
    tuples = plan.recoding.released(frequency)
    name = frequency.attributes[attribute]
    done = GeneralizedColumn(
        hierarchy=specification.hierarchies()[name].name,
        height=frequency.heights[attribute],
        level=None if vector is None else vector[attribute],
        weight=str(specification.attributes[name].weight),
        tolerance=str(specification.tolerance(name)),
    )
    hidden = tuples.hidden(frequency, attribute)
    rows = np.bincount(tuples.levels[attribute, ~hidden], tuples.counts[~hidden])
    by_level = {level: int(number) for level, number in enumerate(rows) if number}
    return replace(
        done,
        cells_suppressed=int(tuples.counts[hidden].sum()),
        cells_by_level=by_level if vector is None else None,
    )


def write_amount(amount: int | Decimal | None) -> str | None:
    """Write a number of rows without a decimal point, and a fraction of them with one."""
    if amount is None:
        return None
    return f"{amount:f}" if isinstance(amount, Decimal) else str(amount)


def method_parameters(asked: ReleaseFields) -> dict[str, str]:
    """Tell what else was asked of the method."""
    names = ("combinations", "dimension", "suppress_by", "repair")
    if asked.method != "mu-argus":
        return {}
    return {name: str(getattr(asked, name)).lower() for name in names}
