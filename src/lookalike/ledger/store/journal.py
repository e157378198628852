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
from typing import Any, NamedTuple

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
class LedgerSession(FilesAndKey):
    """A connection to the database of a ledger, beside the other parts of it."""

    connection: Connection = field(repr=False)


class JournalHead(NamedTuple):
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

    def is_after(self, path: Path) -> bool:
        """Return whether a file has no head, or one with fewer changes."""
        known = JournalHead.read(path)
        return known is None or known.changes < self.changes


@dataclass(frozen=True)
class Journal:
    """The content of a journal that was checked.

    ``chain``: MAC of every line, after the identity of the ledger, which takes the place of a MAC
    before the first line.
    ``entries``: MAC of every remembered release, by its number.
    """

    chain: list[str]
    entries: Mapping[int, str]

    @property
    def head(self) -> JournalHead:
        """The end of the journal."""
        return JournalHead(len(self.chain) - 1, self.chain[-1])

    def lacks(self, head: JournalHead) -> bool:
        """Return whether the journal does not contain a head that was written before."""
        return head.changes >= len(self.chain) or self.chain[head.changes] != head.mac

    def append(self, session: LedgerSession, **fields: Any) -> None:
        """Add one line."""
        empty = {"release": None, "entry_mac": None, "reason": None}
        line = empty | {"number": len(self.chain), "time": now()} | fields
        mac = _digest(session, "change", {**line, "before": self.chain[-1]})
        session.connection.execute(insert(changes).values(line | {"mac": mac}))
        self.chain.append(mac)


def _read_heads(session: LedgerSession) -> list[JournalHead]:
    """Read the heads whose files exist."""
    return [head for path in session.heads if (head := JournalHead.read(path)) is not None]


@contextmanager
def checked_transaction(session: LedgerSession) -> Iterator[Journal]:
    """Begin a transaction, and check the database against the journal and its heads.

    After it, the head is written to every file that is behind, unless it cannot be written.
    """
    heads = _read_heads(session)
    with session.connection.begin():
        journal = _read_journal(session)
        if any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {session.name} lacks changes that it had when last used: it has "
                f"{journal.head.changes:,} changes, and had {max(heads).changes:,}. "
                "An older copy replaced it, or entries were removed. Restore the newest copy; if "
                "it is lost, accept this one with `lookalike ledger accept-restore`: later "
                "releases are then not checked against the missing ones"
            )
        yield journal
    head = journal.head
    if head.changes and any(map(head.is_after, session.heads)):
        with suppress(OSError), locked(session.folder):
            for path in filter(head.is_after, session.heads):
                with suppress(OSError):
                    head.write(path)


@contextmanager
def recorded_transaction(session: LedgerSession) -> Iterator[None]:
    """Begin a checked transaction that changes releases, and add its changes to the journal."""
    with checked_transaction(session) as journal:
        yield
        found = _read_entries(session)
        for number in sorted(journal.entries.keys() | found.keys()):
            state, mac = found.get(number, (REMOVED, None))
            if mac != journal.entries.get(number):
                journal.append(session, release=number, state=state, entry_mac=mac)


def record_restore(session: LedgerSession, reason: str) -> int:
    """Accept a database that is an older copy; return how many changes it lacks."""
    heads = _read_heads(session)
    with session.connection.begin():
        journal = _read_journal(session)
        lacking = max(heads, default=journal.head).changes - journal.head.changes
        if not any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {session.name} has every change since it was last used; there "
                "is no restore to accept"
            )
        journal.append(session, state=RESTORED, reason=reason)
    with locked(session.folder):
        for path in session.heads:
            with write_errors(path):
                journal.head.write(path)
    return lacking


@dataclass(frozen=True)
class AcceptedRestore:
    """A database that was restored from a backup, and accepted although it lacked changes.

    Parameters
    ----------
    accepted
        When it was accepted.
    reason
        The reason.
    """

    accepted: str
    reason: str


def list_restores(session: LedgerSession) -> tuple[AcceptedRestore, ...]:
    """List the restores that were accepted, the first one first."""
    found = select(changes).where(changes.c.state == RESTORED).order_by(changes.c.number)
    rows = session.connection.execute(found)
    return tuple(AcceptedRestore(row.time, row.reason) for row in rows)


def _read_journal(session: LedgerSession) -> Journal:
    """Read the journal, and check every line and every release against it."""
    chain, entries = [read_identity(session.connection).id], {}
    for row in session.connection.execute(select(changes).order_by(changes.c.number)):
        line = dict(row._mapping)
        mac = line.pop("mac")
        expected = _digest(session, "change", {**line, "before": chain[-1]})
        if line["number"] != len(chain) or not _same(mac, expected):
            raise _tampered(session, f"change {len(chain):,} was changed or removed")
        chain.append(mac)
        if line["release"] is not None:
            entries[line["release"]] = line["entry_mac"]
    known = {number: mac for number, mac in entries.items() if mac is not None}
    found = _read_entries(session)
    gone, added = sorted(known.keys() - found.keys()), sorted(found.keys() - known.keys())
    changed = [one for one, mac in known.items() if one in found and not _same(found[one][1], mac)]
    for numbers, what in ((gone, "removed"), (added, "added"), (changed, "changed")):
        if numbers:
            raise _tampered(session, f"release {', '.join(map(str, numbers))} was {what}")
    return Journal(chain, known)


def _read_entries(session: LedgerSession) -> dict[int, tuple[str, str]]:
    """Read the state of every release in the database, and the MAC of all its fields."""
    return {
        row.number: (row.state, _digest(session, "entry", dict(row._mapping)))
        for row in session.connection.execute(select(releases))
    }


def _digest(session: LedgerSession, purpose: str, fields: Mapping[str, Any]) -> str:
    """Return the MAC of named fields, written in a canonical form."""
    text = json.dumps(fields, sort_keys=True, default=bytes.hex)
    return digest_under(session.secret, purpose, text)


def _same(one: str | None, other: str | None) -> bool:
    """Return whether two MACs are present and equal."""
    return one is not None and other is not None and hmac.compare_digest(one, other)


def _tampered(session: LedgerSession, what: str) -> InvalidInput:
    """Return the error that another program changed the database."""
    return InvalidInput(
        f"the ledger {session.name}: {what} by a program other than lookalike; restore the "
        "database from your backup"
    )
