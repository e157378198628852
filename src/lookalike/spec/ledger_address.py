"""Address: where a ledger is: its database, the folder of its files, and its key."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from lookalike.errors import InvalidInput

KINDS = (
    "a ledger is an SQLite file, such as ledger.db, or a PostgreSQL database, such as "
    "postgresql://user@host/database"
)


@dataclass(frozen=True)
class LedgerAddress:
    """Where a ledger is.

    Parameters
    ----------
    url
        Its database.
    files
        The folder of its files: which private row went where.
    key
        The file of its key, if it is not at the usual place.
    """

    url: URL
    files: Path
    key: Path | None = None

    @classmethod
    def parse(cls, text: str, files: str | None = None, key: str | None = None) -> "LedgerAddress":
        """Read what a specification or a command line says.

        Parameters
        ----------
        text
            The path of an SQLite file, or a URL of SQLite or PostgreSQL.
        files
            The folder of its files; beside an SQLite file if it is not given.
        key
            The file of its key.

        Examples
        --------
        >>> str(LedgerAddress.parse("private/ledger.db").files)
        'private/ledger.db.files'
        """
        url = _read_url(text)
        if url.get_backend_name() == "sqlite":
            beside = Path(files or f"{url.database}.files")
        elif files is None:
            raise InvalidInput(
                "ledger_files is missing: a ledger on a server needs a folder of yours for which "
                'private row went where, such as ledger_files = "private/ledger"'
            )
        else:
            beside = Path(files)
        return cls(url, beside, None if key is None else Path(key))

    @property
    def database(self) -> Path | None:
        """The SQLite file, if it is one."""
        return Path(self.url.database or "") if self.url.get_backend_name() == "sqlite" else None

    @property
    def places(self) -> dict[str, Path]:
        """The files and folders that are known before it is opened, by the name of their field."""
        known = {"ledger": self.database, "ledger_files": self.files, "ledger_key": self.key}
        return {name: path for name, path in known.items() if path is not None}

    def __str__(self) -> str:
        """Name the database, without a user or a password."""
        if self.database is not None:
            return str(self.database)
        host = f"{self.url.host or ''}{f':{self.url.port}' if self.url.port else ''}"
        return f"postgresql://{host}/{self.url.database or ''}"


def resolve_ledger(text: str, base: Path) -> str:
    """Put the path of an SQLite file, if it is one, below a folder; a server stays where it is.

    Examples
    --------
    >>> home = Path("/home/me")
    >>> resolve_ledger("ledger.db", home), resolve_ledger("postgresql://host/base", home)
    ('/home/me/ledger.db', 'postgresql://host/base')
    """
    url = _read_url(text)
    return str(base / (url.database or "")) if url.get_backend_name() == "sqlite" else text


def _read_url(text: str) -> URL:
    """Read a URL or a path; no message repeats it, as it may hold a password."""
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
