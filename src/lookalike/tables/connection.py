"""Connection: a DuckDB connection of our own, with a private folder for what it spills."""

import weakref
from pathlib import Path

import duckdb

from lookalike.errors import InvalidInput
from lookalike.tables.private_folders import scratch_folder


class Connection:
    """A DuckDB connection with a private folder for its spill and for converted files.

    Relations refer to the connection, so the folder stays until the last of them is gone.

    Parameters
    ----------
    memory_limit
        How much memory DuckDB may use before it works on disk, such as ``"1GB"``.
    beside
        The folder in which to make the private folder; without it, the system's temporary folder.
    """

    def __init__(self, memory_limit: str | None = None, beside: Path | None = None) -> None:
        self.folder = scratch_folder(beside)
        self.duckdb = duckdb.connect()
        weakref.finalize(self.duckdb, self.folder.remove)
        self.duckdb.execute("SET temp_directory = ?", [str(self.folder.path / "spill")])
        if memory_limit is not None:
            self._limit_memory(memory_limit)

    def _limit_memory(self, amount: str) -> None:
        """Limit the memory, or say how an amount is written."""
        try:
            self.duckdb.execute("SET memory_limit = ?", [amount])
        except duckdb.Error:
            raise InvalidInput(
                f'memory_limit = {amount!r} is not an amount; write it like "512MB" or "4GB"'
            ) from None
