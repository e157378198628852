"""Describe a release that does not satisfy its requirement, as µ-Argus may leave it."""

from lookalike.model.measures import Measures
from lookalike.tables.plan import Plan


def describe_unsafe(plan: Plan, measures: Measures) -> str:
    """Describe how far a release is from its requirement, and the remedies."""
    protected = plan.requirement.protected(plan.frequency.attributes)
    over = " and over ".join(", ".join(one.attributes) for one in protected)
    return (
        f"{measures.rows_below_k:,} of {plan.rows_out:,} rows would still occur fewer than "
        f"k = {plan.requirement.largest_k} times over {over}; set repair = true (--repair), "
        "generalize more, or publish it as it is with --allow-unsafe"
    )
