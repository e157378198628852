"""Compare a staged file with its row map before it is published.

The file and the row map are made one after the other from the same source, which may have changed
in between. A file has no row keys, so the two are compared as multisets of rows: the labels of the
quasi-identifier, and the values of all other columns. Each row is hashed to 128 bits under a key
that is drawn for this comparison only, and the hashes are summed. Different multisets have equal
sums with a probability of about 2**-128, and only one piece of the file is in memory at a time.
"""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Digests
from lookalike.ledger.store.published_file import read_released_columns
from lookalike.ledger.store.release_files import ReleaseFiles
from lookalike.ledger.store.released_classes import ReleasedClasses
from lookalike.ledger.store.row_map import (
    CLASS,
    HASH,
    VALUE,
    columns_of,
    digest_column,
    digest_texts,
    to_digests,
)
from lookalike.tables.labels import spell

_MODULUS = 2**128


def check_staged_file(file: Path, schema: pa.Schema, files: ReleaseFiles, secret: bytes) -> None:
    """Refuse a staged file that does not show the rows of its row map."""
    key, classes, rows = secrets.token_bytes(32), files.read_classes(), files.read_rows()
    values = list(columns_of(VALUE, rows))
    mapped = _sum_hashes([_mapped_rows(rows, classes, values, secret)], key)
    pieces = read_released_columns(file, schema)
    written = _sum_hashes((_written_rows(each, classes, values, secret) for each in pieces), key)
    if mapped != written:
        raise InvalidInput(
            "the source changed while it was released: the file does not show the rows that the "
            "ledger would record, so nothing is published; begin again"
        )


def _mapped_rows(
    rows: pa.Table, classes: ReleasedClasses, values: Sequence[str], secret: bytes
) -> list[Digests]:
    """Return the digests of the released rows according to the row map, column by column."""
    shown = rows.filter(rows[CLASS].is_valid())
    class_of = shown[CLASS].to_numpy()
    labels = [to_digests(pa.array(digest_texts(each, secret), HASH)) for each in classes.labels]
    return [
        *(digests[class_of] for digests in labels),
        *(to_digests(shown[f"{VALUE} {name}"]) for name in values),
    ]


def _written_rows(
    piece: pa.Table, classes: ReleasedClasses, values: Sequence[str], secret: bytes
) -> list[Digests]:
    """Return the digests of the rows of a file, column by column."""
    return [
        *(to_digests(digest_column(name, piece[name], secret)) for name in classes.attributes),
        *(to_digests(digest_column(name, piece[name], secret, spell)) for name in values),
    ]


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
