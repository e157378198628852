"""Spark files: part files and folders on any file system that Spark can write to.

Rows are written, read and hashed by the executors. The few other operations go through Hadoop's
``FileSystem`` in the process of the driver, with the settings and credentials of the session:
whatever Spark can write to can be listed and renamed, and both see the same store.

The rows of a query that runs once are kept as Parquet in a private folder that the driver and all
executors reach. If an executor is lost, Spark repeats its tasks elsewhere and reads the same files.
A checkpoint in the executors would be lost with them, and running the query again may give other
rows.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from lookalike.errors import InvalidInput, LookalikeError, Unavailable
from lookalike.tables.engines.spark_handover import (
    KEPT_FILES,
    keeping_zones,
    local_address,
    local_pattern,
    spark_errors,
)
from lookalike.tables.private_folders import (
    PrivateFolder,
    list_living_tokens,
    machine_of,
    scratch_folder,
    sync,
    token_of,
)
from lookalike.tables.sql import spark_name
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import POSITION, Frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PLAIN_FILES = {
    "fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
    "fs.file.impl.disable.cache": "true",
}
"""On a local disk Hadoop writes a hidden checksum beside each file, unless told otherwise."""
_ROWS_PER_FILE = 1_000_000
"""An executor holds a whole part file in memory to hash it; Spark allows 2 GB."""
_WRITING = {
    **_PLAIN_FILES,
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    "maxRecordsPerFile": str(_ROWS_PER_FILE),
}
DISK = "file://"
"""What the addresses of a local disk begin with."""
_PRIVATE = "700"
_PREFIX = "_lookalike-rows-"
"""The names of folders at an address; Spark and Hadoop skip names that begin so."""
_STRICT = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false"}
"""A session may be set to skip files that it cannot read, and would lose their rows."""


class Store:
    """The file system that an address belongs to, as a Spark session sees it."""

    def __init__(self, session: SparkSession, url: StorageUrl) -> None:
        jvm: Any = getattr(session, "_jvm", None)
        if jvm is None:
            raise InvalidInput(
                f"{url}: Spark Connect gives no access to file systems; give a path of this "
                "machine, or run where the session is in this process, as with spark-submit"
            )
        self._session, self._jvm = session, jvm
        with storage_errors(url, "Spark cannot reach the store; has it the connector for it?"):
            known: Any = session.sparkContext._jsc
            settings = jvm.org.apache.hadoop.conf.Configuration(known.hadoopConfiguration())
            for name, value in _PLAIN_FILES.items():
                settings.set(name, value)
            place = self._path(url)
            self._files = jvm.org.apache.hadoop.fs.FileSystem.newInstance(place.toUri(), settings)

    def close(self) -> None:
        """Give up the connections to the file system; Spark's own stay."""
        self._files.close()

    def _path(self, url: StorageUrl) -> Any:
        """Return an address as Hadoop's."""
        return self._jvm.org.apache.hadoop.fs.Path(str(url) if url.parts else f"{url}/")

    def list_files(self, folder: StorageUrl) -> dict[str, int] | None:
        """Return the size of every file in and below a folder, by its name from there.

        Nothing is returned if there is no folder.
        """
        with storage_errors(folder):
            place = self._files.makeQualified(self._path(folder))
            if not self._files.exists(place):
                return None
            found, walk = {}, self._files.listFiles(place, True)
            while walk.hasNext():
                file = walk.next()
                name = place.toUri().relativize(file.getPath().toUri()).getPath()
                found[name] = int(file.getLen())
            return found

    def list_folders(self, folder: StorageUrl) -> list[str]:
        """Return the names of the folders in a folder; none if there is no such folder."""
        with storage_errors(folder):
            place = self._path(folder)
            inside = self._files.listStatus(place) if self._files.exists(place) else ()
            return sorted(one.getPath().getName() for one in inside if one.isDirectory())

    def exists(self, url: StorageUrl) -> bool:
        """Return whether a file or folder exists."""
        with storage_errors(url):
            return bool(self._files.exists(self._path(url)))

    def make_private(self, folder: StorageUrl) -> None:
        """Make a folder that only its owner may enter, where the store knows permissions."""
        with storage_errors(folder):
            mode = self._jvm.org.apache.hadoop.fs.permission.FsPermission(_PRIVATE)
            _require(self._files.mkdirs(self._path(folder), mode), folder)

    def make(self, folder: StorageUrl) -> None:
        """Make a folder, and those around it, unless they exist."""
        with storage_errors(folder):
            _require(self._files.mkdirs(self._path(folder)), folder)

    def read(self, file: StorageUrl) -> bytes:
        """Read a small file."""
        with storage_errors(file):
            stream = self._files.open(self._path(file))
            try:
                return bytes(self._jvm.org.apache.hadoop.io.IOUtils.readFullyToByteArray(stream))
            finally:
                stream.close()

    def write(self, file: StorageUrl, content: bytes) -> None:
        """Write a small file that does not exist yet."""
        with storage_errors(file):
            stream = self._files.create(self._path(file), False)
            try:
                stream.write(bytearray(content))
            finally:
                stream.close()

    def move(self, source: StorageUrl, target: StorageUrl) -> None:
        """Rename a file or folder; an object store copies and removes instead.

        The target must not exist: Hadoop would move a folder into it.
        """
        with storage_errors(target):
            _require(not self._files.exists(self._path(target)), target)
            _require(self._files.rename(self._path(source), self._path(target)), target)

    def copy_here(self, folder: StorageUrl, target: Path) -> None:
        """Copy a folder with all that it holds to a path of this machine."""
        with storage_errors(folder):
            hadoop, settings = self._jvm.org.apache.hadoop.fs, self._files.getConf()
            disk, place = hadoop.RawLocalFileSystem(), hadoop.Path(local_address(target))
            disk.initialize(place.toUri(), settings)
            source = self._path(folder)
            hadoop.FileUtil.copy(self._files, source, disk, place, False, settings)

    def remove(self, url: StorageUrl) -> None:
        """Remove a file or a folder with all that it holds, if it exists."""
        with storage_errors(url):
            gone = self._files.delete(self._path(url), True)
            _require(gone or not self._files.exists(self._path(url)), url)

    def sync(self, folder: StorageUrl) -> None:
        """Wait until a folder and its files are on the disk; other stores than a disk did so."""
        if folder.root == DISK:
            place = Path("/", *folder.parts)
            try:
                for path in (*place.iterdir(), place):
                    sync(path)
            except OSError as error:
                raise InvalidInput(f"{folder} does not reach the disk: {error.strerror}") from None

    def write_rows(self, frame: Frame, folder: StorageUrl) -> None:
        """Let the executors write rows as Parquet files into a new folder.

        Every column is optional, whatever the private table says of missing values.
        """
        native: DataFrame = frame.to_native()
        names = map(spark_name, native.columns)
        optional = (f"CASE WHEN rand() < 2 THEN {name} END AS {name}" for name in names)
        with spark_errors(str(folder)), keeping_zones(self._session):
            native.selectExpr(*optional).write.options(**_WRITING).parquet(str(folder))
        for name in self.list_files(folder) or ():
            if not name.endswith(".parquet") or name.startswith(("_", ".")):
                self.remove(folder / name)

    def read_rows(self, folder: StorageUrl) -> Frame:
        """Return the rows of a folder of Parquet files."""
        with spark_errors(str(folder)):
            rows: Frame = nw.from_native(self._session.read.parquet(str(folder)))
        return rows

    def digest_files(self, folder: StorageUrl) -> dict[str, tuple[str, int]]:
        """Let the executors compute the SHA-256 of every file in a folder; also return its size."""
        with spark_errors(str(folder)):
            content = self._session.read.format("binaryFile").load(str(folder))
            asked = content.selectExpr("path", "sha2(content, 256) AS sha256", "length")
            found = {
                one["path"].rpartition("/")[2]: (one["sha256"], int(one["length"]))
                for one in asked.collect()
            }
        if {name: size for name, (_, size) in found.items()} != self.list_files(folder):
            raise InvalidInput(
                f"{folder}: the driver does not see the files that the executors wrote; publish to "
                "a file system that all of them share"
            )
        return dict(sorted(found.items()))


