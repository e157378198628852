"""DatabaseAddress: the database that holds a private table, as ``[source]`` names it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from lookalike.errors import InvalidInput


@dataclass(frozen=True)
class DatabaseAddress:
    """The address of a database; it may contain a password, so no message shows it.

    Parameters
    ----------
    kind
        The kind of database.
    place
        The path of an SQLite file, or the connection string of PostgreSQL.
    """

    kind: Literal["sqlite", "postgres"]
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
        raise InvalidInput(
            '[source] database cannot be read; write "sqlite:clinic.db", "postgres:dbname=clinic '
            'host=db.example.org" or "postgresql://user@host/clinic"'
        )


def resolve_database(text: str, base: Path) -> str:
    """Return the address of a database, with the path of an SQLite file relative to a folder.

    Examples
    --------
    >>> resolve_database("sqlite:clinic.db", Path("/home/me"))
    'sqlite:/home/me/clinic.db'
    """
    address = DatabaseAddress.parse(text)
    return f"sqlite:{base / address.place}" if address.kind == "sqlite" else text
