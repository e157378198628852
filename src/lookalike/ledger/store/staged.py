"""Staged: make sure that a staged file shows what the map of its rows says.

The file and the map are made one after the other from the same source, and the source may have been
replaced in between. A file has no row keys, so both are compared as multisets of rows: what a row
shows of the quasi-identifier, and its value in every other column. Each row is hashed to 128 bits
under a key that is drawn for this comparison alone, and the hashes are added up. Unequal multisets
have equal sums with a probability of about 2**-128, and no more than a piece is in memory.
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
from lookalike.ledger.store.classes import ReleasedClasses
from lookalike.ledger.store.kept import Kept
from lookalike.ledger.store.published import read_written
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

MODULUS = 2**128


def check_staged(file: Path, schema: pa.Schema, kept: Kept, secret: bytes) -> None:
    """Stop if a staged file does not show what the map of its rows says.

    Parameters
    ----------
    file
        The file.
    schema
        Its columns, with the types that were written.
    kept
        Its classes, and the map of its rows.
    secret
        The key of the ledger.

    Raises
    ------
    InvalidInput
        If they differ: the source changed in between.
    """
    key, classes, rows = secrets.token_bytes(32), kept.classes(), kept.rows()
    values = list(columns_of(VALUE, rows))
    mapped = _add_up([_mapped_rows(rows, classes, values, secret)], key)
    pieces = read_written(file, schema)
    written = _add_up((_written_rows(each, classes, values, secret) for each in pieces), key)
    if mapped != written:
        raise InvalidInput(
            "the source changed while it was released: the file does not show the rows that the "
            "ledger would remember, so nothing is published; begin again"
        )


def _mapped_rows(
    rows: pa.Table, classes: ReleasedClasses, values: Sequence[str], secret: bytes
) -> list[Digests]:
    """Return the digests of what each released row shows by the map, column by column."""
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
    """Return the digests of what each row of a file shows, column by column."""
    return [
        *(to_digests(digest_column(name, piece[name], secret)) for name in classes.attributes),
        *(to_digests(digest_column(name, piece[name], secret, spell)) for name in values),
    ]


def _add_up(pieces: Iterable[Sequence[Digests]], key: bytes) -> tuple[int, int]:
    """Return how many rows there are, and the sum of their hashes under a key."""
    rows = total = 0
    for columns in pieces:
        whole = np.column_stack([each.view(np.uint8).reshape(len(each), -1) for each in columns])
        number, first = number_keys(whole.view(f"V{whole.shape[1]}").ravel())
        counts = np.bincount(number, minlength=len(first)).tolist()
        for place, count in zip(first.tolist(), counts, strict=True):
            hashed = hashlib.blake2b(whole[place].tobytes(), key=key, digest_size=16).digest()
            total += count * int.from_bytes(hashed)
        rows += len(whole)
    return rows, total % MODULUS
