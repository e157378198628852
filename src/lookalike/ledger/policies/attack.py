"""Attack: what releases that a ledger remembers give away together."""

from collections.abc import Mapping, Sequence

from lookalike.hierarchy import Hierarchy
from lookalike.ledger.policies.earlier import name_of
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.published import find_file
from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.attacked import Attacked
from lookalike.risk.releases.read_release import fit_hierarchies, read_published


def attack_releases(
    entries: Sequence[Entry], hierarchies: Mapping[str, Hierarchy], k: int | None = None
) -> Attacked:
    """Try every attack on some releases of one source, as somebody who has their folders could.

    Parameters
    ----------
    entries
        Two at least; the file of each must be there as it was published.
    hierarchies
        The hierarchy of each column whose level differs from release to release.
    k
        How many rows should remain possible; without it, the least that was promised.
    """
    every = [entry.certificate for entry in entries]
    seen = [
        read_published(name_of(entry), find_file(entry), entry.certificate, every)
        for entry in entries
    ]
    return attack_classes(seen, fit_hierarchies(hierarchies, every), k=k)
