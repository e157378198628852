"""Read: from a source or a frame to one kind of frame that the other steps work on."""

import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.connection import Connection
from lookalike.tables.databases.read_database import read_database
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.spark_source import read_with_spark
from lookalike.tables.files.file_format import without_compression
from lookalike.tables.files.read_files import (
    find_files,
    find_kind,
    read_files,
    recognize_partitions,
)
from lookalike.tables.source import NEEDS_PLACE, Source, is_address
from lookalike.tables.sql import (
    VARIABLES,
    copy_to_file,
    derive,
    engine_errors,
    sources_of,
    store,
)
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import POSITION, Frame, Role, Table, check_names, column_names

CLEANING_FIELDS = ("missing", "trim")
"""The fields of a source that say how values are read; they are for frames, too."""
TEXT_KINDS = ("csv", "json")
SMALL_BYTES = 16 * 2**20
"""Files of this size together are read once into memory."""
HELD_CELLS = 10_000_000
"""How many values of them may come to memory."""
PLAIN_TYPES = {"varchar", "boolean", "integer", "bigint", "double", "date", "timestamp"}
"""Types of DuckDB that Arrow has as well."""


def read_source(
    source: Source, connection: Connection, cleaning: Cleaning | None = None
) -> nw.LazyFrame[Any]:
    """Return the eligible rows of a source, as a query that has not run yet.

    ``cleaning``: how their values are read; by default as the source says for every column.
    """
    if source.is_frame:
        raise InvalidInput(NEEDS_PLACE)
    cleaning = source.cleaning if cleaning is None else cleaning
    if source.engine == "spark":
        return read_with_spark(source, connection, cleaning)
    if source.path is not None:
        relation = read_files(source.path, source, connection)
    elif source.database is not None:
        relation = read_database(source, connection)
    else:
        relation = _read_query(source, connection)
    check_names(relation.columns)
    rows: nw.LazyFrame[Any] = clean(nw.from_native(relation), cleaning)
    if source.where is None:
        return rows
    with engine_errors("where"):
        return nw.from_native(derive(rows.to_native(), f"SELECT * FROM t WHERE ({source.where})"))


def number_rows(
    source: Source, connection: Connection, cleaning: Cleaning
) -> nw.LazyFrame[Any] | None:
    """Return the rows of local Parquet files with the position of each, which DuckDB knows."""
    if source.path is None or source.engine != "duckdb":
        return None
    if find_kind(source.path, find_files(source.path)) != "parquet":
        return None
    relation = read_files(source.path, source, connection, numbered=True)
    return clean(nw.from_native(relation), cleaning) if POSITION in relation.columns else None


def hold_rows(
    table: Table, source: Source, cleaning: Cleaning, *, most: int, is_read_often: bool
) -> Table:
    """Copy rows that would be parsed several times, and number those of large Parquet files.

    The rows of small files come to memory, where no query has to be planned; those of text files to
    a Parquet file in the private folder of the connection, if they are read often.
    :attr:`Table.again` reads the source itself.

    ``most``: how many rows may be counted in memory, each as an entry of its own.
    """
    if source.path is None or table.connection is None:
        return table
    files, relation, connection = find_files(source.path), table.frame.to_native(), table.connection
    kind = find_kind(source.path, files)
    with engine_errors():
        if _is_small(kind, files, relation):
            rows = relation.to_arrow_table()
            held = rows if len(rows) <= most else connection.duckdb.from_arrow(rows)
            return replace(table, frame=nw.from_native(held), again=table.frame)
        if not is_read_often or kind not in TEXT_KINDS:
            numbered = number_rows(source, connection, cleaning)
            return replace(table, from_files=numbered)
        copied = Path(tempfile.mkdtemp(dir=connection.folder.path)) / "rows.parquet"
        copy_to_file(relation, copied, "FORMAT parquet", connection.duckdb)
    kept = Source(path=str(copied))
    return replace(
        table,
        frame=read_source(kept, connection),
        from_files=number_rows(kept, connection, Cleaning()),
        again=table.frame,
    )


