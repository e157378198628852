"""Attack all releases of a source that a ledger remembers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.json_result import JsonResult
from lookalike.ledger.policies import protections_over_time
from lookalike.ledger.policies.history import smallest_part
from lookalike.ledger.policies.policy import recall_history, relevant_to
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.ledger import Ledger
from lookalike.ledger.store.published_file import find_published_file
from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.attacked import Attacked
from lookalike.risk.releases.seen_release import fit_hierarchies, read_certified, read_released_rows
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification

FALSE_ATTACK = (
    "From the releases alone an attack seems to leave fewer rows. It rests on a sequence of "
    "classes that nobody has, or on a wrong assumption; lookalike attack shows it."
)
"""What is stated if :attr:`AttackedSource.is_false_attack`."""


@dataclass(frozen=True, eq=False)
class AttackedSource(JsonResult):
    """What all releases of a source disclose together, and what the ledger proves.

    Parameters
    ----------
    attacked
        Result of the attacks, equal to that of :func:`lookalike.attack` on the same releases.
    same_history
        Least number of rows that share a history: the class in every release, and the columns with
        new values. Rows of the same history are indistinguishable even for an attacker who knows
        everyone's quasi-identifier, who was in the source, whose record changed in which column,
        and which rows of two releases are the same row.
    broken_protections
        Protections of sensitive values that rows of the same history break, although every release
        keeps them by itself.
    """

    json_names = "**attacked proved same_history broken_protections"

    attacked: Attacked
    same_history: int
    broken_protections: tuple[protections_over_time.BrokenProtection, ...] = ()

    def as_json(self, *, show: bool = False) -> dict[str, Any]:
        """Return what ``ledger attack --json`` prints: as ``attack --json``, and the proof.

        Parameters
        ----------
        show
            Whether to list the exposed sequences, which are private.
        """
        return super().as_json() | self.attacked.as_json(show=show)

    @property
    def proved(self) -> bool:
        """Whether the history proves that at least k rows remain possible for everybody."""
        return all(self.same_history >= one.known.k for one in self.attacked.left)

    @property
    def holds(self) -> bool:
        """Whether the attacks leave everybody at least k possible rows."""
        return self.attacked.holds

    @property
    def is_false_attack(self) -> bool:
        """Whether attacks on the releases alone find what the ledger proves to be impossible."""
        return self.proved and not self.holds

    @property
    def statement(self) -> str:
        """What the ledger proves, in words."""
        least = self.same_history
        if not self.proved:
            share = "shares" if least == 1 else "share"
            return f"Not proved by the ledger: only {count_rows(least)} {share} a history."
        return (
            f"Proved by the ledger: at least {count_rows(least)} share every history. Anyone who "
            "has all releases and knows everyone's quasi-identifier, who was in the source, and "
            f"whose record changed in which column is left with at least {least:,} rows for each "
            "person, and as many persons for each row."
        )

    @property
    def protection_statements(self) -> tuple[str, ...]:
        """What comparing the releases breaks of the protections that they promise, in words."""
        return tuple(map(_state_broken, self.broken_protections))


def attack_ledger(
    ledger: Ledger,
    source: str | None = None,
    *,
    spec: Specification | str | PathLike[str] | None = None,
    recipient: str | None = None,
    k: int | None = None,
) -> AttackedSource:
    """Attack all published releases of a source together (Model, section 4).

    The attacks are those of :func:`lookalike.attack` on the published files, under the same
    assumptions; the ledger adds a proof. Forgotten releases count, because their recipients still
    have them.

    Parameters
    ----------
    ledger
        The ledger.
    source
        Name of the source; optional if the ledger has only one.
    spec
        Specification with the hierarchies of columns whose level differs between releases.
    recipient
        Exclude the releases that a contract keeps from this recipient; by default use all.
    k
        Number of rows that should remain possible; by default the least that was promised.

    Raises
    ------
    InvalidInput
        If there are fewer than two releases, or the published file of one is missing or changed.
    """
    if spec is not None and not isinstance(spec, Specification):
        spec = Specification.load(Path(spec))
    entries = _of_recipient(ledger.releases(_one_source(ledger, source)), recipient)
    if len(entries) < 2:
        raise InvalidInput(
            f"the ledger has {len(entries)} release{'' if len(entries) == 1 else 's'} that "
            "somebody may have together, and this attack needs two; attack a single release "
            "together with totals (lookalike attack)"
        )
    certified = [name for entry in entries for name in entry.certificate.generalized]
    rules = {} if spec is None else spec.naming(certified).hierarchies()
    attacked = _attack_releases(entries, rules, k)
    least = smallest_part(recall_history(entries))
    return AttackedSource(attacked, least, protections_over_time.find_broken_protections(entries))


def _state_broken(broken: protections_over_time.BrokenProtection) -> str:
    """State which rows break a protection when releases are compared."""
    rows = f"{count_rows(broken.rows)} in {broken.histories:,} "
    rows += "history" if broken.histories == 1 else "histories"
    breaks = "break" if broken.certain else "may break"
    return (
        f"Comparing the releases gives values of {broken.column} away: {rows} {breaks} the "
        f"protection {broken.protection} that {broken.release} promises for its classes."
    )


def _attack_releases(
    entries: Sequence[Entry], hierarchies: Mapping[str, Hierarchy], k: int | None
) -> Attacked:
    """Run every attack on the published files of some releases of one source."""
    every = [entry.certificate for entry in entries]
    releases = []
    for entry in entries:
        rows = read_released_rows(find_published_file(entry), entry.certificate)
        releases.append(read_certified(entry.name, rows, entry.certificate, every))
    fitted = fit_hierarchies(hierarchies, [one.generalized for one in every])
    return attack_classes(releases, fitted, k=k)


def _one_source(ledger: Ledger, source: str | None) -> str:
    """Return the given source, or the only one of the ledger."""
    known = list(dict.fromkeys(entry.source for entry in ledger.releases()))
    if source is None and len(known) == 1:
        return known[0]
    if source not in known:
        named = ", ".join(map(repr, known)) or "none"
        raise InvalidInput(f"name the source to attack (--source); the ledger remembers {named}")
    return source


def _of_recipient(entries: tuple[Entry, ...], recipient: str | None) -> tuple[Entry, ...]:
    """Return the releases that a recipient may have, given the contracts."""
    if recipient is None:
        return entries
    own = [entry.contract for entry in entries if entry.recipient == recipient]
    if not own:
        raise InvalidInput(f"the ledger remembers no release for the recipient {recipient!r}")
    return relevant_to(entries, recipient, own[-1])
