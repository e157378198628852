"""Open the table of a published release, as its certificate describes it."""

from pathlib import Path

from duckdb import DuckDBPyRelation

from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.tables.connection import Connection
from lookalike.verify.recount import open_release


def open_published(
    folder: Path, certificate: Certificate, connection: Connection
) -> DuckDBPyRelation:
    """Return the rows of a published release, with its values and not the apostrophes."""
    file = find_released_file(folder, certificate)
    return open_release(file, connection, neutralized=certificate.neutralized)
