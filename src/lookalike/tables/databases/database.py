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

    Parameters
    ----------
    kind
        The kind of database.
    place
        The path of an SQLite file, the connection string of PostgreSQL, or a URL of SQLAlchemy.
    """

    kind: Literal["sqlite", "postgres", "url"]
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
        if kind == "sqlite" and place and not place.startswith("//"):
            return cls("sqlite", place)
        if kind in ("postgres", "postgresql") and place.startswith("//"):
            return cls("postgres", text)
        if kind == "postgres" and place:
            return cls("postgres", place)
        if kind != "sqlite" and _URL.match(text):
            return cls("url", text)
        raise InvalidInput(
            '[source] database cannot be read; write "sqlite:clinic.db", "postgres:dbname=clinic '
            'host=db.example.org", "postgresql://user@host/clinic", or a URL of SQLAlchemy such as '
            '"mysql+pymysql://user@host/clinic"'
        )


def resolve_database(text: str, base: Path) -> str:
    """Return the address of a database, with the path of an SQLite file relative to a folder.

    Examples
    --------
    >>> resolve_database("sqlite:clinic.db", Path("/home/me"))
    'sqlite:/home/me/clinic.db'
    >>> resolve_database("sqlite+pysqlite:///clinic.db", Path("/home/me"))
    'sqlite+pysqlite:////home/me/clinic.db'
    """
    address = DatabaseAddress.parse(text)
    if address.kind == "sqlite":
        return f"sqlite:{base / address.place}"
    head, mark, file = text.partition(":///")
    return f"{head}{mark}{base / file}" if head.startswith("sqlite+") and file else text


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
