"""Policy: whether a release may follow those before it.

This is the one place where a release of a source is judged against the earlier ones, while no
other of the same source can be published.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lookalike.ledger.policies.based_on import MAKE_AGAIN, check_next
from lookalike.ledger.policies.earlier import (
    NEXT,
    greatest_k,
    recall_history,
    refuse_other_roles,
    to_shown,
)
from lookalike.ledger.policies.history import History
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.kept import Kept
from lookalike.publish.certificate import Certificate, EarlierReleases
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY

WAYS_OUT = (
    'Base the release on the earlier ones (policy = "based-on"), raise levels, or leave out the '
    "columns that changed"
)


@dataclass(frozen=True)
class ReleaseCandidate:
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


Policy = Callable[[Sequence[Entry], ReleaseCandidate], None]
"""Looks at the earlier releases, oldest first, and at the next one; what it does not let pass it
refuses with :class:`~lookalike.errors.RequirementNotMet`."""


def _check_history(earlier: Sequence[Entry], candidate: ReleaseCandidate, *, remedy: str) -> None:
    """Let a release pass if at least k rows have the same history, for every row that it shows.

    That is the one proof on which a release that follows others is published, whatever the
    policy. Policies differ in how they make the release, and so in what to do if it is refused.
    """
    if not earlier:
        return
    certificates = [*(entry.certificate for entry in earlier), candidate.certificate]
    refuse_other_roles(certificates)
    check_next(_history(earlier, candidate), greatest_k(certificates), remedy)


def _history(earlier: Sequence[Entry], candidate: ReleaseCandidate) -> History:
    """Return what every row shows in every release, the next one last."""
    return recall_history(earlier).after(to_shown(NEXT, candidate.kept.rows()))


JUDGES: dict[str, Policy] = {
    BASED_ON: partial(_check_history, remedy=MAKE_AGAIN),
    ALL_RELEASED: partial(_check_history, remedy=WAYS_OUT),
    CHECK_ONLY: partial(_check_history, remedy=WAYS_OUT),
}


def consider(policy: str, entries: Sequence[Entry], candidate: ReleaseCandidate) -> EarlierReleases:
    """Judge a release against the earlier ones of its source.

    Forgotten releases count, because nobody who has them has forgotten them, and so do those of
    which it is not known whether they were published.

    Raises
    ------
    RequirementNotMet
        If the policy refuses it.
    """
    earlier = relevant_to(entries, candidate.recipient, candidate.contract)
    told = EarlierReleases(policy, len(earlier))
    certificate = replace(candidate.certificate, earlier_releases=told)
    JUDGES[policy](earlier, replace(candidate, certificate=certificate))
    return told


def relevant_to(
    entries: Iterable[Entry], recipient: str | None, contract: str | None
) -> tuple[Entry, ...]:
    """Return the releases that somebody may have together with one for a recipient.

    Different recipients count as one, because what one has another may get, unless each of both is
    bound by a contract.

    Parameters
    ----------
    entries
        Releases of the source.
    recipient
        Whom the next one is for, if it is for somebody.
    contract
        The contract that keeps this recipient apart from all others, if there is one.
    """
    return tuple(
        entry
        for entry in entries
        if entry.contract is None or contract is None or entry.recipient == recipient
    )
