"""Check that the ledger recognizes the rows of a release that it has seen before.

A release is judged by what was published of the same rows, which are recognized by their row keys.
If the rows had other keys, or the source another name, the release would be judged by nothing. Such
a release is refused unless the holder declares that the people are new: ``new_people = true``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Digests
from lookalike.ledger.store import row_map
from lookalike.ledger.store.entry import Entry, MissingLedgerFile, ReleaseFiles


def check_row_key(entries: Sequence[Entry], row_key: str) -> None:
    """Refuse a row key other than the one of the earlier releases of a source."""
    for entry in entries:
        if entry.row_key != row_key:
            raise InvalidInput(
                f"source.row_key: {entry.name} of {entry.source!r} has the row key "
                f"{entry.row_key!r}, so the ledger would not recognize its rows by {row_key!r}. "
                "Use the same column under the same name (a query can rename it); if the table has "
                'other people, give the source a name of its own: name = "…" under [source]'
            )


@dataclass(frozen=True, eq=False)
class SharedRows:
    """The number of rows that an earlier release of a source shares with the next one."""

    entry: Entry
    shared: int
    rows: int
    rows_before: int

    @property
    def recognized(self) -> bool:
        """Whether they share at least half of the rows of the smaller release."""
        return 2 * self.shared >= min(self.rows, self.rows_before)


def check_source_recognized(keys: Digests, entries: Sequence[Entry]) -> None:
    """Refuse a source, by all of its row keys, that seems to be about other people."""
    before = ((entry, _read_keys(entry.files)) for entry in entries)
    check_rows_recognized(
        [
            SharedRows(entry, _count_common(keys, others), len(keys), len(others))
            for entry, others in before
        ]
    )


def count_shared_rows(files: ReleaseFiles, entries: Sequence[Entry]) -> tuple[SharedRows, ...]:
    """Count the rows that a release shares with each earlier release of its source."""
    keys, before = _read_keys(files), ((entry, _read_keys(entry.files)) for entry in entries)
    return tuple(
        SharedRows(entry, _count_common(keys, others), len(keys), len(others))
        for entry, others in before
    )


def check_rows_recognized(shared: Sequence[SharedRows]) -> None:
    """Refuse a release that seems to be about other people than all earlier ones.

    That is so if it shares fewer than half of the rows of the smaller release with each of them. A
    table may grow or shrink to any extent, and up to half of its rows may be replaced.
    """
    if not shared or any(one.recognized for one in shared):
        return
    last = shared[-1]
    raise RequirementNotMet(
        f"the ledger recognizes too few rows: {last.entry.name} of {last.entry.source!r} has "
        f"{last.rows_before:,} rows, this one {last.rows:,}, and they share {last.shared:,}, fewer "
        "than half of the smaller number; no earlier release shares more. Write the values of "
        f"{last.entry.row_key!r} as in that release; if the people with unknown row keys are in no "
        "earlier release, declare it: new_people = true under [source]"
    )


def check_other_sources(source: str, files: ReleaseFiles, entries: Sequence[Entry]) -> None:
    """Refuse a release whose row keys occur in a source of another name."""
    keys = _read_keys(files)
    for entry in entries:
        if entry.source == source or _are_declared_different(entries, source, entry.source):
            continue
        shared = _count_common(keys, _read_keys_of_other(entry))
        if shared:
            raise RequirementNotMet(
                f"{shared:,} of {len(keys):,} rows have the row key of rows of another source, "
                f"{entry.source!r} ({entry.name}), and would not be checked against that release. "
                f'If they are the same people, use that name: name = "{entry.source}" under '
                "[source]; if the same keys belong to other people, declare it: new_people = true"
            )


def _are_declared_different(entries: Sequence[Entry], one: str, other: str) -> bool:
    """Return whether one of two sources was declared to have new people after the other one."""
    seen: set[str] = set()
    for entry in entries:
        if entry.source in (one, other):
            if entry.new_people and seen - {entry.source}:
                return True
            seen.add(entry.source)
    return False


def _read_keys_of_other(entry: Entry) -> Digests:
    """Return the hashed row keys of a release of another source; none if it has no files.

    A pending release of another process may not have its files in place yet. That process searches
    our files after it has moved its own, as we do, so at least one of the two finds the other. A
    release that was refused has no files any more.
    """
    try:
        return _read_keys(entry.files)
    except MissingLedgerFile:
        if not entry.is_pending:
            raise
        return np.zeros(0, dtype=row_map.DIGEST)


def _read_keys(files: ReleaseFiles) -> Digests:
    """Return the hashed row keys of a release."""
    return row_map.to_digests(files.read_rows([row_map.KEY])[row_map.KEY])


def _count_common(one: Digests, other: Digests) -> int:
    """Count the keys in both of two lists, each without duplicates."""
    _, first = number_keys(np.concatenate([one, other]))
    return len(one) + len(other) - len(first)
