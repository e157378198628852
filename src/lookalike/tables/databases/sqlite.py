"""SQLite: run a query in a file and find the types of its columns.

A column of SQLite may hold values of any type, so its type here is that of its values: integers,
floating-point numbers, text or bytes; text, if they are mixed.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pyarrow as pa

from lookalike.errors import InvalidInput, Unavailable
from lookalike.tables.databases.database import DatabaseRows
from lookalike.tables.sql import quote_name
from lookalike.tables.table import check_names

_SAFE_TO_SHOW = re.compile(
    "no such |near |ambiguous column|incomplete input|file is not a database|"
    "unable to open|misuse of aggregate|wrong number of arguments"
)
"""Messages about the file or the query; others may quote a value."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def query_sqlite(file: str, query: str) -> Iterator[DatabaseRows]:
    """Run a query in a file that is opened for reading only, in one transaction."""
    if not Path(file).is_file():
        raise InvalidInput(f"database: no SQLite file is found at {file}")
    address = f"{Path(file).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as database:
            database.execute("BEGIN")
            schema = _find_schema(database, query)
            yield DatabaseRows(schema, database.execute(f"SELECT * FROM ({query}\n)"))
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
            raise Unavailable(
                f"{file}: another process has locked the database; try again when it has finished"
            ) from None
        shown = _SAFE_TO_SHOW.match(str(error))
        words = str(error) if shown else f"SQLite cannot read it ({type(error).__name__})"
        raise InvalidInput(f"{file}: {words}") from None


def _find_schema(database: sqlite3.Connection, query: str) -> pa.Schema:
    """Find the types of the values in each column."""
    empty = database.execute(f"SELECT * FROM ({query}\n) LIMIT 0")
    names = [str(column[0]) for column in empty.description]
    check_names(names, "database")
    kinds = ", ".join(f"group_concat(DISTINCT typeof({quote_name(name)}))" for name in names)
    [found] = database.execute(f"SELECT {kinds} FROM ({query}\n)").fetchall()
    types = [_column_type(set((kind or "null").split(",")) - {"null"}) for kind in found]
    return pa.schema(list(zip(names, types, strict=True)))


def _column_type(kinds: set[str]) -> pa.DataType:
    """Return the type of a column that holds values of these kinds."""
    if kinds == {"integer"}:
        return pa.int64()
    if kinds and kinds <= {"integer", "real"}:
        return pa.float64()
    return pa.binary() if kinds == {"blob"} else pa.string()
