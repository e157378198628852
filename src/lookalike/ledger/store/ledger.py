"""Ledger: open a ledger, list its releases, forget one, hold the lock of a source, settle it.

A release must be in the ledger if and only if it is published. The ledger and the folder of the
release cannot change in one step, so the release is entered as pending before it is renamed into
its place, and confirmed afterwards:

==================================  =======================================================
the process died                    what is found, and what is done
==================================  =======================================================
before the entry                    a private folder without a lock: removed
after the entry, before the rename  the folder is unchanged: files and entry are removed
after the rename                    the certificate in the folder is the entry's: confirmed
==================================  =======================================================

If neither can be determined, because somebody who does not use this ledger removed or replaced the
folder, the release counts as published: somebody may have read it.
"""

import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, update
from sqlalchemy.exc import SQLAlchemyError

from lookalike.errors import InvalidInput, Unavailable
from lookalike.ledger.store import database, schema
from lookalike.ledger.store.entry import Entry, read_entries
from lookalike.ledger.store.journal import (
    AcceptedRestore,
    FilesAndKey,
    LedgerSession,
    checked_transaction,
    list_restores,
    record_restore,
    recorded_transaction,
)
from lookalike.ledger.store.key import open_key
from lookalike.ledger.store.schema import FORGOTTEN, PUBLISHED, releases
from lookalike.ledger.store.source_lock import LOCK_WAIT_SECONDS, locked_source, source_folder
from lookalike.model.progress import Announce
from lookalike.publish.place import digest_published_certificate
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.private_folders import write_errors, write_whole

_OWNER_FILE = "ledger"
"""File with the identity of the ledger to which a folder belongs."""


@dataclass(frozen=True, eq=False)
class Ledger:
    """The memory of published releases.

    Parameters
    ----------
    address
        Address of the ledger.
    engine
        Engine of its database.
    files_and_key
        Its files, its key and the heads of its journal.
    """

    address: LedgerAddress
    engine: Engine
    files_and_key: FilesAndKey = field(repr=False)

    def releases(self, source: str | None = None) -> tuple[Entry, ...]:
        """Return the remembered releases of one source, or of all, in the order of publishing.

        Raises
        ------
        InvalidInput
            If another program changed the database, or it is an older copy.
        """
        with self.connected() as session, checked_transaction(session):
            return read_entries(session, source)

    def release(self, number: int) -> Entry:
        """Return one remembered release.

        Raises
        ------
        InvalidInput
            If no release has that number.
        """
        for entry in self.releases():
            if entry.number == number:
                return entry
        raise InvalidInput(f"the ledger {self.address} has no release {number}; see ledger list")

    def restores(self) -> tuple[AcceptedRestore, ...]:
        """Return the restored databases that were accepted, with the reason for each."""
        with self.connected() as session, checked_transaction(session):
            return list_restores(session)

    def forget(self, number: int, reason: str) -> Entry:
        """Forget a release: remove its specification, and keep what later checks need.

        The certificate, the classes and the row map stay: its recipients still have it,
        so later releases are still checked against it.

        Parameters
        ----------
        number
            Number of the release.
        reason
            Reason, which is recorded.
        """
        if not reason.strip():
            raise InvalidInput("give the reason for forgetting the release: --reason")
        source = self.release(number).source
        with self.holding(source) as (session, entries):
            entry = next((one for one in entries if one.number == number), None)
            if entry is None or entry.is_pending or entry.is_forgotten:
                state = "not published" if entry is None else entry.state
                raise InvalidInput(f"release {number} cannot be forgotten: it is {state}")
            with recorded_transaction(session):
                forgotten = update(releases).where(releases.c.number == number)
                fields = {"state": FORGOTTEN, "forgotten": database.now(), "reason": reason}
                session.connection.execute(forgotten.values(fields | {"specification": None}))
        return self.release(number)

    def secret(self) -> bytes:
        """Return the key under which private data is hashed and encrypted."""
        return self.files_and_key.secret

    @contextmanager
    def connected(self) -> Iterator[LedgerSession]:
        """Connect to the database."""
        with database.database_errors(self.address), self.engine.connect() as connection:
            yield LedgerSession(**vars(self.files_and_key), connection=connection)

    @contextmanager
    def holding(
        self,
        source: str,
        seconds: float = LOCK_WAIT_SECONDS,
        announce: Announce = lambda _: None,
    ) -> Iterator[tuple[LedgerSession, tuple[Entry, ...]]]:
        """Hold the lock of a source, so that no other process publishes releases of it.

        Gives a session and the entries of the source, after pending ones were settled.

        Parameters
        ----------
        source
            Name of the source.
        seconds
            Maximum number of seconds to wait for another process.
        announce
            Callback that receives a text if the process has to wait.
        """
        folder = source_folder(self.address.files, source)
        with self.connected() as session:
            claim_files(session.connection, self.address.files)
            make_private(folder)
            with locked_source(session.connection, folder, source, seconds, announce):
                yield session, settle(session, source)


