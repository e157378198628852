"""Row map: which private row went into which class, with keyed hashes for all that is private.

It has a row for every private row, of these columns:

``key``
    The hash of its row key.
``class``
    The position of its class among the :class:`~lookalike.ledger.classes.ReleasedClasses`, or
    missing if it was left out.
``quasi_identifier``
    The hash of its values of the quasi-identifier, as the private table has them.
``other``
    The hash of its values that are released as they are.

The hashes are BLAKE2b under the ledger's key, 16 bytes each, and each kind apart from the
others. They are of the values as text, with the names of their columns in alphabetical order,
so that the order of columns and the kind of file do not matter. The hash of a row key is of the
value alone: rows are found again if the column of their key has another name.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.count import encode_column
from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import Codes
from lookalike.kernels import group_sequences
from lookalike.kernels.numbering import Digests
from lookalike.ledger.classes import LEFT_OUT
from lookalike.recode import FATE, Plan, Trail
from lookalike.sql import SOURCE_CHANGED

HASH_BYTES = 16
HASH = pa.binary(HASH_BYTES)
DIGEST = np.dtype(f"V{HASH_BYTES}")
KEY, CLASS, LINKABLE, OTHER = "key", "class", "quasi_identifier", "other"
SCHEMA = pa.schema([(KEY, HASH), (CLASS, pa.int32()), (LINKABLE, HASH), (OTHER, HASH)])


def map_rows(
    plan: Plan, trail: Trail, row_key: str, fated: Codes, secret: bytes
) -> Iterator[pa.Table]:
    """Yield the row map of a release, piece by piece.

    Parameters
    ----------
    plan
        What was decided.
    trail
        What became of every private row.
    row_key
        The column that tells the private rows apart.
    fated
        For each fate, its class.
    secret
        The key of the ledger.
    """
    columns = {
        KEY: (row_key,),
        LINKABLE: plan.frequency.attributes,
        OTHER: plan.table.unchanged,
    }
    for rows in trail.follow(list_columns(columns)):
        if rows[FATE].null_count:
            raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")
        classes = fated[rows[FATE].to_numpy()]
        hashed = hash_kinds(rows, columns, secret)
        hashed[CLASS] = pa.array(classes, pa.int32(), mask=classes == LEFT_OUT)
        yield pa.table(hashed).select(SCHEMA.names).cast(SCHEMA)


def list_columns(kinds: Mapping[str, Sequence[str]]) -> list[str]:
    """List the columns of all kinds of hashes, each once."""
    return list(dict.fromkeys(name for columns in kinds.values() for name in columns))


def hash_kinds(
    rows: pa.Table, kinds: Mapping[str, Sequence[str]], secret: bytes
) -> dict[str, pa.Array]:
    """Return for each kind of hash that of every row, over the columns of that kind."""
    return {
        kind: hash_rows(rows, columns, secret=secret, kind=kind) for kind, columns in kinds.items()
    }


def to_digests(column: pa.ChunkedArray) -> Digests:
    """Return hashes as an array that can be numbered and compared."""
    whole = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], HASH)
    if not len(whole):
        return np.zeros(0, dtype=DIGEST)
    return np.frombuffer(whole.buffers()[1], dtype=DIGEST)[whole.offset :][: len(whole)]


def hash_rows(rows: pa.Table, columns: Sequence[str], *, secret: bytes, kind: str) -> pa.Array:
    """Return the keyed hash of each row's values of some columns.

    Examples
    --------
    >>> rows = pa.table({"a": ["x", None, "x"], "b": [1, 1, 1]})
    >>> first, second, third = hash_rows(rows, ["b", "a"], secret=b"k", kind="other")
    >>> first == third, first == second
    (True, False)
    """
    names = sorted(columns)
    encoded = [encode_column(name, rows[name]) for name in names]
    if not encoded:
        return pa.array([_hash([], [], secret, kind)] * len(rows), HASH)
    sizes = [len(values) for values, _ in encoded]
    same = [np.arange(size, dtype=np.int32) for size in sizes]
    codes = np.array([codes for _, codes in encoded], dtype=np.int32)
    alike, first, _ = group_sequences(codes, same, sizes, np.ones(len(rows), dtype=np.int64))
    texts = [
        [values[code] for code in line[first]]
        for (values, _), line in zip(encoded, codes, strict=True)
    ]
    written = [KEY] * len(names) if kind == KEY else names
    hashes = [_hash(written, row, secret, kind) for row in zip(*texts, strict=True)]
    return pa.array(hashes, HASH).take(pa.array(alike))


def _hash(names: Sequence[str], texts: Sequence[str | None], secret: bytes, kind: str) -> bytes:
    """Hash values together with their names, so that no two lists of them are written alike."""
    hashed = hashlib.blake2b(key=secret, digest_size=HASH_BYTES, person=kind.encode()[:16])
    for text in (part for pair in zip(names, texts, strict=True) for part in pair):
        raw = b"" if text is None else text.encode()
        hashed.update(b"missing\n" if text is None else b"%d\n" % len(raw))
        hashed.update(raw)
    return hashed.digest()
