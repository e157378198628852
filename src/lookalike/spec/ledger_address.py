"""LedgerAddress: the database of a ledger, the folder of its files, and its key.

sqlalchemy reads the URL of a database. It is imported only when there is an address to read, so
that a specification without a ledger does not need it.
"""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput

if TYPE_CHECKING:
    from sqlalchemy import URL

_Place = str | PathLike[str]
KINDS = (
    "a ledger is an SQLite file, such as ledger.db, or a PostgreSQL database, such as "
    "postgresql://user@host/database"
)
"""The kinds of ledgers, for error messages."""


@dataclass(frozen=True)
class LedgerAddress:
    """The address of a ledger.

    ``url``: URL of its database.
    ``files``: folder of its files, which record which private row is in which release.
    ``key``: path of its key, if it is not at the default place.
    """

    url: "URL"
    files: Path
    key: Path | None = None

    @classmethod
    def parse(
        cls, database: _Place, files: _Place | None = None, key: _Place | None = None
    ) -> "LedgerAddress":
        """Read the address from the fields of a specification or the command line.

        Examples
        --------
        >>> str(LedgerAddress.parse("private/ledger.db").files)
        'private/ledger.db.files'
        """
        url = _read_url(str(database))
        if not files and url.get_backend_name() != "sqlite":
            raise InvalidInput(
                "ledger_files is missing: a ledger on a server needs a local folder that records "
                'which private row is in which release, such as ledger_files = "private/ledger"'
            )
        beside = files or f"{url.database}.files"
        return cls(url, Path(beside), None if key is None else Path(key))

    @property
    def database(self) -> Path | None:
        """Path of the SQLite file; None for a server."""
        return Path(self.url.database or "") if self.url.get_backend_name() == "sqlite" else None

    @property
    def places(self) -> dict[str, Path]:
        """The paths that are known before the ledger is opened, by the name of their field."""
        known = {"ledger": self.database, "ledger_files": self.files, "ledger_key": self.key}
        return {name: path for name, path in known.items() if path is not None}

    def __str__(self) -> str:
        """Return the database without user and password."""
        if self.database is not None:
            return str(self.database)
        host = f"{self.url.host or ''}{f':{self.url.port}' if self.url.port else ''}"
        return f"postgresql://{host}/{self.url.database or ''}"


def resolve_ledger(text: str, base: Path) -> str:
    """Return the address of a ledger, with the path of an SQLite file relative to a folder.

    Examples
    --------
    >>> home = Path("/home/me")
    >>> resolve_ledger("ledger.db", home), resolve_ledger("postgresql://host/base", home)
    ('/home/me/ledger.db', 'postgresql://host/base')
    """
    url = _read_url(text)
    return str(base / (url.database or "")) if url.get_backend_name() == "sqlite" else text


def _read_url(text: str) -> "URL":
    """Read a URL or a path; no message repeats it, because it may contain a password."""
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if "://" not in text:
        url = URL.create("sqlite", database=text)
    else:
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise InvalidInput(f"ledger: the URL cannot be read; {KINDS}") from None
    kind = url.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise InvalidInput(f"ledger: {kind} is not supported; {KINDS}")
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise InvalidInput(f"ledger: an SQLite ledger is a file of its own; {KINDS}")
    return URL.create("sqlite", database=url.database)
