"""Describe how far a release is from what is possible, and from its requirement."""

import math
from collections.abc import Callable

from lookalike.model.lattice import Lattice
from lookalike.model.measures import Measures
from lookalike.model.proved_bound import name_stricter, state_bound
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan


def state_release_bound(
    specification: Specification, plan: Plan, exceeds: str, write: Callable[[float], str]
) -> str:
    """State that no release exceeds the bound, and what else makes the distance to it."""
    known, requirement = plan.recoding.optimality, plan.requirement
    if plan.recoding.tuples is None:
        return state_bound(f"at the attribute level {exceeds}", requirement.k)
    alone = None if known is None else known.reached_alone
    if known is not None and (alone is None or alone == known.reached):
        return state_bound(exceeds, requirement.k)
    reached = None if alone is None else write(alone)
    return state_bound(exceeds, requirement.k, name_beyond_rows(specification, plan), reached)


def name_beyond_rows(specification: Specification, plan: Plan) -> str:
    """Name what a release at the cell level satisfies beyond classes of k rows."""
    if plan.recoding.tuples is None:
        return ""
    merged = bool(plan.requirement.protections) and plan.requirement.secrecy != "blind"
    return name_stricter(
        persons=bool(specification.persons),
        protections=merged,
        keep=specification.release.keep is not None or any(specification.options().keep),
    )


def count_possible(plan: Plan) -> tuple[int | None, float]:
    """Count the generalizations of the table cell by cell (Achieving, Equation 2)."""
    rows, lattice = plan.frequency.rows, Lattice.of_heights(plan.frequency.heights)
    digits = rows * math.log10(lattice.size)
    return lattice.count_generalizations(rows) if digits < 6 else None, digits


def describe_unsafe(plan: Plan, measures: Measures) -> str:
    """Describe how far a release is from its requirement, and the remedies."""
    protected = plan.requirement.protected(plan.frequency.attributes)
    over = " and over ".join(", ".join(one.attributes) for one in protected)
    return (
        f"{measures.rows_below_k:,} of {plan.rows_out:,} rows would still occur fewer than "
        f"k = {plan.requirement.largest_k} times over {over}; set repair = true (--repair), "
        "generalize more, or publish it as it is with --allow-unsafe"
    )
