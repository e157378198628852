"""Policy: whether a release may follow those before it.

This is the one place where a release of a source is judged against the earlier ones, while no
other of the same source can be published.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lookalike.certificate import Certificate, EarlierReleases
from lookalike.ledger.entry import Entry
from lookalike.ledger.kept import Kept


@dataclass(frozen=True)
class Candidate:
    """A release that is about to be published.

    Parameters
    ----------
    source
        The source that it is made of.
    recipient
        Whom it is made for, if it is for somebody.
    contract
        The contract that keeps this recipient apart from all others, if there is one.
    certificate
        What a recipient would be told: quasi-identifiers with k, levels, columns.
    hierarchies_sha256
        The digest of what the hierarchies make of its values.
    kept
        Its classes, and which private row goes into which.
    """

    source: str
    recipient: str | None
    contract: str | None
    certificate: Certificate
    hierarchies_sha256: str
    kept: Kept


Policy = Callable[[Sequence[Entry], Candidate], None]
"""Looks at the earlier releases, oldest first, and at the next one; what it does not let pass it
refuses with :class:`~lookalike.errors.RequirementNotMet`."""


def _record_only(earlier: Sequence[Entry], candidate: Candidate) -> None:
    """Let everything pass, and remember it."""


POLICIES: dict[str, Policy] = {"record-only": _record_only}


def consider(policy: str, entries: Sequence[Entry], candidate: Candidate) -> EarlierReleases:
    """Judge a release against the earlier ones of its source.

    Forgotten releases count, because nobody who has them has forgotten them, and so do those of
    which it is not known whether they were published.

    Raises
    ------
    RequirementNotMet
        If the policy refuses it.
    """
    earlier = [entry for entry in entries if not are_apart(entry, candidate)]
    POLICIES[policy](earlier, candidate)
    return EarlierReleases(policy, len(earlier))


def are_apart(entry: Entry, candidate: Candidate) -> bool:
    """Tell whether nobody may have both releases: each recipient is bound by a contract."""
    bound = entry.contract is not None and candidate.contract is not None
    return bound and entry.recipient != candidate.recipient
