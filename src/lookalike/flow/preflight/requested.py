"""Check what was asked for: a small k, classes chosen by values, earlier releases."""

from collections.abc import Iterator

from lookalike.flow.preflight.facts import Facts
from lookalike.risk.finding import PreflightFinding
from lookalike.spec import preflight_names as names

LEAST_K_OF_CELLS = 5
"""The least k at which the choice of classes by cells gives little away."""


def check_small_k(facts: Facts) -> Iterator[PreflightFinding]:
    """Check k of a release at the cell level.

    Its classes are exact joins: a generalized cell proves that the values below it differ. What
    that adds to the belief about one row is at most 1/k.
    """
    k = min(one.k for one in facts.requirement.protected(()))
    at_cells = facts.plan is not None and facts.plan.recoding.vector is None
    if at_cells and k < LEAST_K_OF_CELLS:
        yield PreflightFinding(
            names.SMALL_K,
            "warning",
            f"k = {k} is small for a release at the cell level: a generalized cell shows that its "
            f"rows differ, which can raise the belief in a value by up to 1/{k}.",
            f"use k = {LEAST_K_OF_CELLS} or more, or a method at the attribute level",
        )


def check_secrecy(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether classes may be chosen by sensitive values."""
    requirement = facts.requirement
    if requirement.protections and requirement.secrecy == "search":
        yield PreflightFinding(
            names.SEARCHED_VALUES,
            "warning",
            'With secrecy = "search", classes depend on sensitive values: somebody who knows the '
            "method and the quasi-identifiers of everybody may conclude more than a class shows.",
            'use secrecy = "blind" if the release holds then, or give the release only to '
            "recipients who are bound not to attack it",
        )


def check_earlier(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether earlier releases of the source are considered."""
    if facts.specification.release.ledger is None:
        yield PreflightFinding(
            names.EARLIER_RELEASES,
            "note",
            "Earlier releases of the same source are not considered: together, two releases can "
            "show more than each alone.",
            'record every release of a source in a ledger: ledger = "releases.db"',
        )


def check_protections_over_time(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether protections are judged over the releases of the source."""
    protected = facts.specification.protected_columns
    if protected and facts.specification.release.ledger is None:
        yield PreflightFinding(
            names.PROTECTED_BY_ITSELF,
            "note",
            f"Protections of {', '.join(protected)} hold in this release by itself. Whoever has "
            "another release of the source compares them: if the people who left a class, or came, "
            "share a value, it is given away.",
            'record every release of a source in a ledger: ledger = "releases.db"; a release that '
            "breaks a protection together with earlier ones is then refused",
        )
