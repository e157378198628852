"""Database: connections to a ledger's database, and what their errors mean."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from lookalike.errors import InvalidInput, LookalikeError
from lookalike.ledger.store import schema
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.tables.private_folders import write_errors

CREATE_LOCK = 0x6C6F6F6B
"""The number of the advisory lock under which tables are made."""
BUSY_SECONDS = 60
TOLD = ("OperationalError", "DatabaseError")
"""Errors whose words are about the database, and not about what is in it."""


class NoLedger(InvalidInput):
    """There is no ledger at an address."""


def connect_to(address: LedgerAddress, *, create: bool) -> Engine:
    """Return an engine for a ledger's database, with its tables.

    Parameters
    ----------
    address
        Where it is.
    create
        Whether to make it if it is not there.

    Raises
    ------
    InvalidInput
        If it cannot be reached, or is none, or others may read it.
    """
    if address.database is not None:
        _prepare_file(address, create=create)
    with database_errors(address):
        engine = _make_engine(address)
        with engine.begin() as connection:
            _check_tables(connection, address, create=create)
    return engine


def read_identity(connection: Connection) -> Row[Any]:
    """Return which ledger this is, and what is known of its key and its files.

    The row stays locked until the transaction ends, so that only one process makes them.
    """
    return connection.execute(select(schema.ledger).with_for_update()).one()


def now() -> str:
    """Return the time as it is written in a ledger."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@contextmanager
def database_errors(address: LedgerAddress) -> Iterator[None]:
    """Turn an error of the database into one that shows neither a statement nor a password."""
    try:
        yield
    except NoSuchModuleError:
        raise InvalidInput(f"the ledger {address}: this kind is not supported") from None
    except SQLAlchemyError as error:
        raise describe(error, address) from None


def describe(error: SQLAlchemyError, address: LedgerAddress) -> LookalikeError:
    """Say what an error of the database means."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    kind = type(cause).__name__
    words = next(iter(str(cause).splitlines()), kind) if kind in TOLD else kind
    return InvalidInput(f"the ledger {address} cannot be used: {words}")


def _make_engine(address: LedgerAddress) -> Engine:
    """Make an engine whose transactions see and lock everything from their start."""
    if address.database is None:
        try:
            return create_engine(address.url, poolclass=NullPool)
        except ModuleNotFoundError:
            raise InvalidInput(
                "a ledger on PostgreSQL needs psycopg: pip install 'lookalike[postgres]'"
            ) from None
    engine = create_engine(address.url, poolclass=NullPool, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _leave_transactions_to_us)
    event.listen(engine, "begin", _begin_at_once)
    return engine


def _leave_transactions_to_us(connection: Any, _record: Any) -> None:
    """Keep Python's driver from beginning transactions, and SQLite from losing them."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")


def _begin_at_once(connection: Connection) -> None:
    """Begin a transaction as the one that writes, so that none has to give way later."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare_file(address: LedgerAddress, *, create: bool) -> None:
    """Make the file of an SQLite ledger, which only its owner may read."""
    path = address.database
    assert path is not None
    if not path.exists():
        if not create:
            raise NoLedger(f"no ledger is found at {path}")
        with write_errors(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if not path.is_file():
        raise InvalidInput(f"ledger: {path} is not a file; name one, such as ledger.db")
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(f"ledger: others may read {path}; keep it to yourself: chmod 600")


def _check_tables(connection: Connection, address: LedgerAddress, *, create: bool) -> None:
    """Make the tables if they are not there, one process at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": CREATE_LOCK})
    if not inspect(connection).has_table(schema.ledger.name):
        if not create:
            raise NoLedger(f"no ledger is found at {address}")
        schema.metadata.create_all(connection)
        connection.execute(
            insert(schema.ledger).values(
                id=secrets.token_hex(16), format=schema.FORMAT, created=now()
            )
        )
    found = connection.execute(select(schema.ledger.c.format)).scalar_one()
    if found != schema.FORMAT:
        raise InvalidInput(f"the ledger {address} has the format {found}, which {_way_out(found)}")


def _way_out(found: int) -> str:
    """Say what can be done about a ledger of another format."""
    if found > schema.FORMAT:
        return "this version does not know; use the newest version of lookalike"
    return (
        "this version cannot go on with: it is not encrypted, and lacks what is compared now. "
        "Begin a new ledger at another place. The new one does not know the releases of the old "
        "one: run `lookalike attack` on them and the next release. Keep the old ledger as private "
        "as the table"
    )
