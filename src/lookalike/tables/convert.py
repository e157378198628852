"""Convert: a frame to a file, to SQL, to Arrow, or to the kind of frame that came in."""

from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.tables.connection import Connection
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.spark_store import Store
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame, Table


def write_table(frame: Frame, path: Path) -> pa.Schema:
    """Write a frame to a file, whose suffix chooses the format; return the names and types."""
    return engine_of(frame).write(frame, path)


def open_store(frame: Frame, url: StorageUrl) -> Store:
    """Open the file system of an address, to write the rows of a frame there as part files."""
    return engine_of(frame).open_store(frame, url)


def as_relation(frame: Frame, connection: Connection) -> duckdb.DuckDBPyRelation:
    """Hand a frame to SQL; a query stays where it is."""
    return engine_of(frame).to_relation(frame, connection)


def collect(frame: Frame) -> nw.DataFrame[Any]:
    """Return all rows as a frame in memory."""
    return engine_of(frame).collect(frame)


def settle_mixed(frame: Frame) -> Frame:
    """Write columns of mixed objects as text, so that 1 and "1", counted as one, are one."""
    return engine_of(frame).settle(frame)


def give_back(frame: Frame, table: Table) -> Any:
    """Return released rows as the kind of frame that the user gave us; of files, as a query."""
    given = frame if table.given is None else nw.from_native(table.given)
    return engine_of(given).give_back(frame, table)


def as_given(rows: pa.Table, frame: Frame) -> Any:
    """Return a small Arrow table as the kind of frame that the user gave us."""
    return engine_of(frame).like(frame, rows)
