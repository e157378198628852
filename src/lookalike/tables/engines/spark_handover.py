"""Spark handover: rows of Spark to DuckDB, and what both need to know of Spark's columns."""

from __future__ import annotations

import glob
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize

import duckdb

from lookalike.errors import InvalidInput, LookalikeError, Unavailable
from lookalike.tables.connection import Connection
from lookalike.tables.sql import SOURCE_CHANGED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType

_THEIR_MODULES = ("pyspark.", "py4j.", "pyarrow.", "grpc.")
"""Where the errors come from whose text is Spark's."""
_FAILURES = {
    "ExecutorLostFailure": "executors were lost, and their tasks too often",
    "FetchFailed": "executors were lost, and with them rows in a shuffle",
    "OutOfMemoryError": "the driver or an executor has too little memory",
    "No space left on device": "a disk of the cluster is full",
    "cancelled": "the job was cancelled",
    "SparkContext was shut down": "the session ended",
    "stopped SparkContext": "the session ended",
    "Py4JNetworkError": "the session ended",
}
"""Words in an error of Spark that mean a fault of the cluster, and what they mean."""
_DEEPEST_CAUSE = 5


KEPT_FILES: WeakKeyDictionary[DataFrame, tuple[Path, int]] = WeakKeyDictionary()
"""The folder of this machine that holds the rows of a DataFrame as Parquet, and their number."""


def hand_to_duckdb(native: DataFrame, connection: Connection) -> duckdb.DuckDBPyRelation:
    """Let DuckDB read rows as Parquet: kept ones, or what Spark writes into a private folder."""
    if native in KEPT_FILES:
        folder, written = KEPT_FILES[native]
        finalize(connection.duckdb, id, native)  # the folder stays as long as the connection
    else:
        folder = connection.folder.path / secrets.token_hex(8)
        written = _write_parquet(native, folder)
    files = [glob.escape(str(file)) for file in sorted(folder.glob("*.parquet"))]
    found = connection.duckdb.read_parquet(files) if files else None
    if found is None or found.shape[0] != written:
        raise InvalidInput(
            f"Spark wrote {written:,} rows below {folder.parent.parent}, but not all of them are "
            "there: its executors have other disks; set TMPDIR to a folder that they share"
        )
    return found


def _write_parquet(native: DataFrame, folder: Path) -> int:
    """Let Spark write rows into a new folder, and return their number."""
    from pyspark.sql import Observation
    from pyspark.sql.functions import expr

    seen = Observation()
    with spark_errors(), keeping_zones(native.sparkSession):
        native.observe(seen, expr("count(*) AS rows")).write.parquet(local_address(folder))
        return int(seen.get["rows"])


@contextmanager
def keeping_zones(session: SparkSession) -> Iterator[None]:
    """Let Parquet files that Spark writes say which times have a zone.

    The default format of such times has none, so that others would read them without one.
    """
    name = "spark.sql.parquet.outputTimestampType"
    before = session.conf.get(name) or "INT96"
    session.conf.set(name, "TIMESTAMP_MICROS")
    try:
        yield
    finally:
        session.conf.set(name, before)


@contextmanager
def spark_errors(place: str = "the table") -> Iterator[None]:
    """Turn an error of Spark into one without its text, which may quote a row."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(_THEIR_MODULES):
            raise
        if SOURCE_CHANGED in str(error):
            reason = f"{SOURCE_CHANGED}, so nothing is released; begin again"
            raise InvalidInput(reason) from None
        raise _explain(error, place) from None


def _explain(error: Exception, place: str) -> LookalikeError:
    """Explain an error of Spark by the classes of its causes, without its text."""
    kinds = ", caused by ".join(_name_causes(error))
    text = f"{type(error).__name__} {error}"
    for words, reason in _FAILURES.items():
        if words in text:
            return Unavailable(
                f"{place}: Spark failed because {reason} ({kinds}); nothing is published: try "
                "again when the cluster works"
            )
    return InvalidInput(f"{place}: Spark cannot process it ({kinds})")


def _name_causes(error: Exception) -> list[str]:
    """Return Spark's name of an error condition, or the classes of an error and its causes."""
    condition = getattr(error, "getCondition", lambda: None)()
    if condition:
        return [condition]
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    names: list[str] = []
    while java is not None and len(names) < _DEEPEST_CAUSE:
        names.append(str(java.getClass().getSimpleName()))
        java = java.getCause()
    return names or [type(error).__name__]


def without_metadata(schema: StructType) -> StructType:
    """Return a schema without the metadata of its fields, which hold collations, too."""

    def strip(part: dict[str, Any]) -> dict[str, Any]:
        return part | {"metadata": {}} if "metadata" in part else part

    return type(schema).fromJson(json.loads(schema.json(), object_hook=strip))


def spark_kinds(schema: StructType) -> dict[str, DataType]:
    """Return the type of each column."""
    return {field.name: field.dataType for field in schema}


def local_address(path: Path) -> str:
    """Write the path of a local file or folder for Spark, which may have another default."""
    return f"file://{path.absolute()}"


def local_pattern(path: Path) -> str:
    """Write the path of a local file or folder for Spark's readers, which know wildcards."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", local_address(path))
