"""Find the folder of a published release, and open its table as its certificate describes it."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path

from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.tables.connection import Connection
from lookalike.tables.engines.spark_files import DISK, Store
from lookalike.tables.engines.spark_source import has_session, start_session
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.source import is_address
from lookalike.tables.storage_url import StorageUrl
from lookalike.verify.recount import open_release


@contextmanager
def reading_folder(folder: str | PathLike[str]) -> Iterator[Path]:
    """Yield the folder of a release; Spark copies one at an address to a private folder first."""
    if not is_address(fspath(folder)):
        yield Path(folder)
        return
    url = StorageUrl.parse(fspath(folder))
    if url.root == DISK:
        yield Path("/", *url.parts)
        return
    private = scratch_folder()
    try:
        _copy_here(url, private.path / url.name)
        yield private.path / url.name
    finally:
        private.remove()


def _copy_here(url: StorageUrl, target: Path) -> None:
    """Copy a release from an address, with the session of this process or one for this purpose."""
    running = has_session()
    session = start_session("local[1]")
    try:
        store = Store(session, url)
        if not store.exists(url / CERTIFICATE):
            raise InvalidInput(f"{url} is not a release: it has no {CERTIFICATE}")
        store.copy_here(url, target)
        store.close()
    finally:
        if not running:
            session.stop()


def open_published(
    folder: Path, certificate: Certificate, connection: Connection
) -> DuckDBPyRelation:
    """Return the rows of a published release, with its values and not the apostrophes."""
    file = find_released_file(folder, certificate)
    return open_release(file, connection, neutralized=certificate.neutralized)
