"""Journal: every change of what a ledger remembers, each bound to the one before it.

A line names the release that changed and holds a MAC of all its fields after the change, or none
if the entry was removed because the release was never published. The line has a MAC of its own,
over its fields and the MAC of the line before. So without the key nobody can change, add or remove
an entry or a line unnoticed, except for the last lines with all that they say, which an older copy
of the database lacks. These are noticed by the heads, which are kept elsewhere
(:mod:`~lookalike.ledger.store.heads`).

One process at a time reads or changes the journal, whatever the source: the row that says which
ledger it is stays locked until the transaction ends.
"""

import hmac
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from lookalike.errors import InvalidInput
from lookalike.ledger.store.database import now, read_identity
from lookalike.ledger.store.heads import Head, move_back, move_on, read_heads
from lookalike.ledger.store.schema import REMOVED, RESTORED, changes, releases
from lookalike.ledger.store.secret import digest_under
from lookalike.ledger.store.vault import Vault


@dataclass(frozen=True)
class Journal:
    """What the lines say.

    Parameters
    ----------
    ledger
        Which ledger it is of, which stands for the line before the first.
    chain
        The MAC of every line.
    entries
        The MAC of every release that is remembered, by its number.
    """

    ledger: str
    chain: tuple[str, ...]
    entries: Mapping[int, str]

    @property
    def head(self) -> Head:
        """How far it has come."""
        return Head(len(self.chain), self.chain[-1] if self.chain else self.ledger)

    def lacks(self, head: Head) -> bool:
        """Tell whether it does not go on from where it had come before."""
        return head.changes > len(self.chain) or self.chain[head.changes - 1] != head.mac


@contextmanager
def checked(connection: Connection, vault: Vault) -> Iterator[Journal]:
    """Begin a transaction in which a ledger is as it was left.

    Raises
    ------
    InvalidInput
        If it was changed by something else, or is older than it was.
    """
    heads = read_heads(vault)
    with connection.begin():
        journal = _read(connection, vault)
        if any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {vault.ledger} is not as it was when it was last used: it has "
                f"{len(journal.chain):,} changes, and had {max(one.changes for one in heads):,}. "
                "An older copy was put in its place, or entries were removed. Put the newest copy "
                "back; if it is lost, go on with this one by `lookalike ledger accept-restore`: "
                "later releases are not checked against what it lacks"
            )
        yield journal
    move_on(vault, journal.head)


@contextmanager
def changing(connection: Connection, vault: Vault) -> Iterator[None]:
    """Begin a transaction that changes releases, and write down which ones it changed."""
    with checked(connection, vault) as before:
        yield
        head = _write_down(connection, vault, before)
    move_on(vault, head)


def accept_restore(connection: Connection, vault: Vault, reason: str) -> int:
    """Go on with a database that is older than it was; return how many changes it lacks.

    Raises
    ------
    InvalidInput
        If it is not older, or was changed by something else.
    """
    heads = read_heads(vault)
    with connection.begin():
        journal = _read(connection, vault)
        if not any(journal.lacks(head) for head in heads):
            raise InvalidInput(
                f"the ledger {vault.ledger} is as it was when it was last used; there is nothing "
                "to accept"
            )
        head = _append(connection, vault, journal.head, state=RESTORED, reason=reason)
    move_back(vault, head)
    return max(one.changes for one in heads) - len(journal.chain)


def _read(connection: Connection, vault: Vault) -> Journal:
    """Read the journal, and make sure that the releases are what it says."""
    ledger: str = read_identity(connection).id
    head, chain, entries = Head(0, ledger), [], {}
    for row in connection.execute(select(changes).order_by(changes.c.number)):
        line = dict(row._mapping)
        mac = line.pop("mac")
        if line["number"] != head.changes + 1 or not _same(mac, _bind(vault, head, line)):
            raise _tampered(vault, f"change {head.changes + 1:,} was changed or removed")
        head = Head(line["number"], mac)
        chain.append(mac)
        if line["release"] is not None:
            entries[line["release"]] = line["entry_mac"]
    remembered = {number: mac for number, mac in entries.items() if mac is not None}
    _compare(vault, remembered, _read_entries(connection, vault))
    return Journal(ledger, tuple(chain), remembered)


def _compare(vault: Vault, known: Mapping[int, str], found: Mapping[int, "_Found"]) -> None:
    """Make sure that releases are those that a journal knows, as it knows them."""
    gone = sorted(known.keys() - found.keys())
    added = sorted(found.keys() - known.keys())
    changed = [one for one, mac in known.items() if one in found and not _same(found[one].mac, mac)]
    for numbers, what in ((gone, "removed"), (added, "added"), (changed, "changed")):
        if numbers:
            raise _tampered(vault, f"release {', '.join(map(str, numbers))} was {what}")


def _write_down(connection: Connection, vault: Vault, before: Journal) -> Head:
    """Add a line for every release that is not as it was before."""
    head, found = before.head, _read_entries(connection, vault)
    for number in sorted(before.entries.keys() | found.keys()):
        one = found.get(number, _Found(REMOVED, None))
        if one.mac != before.entries.get(number):
            head = _append(
                connection, vault, head, release=number, state=one.state, entry_mac=one.mac
            )
    return head


def _append(connection: Connection, vault: Vault, head: Head, **said: Any) -> Head:
    """Add one line."""
    empty = {"release": None, "entry_mac": None, "reason": None}
    line = empty | {"number": head.changes + 1, "time": now()} | said
    mac = _bind(vault, head, line)
    connection.execute(insert(changes).values(line | {"mac": mac}))
    return Head(head.changes + 1, mac)


@dataclass(frozen=True)
class _Found:
    """The state of a release in the database, and the MAC of all its fields."""

    state: str
    mac: str | None


def _read_entries(connection: Connection, vault: Vault) -> dict[int, _Found]:
    """Read the releases that the database has."""
    return {
        row.number: _Found(row.state, _digest(vault, "entry", dict(row._mapping)))
        for row in connection.execute(select(releases))
    }


def _bind(vault: Vault, before: Head, line: Mapping[str, Any]) -> str:
    """Return the MAC of a line after another."""
    return _digest(vault, "change", {**line, "before": before.mac})


def _digest(vault: Vault, purpose: str, fields: Mapping[str, Any]) -> str:
    """Return the MAC of named fields, in the one way in which they can be written."""
    text = json.dumps(fields, sort_keys=True, default=bytes.hex)
    return digest_under(vault.secret, purpose, text)


def _same(one: str | None, other: str | None) -> bool:
    """Compare two MACs."""
    return one is not None and other is not None and hmac.compare_digest(one, other)


def _tampered(vault: Vault, what: str) -> InvalidInput:
    """Return the error that a database is not what was written."""
    return InvalidInput(
        f"the ledger {vault.ledger}: {what} by something other than lookalike; put the database "
        "back from your backup"
    )
