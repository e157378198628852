"""Database: read a table or a query of a database once, and keep its rows in DuckDB.

DuckDB's own extensions for databases are downloaded when they are first used, which a machine
with private data may not allow. Python's drivers need no download.
"""

import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.errors import InvalidInput, Unavailable
from lookalike.tables.connection import Connection
from lookalike.tables.databases.database import DatabaseAddress, DatabaseRows
from lookalike.tables.databases.database_url import query_url
from lookalike.tables.databases.postgres import query_postgres
from lookalike.tables.databases.sqlite import query_sqlite
from lookalike.tables.labels import label
from lookalike.tables.source import Source
from lookalike.tables.sql import engine_errors, quote_name, store
from lookalike.tables.table import check_names


def read_database(source: Source, connection: Connection) -> duckdb.DuckDBPyRelation:
    """Read the rows of a source in a database into a temporary table."""
    name = f"lookalike_database_{secrets.token_hex(8)}"
    address = DatabaseAddress.parse(source.database or "")
    if address.kind == "duckdb":
        return _copy_from_duckdb(address.place, _write_query(source), name, connection)
    with _query(address, source) as rows, engine_errors("database"):
        none = connection.duckdb.from_arrow(rows.schema.empty_table())
        kept = store(none, name, "*", connection.duckdb)
        for batch in _batches(rows):
            connection.duckdb.from_arrow(batch).insert_into(name)
    return kept


def _query(address: DatabaseAddress, source: Source) -> AbstractContextManager[DatabaseRows]:
    """Run the query of a source in its database, or select its table."""
    if address.kind == "url":
        asked = _write_query(source) if source.query else None
        return query_url(address.place, source.table, asked)
    if address.kind == "sqlite":
        return query_sqlite(address.place, _write_query(source))
    return query_postgres(address.place, _write_query(source))


def _write_query(source: Source) -> str:
    """Return the query of a source, or one that selects its table."""
    if source.query:
        return source.query.rstrip("; \t\r\n")
    table = ".".join(quote_name(part) for part in (source.table or "").split("."))
    return f"SELECT * FROM {table}"


def _copy_from_duckdb(
    file: str, query: str, name: str, connection: Connection
) -> duckdb.DuckDBPyRelation:
    """Run a query in a DuckDB file that is opened for reading only, and keep its rows."""
    if not Path(file).is_file():
        raise InvalidInput(f"database: no DuckDB file is found at {file}")
    try:
        # an extension that the file needs is not downloaded
        database = duckdb.connect(
            file, read_only=True, config={"autoinstall_known_extensions": False}
        )
    except duckdb.IOException:
        raise Unavailable(
            f"{file}: another process has opened the database for writing, or it is no DuckDB "
            "file; try again when that process has finished"
        ) from None
    with database, engine_errors("database"):
        rows = database.sql(f"SELECT * FROM ({query}\n)")
        check_names(rows.columns, "database")
        read = connection.duckdb.from_arrow(rows.to_arrow_reader())
        return store(read, name, "*", connection.duckdb)


def _batches(rows: DatabaseRows) -> Iterator[pa.Table]:
    """Convert rows to columns, some thousands at a time."""
    for batch in rows.batches:
        columns = zip(*batch, strict=True)
        arrays = [
            _convert(values, field, number)
            for number, (values, field) in enumerate(zip(columns, rows.schema, strict=True), 1)
        ]
        yield pa.table(arrays, schema=rows.schema)


def _convert(values: tuple[object, ...], field: pa.Field, number: int) -> pa.Array:
    """Convert the values of a column; where types are mixed, to their labels."""
    try:
        if pa.types.is_string(field.type):
            return pa.array([label(value) for value in values], pa.string())
        return pa.array(values, field.type)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        raise InvalidInput(
            f"database: a value of column {number} does not fit the type {field.type}; use a "
            "query that casts the column to text"
        ) from None
