"""Fixture `place`: a new ledger, on SQLite and on a PostgreSQL server."""

import pytest

from ..postgres import make_schema, serve


@pytest.fixture(scope="session")
def server():
    """The URL of a PostgreSQL server that is started for the tests."""
    with serve() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request, tmp_path):
    """The fields of a specification with the address of a new ledger."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    if request.param == "sqlite":
        url = str(private / "ledger.db")
    else:
        url = make_schema(request.getfixturevalue("server"))
    return {
        "ledger": url,
        "ledger_files": str(private / "files"),
        "ledger_key": str(private / "key"),
    }
