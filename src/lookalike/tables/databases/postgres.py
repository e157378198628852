"""PostgreSQL: run a query on a server and find the types of its columns.

psycopg is imported only when it is needed, because it is an optional dependency.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.databases.database import DatabaseRows
from lookalike.tables.sql import quote_name
from lookalike.tables.table import check_names

if TYPE_CHECKING:
    import psycopg

_CONNECT_SECONDS = 15
_TYPES = {
    16: pa.bool_(),
    20: pa.int64(),
    21: pa.int16(),
    23: pa.int32(),
    25: pa.string(),
    700: pa.float32(),
    701: pa.float64(),
    1043: pa.string(),
    1082: pa.date32(),
    1114: pa.timestamp("us"),
    1184: pa.timestamp("us", "UTC"),
}
"""The types that are kept, by their numbers in PostgreSQL; values of others become text."""
_NUMERIC = 1700
_MOST_DIGITS = 38
_ABOUT_THE_QUERY = "42"
"""Class of errors in names, syntax and permissions, whose messages quote no value of a row."""


@contextmanager
def query_postgres(place: str, query: str) -> Iterator[DatabaseRows]:
    """Run a query on a server, in one transaction that can only read."""
    try:
        import psycopg
    except ModuleNotFoundError:
        raise InvalidInput(
            "a table on PostgreSQL needs psycopg: pip install 'lookalike[postgres]'"
        ) from None
    with _connect(place) as connection:
        try:
            connection.execute("SET TimeZone = 'UTC'")
            described = connection.execute(_selection("*", query, "LIMIT 0")).description or []
            check_names([column.name for column in described], "database")
            types = [_column_type(column) for column in described]
            columns = ", ".join(map(_column_sql, described, types))
            schema = [
                (column.name, kind or pa.string())
                for column, kind in zip(described, types, strict=True)
            ]
            with connection.cursor(name="lookalike") as cursor:
                cursor.execute(_selection(columns, query))
                yield DatabaseRows(pa.schema(schema), cursor)
        except (psycopg.Error, UnicodeError) as error:
            raise InvalidInput(f"database: {_explain_error(error)}") from None


@contextmanager
def _connect(place: str) -> "Iterator[psycopg.Connection[Any]]":
    """Connect; no message repeats the address or the driver's words, which may quote it."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        asked = {"connect_timeout": _CONNECT_SECONDS, **conninfo_to_dict(place)}
    except psycopg.Error:
        raise InvalidInput(
            "database: the connection string of PostgreSQL cannot be read; write it as "
            '"postgres:dbname=clinic host=db.example.org" or "postgresql://user@host/clinic"'
        ) from None
    try:
        connection = psycopg.connect(**{**asked, "client_encoding": "UTF8"})  # type: ignore[arg-type]
    except psycopg.Error:
        raise InvalidInput(
            "database: the PostgreSQL server cannot be reached, or refuses the user, the password "
            "or the database; try the same address with psql"
        ) from None
    with connection:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        yield connection


def _selection(columns: str, query: str, rest: str = "") -> bytes:
    """Write a SELECT over a query."""
    return f"SELECT {columns} FROM ({query}\n) AS lookalike {rest}".encode()


def _column_type(column: "psycopg.Column") -> pa.DataType | None:
    """Return the type of a column; None if its values become text."""
    digits, scale = column.precision, column.scale
    if column.type_code != _NUMERIC or digits is None or scale is None:
        return _TYPES.get(column.type_code)
    fits = digits <= _MOST_DIGITS and 0 <= scale <= digits
    return pa.decimal128(digits, scale) if fits else None


def _column_sql(column: "psycopg.Column", kind: pa.DataType | None) -> str:
    """Select a column, as text if its type is not kept."""
    name = quote_name(column.name)
    return name if kind is not None else f"{name}::text AS {name}"


def _explain_error(error: "psycopg.Error | UnicodeError") -> str:
    """Describe an error without the server's words, unless they are about the query itself."""
    if isinstance(error, UnicodeError):
        return "a value is not text in UTF-8; use a query that leaves the column out"
    if (error.sqlstate or "").startswith(_ABOUT_THE_QUERY):
        return str(error.diag.message_primary)
    kind = type(error).__name__
    return f"PostgreSQL cannot read it ({kind}); use a query that casts odd values to text"
