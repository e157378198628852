"""Policy: whether a release may follow those before it.

This is the one place where a release of a source is judged against the earlier ones, while no
other of the same source can be published.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lookalike.attacks.flow import Contradiction
from lookalike.certificate import ALL_RELEASED, Certificate, EarlierReleases
from lookalike.errors import RequirementNotMet
from lookalike.hierarchy import Hierarchy
from lookalike.ledger.attack import Attackable, attack_releases, expose, list_results
from lookalike.ledger.based_on import check_next
from lookalike.ledger.check_only import WAYS_OUT, check_only
from lookalike.ledger.earlier import NEXT, greatest_k, recall_history, refuse_several, to_shown
from lookalike.ledger.entry import Entry
from lookalike.ledger.history import History, least_history
from lookalike.ledger.kept import Kept

BASED_ON = "based-on"
CHECK_ONLY = "check-only"


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
    hierarchies
        The hierarchy of each linkable attribute.
    hierarchies_sha256
        The digest of what the hierarchies make of its values.
    file
        Where it is written, as long as it is not published.
    kept
        Its classes, and which private row goes into which.
    """

    source: str
    recipient: str | None
    contract: str | None
    certificate: Certificate
    hierarchies: Mapping[str, Hierarchy]
    hierarchies_sha256: str
    file: Path
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
    check_next(_history(earlier, candidate), greatest_k(certificates))


def _history(earlier: Sequence[Entry], candidate: Candidate) -> History:
    """Return what every row shows in every release, the next one last."""
    return recall_history(earlier).after(to_shown(NEXT, candidate.kept.rows()))


def _check_attacks(earlier: Sequence[Entry], candidate: Candidate) -> None:
    """Let a release pass on a proof that at least k rows are left, whatever is put together.

    That rows with the same history number at least k is one; else the releases are attacked.
    """
    told = candidate.certificate
    k = greatest_k([*(entry.certificate for entry in earlier), told])
    if not earlier or least_history(_history(earlier, candidate)) >= k:
        return
    following = Attackable(NEXT, candidate.file, told, candidate.kept.rows())
    releases = [*(expose(entry) for entry in earlier), following]
    try:
        attacked = attack_releases(releases, candidate.hierarchies, k)
    except Contradiction:
        raise RequirementNotMet(
            "nothing can be proved of the next release together with the earlier ones: they show "
            f"other columns, and values of the rows have changed. {WAYS_OUT}"
        ) from None
    check_only(list_results(attacked, told.rows_out), k)


POLICIES: dict[str, Policy] = {
    BASED_ON: _check_based,
    ALL_RELEASED: _check_attacks,
    CHECK_ONLY: _check_attacks,
}


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
    told = EarlierReleases(policy, len(earlier))
    certificate = replace(candidate.certificate, earlier_releases=told)
    POLICIES[policy](earlier, replace(candidate, certificate=certificate))
    return told


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
