"""Describe a release that does not satisfy its requirement, as µ-Argus may leave it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lookalike.flow.result import Release


def describe_unsafe(release: "Release") -> str:
    """Describe how far a release is from its requirement, and the remedies."""
    protected = release.plan.requirement.protected(release.plan.frequency.attributes)
    over = " and over ".join(", ".join(one.attributes) for one in protected)
    return (
        f"{release.measures.rows_below_k:,} of {release.plan.rows_out:,} rows would still occur "
        f"fewer than k = {release.plan.requirement.largest_k} times over {over}; set repair = true "
        "(--repair), generalize more, or publish it as it is with --allow-unsafe"
    )
