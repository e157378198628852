"""Settle pending releases: decide whether they were published before their process died.

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

from sqlalchemy import Connection, delete, update
from sqlalchemy.exc import SQLAlchemyError

from lookalike.errors import InvalidInput
from lookalike.ledger.store.database import now
from lookalike.ledger.store.entry import Entry, read_entries
from lookalike.ledger.store.journal import checked_transaction, recorded_transaction
from lookalike.ledger.store.journal_heads import FilesAndKey
from lookalike.ledger.store.schema import PUBLISHED, releases
from lookalike.publish.place import digest_published_certificate


def settle(connection: Connection, files_and_key: FilesAndKey, source: str) -> tuple[Entry, ...]:
    """Settle the pending releases of a source whose lock this process holds; return all entries."""
    with checked_transaction(connection, files_and_key):
        entries = read_entries(connection, files_and_key, source)
    pending = [one for one in entries if one.is_pending and one.host == platform.node()]
    if not pending:
        return entries
    for entry in pending:
        settle_entry(connection, files_and_key, entry)
    with checked_transaction(connection, files_and_key):
        return read_entries(connection, files_and_key, source)


def settle_entry(connection: Connection, files_and_key: FilesAndKey, entry: Entry) -> None:
    """Confirm a pending release if it was published; otherwise remove its files and its entry."""
    published, here = _was_published(entry), releases.c.number == entry.number
    if not published:
        for path in entry.files.locations:
            path.unlink(missing_ok=True)
    with recorded_transaction(connection, files_and_key):
        if published:
            confirmed = update(releases).values(state=PUBLISHED, published=now())
            connection.execute(confirmed.where(here))
        else:
            connection.execute(delete(releases).where(here))


def settle_published(connection: Connection, files_and_key: FilesAndKey, entry: Entry) -> None:
    """Settle the release that this process has just tried to publish."""
    try:
        settle_entry(connection, files_and_key, entry)
    except SQLAlchemyError:
        raise InvalidInput(
            f"the ledger {files_and_key.name} could not record whether {entry.folder} was "
            "published; it will find out when it is next opened"
        ) from None


def _was_published(entry: Entry) -> bool:
    """Return whether a release was published, or may have been: whether its folder changed."""
    try:
        found = digest_published_certificate(entry.folder)
    except OSError:
        return True
    return found == entry.certificate_sha256 or found != entry.certificate_before
