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

``duckdb_sequences.py`` keeps distinct sequences in DuckDB if they are too many for memory.
``join_tables.py`` makes the small tables that the engines of queries join with the rows.
``spark_source.py`` reads files with Spark, ``spark_rows.py`` keeps rows of a query in files,
``spark_handover.py`` hands rows of Spark to DuckDB;
``spark_store.py`` writes, hashes and moves part files on any file system that Spark knows.
"""

from typing import Any

from lookalike.errors import InvalidInput
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.engines.engine import Engine
from lookalike.tables.engines.ibis import Ibis
from lookalike.tables.engines.memory import Memory
from lookalike.tables.engines.spark import Spark

__all__ = ["ENGINES", "engine_of"]

ENGINES: tuple[Engine, ...] = (Memory(), DuckDB(), Spark(), Ibis())


def engine_of(frame: Any) -> Engine:
    """Return the engine that holds a frame."""
    for engine in ENGINES:
        if engine.takes(frame):
            return engine
    raise InvalidInput(
        f"lazy frames of {frame.implementation.value} are not supported; collect the frame first"
    )
