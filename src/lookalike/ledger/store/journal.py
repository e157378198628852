"""Journal: a chain of MACs over every change of the releases in a ledger.

A line names the release that changed and holds a MAC of all its fields after the change, or no MAC
if the entry was removed because the release was never published. The line has a MAC of its own,
over its fields and the MAC of the previous line. So without the key nobody can change, add or
remove an entry or a line unnoticed. One case remains: an older copy of the whole database, which
lacks the last lines.

The heads reveal it: the number and the MAC of the last line, in two files outside of the database,
in the folder of the ledger's files and beside its key. A head is written after a change is
committed, and read before the database is read. So it is never ahead of a database that was not
restored, even if processes crash or run at the same time. The next process that opens the ledger
advances a head that is behind. A head that cannot be written stays behind; an older copy may then
go unnoticed.

Only one process at a time reads or changes the journal, whatever its source: the row with the
identity of the ledger stays locked until the transaction ends.
"""

import hmac
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from lookalike.errors import InvalidInput
from lookalike.ledger.store.database import now, read_identity
from lookalike.ledger.store.key import digest_under
from lookalike.ledger.store.schema import REMOVED, RESTORED, changes, releases
from lookalike.tables.private_folders import locked, write_errors, write_whole


@dataclass(frozen=True)
class FilesAndKey:
    """The parts of an open ledger that are outside of its database.

    ``name``: name of the ledger in messages.
    ``heads``: files that hold the end of its journal
    (:mod:`~lookalike.ledger.store.journal`).
    """

    name: str
    folder: Path
    secret: bytes = field(repr=False)
    heads: tuple[Path, ...]


@dataclass(frozen=True)
class JournalHead:
    """The end of a journal."""

    changes: int
    mac: str

    @classmethod
    def read(cls, path: Path) -> "JournalHead | None":
        """Read a head; return None if the file does not exist."""
        if not path.is_file():
            return None
        words = path.read_bytes().split()
        if len(words) != 2 or not words[0].isdigit() or not int(words[0]):
            raise InvalidInput(
                f"{path} is damaged: it should hold the number of changes of the ledger; restore "
                "it from your backup, or remove it"
            )
        return cls(int(words[0]), words[1].decode("ascii", "replace"))

    def write(self, path: Path) -> None:
        """Write the head over an earlier one."""
        write_whole(path, f"{self.changes} {self.mac}\n".encode())


def read_heads(files_and_key: FilesAndKey) -> tuple[JournalHead, ...]:
    """Read the heads whose files exist."""
    return tuple(
        head for path in files_and_key.heads if (head := JournalHead.read(path)) is not None
    )


def advance_heads(files_and_key: FilesAndKey, head: JournalHead) -> None:
    """Write a head to every file that is behind; skip a file that cannot be written."""
    if not head.changes or not any(_is_behind(path, head) for path in files_and_key.heads):
        return
    with suppress(OSError), locked(files_and_key.folder):
        for path in files_and_key.heads:
            if _is_behind(path, head):
                with suppress(OSError):
                    head.write(path)


def reset_heads(files_and_key: FilesAndKey, head: JournalHead) -> None:
    """Write the head of a restored database to every file."""
    with locked(files_and_key.folder):
        for path in files_and_key.heads:
            with write_errors(path):
                head.write(path)


def _is_behind(path: Path, head: JournalHead) -> bool:
    """Return whether a file has no head, or one with fewer changes."""
    known = JournalHead.read(path)
    return known is None or known.changes < head.changes


@dataclass(frozen=True)
class Journal:
    """The content of a journal that was checked.

    ``ledger``: identity of the ledger, which takes the place of a MAC before the first line.
    ``entries``: MAC of every remembered release, by its number.
    """

    ledger: str
    chain: tuple[str, ...]
    entries: Mapping[int, str]

    @property
    def head(self) -> JournalHead:
        """The end of the journal."""
        return JournalHead(len(self.chain), self.chain[-1] if self.chain else self.ledger)

    def lacks(self, head: JournalHead) -> bool:
        """Return whether the journal does not contain a head that was written before."""
        return head.changes > len(self.chain) or self.chain[head.changes - 1] != head.mac


@contextmanager
def checked_transaction(connection: Connection, files_and_key: FilesAndKey) -> Iterator[Journal]:
    """Begin a transaction, and check the database against the journal and its heads."""
    heads = read_heads(files_and_key)
    with connection.begin():
        journal = _read_journal(connection, files_and_key)
        if any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {files_and_key.name} lacks changes that it had when last used: it has "
                f"{len(journal.chain):,} changes, and had {max(one.changes for one in heads):,}. "
                "An older copy replaced it, or entries were removed. Restore the newest copy; if "
                "it is lost, accept this one with `lookalike ledger accept-restore`: later "
                "releases are then not checked against the missing ones"
            )
        yield journal
    advance_heads(files_and_key, journal.head)


