"""Ledger: opened, asked what it remembers, and told to forget."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike

from sqlalchemy import Connection, Engine, update

from lookalike.errors import InvalidInput
from lookalike.ledger.store import journal
from lookalike.ledger.store.database import connect_to, database_errors, now
from lookalike.ledger.store.entry import Entry, read_entries
from lookalike.ledger.store.files import claim_files, make_private
from lookalike.ledger.store.heads import name_head
from lookalike.ledger.store.journal import changing, checked
from lookalike.ledger.store.lock import WAIT_SECONDS, folder_of, locked_source
from lookalike.ledger.store.schema import FORGOTTEN, releases
from lookalike.ledger.store.secret import find_key
from lookalike.ledger.store.settle import settle
from lookalike.ledger.store.vault import Vault
from lookalike.model.progress import Announce
from lookalike.spec.ledger_address import LedgerAddress


@dataclass(frozen=True, eq=False)
class Ledger:
    """The memory of the releases that were published.

    Parameters
    ----------
    address
        Where it is.
    engine
        The way to its database.
    vault
        What it has beside its database.
    """

    address: LedgerAddress
    engine: Engine
    vault: Vault = field(repr=False)

    def releases(self, source: str | None = None) -> tuple[Entry, ...]:
        """Return what is remembered, of all sources or of one, in the order of publishing.

        Raises
        ------
        InvalidInput
            If the database was changed by something else, or is older than when it was last used.
        """
        with self.connected() as connection, checked(connection, self.vault):
            return read_entries(connection, self.vault, source)

    def release(self, number: int) -> Entry:
        """Return what is remembered of one release.

        Raises
        ------
        InvalidInput
            If there is none of that number.
        """
        for entry in self.releases():
            if entry.number == number:
                return entry
        raise InvalidInput(f"the ledger {self.address} has no release {number}; see ledger list")

    def forget(self, number: int, reason: str) -> Entry:
        """Leave a tombstone in the place of a release.

        What was asked for is removed. The certificate, the classes and the map of its rows stay:
        who has the release has not forgotten it, so later ones are still checked against it.

        Parameters
        ----------
        number
            The release.
        reason
            Why it is forgotten; it is kept.
        """
        if not reason.strip():
            raise InvalidInput("say why the release is to be forgotten: --reason")
        source = self.release(number).source
        with self.holding(source) as (connection, entries):
            entry = next((one for one in entries if one.number == number), None)
            if entry is None or entry.is_pending or entry.is_forgotten:
                state = "not published" if entry is None else entry.state
                raise InvalidInput(f"release {number} cannot be forgotten: it is {state}")
            with changing(connection, self.vault):
                connection.execute(
                    update(releases)
                    .where(releases.c.number == number)
                    .values(state=FORGOTTEN, forgotten=now(), reason=reason, specification=None)
                )
        return self.release(number)

    def secret(self) -> bytes:
        """Return the key under which what is private is hashed and encrypted."""
        return self.vault.secret

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """Connect to the database."""
        with database_errors(self.address), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def holding(
        self, source: str, seconds: float = WAIT_SECONDS, tell: Announce = lambda _: None
    ) -> Iterator[tuple[Connection, tuple[Entry, ...]]]:
        """Keep other processes from publishing releases of a source; give its releases, settled.

        Parameters
        ----------
        source
            The source.
        seconds
            How long to wait at most for another process that publishes one.
        tell
            Told if it has to wait.
        """
        files = self.address.files
        folder = folder_of(files, source)
        with self.connected() as connection:
            claim_files(connection, files)
            make_private(folder)
            with locked_source(connection, folder, source, seconds, tell):
                yield connection, settle(connection, self.vault, source)


def open_ledger(
    ledger: str | PathLike[str],
    *,
    files: str | PathLike[str] | None = None,
    key: str | PathLike[str] | None = None,
) -> Ledger:
    """Open a ledger that is there already, and settle what dead processes left pending in it.

    Parameters
    ----------
    ledger
        The path of an SQLite file, or a URL of SQLite or PostgreSQL.
    files
        The folder of its files; beside an SQLite file if it is not given.
    key
        The file of its key; with the user's settings if it is not given.
    """
    return open_at(_read_address(ledger, files, key), create=False)


def accept_restore(
    ledger: str | PathLike[str],
    reason: str,
    *,
    files: str | PathLike[str] | None = None,
    key: str | PathLike[str] | None = None,
) -> int:
    """Go on with a database that was put back from a backup; return how many changes it lacks.

    What was published since the backup is unknown from then on, and no later release is checked
    against it.

    Parameters
    ----------
    ledger, files, key
        As for :func:`open_ledger`.
    reason
        Why; it is kept.
    """
    if not reason.strip():
        raise InvalidInput("say why the older database is to be used: --reason")
    found = find_ledger(_read_address(ledger, files, key), create=False)
    with found.connected() as connection:
        return journal.accept_restore(connection, found.vault, reason)


def _read_address(
    ledger: str | PathLike[str],
    files: str | PathLike[str] | None,
    key: str | PathLike[str] | None,
) -> LedgerAddress:
    """Read where a ledger is, its files and its key."""
    names = (None if path is None else str(path) for path in (files, key))
    return LedgerAddress.parse(str(ledger), *names)


def open_at(address: LedgerAddress, *, create: bool) -> Ledger:
    """Open the ledger at an address, made if that is wanted, and settle what is pending in it."""
    ledger = find_ledger(address, create=create)
    for source in {entry.source for entry in ledger.releases() if entry.is_pending}:
        with suppress(InvalidInput), ledger.holding(source, seconds=0):
            """Whoever holds it is alive, and settles it; else that was done on the way in."""
    return ledger


def find_ledger(address: LedgerAddress, *, create: bool) -> Ledger:
    """Find the ledger at an address; if that is wanted, make it with its files and its key."""
    engine = connect_to(address, create=create)
    if create:
        with database_errors(address), engine.connect() as connection:
            claim_files(connection, address.files)
    key = find_key(address, engine, create=create)
    heads = tuple(folder / name_head(key.ledger) for folder in (address.files, key.path.parent))
    return Ledger(address, engine, Vault(str(address), address.files, key.secret, heads))
