"""Attack the releases of a source that a ledger remembers."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.ledger.policies.attack import attack_releases
from lookalike.ledger.policies.earlier import recall_history
from lookalike.ledger.policies.history import least_history
from lookalike.ledger.policies.policy import relevant_to
from lookalike.ledger.store.book import Ledger
from lookalike.ledger.store.entry import Entry
from lookalike.risk.releases.attacked import Attacked
from lookalike.spec.specification import Specification


@dataclass(frozen=True, eq=False)
class AttackedSource:
    """What all releases of a source give away together, and what the ledger knows beyond that.

    Parameters
    ----------
    attacked
        What attacks find, which is what :func:`lookalike.attack` finds in the same releases.
    same_history
        How many rows at least share every history: the class in every release, and the columns
        that are shown anew. None of these can be told from the others, even by someone who knows
        everyone's quasi-identifier, who was in the source, whose record changed in which
        column, and which rows of two releases are one row.
    """

    attacked: Attacked
    same_history: int

    @property
    def proved(self) -> bool:
        """Whether the history of rows proves that k are left."""
        return all(self.same_history >= one.known.k for one in self.attacked.left)

    @property
    def holds(self) -> bool:
        """Whether everybody is left with k rows as far as attacks find."""
        return self.attacked.holds


def attack_ledger(
    ledger: Ledger,
    source: str | None = None,
    *,
    specification: Specification | str | PathLike[str] | None = None,
    recipient: str | None = None,
    k: int | None = None,
) -> AttackedSource:
    """Tell what all published releases of a source give away together (Model, section 4).

    The attacks are those of :func:`lookalike.attack` on the published files, under the same
    assumptions; the ledger adds what it proves. Forgotten releases count, because nobody who has
    them has forgotten them.

    Parameters
    ----------
    ledger
        The ledger.
    source
        The source; it may be left out if there is only one.
    specification
        Gives the hierarchies of the columns whose level differs from release to release.
    recipient
        Without the releases that a contract keeps from this recipient; without it, all.
    k
        How many rows should remain possible; without it, the least that was promised.

    Raises
    ------
    InvalidInput
        If there are fewer than two, or the file of one is not there as it was published.
    """
    if specification is not None and not isinstance(specification, Specification):
        specification = Specification.load(Path(specification))
    entries = _of_recipient(ledger.releases(_one_source(ledger, source)), recipient)
    if len(entries) < 2:
        raise InvalidInput(
            f"the ledger remembers {len(entries)} release{'' if len(entries) == 1 else 's'} that "
            "somebody may have together; one can be attacked with totals only (lookalike attack)"
        )
    rules = {} if specification is None else specification.hierarchies()
    attacked = attack_releases(entries, rules, k)
    return AttackedSource(attacked, least_history(recall_history(entries)))


def _one_source(ledger: Ledger, source: str | None) -> str:
    """Return the source that is asked for, or the only one."""
    known = list(dict.fromkeys(entry.source for entry in ledger.releases()))
    if source is None and len(known) == 1:
        return known[0]
    if source not in known:
        named = ", ".join(map(repr, known)) or "none"
        raise InvalidInput(f"say which source is to be attacked; the ledger remembers {named}")
    return source


def _of_recipient(entries: tuple[Entry, ...], recipient: str | None) -> tuple[Entry, ...]:
    """Leave out what a contract keeps from a recipient."""
    if recipient is None:
        return entries
    own = [entry.contract for entry in entries if entry.recipient == recipient]
    if not own:
        raise InvalidInput(f"the ledger remembers no release for the recipient {recipient!r}")
    return relevant_to(entries, recipient, own[-1])
