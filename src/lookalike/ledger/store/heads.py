"""Heads: how far the journal of a ledger had come, kept outside of its database.

A database that is put back from a backup is whole in itself. That it is an older one is seen by
what is kept elsewhere: in the folder of the ledger's files, and beside its key.

A head is written after the change is in the database, and read before the database is read. So it
is never ahead of a database that nobody put back, whatever process dies or runs at the same time.
The next process that opens the ledger moves on a head that is behind. A head that cannot be written
stays behind, and then less is noticed.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.ledger.store.vault import Vault
from lookalike.tables.private_folders import locked, write_errors, write_whole


@dataclass(frozen=True)
class Head:
    """How far a journal has come.

    Parameters
    ----------
    changes
        The number of changes.
    mac
        The MAC of the last one.
    """

    changes: int
    mac: str

    @classmethod
    def read(cls, path: Path) -> "Head | None":
        """Read a head, if there is one."""
        if not path.is_file():
            return None
        words = path.read_bytes().split()
        if len(words) != 2 or not words[0].isdigit() or not int(words[0]):
            raise InvalidInput(
                f"{path} was changed: it holds how many changes the ledger has had; put it back "
                "from your backup, or remove it"
            )
        return cls(int(words[0]), words[1].decode("ascii", "replace"))

    def write(self, path: Path) -> None:
        """Write the head in the place of another."""
        write_whole(path, f"{self.changes} {self.mac}\n".encode())


def name_head(ledger: str) -> str:
    """Name the file of a head, by which ledger it is of."""
    return f"ledger-{ledger}.head"


def read_heads(vault: Vault) -> tuple[Head, ...]:
    """Read the heads that are there."""
    return tuple(head for path in vault.heads if (head := Head.read(path)) is not None)


def move_on(vault: Vault, head: Head) -> None:
    """Move the heads on that are behind; one that cannot be written stays where it is."""
    if not head.changes or not any(_is_behind(path, head) for path in vault.heads):
        return
    with suppress(OSError), locked(vault.files):
        for path in vault.heads:
            if _is_behind(path, head):
                with suppress(OSError):
                    head.write(path)


def move_back(vault: Vault, head: Head) -> None:
    """Put the heads where a database is that was put back."""
    with locked(vault.files):
        for path in vault.heads:
            with write_errors(path):
                head.write(path)


def _is_behind(path: Path, head: Head) -> bool:
    """Tell whether a head is not as far as another."""
    known = Head.read(path)
    return known is None or known.changes < head.changes