def open_spark_store(frame: Frame, url: StorageUrl) -> Store:
    """Open the file system of an address, as the session of some rows sees it."""
    return Store(frame.to_native().sparkSession, url)


@contextmanager
def storage_errors(url: StorageUrl, reason: str = "the store refuses access") -> Iterator[None]:
    """Turn an error of a file system into one that names the place and the kind of error."""
    from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]

    try:
        yield
    except Py4JJavaError as error:
        kind = error.java_exception.getClass().getSimpleName()
        raise InvalidInput(f"{url}: {reason} ({kind})") from None
    except Py4JError:
        raise Unavailable(f"{url}: the session of Spark has ended; begin again") from None


def _require(done: bool, url: StorageUrl) -> None:
    """Raise if an operation of a file system did not succeed, which some report by a value."""
    if not done:
        raise InvalidInput(
            f"{url} cannot be written or removed; may you write there, and does nobody else?"
        )


def keep_in_files(native: DataFrame, place: Path | StorageUrl | None) -> DataFrame:
    """Run a query once, and return its rows with the position of each.

    The files are removed when nobody refers to the DataFrame that is returned; DataFrames that are
    derived from it do not.
    """
    lock = scratch_folder(place if isinstance(place, Path) else None)
    if not isinstance(place, StorageUrl):
        rows = lock.path / "rows"
        kept, number = _write(native, local_address(rows), local_pattern(rows))
        KEPT_FILES[kept] = rows, number
        weakref.finalize(kept, lock.remove)
        return kept
    store = Store(native.sparkSession, place)
    _sweep(store, place, lock)
    folder = place / f"{_PREFIX}{machine_of(lock)}-{token_of(lock.path)}"
    store.make_private(folder)
    remove = partial(_remove, store, folder, lock, os.getpid())
    try:
        kept, _ = _write(native, str(folder / "rows"), str(folder / "rows"))
    except BaseException:
        remove()
        raise
    atexit.register(remove)
    weakref.finalize(kept, _remove_apart, remove).atexit = False
    return kept