def open_ledger(
    ledger: str | PathLike[str],
    *,
    files: str | PathLike[str] | None = None,
    key: str | PathLike[str] | None = None,
) -> Ledger:
    """Open an existing ledger, and settle releases that crashed processes left pending.

    Parameters
    ----------
    ledger
        Path of an SQLite file, or URL of an SQLite or PostgreSQL database.
    files
        Folder of its files; by default beside the SQLite file.
    key
        File of its key; by default in the user's configuration folder.
    """
    return open_at(LedgerAddress.parse(ledger, files, key), create=False)


def accept_restore(
    ledger: str | PathLike[str],
    reason: str,
    *,
    files: str | PathLike[str] | None = None,
    key: str | PathLike[str] | None = None,
) -> int:
    """Accept a database that was restored from a backup; return how many changes it lacks.

    The ledger does not know the releases published since the backup, and later releases are not
    checked against them.
    """
    if not reason.strip():
        raise InvalidInput("give the reason for using the older database: --reason")
    with find_ledger(LedgerAddress.parse(ledger, files, key), create=False).connected() as session:
        return record_restore(session, reason)


def open_at(address: LedgerAddress, *, create: bool) -> Ledger:
    """Open the ledger at an address, create it if asked to, and settle its pending releases."""
    ledger = find_ledger(address, create=create)
    for source in {entry.source for entry in ledger.releases() if entry.is_pending}:
        with suppress(InvalidInput, Unavailable), ledger.holding(source, seconds=0):
            """Taking the lock settles the source; a process that holds it settles it itself."""
    return ledger


def open_if_present(address: LedgerAddress | None) -> Ledger | None:
    """Open the ledger at an address; return None without an address or a ledger."""
    if address is None:
        return None
    try:
        return open_at(address, create=False)
    except database.NoLedger:
        return None


def find_ledger(address: LedgerAddress, *, create: bool) -> Ledger:
    """Return the ledger at an address; create its database, files and key if asked to."""
    engine = database.connect_to(address, create=create)
    if create:
        with database.database_errors(address), engine.connect() as connection:
            claim_files(connection, address.files)
    identity, path, secret = open_key(address, engine, create=create)
    heads = tuple(at / f"ledger-{identity}.head" for at in (address.files, path.parent))
    return Ledger(address, engine, FilesAndKey(str(address), address.files, secret, heads))


def claim_files(connection: Connection, files: Path) -> None:
    """Create the folder of a ledger's files, or check that it is the one created before.

    A process that used another folder would not be stopped by the lock on this one, and would not
    find the rows of earlier releases.
    """
    owner = files / _OWNER_FILE
    with connection.begin():
        known = database.read_identity(connection)
        if known.files_claimed is None:
            make_private(files)
            if not owner.exists():
                with write_errors(owner):
                    write_whole(owner, known.id.encode())
            connection.execute(update(schema.ledger).values(files_claimed=database.now()))
        if not owner.is_file():
            raise InvalidInput(
                f"ledger_files: the files of the ledger are not in {files}; give their folder"
            )
        if owner.read_bytes() != known.id.encode():
            raise InvalidInput(
                f"ledger_files: {files} has the files of another ledger; choose another folder"
            )
    make_private(files)


def make_private(folder: Path) -> None:
    """Create a folder with mode 0700, or refuse an existing one that is open to other users."""
    with write_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    database.refuse_open_to_others(folder, "ledger_files")


def settle(session: LedgerSession, source: str) -> tuple[Entry, ...]:
    """Settle the pending releases of a source whose lock this process holds; return all entries."""
    with checked_transaction(session):
        entries = read_entries(session, source)
    pending = [one for one in entries if one.is_pending and one.host == platform.node()]
    if not pending:
        return entries
    for entry in pending:
        settle_entry(session, entry)
    with checked_transaction(session):
        return read_entries(session, source)


def settle_entry(session: LedgerSession, entry: Entry) -> None:
    """Confirm a pending release if it was published; otherwise remove its files and its entry."""
    published, here = _was_published(entry), releases.c.number == entry.number
    if not published:
        for path in entry.files.locations:
            path.unlink(missing_ok=True)
    with recorded_transaction(session):
        confirmed = update(releases).values(state=PUBLISHED, published=database.now())
        session.connection.execute((confirmed if published else delete(releases)).where(here))


def settle_published(session: LedgerSession, entry: Entry) -> None:
    """Settle the release that this process has just tried to publish."""
    try:
        settle_entry(session, entry)
    except SQLAlchemyError:
        raise InvalidInput(
            f"the ledger {session.name} could not record whether {entry.folder} was "
            "published; it will find out when it is next opened"
        ) from None


def _was_published(entry: Entry) -> bool:
    """Return whether a release was published, or may have been: whether its folder changed."""
    try:
        found = digest_published_certificate(entry.folder)
    except OSError:
        return True
    return found == entry.certificate_sha256 or found != entry.certificate_before
