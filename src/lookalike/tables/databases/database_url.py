"""Database URL: run a query in any database for which SQLAlchemy has a dialect and a driver.

SQLAlchemy is imported only when it is needed. Drivers describe types in ways of their own, so the
type of a column is that of its values, which are fetched twice: to find the types, and to keep
them.
"""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.databases.database import DatabaseRows
from lookalike.tables.table import check_names

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_TYPES = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    bytes: pa.binary(),
    datetime.date: pa.date32(),
    datetime.time: pa.time64("us"),
}
"""The types that are kept; values of others become text, among them decimals."""
_ONE_STATE = ("REPEATABLE READ", "SERIALIZABLE")
"""Isolation levels at which two queries see the same rows, the least first."""


@contextmanager
def query_url(url: str, table: str | None, query: str | None) -> Iterator[DatabaseRows]:
    """Run a query, or select a table, in one transaction that is rolled back.

    ``url``: the address, as SQLAlchemy writes it; no message repeats it or the words of the driver.
    """
    from sqlalchemy.exc import SQLAlchemyError

    engine = _open_engine(url)
    quote = engine.dialect.identifier_preparer.quote
    statement = query or f"SELECT * FROM {'.'.join(map(quote, (table or '').split('.')))}"
    try:
        with _connect(engine) as connection:
            schema = _find_schema(connection, statement)
            rows = connection.exec_driver_sql(statement)
            yield DatabaseRows(schema, rows)
    except SQLAlchemyError as error:
        raise InvalidInput(
            f"database: it cannot run the query or find the table ({type(error).__name__}); try "
            "the same statement with the client of the database"
        ) from None
    finally:
        engine.dispose()


def _open_engine(url: str) -> "Engine":
    """Return the engine of an address."""
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError
    from sqlalchemy.pool import NullPool

    try:
        address = make_url(url)
        _require_file(address.get_backend_name(), address.database)
        return create_engine(address, poolclass=NullPool, hide_parameters=True)
    except NoSuchModuleError:
        raise InvalidInput(
            "database: SQLAlchemy has no dialect of that name; write the address as "
            '"mysql+pymysql://user@host/clinic", and install the package of the dialect'
        ) from None
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"database: the driver {error.name} is not installed: pip install {error.name}"
        ) from None
    except (ArgumentError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(
            'database: the address cannot be read; write it as "mysql+pymysql://user@host/clinic"'
        ) from None


def _require_file(backend: str, file: str | None) -> None:
    """Refuse an SQLite file that does not exist, which connecting would create."""
    if backend == "sqlite" and not Path(file or "").is_file():
        raise InvalidInput(f"database: no SQLite file is found at {file}")


@contextmanager
def _connect(engine: "Engine") -> "Iterator[Connection]":
    """Connect, and fetch rows as they come if the driver can."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        connection = engine.connect()
        known = engine.dialect.get_isolation_level_values(connection.connection.dbapi_connection)  # type: ignore[arg-type]
        level = next((one for one in _ONE_STATE if one in known), None)
        options = {} if level is None else {"isolation_level": level}
        connection = connection.execution_options(stream_results=True, **options)
    except SQLAlchemyError:
        raise InvalidInput(
            "database: it cannot be reached, or refuses the user, the password or the name of the "
            "database; try the same address with the client of the database"
        ) from None
    with connection:
        yield connection


def _find_schema(connection: "Connection", statement: str) -> pa.Schema:
    """Find the types of the values in each column."""
    result = connection.exec_driver_sql(statement)
    names = [str(name) for name in result.keys()]  # noqa: SIM118  (not a mapping)
    check_names(names, "database")
    kinds: list[set[pa.DataType]] = [set() for _ in names]
    for batch in DatabaseRows(pa.schema([]), result).batches:
        for kind, values in zip(kinds, zip(*batch, strict=True), strict=True):
            kind.update(_type_of(value) for value in values if value is not None)
    return pa.schema(list(zip(names, map(_column_type, kinds), strict=True)))


def _type_of(value: object) -> pa.DataType:
    """Return the type of a value."""
    if isinstance(value, datetime.datetime):
        return pa.timestamp("us", None if value.tzinfo is None else "UTC")
    return _TYPES.get(type(value), pa.string())


def _column_type(kinds: set[pa.DataType]) -> pa.DataType:
    """Return the type of a column that holds values of these types; text if they are mixed."""
    if kinds == {pa.int64(), pa.float64()}:
        return pa.float64()
    return kinds.pop() if len(kinds) == 1 else pa.string()
