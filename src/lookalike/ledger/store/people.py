"""People: whether the ledger knows the rows of a release again, if it has seen them before.

A release is judged by what was published of the same rows. Whoever gives the rows other
keys, or the source another name, would have it judged by nothing. What cannot be told from that
needs the word of the holder: ``new_people = true``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Digests
from lookalike.ledger.policies.earlier import name_of
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.kept import FileIsMissing, Kept
from lookalike.ledger.store.row_map import DIGEST, KEY, to_digests


def check_row_key(entries: Sequence[Entry], row_key: str) -> None:
    """Refuse a row key other than the one by which the rows of a source were known.

    Parameters
    ----------
    entries
        The earlier releases of the source.
    row_key
        The column that tells the rows of the next one apart.

    Raises
    ------
    InvalidInput
        If it is another column.
    """
    for entry in entries:
        if entry.row_key != row_key:
            raise InvalidInput(
                f"source.row_key: {name_of(entry)} of {entry.source!r} has the row key "
                f"{entry.row_key!r}, so the ledger would not know its rows again by {row_key!r}. "
                "Take the same column under the same name (a query can rename it); if the table is "
                'of other people, give the source a name of its own: name = "…" under [source]'
            )


@dataclass(frozen=True, eq=False)
class KnownAgain:
    """An earlier release of the same source, and how many rows it shares with the next one.

    Parameters
    ----------
    entry
        The earlier release.
    shared
        The number of rows that both have.
    rows
        The number of rows of the next one.
    rows_before
        The number of rows of the earlier one.
    """

    entry: Entry
    shared: int
    rows: int
    rows_before: int

    @property
    def again(self) -> bool:
        """Whether both share at least half of the rows of the smaller one."""
        return 2 * self.shared >= min(self.rows, self.rows_before)


def find_known(kept: Kept, entries: Sequence[Entry]) -> tuple[KnownAgain, ...]:
    """Look for the rows of a release in the earlier ones of its source."""
    keys = _keys_of(kept)
    before = [(entry, _keys_of(entry.kept)) for entry in entries]
    return tuple(
        KnownAgain(entry, _count_shared(keys, others), len(keys), len(others))
        for entry, others in before
    )


def check_known_again(known: Sequence[KnownAgain]) -> None:
    """Refuse a release if it and every earlier one seem to be of different people.

    They do if they share fewer than half of the rows of the smaller one. So a table may grow or
    shrink to any extent, and up to half of its rows may be exchanged.

    Raises
    ------
    RequirementNotMet
        If that is so.
    """
    if not known or any(one.again for one in known):
        return
    last = known[-1]
    raise RequirementNotMet(
        f"the ledger knows too few rows again: {name_of(last.entry)} of {last.entry.source!r} has "
        f"{last.rows_before:,} rows, this one {last.rows:,}, and they share {last.shared:,}, fewer "
        "than half of the smaller number; no earlier release shares more. Write the values of "
        f"{last.entry.row_key!r} as in that release; if the people whose row key is not known are "
        "in no earlier release, say so: new_people = true under [source]"
    )


def check_other_names(source: str, kept: Kept, entries: Sequence[Entry]) -> None:
    """Refuse a release whose rows are known under the name of another source.

    Parameters
    ----------
    source
        The source of the release.
    kept
        Its rows.
    entries
        All that the ledger remembers.

    Raises
    ------
    RequirementNotMet
        If there is such a source, unless the holder said that the two are of different people.
    """
    keys = _keys_of(kept)
    for entry in entries:
        if entry.source == source or _are_apart(entries, source, entry.source):
            continue
        shared = _count_shared(keys, _keys_of_other(entry))
        if shared:
            raise RequirementNotMet(
                f"{shared:,} of {len(keys):,} rows have the row key of rows of another source, "
                f"{entry.source!r} ({name_of(entry)}), and would not be judged by what was "
                f"published of these. If they are the same people, take that name: name = "
                f'"{entry.source}" under [source]; if the same keys are of other people, say so: '
                "new_people = true"
            )


def _are_apart(entries: Sequence[Entry], one: str, other: str) -> bool:
    """Tell whether the holder said of one of two sources, when the other was known, that its
    people are new.
    """
    seen: set[str] = set()
    for entry in entries:
        if entry.source in (one, other):
            if entry.new_people and seen - {entry.source}:
                return True
            seen.add(entry.source)
    return False


def _keys_of_other(entry: Entry) -> Digests:
    """Return the hashes of the row keys of a release of another source; none if it has no files.

    A release that another process has begun to enter may have none yet. That process looks for
    our files when its own are in their place, as we do, so one of both sees the other. A release
    that was refused has none any more.
    """
    try:
        return _keys_of(entry.kept)
    except FileIsMissing:
        if not entry.is_pending:
            raise
        return np.zeros(0, dtype=DIGEST)


def _keys_of(kept: Kept) -> Digests:
    """Return the hashes of the row keys."""
    return to_digests(kept.rows([KEY])[KEY])


def _count_shared(one: Digests, other: Digests) -> int:
    """Count the keys that are in both of two lists, neither of which has one twice."""
    _, first = number_keys(np.concatenate([one, other]))
    return len(one) + len(other) - len(first)
