"""FilesAndKey: the parts of an open ledger that are outside of its database."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class FilesAndKey:
    """The parts of an open ledger that are outside of its database.

    Parameters
    ----------
    name
        Name of the ledger in messages.
    folder
        Folder of its files.
    secret
        Its key.
    heads
        Files that hold the end of its journal (:mod:`~lookalike.ledger.store.journal_heads`).
    """

    name: str
    folder: Path
    secret: bytes = field(repr=False)
    heads: tuple[Path, ...]
