"""Find the file of an earlier release, and read the values that it shows."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.row_map import digest_column, to_digests, value_type
from lookalike.publish.certificate import describe_file
from lookalike.tables.connection import Connection
from lookalike.tables.count import fetch
from lookalike.tables.labels import spell
from lookalike.tables.sql import derive, quote_name
from lookalike.verify.recount import open_release


def find_published_file(entry: Entry) -> Path:
    """Return the file of a release if it is unchanged since it was published."""
    [(name, published)] = entry.certificate.files.items()
    path = entry.folder / name
    if path.is_file() and describe_file(path).sha256 == published.sha256:
        return path
    problem = "was changed or replaced" if path.is_file() else "is missing"
    raise InvalidInput(
        f"the published file of {entry.name} is needed, but {path} {problem}; restore it from your "
        "backup, and publish each release to a folder of its own"
    )


def read_released_columns(file: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield columns of a released file, piece by piece, with the types before they were written.

    A text file has no types. A value that cannot be read as its type becomes missing.
    """
    plain = pa.schema([pa.field(field.name, _readable_type(field.type)) for field in schema])
    typed = duckdb.from_arrow(plain.empty_table())
    columns = ", ".join(
        f"TRY_CAST({quote_name(name)} AS {kind}) AS {quote_name(name)}"
        for name, kind in zip(typed.columns, typed.types, strict=True)
    )
    release = derive(open_release(file, Connection()), f"SELECT {columns} FROM t")
    for piece in fetch(nw.from_native(release), plain.names):
        yield piece.cast(plain)


def _readable_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values; text for a column without any value."""
    decoded = value_type(kind)
    return pa.string() if pa.types.is_null(decoded) else decoded


def find_shown_values(
    file: Path, name: str, kind: pa.DataType, wanted: Digests, secret: bytes
) -> tuple[pa.Array, Codes]:
    """Find the values that a release shows for some rows in one column, by their digests.

    A published file has no row keys. The ledger keeps the digest of the value of each row, and the
    file has the value.
    """
    column = pa.concat_tables(read_released_columns(file, pa.schema([(name, kind)])))[name]
    known = to_digests(digest_column(name, column, secret, spell))
    number, first = number_keys(np.concatenate([known, wanted]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise _other_type(file, name)
    return pa.concat_arrays(column.cast(kind).chunks), places


def _other_type(file: Path, name: str) -> InvalidInput:
    """Return the error that a column of a file lacks values that the ledger remembers."""
    return InvalidInput(
        f"{file}: the values of column {name!r} cannot be read with its present type; read the "
        "source from the same kind of file or frame as for that release"
    )
