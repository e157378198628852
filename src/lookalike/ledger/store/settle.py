"""Settle: find out what became of releases whose process died while it published them.

A release is in the ledger if and only if it is published. Two things cannot change at once, so
it is written down before it takes its place, as pending, and confirmed after it:

==============================  =========================================================
the process died                what is found, and what becomes of it
==============================  =========================================================
before the entry                a private folder that nobody holds: removed
after it, before the rename     the place is as it was: its files and the entry are removed
after the rename                the certificate in its place is the entry's: confirmed
==============================  =========================================================

If neither can be told any more, because the place was removed or replaced by somebody who
does not keep this ledger, the release counts as published: it may have been read.
"""

import platform

from sqlalchemy import Connection, delete, update

from lookalike.ledger.store.database import now
from lookalike.ledger.store.entry import Entry, read_entries
from lookalike.ledger.store.journal import changing, checked
from lookalike.ledger.store.schema import PUBLISHED, releases
from lookalike.ledger.store.vault import Vault
from lookalike.publish.place import digest_published_certificate


def settle(connection: Connection, vault: Vault, source: str) -> tuple[Entry, ...]:
    """Settle the pending releases of a source, whose lock we hold; return its releases.

    Parameters
    ----------
    connection
        To the database.
    vault
        What the ledger has beside it.
    source
        The source.
    """
    with checked(connection, vault):
        entries = read_entries(connection, vault, source)
    pending = [one for one in entries if one.is_pending and one.host == platform.node()]
    if not pending:
        return entries
    for entry in pending:
        settle_entry(connection, vault, entry)
    with checked(connection, vault):
        return read_entries(connection, vault, source)


def settle_entry(connection: Connection, vault: Vault, entry: Entry) -> bool:
    """Confirm a pending release, or remove its files and its entry; tell which of both it was."""
    published, here = was_published(entry), releases.c.number == entry.number
    if not published:
        for path in entry.kept.files:
            path.unlink(missing_ok=True)
    with changing(connection, vault):
        if published:
            confirmed = update(releases).values(state=PUBLISHED, published=now())
            connection.execute(confirmed.where(here))
        else:
            connection.execute(delete(releases).where(here))
    return published


def was_published(entry: Entry) -> bool:
    """Tell whether a release took its place, or may have: whether the place has changed."""
    try:
        found = digest_published_certificate(entry.folder)
    except OSError:
        return True
    return found == entry.certificate_sha256 or found != entry.certificate_before
