"""Read the file of an earlier release, and compare a staged file with its row map.

A staged file and its row map are made one after the other from the same source, which may have
changed in between. A file has no row keys, so the two are compared as multisets of rows: the labels
of the quasi-identifier, and the values of all other columns. Each row is hashed to 128 bits under a
key that is drawn for this comparison only, and the hashes are summed. Different multisets have
equal sums with a probability of about 2**-128, and only one piece of the file is in memory at a
time.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests
from lookalike.ledger.store import row_map
from lookalike.ledger.store.entry import Entry, ReleaseFiles
from lookalike.publish.digest import describe_file
from lookalike.tables.connection import Connection
from lookalike.tables.count import fetch
from lookalike.tables.labels import label, spell
from lookalike.tables.sql import quote_name
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

    A text file has no types. A value that cannot be read as its type becomes missing. A column
    without any value is text.
    """
    kinds = ((field.name, row_map.value_type(field.type)) for field in schema)
    plain = pa.schema(
        [(name, pa.string() if pa.types.is_null(kind) else kind) for name, kind in kinds]
    )
    typed = duckdb.from_arrow(plain.empty_table())
    columns = ", ".join(
        f"TRY_CAST({quote_name(name)} AS {kind}) AS {quote_name(name)}"
        for name, kind in zip(typed.columns, typed.types, strict=True)
    )
    release = open_release(file, Connection()).project(columns)
    for piece in fetch(nw.from_native(release), plain.names):
        yield piece.cast(plain)


def find_shown_values(
    file: Path, name: str, kind: pa.DataType, wanted: Digests, secret: bytes
) -> tuple[pa.Array, Codes]:
    """Find the values that a release shows for some rows in one column, by their digests.

    A published file has no row keys. The ledger keeps the digest of the value of each row, and the
    file has the value.
    """
    column = pa.concat_tables(read_released_columns(file, pa.schema([(name, kind)])))[name]
    known = row_map.to_digests(row_map.digest_column(name, column, secret, spell))
    number, first = number_keys(np.concatenate([known, wanted]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise InvalidInput(
            f"{file}: the values of column {name!r} cannot be read with its present type; read the "
            "source from the same kind of file or frame as for that release"
        )
    return pa.concat_arrays(column.cast(kind).chunks), places


_MODULUS = 2**128


def check_staged_file(file: Path, schema: pa.Schema, files: ReleaseFiles, secret: bytes) -> None:
    """Refuse a staged file that does not show the rows of its row map."""
    key, classes, rows = secrets.token_bytes(32), files.read_classes(), files.read_rows()
    shown = rows.filter(rows[row_map.CLASS].is_valid())
    class_of = shown[row_map.CLASS].to_numpy()
    known = zip(classes.attributes, classes.labels, strict=True)
    labelled = {name: texts for name, texts in known if name in schema.names}
    labels = (
        pa.array(row_map.digest_texts(each, secret), row_map.HASH) for each in labelled.values()
    )
    values = row_map.columns_of(row_map.VALUE, rows)
    recorded = [
        *(row_map.to_digests(digests)[class_of] for digests in labels),
        *(row_map.to_digests(shown[place]) for place in values.values()),
    ]
    writes = dict.fromkeys(labelled, label) | dict.fromkeys(values, spell)
    pieces = (
        [
            row_map.to_digests(row_map.digest_column(name, piece[name], secret, write))
            for name, write in writes.items()
        ]
        for piece in read_released_columns(file, schema)
    )
    mapped, written = _sum_hashes([recorded], key), _sum_hashes(pieces, key)
    if mapped != written:
        raise InvalidInput(
            "the source changed while it was released: the file does not show the rows that the "
            "ledger would record, so nothing is published; begin again"
        )


def _sum_hashes(pieces: Iterable[Sequence[Digests]], key: bytes) -> tuple[int, int]:
    """Return the number of rows, and the sum of their hashes under a key."""
    rows = total = 0
    for columns in pieces:
        whole = np.column_stack([each.view(np.uint8).reshape(len(each), -1) for each in columns])
        number, first = number_keys(whole.view(f"V{whole.shape[1]}").ravel())
        counts = np.bincount(number, minlength=len(first)).tolist()
        for place, count in zip(first.tolist(), counts, strict=True):
            hashed = hashlib.blake2b(whole[place].tobytes(), key=key, digest_size=16).digest()
            total += count * int.from_bytes(hashed)
        rows += len(whole)
    return rows, total % _MODULUS
