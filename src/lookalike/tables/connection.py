"""Connection: a DuckDB connection of our own, with a private folder for what it spills."""

import weakref
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.tables.files.last_rows import LastRows
from lookalike.tables.keyed_hash import register_keyed_hash
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.resources import HALF_OF_FREE, Resources

_MEASURE_PROGRESS = "SET enable_progress_bar = true; SET enable_progress_bar_print = false"
"""Lets DuckDB know how far a query is (:mod:`lookalike.tables.query_progress`)."""


class Connection:
    """A DuckDB connection with a private folder for its spill and for converted files.

    Relations refer to the connection, so the folder stays until the last of them is gone.

    Parameters
    ----------
    resources
        How much memory DuckDB may use, and the folder for what exceeds it.
    beside
        The folder in which to make the private folder if the resources choose none; without it,
        the system's temporary folder.
    """

    def __init__(self, resources: Resources = HALF_OF_FREE, beside: Path | None = None) -> None:
        _let_arrow_import_pandas()
        self.last_rows: dict[str, tuple[LastRows, ...]] = {}
        """The last rows of the text files and sheets that were read, by the path of the source."""
        self.folder = scratch_folder(resources.place() or beside)
        self.duckdb = duckdb.connect()
        weakref.finalize(self.duckdb, self.folder.remove)
        self.duckdb.execute("SET temp_directory = ?", [str(self.folder.path / "spill")])
        self.duckdb.execute("SET memory_limit = ?", [resources.limit])
        with suppress(duckdb.InvalidInputException):  # Jupyter without ipywidgets has no progress
            self.duckdb.execute(_MEASURE_PROGRESS)
        register_keyed_hash(self.duckdb)


def _let_arrow_import_pandas() -> None:
    """Let Arrow import pandas now, if it is installed.

    It would do so in the middle of its first conversion to NumPy, and lose a Ctrl-C meanwhile.
    """
    pa.array([0])
