"""Query progress: watch the queries of a DuckDB connection, and report how far they are."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from lookalike.model.progress import Announce
from lookalike.tables.connection import Connection

REPORT_SECONDS = 0.5
FIRST_REPORT_SECONDS = 2.0
"""A query that ends before is not worth a report, and its remaining time is hard to estimate."""
LEAST_PERCENT = 5.0
"""With less done, nothing follows for the rest: DuckDB reports less than 0.1 % for a while."""


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