def _write(native: DataFrame, address: str, pattern: str) -> tuple[DataFrame, int]:
    """Let the executors write the rows, and make sure that everybody finds all of them.

    Returns: also the number of rows.
    """
    from pyspark.sql import Observation
    from pyspark.sql.functions import expr

    session, seen = native.sparkSession, Observation()
    numbered = native.selectExpr("*", f"monotonically_increasing_id() AS {spark_name(POSITION)}")
    with spark_errors(), keeping_zones(session):
        numbered.observe(seen, expr("count(*) AS rows")).write.parquet(address)
        kept: DataFrame = session.read.options(**_STRICT).schema(numbered.schema).parquet(pattern)
        written, found = seen.get["rows"], kept.count()
    if found != written:
        raise InvalidInput(
            f"Spark wrote {written:,} rows to {address}, but {found:,} are there: its executors "
            "have other disks than the driver; set spill under [source], or TMPDIR, to a folder or "
            "an address that all of them reach"
        )
    return kept, found


def _sweep(store: Store, place: StorageUrl, lock: PrivateFolder) -> None:
    """Remove the folders of processes of this machine that have ended."""
    own, living = f"{_PREFIX}{machine_of(lock)}-", list_living_tokens(lock)
    for name in store.list_folders(place):
        if name.startswith(own) and name.removeprefix(own) not in living:
            store.remove(place / name)


def _remove(store: Store, folder: StorageUrl, lock: PrivateFolder, owner: int) -> None:
    """Remove a folder, unless this process is a fork of its owner; the next start tries again."""
    if os.getpid() == owner:
        with suppress(LookalikeError, OSError):
            store.remove(folder)
            store.close()
        lock.remove()


def _remove_apart(remove: partial[None]) -> None:
    """Call Java from a thread of its own: garbage is collected in the middle of other calls."""
    atexit.unregister(remove)
    threading.Thread(target=remove).start()
