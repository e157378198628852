"""Policy: judge whether a release may be published after the earlier ones of its source.

This is the only place where a release is judged. Meanwhile the process holds the lock of the
source, so no other release of it can be published.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lookalike.ledger.policies.based_on import MAKE_AGAIN, check_next
from lookalike.ledger.policies.earlier_releases import (
    greatest_k,
    recall_history,
    refuse_other_roles,
    to_row_map,
)
from lookalike.ledger.policies.history import History
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.release_files import ReleaseFiles
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import EarlierReleases
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY

NEXT = "the next release"
_WAYS_OUT = (
    'Base the release on the earlier ones (policy = "based-on"), raise levels, or leave out the '
    "columns that changed"
)


@dataclass(frozen=True)
class ReleaseCandidate:
    """A release that is about to be published.

    ``recipient``: recipient, if it is made for a particular one.
    ``contract``: contract that keeps the recipient from sharing the release, if there is one.
    ``certificate``: its certificate: quasi-identifiers with k, levels, columns.
    ``table_sha256``: digest of the distinct sequences of its private table.
    ``hierarchies_sha256``: digest of the labels that the hierarchies give to its values.
    ``files``: its files: released classes, row map, label paths.
    """

    source: str
    recipient: str | None
    contract: str | None
    certificate: Certificate
    table_sha256: str
    hierarchies_sha256: str
    files: ReleaseFiles


Policy = Callable[[Sequence[Entry], ReleaseCandidate], None]
"""Receives the earlier releases, oldest first, and the next one; raises
:class:`~lookalike.errors.RequirementNotMet` to refuse it."""


def _check_history(earlier: Sequence[Entry], candidate: ReleaseCandidate, *, remedy: str) -> None:
    """Refuse a release if it shows a row whose history fewer than k rows share.

    Every policy depends on this proof. Policies differ in how they make the release, and so in the
    remedy if it is refused.
    """
    if not earlier:
        return
    certificates = [*(entry.certificate for entry in earlier), candidate.certificate]
    refuse_other_roles(certificates)
    check_next(_history(earlier, candidate), greatest_k(certificates), remedy)


def _history(earlier: Sequence[Entry], candidate: ReleaseCandidate) -> History:
    """Return the history of all releases, the next one last."""
    return recall_history(earlier).after(to_row_map(NEXT, candidate.files.read_rows()))


JUDGES: dict[str, Policy] = {
    BASED_ON: partial(_check_history, remedy=MAKE_AGAIN),
    ALL_RELEASED: partial(_check_history, remedy=_WAYS_OUT),
    CHECK_ONLY: partial(_check_history, remedy=_WAYS_OUT),
}


def judge_candidate(
    policy: str, entries: Sequence[Entry], candidate: ReleaseCandidate
) -> EarlierReleases:
    """Judge a release against the earlier ones of its source.

    Forgotten releases count, because their recipients still have them. Pending releases count,
    because they may have been published.
    """
    earlier = relevant_to(entries, candidate.recipient, candidate.contract)
    statement = EarlierReleases(policy, len(earlier))
    certificate = replace(candidate.certificate, earlier_releases=statement)
    JUDGES[policy](earlier, replace(candidate, certificate=certificate))
    return statement


def relevant_to(
    entries: Iterable[Entry], recipient: str | None, contract: str | None
) -> tuple[Entry, ...]:
    """Return the releases that somebody may have together with one for a recipient.

    Recipients may share what they have. Only if both recipients are bound by a contract is it
    assumed that nobody has the releases of both.
    """
    return tuple(
        entry
        for entry in entries
        if entry.contract is None or contract is None or entry.recipient == recipient
    )
