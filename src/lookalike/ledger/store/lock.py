"""Lock: one process at a time decides on and publishes releases of a source.

On SQLite it is a lock on the source's folder of the ledger's files, on PostgreSQL an advisory
lock of the session. Both go with the process that holds them, so a dead one holds none.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, text

from lookalike.errors import InvalidInput
from lookalike.ledger.store.database import read_identity
from lookalike.model.progress import Announce

WAIT_SECONDS = 600.0
PAUSE_SECONDS = 0.02


def folder_of(files: Path, source: str) -> Path:
    """Return the folder of the files of a source."""
    return files / hashlib.blake2b(source.encode(), digest_size=16).hexdigest()


@contextmanager
def locked_source(
    connection: Connection, folder: Path, source: str, seconds: float, tell: Announce
) -> Iterator[None]:
    """Hold the lock of a source, waiting for another process that holds it.

    Parameters
    ----------
    connection
        To the database.
    folder
        The folder of the source's files.
    source
        The source.
    seconds
        How long to wait at most.
    tell
        Told if it has to wait.

    Raises
    ------
    InvalidInput
        If another process holds the lock for longer than that.
    """
    take = _on_server if connection.dialect.name == "postgresql" else _on_folder
    with take(connection, folder, source) as attempt:
        _wait(attempt, source, seconds, tell)
        yield


def _wait(attempt: Callable[[], bool], source: str, seconds: float, tell: Announce) -> None:
    """Try again and again, until it is our turn or time is up."""
    since, told = time.monotonic(), False
    while not attempt():
        if time.monotonic() - since >= seconds:
            raise InvalidInput(
                f"another process is publishing a release of {source!r}, and did not end within "
                f"{seconds:,.0f} seconds; nothing is published: try again when it has"
            )
        if not told:
            tell(f"waiting for another release of {source!r}")
            told = True
        time.sleep(PAUSE_SECONDS)


@contextmanager
def _on_folder(_connection: Connection, folder: Path, _source: str) -> Iterator[Callable[[], bool]]:
    """Lock a folder; the lock goes with the handle."""
    handle = os.open(folder, os.O_RDONLY)

    def attempt() -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    try:
        yield attempt
    finally:
        os.close(handle)


@contextmanager
def _on_server(connection: Connection, _folder: Path, source: str) -> Iterator[Callable[[], bool]]:
    """Lock a number of the source on the server; the lock goes with the session."""
    with connection.begin():
        identity = read_identity(connection).id
    digest = hashlib.blake2b(f"{identity} {source}".encode(), digest_size=8).digest()
    number = {"lock": int.from_bytes(digest, signed=True)}
    held = False

    def attempt() -> bool:
        nonlocal held
        with connection.begin():
            taken = connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), number)
            held = bool(taken.scalar_one())
        return held

    try:
        yield attempt
    finally:
        if held and not connection.closed and not connection.invalidated:
            with connection.begin():
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), number)
