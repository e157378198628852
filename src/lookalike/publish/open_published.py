"""Find the folder of a published release, and open its table as its certificate describes it."""

from os import PathLike, fspath
from pathlib import Path

from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.tables.connection import Connection
from lookalike.tables.source import is_address
from lookalike.verify.recount import open_release


def find_folder(folder: str | PathLike[str]) -> Path:
    """Return the folder of a release; one at an address must be copied here first."""
    if is_address(fspath(folder)):
        raise InvalidInput(
            f"{folder}: only a release in a folder of this machine can be checked; copy it here, "
            "for instance with hdfs dfs -get or aws s3 cp --recursive"
        )
    return Path(folder)


def open_published(
    folder: Path, certificate: Certificate, connection: Connection
) -> DuckDBPyRelation:
    """Return the rows of a published release, with its values and not the apostrophes."""
    file = find_released_file(folder, certificate)
    return open_release(file, connection, neutralized=certificate.neutralized)
