"""Policy: whether a release may follow those before it.

This is the one place where a release of a source is judged against the earlier ones, while no
other of the same source can be published.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lookalike.certificate import Certificate, EarlierReleases
from lookalike.ledger.based_on import check_next
from lookalike.ledger.earlier import NEXT, greatest_k, name_of, refuse_several, to_shown
from lookalike.ledger.entry import Entry
from lookalike.ledger.history import remember
from lookalike.ledger.kept import Kept

BASED_ON = "based-on"


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


def _check_based(earlier: Sequence[Entry], candidate: Candidate) -> None:
    """Let a release pass if rows with the same history number none or at least k.

    It was planned so (:mod:`lookalike.base_on`), but other releases may have been published since.
    """
    if not earlier:
        return
    certificates = [*(entry.certificate for entry in earlier), candidate.certificate]
    refuse_several(certificates)
    shown = [to_shown(name_of(entry), entry.kept.rows()) for entry in earlier]
    history = remember([*shown, to_shown(NEXT, candidate.kept.rows())])
    check_next(history, greatest_k(certificates))


POLICIES: dict[str, Policy] = {BASED_ON: _check_based}


def consider(policy: str, entries: Sequence[Entry], candidate: Candidate) -> EarlierReleases:
    """Judge a release against the earlier ones of its source.

    Forgotten releases count, because nobody who has them has forgotten them, and so do those of
    which it is not known whether they were published.

    Raises
    ------
    RequirementNotMet
        If the policy refuses it.
    """
    earlier = concern(entries, candidate.recipient, candidate.contract)
    POLICIES[policy](earlier, candidate)
    return EarlierReleases(policy, len(earlier))


def concern(
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
