"""Connect to the database of a ledger, create its tables, and translate its errors."""

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from lookalike.errors import InvalidInput, LookalikeError, Unavailable
from lookalike.ledger.store import schema
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.private_folders import write_errors

_CREATE_LOCK = 0x6C6F6F6B
"""Number of the PostgreSQL advisory lock under which the tables are created."""
_BUSY_SECONDS = 60
_SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_POSTGRESQL_BUSY = ("40001", "40P01", "55P03")
"""SQLSTATE of PostgreSQL: serialization failure, deadlock, lock not available."""
_SAFE_TO_SHOW = ("OperationalError", "DatabaseError")
"""Driver errors whose message describes the database and never its contents."""


class NoLedger(InvalidInput):
    """No ledger exists at an address."""


def connect_to(address: LedgerAddress, *, create: bool) -> Engine:
    """Return an engine for a ledger's database, with its tables."""
    if address.database is not None:
        _prepare_file(address, create=create)
    with database_errors(address):
        engine = _make_engine(address)
        with engine.begin() as connection:
            _check_tables(connection, address, create=create)
    return engine


def read_identity(connection: Connection) -> Row[Any]:
    """Return the row that identifies the ledger, with the check values of its key and files.

    The row stays locked until the transaction ends, so that only one process creates these.
    """
    return connection.execute(select(schema.ledger).with_for_update()).one()


def now() -> str:
    """Return the current time (UTC) in the format of the database."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@contextmanager
def database_errors(address: LedgerAddress) -> Iterator[None]:
    """Replace a database error with one that shows neither a statement nor a password."""
    try:
        yield
    except NoSuchModuleError:
        raise InvalidInput(
            f"the ledger {address}: only SQLite and PostgreSQL are supported"
        ) from None
    except SQLAlchemyError as error:
        raise _describe_error(error, address) from None


def _describe_error(error: SQLAlchemyError, address: LedgerAddress) -> LookalikeError:
    """Return the error that is shown to the user instead of a database error."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    kind = type(cause).__name__
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code in _SQLITE_BUSY or getattr(cause, "sqlstate", None) in _POSTGRESQL_BUSY:
        return Unavailable(
            f"the ledger {address} is in use by another process ({kind}); nothing is published: "
            "try again when it has finished"
        )
    words = next(iter(str(cause).splitlines()), kind) if kind in _SAFE_TO_SHOW else kind
    return InvalidInput(f"the ledger {address} cannot be used: {words}")


def _make_engine(address: LedgerAddress) -> Engine:
    """Return an engine whose transactions lock the database from their start."""
    if address.database is None:
        try:
            return create_engine(address.url, poolclass=NullPool)
        except ModuleNotFoundError:
            raise InvalidInput(
                "a ledger on PostgreSQL needs psycopg: pip install 'lookalike[postgres]'"
            ) from None
    engine = create_engine(address.url, poolclass=NullPool, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_at_once)
    return engine


def _configure_sqlite(connection: Any, _record: Any) -> None:
    """Let SQLAlchemy alone begin transactions, and have SQLite write them to disk at once."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")


def _begin_at_once(connection: Connection) -> None:
    """Begin a transaction with the write lock, so that it cannot fail to get it later."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare_file(address: LedgerAddress, *, create: bool) -> None:
    """Create the file of an SQLite ledger with mode 0600, or check the mode of an existing one."""
    path = address.database
    assert path is not None
    if not path.exists():
        if not create:
            raise NoLedger(f"no ledger is found at {path}")
        with write_errors(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if not path.is_file():
        raise InvalidInput(
            f"ledger: {path} is not a file; give the path of a file, such as ledger.db"
        )
    refuse_open_to_others(path, "ledger")


def _check_tables(connection: Connection, address: LedgerAddress, *, create: bool) -> None:
    """Create the tables if they do not exist, one process at a time, and check their format."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _CREATE_LOCK})
    if not inspect(connection).has_table(schema.ledger.name):
        if not create:
            raise NoLedger(f"no ledger is found at {address}")
        schema.metadata.create_all(connection)
        connection.execute(
            insert(schema.ledger).values(
                id=secrets.token_hex(16), format=schema.LEDGER_FORMAT, created=now()
            )
        )
    found = connection.execute(select(schema.ledger.c.format)).scalar_one()
    if found != schema.LEDGER_FORMAT:
        raise InvalidInput(f"the ledger {address} has the format {found}, {_way_out(found)}")


def _way_out(found: int) -> str:
    """Return what to do about a ledger of another format."""
    if found > schema.LEDGER_FORMAT:
        return "which is newer than this version of lookalike; install the newest version"
    return (
        "which this version cannot use: it is not encrypted and lacks data that is needed now. "
        "Start a new ledger at another path. The new ledger does not know the earlier releases: "
        "run `lookalike attack` on them and the next release. Keep the old ledger as private as "
        "the table"
    )


def refuse_open_to_others(path: Path, field: str) -> None:
    """Refuse a file or folder to which the group or other users have access."""
    mode = path.stat().st_mode
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return
    access, safe = ("open to", 700) if stat.S_ISDIR(mode) else ("readable by", 600)
    raise InvalidInput(f"{field}: {path} is {access} other users; run chmod {safe} {path}")
