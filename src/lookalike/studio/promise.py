"""What a specification promises, in sentences, before anything is released."""

from typing import cast

from lookalike.flow.read_promises import read_promises
from lookalike.flow.read_protections import read_protections
from lookalike.publish.certified import CertifiedProtection, ProtectionName
from lookalike.publish.protection_sentences import state_protections
from lookalike.spec.specification import Specification
from lookalike.verify.recount import Promise


def state_promises(asked: Specification, rows: int) -> list[str]:
    """State what a release will promise, and what it will not.

    Parameters
    ----------
    asked
        The specification.
    rows
        The number of rows of the private table.
    """
    if not asked.hierarchies():
        return ["Nothing is promised: no column has the role quasi-identifier."]
    promises = read_promises(asked, rows)
    protected = [
        CertifiedProtection(
            one.attributes,
            one.column,
            cast(ProtectionName, one.protection),
            dict(one.parameters),
            None,
        )
        for one in read_protections(asked, promises)
    ]
    secrecy = asked.requirement(rows).secrecy if protected else None
    stated = state_protections(protected, secrecy)
    return [*map(_state_k, promises), *stated, *_state_limits(asked)]


def _state_k(promise: Promise) -> str:
    """State what every combination of a quasi-identifier has in common."""
    over = ", ".join(promise.attributes)
    if promise.person is not None:
        return (
            f"Every combination of {over} in the release is shared by at least {promise.k} "
            "persons, also if persons have several rows."
        )
    return (
        f"Every combination of {over} in the release occurs at least {promise.k} times. It is "
        "assumed that each person has one row."
    )


def _state_limits(asked: Specification) -> list[str]:
    """State what is outside the promise."""
    as_is = [name for name, one in asked.attributes.items() if one.role in ("sensitive", "other")]
    if not as_is:
        return []
    return [
        f"Outside the promise: {', '.join(as_is)}. Their values are released as they are, and "
        "whoever knows them of a person may find the row."
    ]