@contextmanager
def recorded_transaction(connection: Connection, files_and_key: FilesAndKey) -> Iterator[None]:
    """Begin a checked transaction that changes releases, and add its changes to the journal."""
    with checked_transaction(connection, files_and_key) as before:
        yield
        head = _append_changes(connection, files_and_key, before)
    advance_heads(files_and_key, head)


def record_restore(connection: Connection, files_and_key: FilesAndKey, reason: str) -> int:
    """Accept a database that is an older copy; return how many changes it lacks."""
    heads = read_heads(files_and_key)
    with connection.begin():
        journal = _read_journal(connection, files_and_key)
        if not any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {files_and_key.name} has every change since it was last used; there "
                "is no restore to accept"
            )
        head = _append(connection, files_and_key, journal.head, state=RESTORED, reason=reason)
    reset_heads(files_and_key, head)
    return max(one.changes for one in heads) - len(journal.chain)


def _read_journal(connection: Connection, files_and_key: FilesAndKey) -> Journal:
    """Read the journal, and check every line and every release against it."""
    ledger: str = read_identity(connection).id
    head, chain, entries = JournalHead(0, ledger), [], {}
    for row in connection.execute(select(changes).order_by(changes.c.number)):
        line = dict(row._mapping)
        mac = line.pop("mac")
        expected = _line_mac(files_and_key, head, line)
        if line["number"] != head.changes + 1 or not _same(mac, expected):
            raise _tampered(files_and_key, f"change {head.changes + 1:,} was changed or removed")
        head = JournalHead(line["number"], mac)
        chain.append(mac)
        if line["release"] is not None:
            entries[line["release"]] = line["entry_mac"]
    remembered = {number: mac for number, mac in entries.items() if mac is not None}
    _compare_releases(files_and_key, remembered, _read_entries(connection, files_and_key))
    return Journal(ledger, tuple(chain), remembered)


def _compare_releases(
    files_and_key: FilesAndKey, known: Mapping[int, str], found: Mapping[int, "_StoredRelease"]
) -> None:
    """Refuse releases that were removed, added or changed without a line in the journal."""
    gone = sorted(known.keys() - found.keys())
    added = sorted(found.keys() - known.keys())
    changed = [one for one, mac in known.items() if one in found and not _same(found[one].mac, mac)]
    for numbers, what in ((gone, "removed"), (added, "added"), (changed, "changed")):
        if numbers:
            raise _tampered(files_and_key, f"release {', '.join(map(str, numbers))} was {what}")


def _append_changes(
    connection: Connection, files_and_key: FilesAndKey, before: Journal
) -> JournalHead:
    """Add a line for every release that changed."""
    head, found = before.head, _read_entries(connection, files_and_key)
    for number in sorted(before.entries.keys() | found.keys()):
        one = found.get(number, _StoredRelease(REMOVED, None))
        if one.mac != before.entries.get(number):
            head = _append(
                connection, files_and_key, head, release=number, state=one.state, entry_mac=one.mac
            )
    return head


def _append(
    connection: Connection, files_and_key: FilesAndKey, head: JournalHead, **fields: Any
) -> JournalHead:
    """Add one line, and return the new end of the journal."""
    empty = {"release": None, "entry_mac": None, "reason": None}
    line = empty | {"number": head.changes + 1, "time": now()} | fields
    mac = _line_mac(files_and_key, head, line)
    connection.execute(insert(changes).values(line | {"mac": mac}))
    return JournalHead(head.changes + 1, mac)


@dataclass(frozen=True)
class _StoredRelease:
    """The state of a release in the database, and the MAC of all its fields."""

    state: str
    mac: str | None


def _read_entries(connection: Connection, files_and_key: FilesAndKey) -> dict[int, _StoredRelease]:
    """Read state and MAC of every release in the database."""
    return {
        row.number: _StoredRelease(row.state, _digest(files_and_key, "entry", dict(row._mapping)))
        for row in connection.execute(select(releases))
    }


def _line_mac(files_and_key: FilesAndKey, before: JournalHead, line: Mapping[str, Any]) -> str:
    """Return the MAC of a line that follows another."""
    return _digest(files_and_key, "change", {**line, "before": before.mac})


def _digest(files_and_key: FilesAndKey, purpose: str, fields: Mapping[str, Any]) -> str:
    """Return the MAC of named fields, written in a canonical form."""
    text = json.dumps(fields, sort_keys=True, default=bytes.hex)
    return digest_under(files_and_key.secret, purpose, text)


def _same(one: str | None, other: str | None) -> bool:
    """Return whether two MACs are present and equal."""
    return one is not None and other is not None and hmac.compare_digest(one, other)


def _tampered(files_and_key: FilesAndKey, what: str) -> InvalidInput:
    """Return the error that another program changed the database."""
    return InvalidInput(
        f"the ledger {files_and_key.name}: {what} by a program other than lookalike; restore the "
        "database from your backup"
    )
