"""Engines: what holds the rows of a table, one file each, behind one protocol.

:class:`~lookalike.tables.engines.engine.Engine` says what every step of the flow needs of a
table. The other files of ``tables/`` are these steps, and call the engine of the frame that they
are given. A new engine is one file here and one line in :data:`ENGINES`; the tests in
``tests/tables/`` run over all of them.

========== ====================================================================================
file        what it holds
========== ====================================================================================
engine.py   the protocol
memory.py   frames of pandas, polars and pyarrow
duckdb.py   files and DuckDB relations, larger than memory if need be
spark.py    Spark DataFrames
ibis.py     Ibis tables whose backend is DuckDB
========== ====================================================================================

``sql_engine.py`` holds the SQL that DuckDB, Ibis and Spark share.
``duckdb_sequences.py`` keeps distinct sequences in DuckDB if they are too many for memory.
``join_tables.py`` makes the small tables that the engines of queries join with the rows.
``spark_source.py`` reads files with Spark, ``spark_handover.py`` hands rows of Spark to DuckDB;
``spark_files.py`` keeps rows of a query in files, and writes, hashes and moves part files on any
file system that Spark knows. PySpark is imported where it is used, so that the package does not
need it.
"""

from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa
from duckdb import DuckDBPyRelation

from lookalike.errors import InternalError, InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.engines.engine import Engine
from lookalike.tables.engines.ibis import Ibis
from lookalike.tables.engines.memory import Memory
from lookalike.tables.engines.spark import Spark
from lookalike.tables.engines.sql_engine import QueryRows, SqlEngine
from lookalike.tables.table import Frame, Table

__all__ = [
    "ENGINES",
    "as_given",
    "as_native",
    "as_relation",
    "collect",
    "engine_of",
    "give_back",
    "settle_mixed",
    "sql_engine_of",
    "write_table",
]

ENGINES: tuple[Engine, ...] = (Memory(), DuckDB(), Spark(), Ibis())


def engine_of(frame: Any) -> Engine:
    """Return the engine that holds a frame."""
    for engine in ENGINES:
        if engine.takes(frame):
            return engine
    raise InvalidInput(
        f"lazy frames of {frame.implementation.value} are not supported; collect the frame first"
    )


def sql_engine_of(rows: QueryRows) -> SqlEngine:
    """Return the engine of the rows of a query, given as the engine itself has them."""
    engine = engine_of(nw.from_native(rows))
    if not isinstance(engine, SqlEngine):
        raise InternalError("rows in memory were asked for by SQL")
    return engine


def as_native(frame: Frame, other: QueryRows, connection: Connection) -> QueryRows:
    """Return the rows of a frame in the engine of other rows: where they are, or in DuckDB."""
    native = frame.to_native() if sql_engine_of(other).takes(frame) else None
    return as_relation(frame, connection) if native is None else native


def write_table(frame: Frame, path: Path, connection: Connection) -> pa.Schema:
    """Write a frame to a file, whose suffix chooses the format; return the names and types."""
    return engine_of(frame).write(frame, path, connection)


def as_relation(frame: Frame, connection: Connection) -> DuckDBPyRelation:
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
    if table.given is None and table.connection is not None:
        eager = isinstance(frame, nw.DataFrame)
        return as_relation(frame, table.connection) if eager else frame.to_native()
    return engine_of(nw.from_native(table.given)).give_back(frame, table)


def as_given(rows: pa.Table, frame: Frame) -> Any:
    """Return a small Arrow table as the kind of frame that the user gave us."""
    return engine_of(frame).like(frame, rows)
