"""The folder of a ledger's files: created once, and claimed by exactly one ledger."""

from pathlib import Path

from sqlalchemy import Connection, update

from lookalike.errors import InvalidInput
from lookalike.ledger.store import schema
from lookalike.ledger.store.database import now, read_identity
from lookalike.ledger.store.permissions import refuse_open_to_others
from lookalike.tables.private_folders import write_errors, write_whole

_OWNER_FILE = "ledger"
"""File with the identity of the ledger to which a folder belongs."""


def claim_files(connection: Connection, files: Path) -> None:
    """Create the folder of a ledger's files, or check that it is the one created before.

    A process that used another folder would not be stopped by the lock on this one, and would not
    find the rows of earlier releases.

    Raises
    ------
    InvalidInput
        If it belongs to another ledger, is not the ledger's folder, or is open to other users.
    """
    with connection.begin():
        known = read_identity(connection)
        if known.files_claimed is None:
            make_private(files)
            _write_owner(files, known.id)
            connection.execute(update(schema.ledger).values(files_claimed=now()))
        _check_owner(files, known.id)
    make_private(files)


def _write_owner(files: Path, identity: str) -> None:
    """Write the identity of the ledger into a folder that belongs to no ledger yet."""
    owner = files / _OWNER_FILE
    if not owner.exists():
        with write_errors(owner):
            write_whole(owner, identity.encode())


def _check_owner(files: Path, identity: str) -> None:
    """Refuse a folder that does not belong to a ledger."""
    owner = files / _OWNER_FILE
    if not owner.is_file():
        raise InvalidInput(
            f"ledger_files: the files of the ledger are not in {files}; give their folder"
        )
    if owner.read_bytes() != identity.encode():
        raise InvalidInput(
            f"ledger_files: {files} has the files of another ledger; choose another folder"
        )


def make_private(folder: Path) -> None:
    """Create a folder with mode 0700, or refuse an existing one that is open to other users."""
    with write_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    refuse_open_to_others(folder, "ledger_files")
