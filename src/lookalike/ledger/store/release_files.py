"""ReleaseFiles: the three encrypted files that a ledger keeps of a release."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.ledger.store.key import read_encrypted, write_encrypted
from lookalike.ledger.store.released_classes import ReleasedClasses
from lookalike.ledger.store.row_map import CLASS, KEY
from lookalike.publish.certificate import describe_file
from lookalike.tables.private_folders import sync
from lookalike.tables.sql import source_changed

FILE_DIGESTS = ("classes_sha256", "rows_sha256", "paths_sha256")
"""Fields with the digests of the files, in the order of :attr:`ReleaseFiles.locations`."""


class MissingLedgerFile(InvalidInput):
    """A file of a ledger does not exist."""


@dataclass(frozen=True)
class ReleaseFiles:
    """The three encrypted Parquet files that a ledger keeps of a release.

    ``token``: unique start of their names.
    ``classes_sha256``: digest of the encrypted file of released classes.
    ``rows_sha256``: digest of the encrypted row map.
    ``paths_sha256``: digest of the encrypted file of label paths: the labels of each value at all
    levels.
    """

    folder: Path
    token: str
    classes_sha256: str
    rows_sha256: str
    paths_sha256: str
    secret: bytes = field(repr=False)

    @property
    def locations(self) -> tuple[Path, Path, Path]:
        """The paths of the files: classes, row map, label paths."""
        return _locate_files(self.folder, self.token)

    def read_classes(self) -> ReleasedClasses:
        """Read the released classes."""
        return ReleasedClasses.from_arrow(self._read(self.locations[0], self.classes_sha256))

    def read_rows(self, columns: list[str] | None = None) -> pa.Table:
        """Read the row map (:mod:`~lookalike.ledger.store.row_map`), or some of its columns.

        The rows are sorted by the hashes of their keys.
        """
        return self._read(self.locations[1], self.rows_sha256, columns)

    def read_label_paths(self) -> pa.Table:
        """Read the hashed labels of every value (:mod:`~lookalike.ledger.policies.label_paths`)."""
        return self._read(self.locations[2], self.paths_sha256)

    def _read(self, path: Path, sha256: str, columns: list[str] | None = None) -> pa.Table:
        """Read a file, and check that it was not changed."""
        try:
            if describe_file(path).sha256 != sha256:
                raise _changed(path)
            return read_encrypted(path, self.secret, path.name, columns)
        except FileNotFoundError:
            raise MissingLedgerFile(
                f"the ledger's file {path} is missing; restore it from your backup: without it no "
                "later release can be checked"
            ) from None
        except OSError:
            raise _changed(path) from None


def write_release_files(
    folder: Path,
    token: str,
    classes: ReleasedClasses,
    rows: Iterable[pa.Table],
    label_paths: pa.Table,
    total: int,
    secret: bytes,
) -> ReleaseFiles:
    """Write the files of a release with mode 0600.

    The rows are sorted by the hashes of their keys, so that the files do not reveal the order of
    the source.
    """
    locations = _locate_files(folder, token)
    tables = classes.to_arrow(), pa.concat_tables(rows).sort_by(KEY), label_paths
    for path, table in zip(locations, tables, strict=True):
        _write(path, table, secret)
    hashes = (describe_file(path).sha256 for path in locations)
    digests = dict(zip(FILE_DIGESTS, hashes, strict=True))
    files = ReleaseFiles(folder, token, secret=secret, **digests)
    _check_complete(files, classes, total)
    return files


def _locate_files(folder: Path, token: str) -> tuple[Path, Path, Path]:
    """Return the paths of the files: classes, row map, label paths."""
    classes, rows, label_paths = (
        folder / f"{token}.{kind}.parquet" for kind in ("classes", "rows", "paths")
    )
    return classes, rows, label_paths


def _check_complete(files: ReleaseFiles, classes: ReleasedClasses, total: int) -> None:
    """Refuse a row map that lacks private rows, or disagrees with the sizes of the classes."""
    column = files.read_rows([CLASS])[CLASS]
    tally = np.bincount(column.drop_null().to_numpy(), minlength=len(classes))
    if len(column) != total or not np.array_equal(tally, classes.counts):
        raise source_changed()


def _write(path: Path, table: pa.Table, secret: bytes) -> None:
    """Write an encrypted file with mode 0600, and wait until it is on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        write_encrypted(stream, table, secret, path.name)
    sync(path)


def _changed(path: Path) -> InvalidInput:
    """Return the error that a file was changed."""
    return InvalidInput(f"the ledger's file {path} was changed; restore it from your backup")
