"""Kept: the three files that a ledger keeps of a release, beside its database."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.ledger.store.classes import ReleasedClasses
from lookalike.ledger.store.encrypted import read_encrypted, write_encrypted
from lookalike.ledger.store.row_map import CLASS, KEY
from lookalike.publish.certificate import describe_file
from lookalike.tables.private_folders import sync
from lookalike.tables.sql import SOURCE_CHANGED


class FileIsMissing(InvalidInput):
    """A file of a ledger is not in its place."""


KEPT = ("classes_sha256", "rows_sha256", "paths_sha256")
"""The digests of the files, in their order."""


@dataclass(frozen=True)
class Kept:
    """What a ledger keeps of a release: three encrypted Parquet files.

    Parameters
    ----------
    folder
        Where the files are.
    token
        What their names begin with; no other release has it.
    classes_sha256
        The digest of the file of its classes, as it is encrypted.
    rows_sha256
        The digest of the map of its private rows.
    paths_sha256
        The digest of the file that says what the hierarchies make of its values.
    secret
        The key of the ledger.
    """

    folder: Path
    token: str
    classes_sha256: str
    rows_sha256: str
    paths_sha256: str
    secret: bytes = field(repr=False)

    @property
    def files(self) -> tuple[Path, Path, Path]:
        """The files: of the classes, the rows and the paths."""
        return name_files(self.folder, self.token)

    def classes(self) -> ReleasedClasses:
        """Read the released classes."""
        return ReleasedClasses.from_arrow(self._read(self.files[0], self.classes_sha256))

    def rows(self, columns: list[str] | None = None) -> pa.Table:
        """Read the map of private rows (:mod:`~lookalike.ledger.store.row_map`), or some columns.

        The rows are in the order of the hashes of their keys.
        """
        return self._read(self.files[1], self.rows_sha256, columns)

    def paths(self) -> pa.Table:
        """Read what the hierarchies make of every value."""
        return self._read(self.files[2], self.paths_sha256)

    def _read(self, path: Path, sha256: str, columns: list[str] | None = None) -> pa.Table:
        """Read a file that is as it was written."""
        try:
            if describe_file(path).sha256 != sha256:
                raise _changed(path)
            return read_encrypted(path, self.secret, path.name, columns)
        except FileNotFoundError:
            raise FileIsMissing(
                f"the ledger's file {path} is missing; put it back from your backup, because "
                "without it no later release can be checked"
            ) from None
        except OSError:
            raise _changed(path) from None


def name_files(folder: Path, token: str) -> tuple[Path, Path, Path]:
    """Name the files of the classes, the rows and the paths."""
    classes, rows, paths = (
        folder / f"{token}.{kind}.parquet" for kind in ("classes", "rows", "paths")
    )
    return classes, rows, paths


def keep(
    folder: Path,
    token: str,
    classes: ReleasedClasses,
    rows: Iterable[pa.Table],
    paths: pa.Table,
    total: int,
    secret: bytes,
) -> Kept:
    """Write the files of a release, which only their owner may read.

    The rows are sorted by the hashes of their keys, so that nothing is left of the order of the
    source.

    Parameters
    ----------
    folder
        Where to.
    token
        What their names begin with.
    classes
        The released classes.
    rows
        The map of private rows, piece by piece.
    paths
        What the hierarchies make of every value.
    total
        How many private rows there are.
    secret
        The key of the ledger.
    """
    files = name_files(folder, token)
    tables = classes.to_arrow(), pa.concat_tables(rows).sort_by(KEY), paths
    for file, table in zip(files, tables, strict=True):
        _write(file, table, secret)
    digests = dict(zip(KEPT, (describe_file(file).sha256 for file in files), strict=True))
    kept = Kept(folder, token, secret=secret, **digests)
    _check_complete(kept, classes, total)
    return kept


def _check_complete(kept: Kept, classes: ReleasedClasses, total: int) -> None:
    """Stop if the map has not as many rows in every class as the release, and all rows."""
    column = kept.rows([CLASS])[CLASS]
    tally = np.bincount(column.drop_null().to_numpy(), minlength=len(classes))
    if len(column) != total or not np.array_equal(tally, classes.counts):
        raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")


def _write(path: Path, table: pa.Table, secret: bytes) -> None:
    """Write an encrypted file that only its owner may read, and wait until it is on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        write_encrypted(stream, table, secret, path.name)
    sync(path)


def _changed(path: Path) -> InvalidInput:
    """Return the error that a file is not what was written."""
    return InvalidInput(f"the ledger's file {path} was changed; put it back from your backup")
