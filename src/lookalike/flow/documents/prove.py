"""Make the proof of the bound on precision of a release, for the data holder."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import add_up_loss
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.verify.bound.proof import (
    Proof,
    allow_suppression,
    digest_hierarchies,
    digest_table,
    encode_values,
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
