"""Lock of a source: only one process at a time judges and publishes releases of a source.

With SQLite the process locks the folder of the source, with PostgreSQL it takes an advisory lock of
its session. Both locks end with the process that holds them, so a crashed process holds none.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, text

from lookalike.errors import Unavailable
from lookalike.ledger.store.database import read_identity
from lookalike.model.progress import Announce

LOCK_WAIT_SECONDS = 600.0
_PAUSE_SECONDS = 0.02


def source_folder(files: Path, source: str) -> Path:
    """Return the folder with the files of a source, given the folder of the ledger."""
    return files / hashlib.blake2b(source.encode(), digest_size=16).hexdigest()


@contextmanager
def locked_source(
    connection: Connection, folder: Path, source: str, seconds: float, announce: Announce
) -> Iterator[None]:
    """Hold the lock of a source; wait if another process holds it."""
    lock = _lock_on_server if connection.dialect.name == "postgresql" else _lock_folder
    since, announced = time.monotonic(), False
    with lock(connection, folder, source) as attempt:
        while not attempt():
            if time.monotonic() - since >= seconds:
                raise Unavailable(
                    f"another process is publishing a release of {source!r} and did not finish "
                    f"within {seconds:,.0f} seconds; nothing is published: try again when it has "
                    "finished"
                )
            if not announced:
                announce(f"waiting for another release of {source!r}")
                announced = True
            time.sleep(_PAUSE_SECONDS)
        yield


@contextmanager
def _lock_folder(
    _connection: Connection, folder: Path, _source: str
) -> Iterator[Callable[[], bool]]:
    """Lock a folder; the lock ends when the handle is closed."""
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
def _lock_on_server(
    connection: Connection, _folder: Path, source: str
) -> Iterator[Callable[[], bool]]:
    """Take an advisory lock whose number depends on ledger and source; it ends with the session."""
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
