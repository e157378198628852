"""Files: the folder of a ledger's files, which is one and the same for all who use the ledger."""

import stat
from pathlib import Path

from sqlalchemy import Connection, update

from lookalike.errors import InvalidInput
from lookalike.ledger.store import schema
from lookalike.ledger.store.database import now, read_identity
from lookalike.tables.private_folders import write_errors, write_whole

MARK = "ledger"
"""The file that says which ledger a folder belongs to."""


def claim_files(connection: Connection, files: Path) -> None:
    """Make the folder of a ledger's files, or make sure that it is the one that was made.

    With two folders the lock of one would not keep out who has the other, and rows of earlier
    releases would be missing.

    Raises
    ------
    InvalidInput
        If it belongs to another ledger, the ledger's files are elsewhere, or others may enter.
    """
    with connection.begin():
        known = read_identity(connection)
        if known.files_claimed is None:
            make_private(files)
            _mark(files, known.id)
            connection.execute(update(schema.ledger).values(files_claimed=now()))
        _check_mark(files, known.id)
    make_private(files)


def _mark(files: Path, identity: str) -> None:
    """Say which ledger a folder belongs to, if it belongs to none."""
    mark = files / MARK
    if not mark.exists():
        with write_errors(mark):
            write_whole(mark, identity.encode())


def _check_mark(files: Path, identity: str) -> None:
    """Make sure that a folder belongs to a ledger."""
    mark = files / MARK
    if not mark.is_file():
        raise InvalidInput(f"ledger_files: the files of the ledger are not at {files}; say where")
    if mark.read_bytes() != identity.encode():
        raise InvalidInput(
            f"ledger_files: {files} holds the files of another ledger; choose another folder"
        )


def make_private(folder: Path) -> None:
    """Make a folder that only its owner may enter, or make sure that it is one."""
    with write_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(
            f"ledger_files: others may enter {folder}; keep it to yourself: chmod 700"
        )
