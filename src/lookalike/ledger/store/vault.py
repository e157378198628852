"""Vault: what a ledger has beside its database: its files, its key, the heads of its journal."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Vault:
    """What a ledger has beside its database.

    Parameters
    ----------
    ledger
        How the ledger is called in messages.
    files
        The folder of its files.
    secret
        Its key.
    heads
        Where the newest state of its journal is kept (:mod:`~lookalike.ledger.store.heads`).
    """

    ledger: str
    files: Path
    secret: bytes = field(repr=False)
    heads: tuple[Path, ...]
