"""Kept: the two files that a ledger keeps of a release, beside its database."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.certificate import describe_file
from lookalike.errors import InvalidInput
from lookalike.ledger.classes import ReleasedClasses
from lookalike.ledger.row_map import CLASS
from lookalike.private import sync
from lookalike.sql import SOURCE_CHANGED


@dataclass(frozen=True)
class Kept:
    """The classes of a release and the map of its private rows, each a Parquet file.

    Parameters
    ----------
    folder
        Where the files are.
    token
        What their names begin with.
    classes_sha256
        The digest of the one.
    rows_sha256
        The digest of the other.
    """

    folder: Path
    token: str
    classes_sha256: str
    rows_sha256: str

    @property
    def paths(self) -> tuple[Path, Path]:
        """The two files."""
        return name_files(self.folder, self.token)

    def classes(self) -> ReleasedClasses:
        """Read the released classes."""
        return ReleasedClasses.from_arrow(_read(self.paths[0], self.classes_sha256, None))

    def rows(self, columns: list[str] | None = None) -> pa.Table:
        """Read the map of private rows (:mod:`~lookalike.ledger.row_map`), or some columns."""
        return _read(self.paths[1], self.rows_sha256, columns)


def name_files(folder: Path, token: str) -> tuple[Path, Path]:
    """Name the file of the classes and the file of the rows."""
    return folder / f"{token}.classes.parquet", folder / f"{token}.rows.parquet"


def keep(
    folder: Path,
    token: str,
    classes: ReleasedClasses,
    rows: Iterable[pa.Table],
    schema: pa.Schema,
    total: int,
) -> Kept:
    """Write the two files of a release, which only their owner may read.

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
    schema
        Its columns.
    total
        How many private rows there are.
    """
    first, second = name_files(folder, token)
    table = classes.to_arrow()
    _write(first, [table], table.schema)
    _write(second, rows, schema)
    kept = Kept(folder, token, describe_file(first).sha256, describe_file(second).sha256)
    _check_complete(kept, classes, total)
    return kept


def _check_complete(kept: Kept, classes: ReleasedClasses, total: int) -> None:
    """Stop if the map has not as many rows in every class as the release, and all rows."""
    column = kept.rows([CLASS])[CLASS]
    tally = np.bincount(column.drop_null().to_numpy(), minlength=len(classes))
    if len(column) != total or not np.array_equal(tally, classes.counts):
        raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")


def _write(path: Path, pieces: Iterable[pa.Table], schema: pa.Schema) -> None:
    """Write a Parquet file that only its owner may read, and wait until it is on the disk."""
    import pyarrow.parquet as parquet  # no sooner than it is needed: it takes long to import

    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream, parquet.ParquetWriter(stream, schema) as writer:
        for piece in pieces:
            writer.write_table(piece)
    sync(path)


def _read(path: Path, sha256: str, columns: list[str] | None) -> pa.Table:
    """Read a Parquet file that is as it was written."""
    import pyarrow.parquet as parquet

    if not path.is_file():
        raise InvalidInput(
            f"the ledger's file {path} is missing; put it back from your backup, because without "
            "it no later release can be checked"
        )
    if describe_file(path).sha256 != sha256:
        raise InvalidInput(f"the ledger's file {path} was changed; put it back from your backup")
    return parquet.ParquetFile(path).read(columns)
