"""Published: the file of an earlier release, as it was published."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests
from lookalike.ledger.policies.earlier import name_of
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.row_map import digest_column, to_digests
from lookalike.publish.certificate import describe_file
from lookalike.tables.connection import Connection
from lookalike.tables.count import fetch
from lookalike.tables.labels import spell
from lookalike.tables.read import read_frame
from lookalike.tables.sql import derive, quote_name
from lookalike.verify.recount import open_release


def find_file(entry: Entry) -> Path:
    """Return the file of a release, if it is still there as it was published.

    Raises
    ------
    InvalidInput
        If it is not; the message says what to do.
    """
    [(name, told)] = entry.certificate.files.items()
    path = entry.folder / name
    if path.is_file() and describe_file(path).sha256 == told.sha256:
        return path
    found = "was changed or replaced" if path.is_file() else "is not there any more"
    raise InvalidInput(
        f"{name_of(entry)} is needed as it was published, but its file {path} {found}; put it back "
        "from your backup, and publish each release to a folder of its own"
    )


def read_written(file: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield columns of a released file, piece by piece, with the types that they were written of.

    A text file does not tell types; what cannot be read as its type is missing.

    Parameters
    ----------
    file
        The file.
    schema
        The columns, with their types.
    """
    plain = pa.schema([pa.field(field.name, _plain(field.type)) for field in schema])
    typed = duckdb.from_arrow(plain.empty_table())
    columns = ", ".join(
        f"TRY_CAST({quote_name(name)} AS {kind}) AS {quote_name(name)}"
        for name, kind in zip(typed.columns, typed.types, strict=True)
    )
    release = derive(open_release(file, Connection()), f"SELECT {columns} FROM t")
    for piece in fetch(read_frame(release), plain.names):
        yield piece.cast(plain)


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values: of categories, that of what they stand for.

    A column without a value may have any.
    """
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    return pa.string() if pa.types.is_null(kind) else kind


def find_values(
    file: Path, name: str, kind: pa.DataType, wanted: Digests, secret: bytes
) -> tuple[pa.Array, Codes]:
    """Find the values that a release shows of some rows in one column, by their digests.

    A published file has no row keys. What it shows of a row is known by the digest that the ledger
    keeps, under its key.

    Parameters
    ----------
    file
        The file of the release.
    name
        The column.
    kind
        The type that the values shall have.
    wanted
        For each row, the digest of its value.
    secret
        The key of the ledger.

    Returns
    -------
    values
        The column of the file.
    places
        For each digest, the place of its value there.
    """
    column = pa.concat_tables(read_written(file, pa.schema([(name, kind)])))[name]
    known = to_digests(digest_column(name, column, secret, spell))
    number, first = number_keys(np.concatenate([known, wanted]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise _unlike(file, name)
    return pa.concat_arrays(column.cast(kind).chunks), places


def _unlike(file: Path, name: str) -> InvalidInput:
    """Return the error that values of a file are not those that the ledger remembers."""
    return InvalidInput(
        f"{file}: the values of column {name!r} cannot be read as the type that it has now; give "
        "the source in the kind of file or frame that it had then"
    )
