"""Journal heads: the last change of a ledger, kept in files outside of its database.

A database that is restored from a backup is consistent in itself. The heads reveal that it is an
older copy. There are two of them: in the folder of the ledger's files, and beside its key.

A head is written after a change is committed, and read before the database is read. So it is never
ahead of a database that was not restored, even if processes crash or run at the same time. The
next process that opens the ledger advances a head that is behind. A head that cannot be written
stays behind; an older copy may then go unnoticed.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.private_folders import locked, write_errors, write_whole


@dataclass(frozen=True)
class FilesAndKey:
    """The parts of an open ledger that are outside of its database.

    ``name``: name of the ledger in messages.
    ``heads``: files that hold the end of its journal
    (:mod:`~lookalike.ledger.store.journal_heads`).
    """

    name: str
    folder: Path
    secret: bytes = field(repr=False)
    heads: tuple[Path, ...]


@dataclass(frozen=True)
class JournalHead:
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


def name_head_file(ledger: str) -> str:
    """Return the name of the head file of a ledger, given its identity."""
    return f"ledger-{ledger}.head"


def read_heads(files_and_key: FilesAndKey) -> tuple[JournalHead, ...]:
    """Read the heads whose files exist."""
    return tuple(
        head for path in files_and_key.heads if (head := JournalHead.read(path)) is not None
    )


def advance_heads(files_and_key: FilesAndKey, head: JournalHead) -> None:
    """Write a head to every file that is behind; skip a file that cannot be written."""
    if not head.changes or not any(_is_behind(path, head) for path in files_and_key.heads):
        return
    with suppress(OSError), locked(files_and_key.folder):
        for path in files_and_key.heads:
            if _is_behind(path, head):
                with suppress(OSError):
                    head.write(path)


def reset_heads(files_and_key: FilesAndKey, head: JournalHead) -> None:
    """Write the head of a restored database to every file."""
    with locked(files_and_key.folder):
        for path in files_and_key.heads:
            with write_errors(path):
                head.write(path)


def _is_behind(path: Path, head: JournalHead) -> bool:
    """Return whether a file has no head, or one with fewer changes."""
    known = JournalHead.read(path)
    return known is None or known.changes < head.changes