def parse_once(rows: duckdb.DuckDBPyRelation, file: Path) -> duckdb.DuckDBPyRelation:
    """Keep the rows of a large text file in a temporary table, to count them several times."""
    if find_kind(str(file), [file]) not in TEXT_KINDS or file.stat().st_size <= SMALL_BYTES:
        return rows
    with engine_errors("the release"):
        return store(rows, f"lookalike rows {secrets.token_hex(8)}", "*")


def _is_small(kind: str, files: Sequence[Path], rows: duckdb.DuckDBPyRelation) -> bool:
    """Return whether the rows of files fit in memory easily, and keep their types there.

    A small file may have many rows if it is compressed. The number of rows of a Parquet file is
    known without reading them.
    """
    if sum(file.stat().st_size for file in files) > SMALL_BYTES:
        return False
    if kind in TEXT_KINDS:
        return all(without_compression(file) == file for file in files)
    if kind != "parquet" or not {one.id for one in rows.types} <= PLAIN_TYPES:
        return False
    [(number,)] = rows.aggregate("count(*)").fetchall()
    return int(number) * len(rows.columns) <= HELD_CELLS


def read_frame(native: Any) -> Frame:
    """Accept any frame that narwhals supports; a polars LazyFrame is collected."""
    try:
        frame: Frame = nw.from_native(native)
    except TypeError:
        raise InvalidInput(
            f"a {type(native).__name__} is not a table; give a path, or a pandas, polars, "
            "pyarrow or Ibis table, a DuckDB relation, or a Spark DataFrame"
        ) from None
    except nw.exceptions.DuplicateError:
        raise InvalidInput("two columns of the table have the same name; rename one") from None
    engine = engine_of(frame)
    adopted = engine.adopt(frame)
    check_names(engine.columns(adopted))
    return clean(adopted, Cleaning())


def read_table(
    table: Any, source: Mapping[str, Any], connection: Connection | None = None
) -> Frame:
    """Read a path, or accept a frame."""
    if isinstance(table, str | PathLike):
        unknown = sorted(set(source) - {field.name for field in fields(Source)} - {"path"})
        if unknown:
            raise InvalidInput(f"{unknown[0]!r} is not a field of a source")
        described = Source(path=str(table), **source)
        if described.partitions is None and not is_address(str(table)):
            described = replace(described, partitions=recognize_partitions(str(table)) or None)
        return read_source(described, connection or Connection(described.resources))
    others = [name for name in source if name not in CLEANING_FIELDS]
    if others:
        raise InvalidInput(f"{', '.join(others)} can be given for a path only, not for a frame")
    frame = read_frame(table)
    return clean(frame, Source(path="", **source).cleaning) if source else frame


def _read_query(source: Source, connection: Connection) -> duckdb.DuckDBPyRelation:
    """Join the named tables by the query of the data holder, which can read only these tables."""
    for name, path in source.tables.items():
        if name.lower() in VARIABLES:
            raise InvalidInput(f"table {name}: choose another name, which lookalike does not use")
        with engine_errors(f"table {name}"):
            read_files(path, source, connection).create_view(name)
    query = source.query or ""
    with engine_errors("query"):
        others = sorted(sources_of(query, connection.duckdb) - {t.lower() for t in source.tables})
        if others:
            raise InvalidInput(
                f"query: {others[0]!r} is not one of the tables {', '.join(source.tables)}; name "
                "its file under tables, so that it is read as text like the others"
            )
        return connection.duckdb.sql(query)


def materialize(table: Table, place: Path | StorageUrl | None = None) -> Table:
    """Return a table whose rows stay the same each time they are fetched.

    An engine that runs queries stores the position of each row beside it, as
    :data:`~lookalike.tables.table.POSITION`, which is never released. A frame in memory stays as
    it is.
    """
    frame = engine_of(table.frame).materialize(table.frame, place)
    if POSITION not in column_names(frame):
        return replace(table, frame=frame)
    numbered: dict[str, Role] = {**table.roles, POSITION: "identifier"}
    return replace(table, frame=frame, roles=numbered, held=frame)
