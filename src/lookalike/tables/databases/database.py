"""The database that holds a private table, as ``[source]`` names it, and the rows of a query."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import pyarrow as pa

from lookalike.errors import InvalidInput

_URL = re.compile(r"[a-z0-9_]+(\+[a-z0-9_]+)?://")
"""How a URL of SQLAlchemy begins."""
_BATCH = 20_000


@dataclass(frozen=True)
class DatabaseAddress:
    """The address of a database; it may contain a password, so no message shows it.

    ``kind``: the kind of database.
    ``place``: the path of an SQLite or DuckDB file, the connection string of PostgreSQL, or a URL
    of SQLAlchemy.
    """

    kind: Literal["sqlite", "duckdb", "postgres", "url"]
    place: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "DatabaseAddress":
        """Read the address from the field ``database``.

        Examples
        --------
        >>> DatabaseAddress.parse("sqlite:clinic.db").place
        'clinic.db'
        >>> DatabaseAddress.parse("postgres:dbname=clinic password=secret")
        DatabaseAddress(kind='postgres')
        """
        kind, _, place = text.partition(":")
        if place and not place.startswith("//"):
            if kind == "sqlite":
                return cls("sqlite", place)
            if kind == "duckdb":
                return cls("duckdb", place)
        if kind in ("postgres", "postgresql") and place.startswith("//"):
            return cls("postgres", text)
        if kind == "postgres" and place:
            return cls("postgres", place)
        if kind != "sqlite" and _URL.match(text):
            return cls("url", text)
        raise InvalidInput(
            '[source] database cannot be read; write "sqlite:clinic.db", "duckdb:clinic.duckdb", '
            '"postgres:dbname=clinic host=db.example.org", "postgresql://user@host/clinic", or a '
            'URL of SQLAlchemy such as "mysql+pymysql://user@host/clinic"'
        )


def resolve_database(text: str, base: Path) -> str:
    """Return the address of a database, with the path of a file relative to a folder.

    Examples
    --------
    >>> resolve_database("sqlite:clinic.db", Path("/home/me"))
    'sqlite:/home/me/clinic.db'
    >>> resolve_database("sqlite+pysqlite:///clinic.db", Path("/home/me"))
    'sqlite+pysqlite:////home/me/clinic.db'
    """
    address = DatabaseAddress.parse(text)
    if address.kind in ("sqlite", "duckdb"):
        return f"{address.kind}:{base / address.place}"
    head, mark, file = text.partition(":///")
    return f"{head}{mark}{base / file}" if head.startswith("sqlite+") and file else text


def remove_password(text: str) -> str:
    """Return the address of a database without its password, to be written to a file.

    Examples
    --------
    >>> remove_password("mysql+pymysql://me:secret@host/clinic")
    'mysql+pymysql://me@host/clinic'
    >>> remove_password("mysql+pymysql://host/clinic?user=me&passwd=secret")
    'mysql+pymysql://host/clinic?user=me'
    >>> remove_password("sqlite:clinic.db")
    'sqlite:clinic.db'
    """
    address = DatabaseAddress.parse(text)
    if address.kind == "postgres":
        from psycopg.conninfo import conninfo_to_dict, make_conninfo

        known = conninfo_to_dict(address.place)
        kept = {name: value for name, value in known.items() if not name.endswith("password")}
        return text if kept == known else f"postgres:{make_conninfo('', **kept)}"
    if address.kind == "url":
        from sqlalchemy import make_url

        url = make_url(address.place)
        query = {name: value for name, value in url.query.items() if "pass" not in name.lower()}
        # The method set takes None for "as it is".
        return url._replace(password=None).set(query=query).render_as_string(hide_password=False)
    return text


class Cursor(Protocol):
    """What the cursors of databases have in common."""

    def fetchmany(self, size: int = ..., /) -> Sequence[Any]:
        """Return the next rows."""


@dataclass(frozen=True, eq=False, repr=False)
class DatabaseRows:
    """Rows that are fetched in batches."""

    schema: pa.Schema
    cursor: Cursor

    @property
    def batches(self) -> Iterator[Sequence[tuple[object, ...]]]:
        """The rows, some thousands at a time."""
        while batch := self.cursor.fetchmany(_BATCH):
            yield batch
