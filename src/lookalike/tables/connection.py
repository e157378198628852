"""Connection: a DuckDB connection of our own, with a private folder for what it spills.

It knows two things that DuckDB does not offer: how far its queries are, for people who wait, and a
random number for each row of a query, under a secret key. DuckDB itself offers md5 as the only
keyed hash that resists cryptanalysis, and md5 of 100 million row numbers takes as long as sorting
the rows. Our connections have a function that computes SipHash-2-4
(:mod:`lookalike.kernels.siphash`). A connection of the user is left as it is and uses md5.

Rows that are sorted by the hash of their position are in a random order: the hash is a
pseudorandom function, so the numbers of different positions are independent and uniform to everyone
without the key, and independent, uniform numbers are in each order with the same probability. Two
of 64 bits may be equal; then the engine decides which row comes first. For n rows, n² / 2^65 pairs
are expected to be equal: 0.0003 for 100 million rows, and nobody can see which pair it is.
"""

import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
from duckdb.func import PythonUDFType

from lookalike.kernels.siphash import siphash
from lookalike.model.progress import Announce
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.sql import engine_errors, quote_name, quote_text

if TYPE_CHECKING:
    from lookalike.tables.files.plain_text import LastRows

_MEASURE_PROGRESS = "SET enable_progress_bar = true; SET enable_progress_bar_print = false"
"""Lets DuckDB know how far a query is (:func:`watching`)."""
SYNCHRONOUS: Any = {"async_threads": 0}
"""How files are written. With threads for that, Ctrl-C in DuckDB 2.0's COPY to Parquet can wait
forever: the query that ends holds a lock and waits for a thread that waits for the lock."""
_FUNCTION = "lookalike_keyed_hash"
REPORT_SECONDS = 0.5
FIRST_REPORT_SECONDS = 2.0
"""A query that ends before is not worth a report, and its remaining time is hard to estimate."""
LEAST_PERCENT = 5.0
"""With less done, nothing follows for the rest: DuckDB reports less than 0.1 % for a while."""


class Connection:
    """A DuckDB connection with a private folder for its spill and for converted files.

    Relations refer to the connection, so the folder stays until the last of them is gone.

    ``resources``: how much memory DuckDB may use, and the folder for what exceeds it.
    ``beside``: the folder in which to make the private folder if the resources choose none; without
    it, the system's temporary folder.
    """

    def __init__(self, resources: Resources = HALF_OF_FREE, beside: Path | None = None) -> None:
        _let_arrow_import_pandas()
        self.resources = resources
        self.last_rows: dict[str, tuple[LastRows, ...]] = {}
        """The last rows of the text files and sheets that were read, by the path of the source."""
        self.folder = scratch_folder(resources.place() or beside)
        self.duckdb = duckdb.connect(config=SYNCHRONOUS)
        weakref.finalize(self.duckdb, self.folder.remove)
        with engine_errors():
            self.duckdb.execute("SET temp_directory = ?", [str(self.folder.path / "spill")])
            self.duckdb.execute("SET memory_limit = ?", [resources.limit])
            with suppress(duckdb.InvalidInputException):  # Jupyter without ipywidgets has none
                self.duckdb.execute(_MEASURE_PROGRESS)
            register_keyed_hash(self.duckdb)

    def another(self) -> "Connection":
        """Return another connection to the same DuckDB, with the same memory and folder.

        It has transactions, temporary tables and views of its own. To start another DuckDB would
        take as long as a small release.
        """
        other = copy(self)
        other.last_rows, other.duckdb = {}, self.duckdb.cursor()
        weakref.finalize(other.duckdb, id, self.duckdb)  # the folder stays as long as the other
        return other


def _let_arrow_import_pandas() -> None:
    """Let Arrow import pandas now, if it is installed.

    It would do so in the middle of its first conversion to NumPy, and lose a Ctrl-C meanwhile.
    """
    pa.array([0])


def register_keyed_hash(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the function to a connection."""
    connection.create_function(
        _FUNCTION,
        _hash_numbers,
        ["VARCHAR", "BIGINT"],
        "UBIGINT",
        type=PythonUDFType.ARROW,
    )


def keyed_hash_sql(relation: duckdb.DuckDBPyRelation, key: str, column: str) -> str:
    """Return an SQL expression for the keyed hash of a column of whole numbers."""
    own = f"{_FUNCTION}({quote_text(key)}, {quote_name(column)})"
    try:
        relation.project(own)
    except duckdb.CatalogException:
        return f"md5_number_lower({quote_text(key)} || {quote_name(column)})"
    return own


def _hash_numbers(keys: pa.ChunkedArray, numbers: pa.ChunkedArray) -> pa.Array:
    """Hash the numbers of one piece of a query; it has one key."""
    words = np.frombuffer(bytes.fromhex(keys[0].as_py()), dtype="<u8")
    return pa.array(siphash(words, numbers.to_numpy().astype(np.uint64)))


@contextmanager
def watching(connection: Connection | None, announce: Announce) -> Iterator[None]:
    """Report the progress of the queries that run while the body of the ``with`` statement does.

    ``announce``: callback that receives the progress, such as ``"43 %, about 12 s left"``. It is
    called from another thread.
    """
    if connection is None:
        yield
        return
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(connection.duckdb, announce, ended))
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(
    connection: duckdb.DuckDBPyConnection, announce: Announce, ended: threading.Event
) -> None:
    """Report the progress of query after query, until the body ends.

    The time of a query begins when none ran before it, or when the progress falls back.
    """
    began, before = time.monotonic(), 0.0
    while not ended.wait(REPORT_SECONDS):
        percent = connection.query_progress()
        if percent < 0 or percent < before:
            began = time.monotonic()
        before = max(percent, 0.0)
        words = describe_progress(percent, time.monotonic() - began)
        if words is not None:
            announce(words)


def describe_progress(percent: float, seconds: float) -> str | None:
    """Describe how far a query is, and how long it will take; nothing if that is not known yet.

    Examples
    --------
    >>> describe_progress(25.0, 30.0)
    '25 %, about 90 s left'
    >>> describe_progress(25.0, 300.0)
    '25 %, about 15 min left'
    """
    if seconds < FIRST_REPORT_SECONDS or not LEAST_PERCENT <= percent < 100:
        return None
    left = seconds * (100 - percent) / percent
    time_left = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
    return f"{percent:.0f} %, about {time_left} left"
