"""Spark source: the rows of files as a DataFrame, of a session that is started if there is none.

Spark reads Parquet itself. Its readers of text cannot be trusted with people: a quoted field that
is not closed swallows the rest of the file, bytes that are not UTF-8 become one and the same
character, an empty line of a single column is skipped. So DuckDB reads text files, as it does
without Spark, and hands them over as Parquet in its private folder.
"""

from __future__ import annotations

import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.connection import Connection
from lookalike.tables.engines.spark import Spark
from lookalike.tables.engines.spark_handover import local_address, local_pattern, spark_errors
from lookalike.tables.files.file_format import CERTIFICATE, format_of
from lookalike.tables.files.read_files import (
    find_files,
    find_kind,
    fixed_part,
    partition_names,
    read_files,
)
from lookalike.tables.source import Source, is_address
from lookalike.tables.sql import copy_to_file, engine_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_QUIET = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
"""Settings of a session that we start: Spark's log quotes values of rows that cannot be read."""
_CLOSED = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1"}
"""Settings on one machine: Spark and its web page, which shows queries, are not on the network."""


def read_with_spark(
    source: Source, connection: Connection, cleaning: Cleaning
) -> nw.LazyFrame[Any]:
    """Return the eligible rows of a source as a DataFrame."""
    path = source.path or ""
    session = start_session(source.master)
    with spark_errors(path):
        if is_address(path):
            rows = _read_address(session, path, source)
        else:
            rows = _read_local(session, path, source, connection)
    cleaned = clean(Spark().adopt(nw.from_native(rows)), cleaning)
    if source.where is not None:
        with spark_errors("where"):
            cleaned = nw.from_native(cleaned.to_native().where(source.where))
    weakref.finalize(cleaned.to_native(), _let_go, connection)
    return cleaned


def _let_go(connection: Connection) -> None:
    """Do nothing: until it is called, the private folder of the connection stays."""


def has_session() -> bool:
    """Return whether a session of Spark runs in this process."""
    known = sys.modules.get("pyspark.sql")
    return known is not None and known.SparkSession.getActiveSession() is not None


def start_session(master: str | None) -> SparkSession:
    """Return the session of this process, or start one."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise InvalidInput(
            "engine = \"spark\" needs PySpark: pip install 'lookalike[spark]'"
        ) from None
    builder = SparkSession.builder
    if master is not None and master.startswith("sc://"):
        builder = builder.remote(master)
    elif master is not None:
        builder = builder.master(master)
        for name, value in (_QUIET | (_CLOSED if master.startswith("local") else {})).items():
            builder = builder.config(name, value)
    with spark_errors("a Spark session (has this machine Java 17, and is the master right?)"):
        started: SparkSession = builder.getOrCreate()
    return started


def _read_local(
    session: SparkSession, path: str, source: Source, connection: Connection
) -> DataFrame:
    """Read files of this machine: Parquet as it is, other files as DuckDB reads them."""
    relation, files = read_files(path, source, connection), find_files(path)
    if find_kind(path, files) != "parquet":
        copy = connection.folder.path / "source.parquet"
        with engine_errors(path):
            copy_to_file(relation, copy, "FORMAT parquet")
        return session.read.parquet(local_pattern(copy))
    places = [local_pattern(file) for file in files]
    if not source.partitions:
        return session.read.parquet(*places)
    base = local_address(fixed_part(path))
    return _read_partitioned(session, places, partition_names(path, files), base)


def _read_address(session: SparkSession, path: str, source: Source) -> DataFrame:
    """Read Parquet files that only Spark reaches."""
    chosen = format_of(Path(path))
    if chosen is not None and chosen.kind != "parquet":
        raise InvalidInput(
            f"{path}: at an address Spark reads Parquet only, because its reader of text may lose "
            "rows without a word; convert the files to Parquet, or copy them to this machine"
        )
    for name in source.surrounding:
        raise InvalidInput(
            f"{path}: {name} is for text files and Excel files of this machine; leave it out"
        )
    _refuse_release(session, path)
    found = session.read.option("recursiveFileLookup", True).parquet(path)
    if not source.partitions:
        return found
    inferred = session.read.parquet(path).columns
    names = [name for name in inferred if name not in found.columns]
    if not names:
        raise InvalidInput(
            f"{path}: partitions = true is for folders such as zip=02138, and there are none"
        )
    return _read_partitioned(session, [path], names, None)


def _refuse_release(session: SparkSession, path: str) -> None:
    """Refuse a folder with a release: its rows would count as further people."""
    reader = session.read.format("binaryFile").option("recursiveFileLookup", True)
    if not reader.option("pathGlobFilter", CERTIFICATE).load(path).select("path").isEmpty():
        raise InvalidInput(
            f"{path}: a {CERTIFICATE} lies in it, so it holds a published release, whose rows "
            "would count as further people: use a path that reaches the source only"
        )


def _read_partitioned(
    session: SparkSession, places: list[str], names: list[str], base: str | None
) -> DataFrame:
    """Read Parquet files with the columns in their folder names, which stay text."""
    schema = session.read.option("recursiveFileLookup", True).parquet(*places).schema
    for name in names:
        schema = schema.add(name, "string")
    reader = session.read.schema(schema)
    return (reader if base is None else reader.option("basePath", base)).parquet(*places)
