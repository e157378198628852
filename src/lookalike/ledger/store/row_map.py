"""Row map: which private row went into which class, with keyed hashes for all that is private.

It has a row for every private row, of these columns:

``key``
    The hash of its row key.
``class``
    The position of its class among the :class:`~lookalike.ledger.store.classes.ReleasedClasses`, or
    missing if it was left out.
``quasi_identifier``
    The hash of its values of the quasi-identifier, as the private table has them.
``value NAME``
    For each column that is released as it is, or as a pseudonym: the hash of the value as it is
    written to the released file.
``ground NAME``
    For each attribute of the quasi-identifier: the hash of its private value.

The hashes are BLAKE2b under the ledger's key, 16 bytes each, and each kind apart from the
others. ``value`` and ``ground`` are one kind, without the name of the column, so that what two
columns show can be compared. The hash of a row key is of the value alone, too: rows are found again
if the column of their key has another name. ``quasi_identifier`` is of values with the names of
their columns in alphabetical order. All are of values as text, so that the order of columns and
the kind of file do not matter.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Digests
from lookalike.ledger.store.classes import LEFT_OUT
from lookalike.tables.engines.engine import FATE
from lookalike.tables.labels import Write, encode_column, label, spell
from lookalike.tables.plan import Plan
from lookalike.tables.pseudonyms import pseudonyms
from lookalike.tables.recode import Trail
from lookalike.tables.sql import SOURCE_CHANGED

HASH_BYTES = 16
HASH = pa.binary(HASH_BYTES)
DIGEST = np.dtype(f"V{HASH_BYTES}")
KEY, CLASS, LINKABLE = "key", "class", "quasi_identifier"
VALUE, GROUND = "value", "ground"


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
    kinds = {KEY: (row_key,), LINKABLE: plan.frequency.attributes}
    unchanged, hidden, schema = plan.table.unchanged, plan.table.pseudonym_keys, map_schema(plan)
    for rows in trail.follow(list_columns(kinds, {VALUE: (*unchanged, *hidden)})):
        if rows[FATE].null_count:
            raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")
        classes = fated[rows[FATE].to_numpy()]
        hashed = hash_kinds(rows, kinds, secret)
        hashed[CLASS] = pa.array(classes, pa.int32(), mask=classes == LEFT_OUT)
        for name, digests in digest_shown(rows, unchanged, hidden, secret).items():
            hashed[f"{VALUE} {name}"] = digests
        for name in plan.frequency.attributes:
            hashed[f"{GROUND} {name}"] = digest_column(name, rows[name], secret)
        yield pa.table(hashed).select(schema.names).cast(schema)


def map_schema(plan: Plan) -> pa.Schema:
    """Return the columns of the row map of a release."""
    linkable = plan.frequency.attributes
    hashes = [
        *(f"{VALUE} {name}" for name in (*plan.table.unchanged, *plan.table.pseudonym_keys)),
        *(f"{GROUND} {name}" for name in linkable),
    ]
    fixed = [(KEY, HASH), (CLASS, pa.int32()), (LINKABLE, HASH)]
    return pa.schema([*fixed, *((name, HASH) for name in hashes)])


def columns_of(kind: str, rows: pa.Table) -> dict[str, str]:
    """Return for each column of the release that has a kind of hash in a map its place there."""
    prefix = f"{kind} "
    return {
        place.removeprefix(prefix): place for place in rows.column_names if place.startswith(prefix)
    }


def list_columns(*kinds: Mapping[str, Sequence[str]]) -> list[str]:
    """List the columns of all kinds of hashes, each once."""
    named = (name for each in kinds for columns in each.values() for name in columns)
    return list(dict.fromkeys(named))


def hash_kinds(
    rows: pa.Table, kinds: Mapping[str, Sequence[str]], secret: bytes
) -> dict[str, pa.Array]:
    """Return for each kind of hash that of every row, over the columns of that kind."""
    return {
        kind: hash_rows(rows, columns, secret=secret, kind=kind) for kind, columns in kinds.items()
    }


def digest_shown(
    rows: pa.Table, unchanged: Sequence[str], pseudonym_keys: Mapping[str, bytes], secret: bytes
) -> dict[str, pa.Array]:
    """Return for each column that a file shows beside the quasi-identifier the hash of every row.

    Parameters
    ----------
    rows
        Private rows.
    unchanged
        The columns that are released as they are.
    pseudonym_keys
        For each column that is released as a pseudonym, its key.
    secret
        The key of the ledger.
    """
    digests = {name: digest_column(name, rows[name], secret, spell) for name in unchanged}
    for name, key in pseudonym_keys.items():
        written = pseudonyms(name, rows[name], key)
        digests[name] = digest_column(name, written, secret)
    return digests


def digest_column(
    name: str, column: pa.Array | pa.ChunkedArray, secret: bytes, write: Write = label
) -> pa.Array:
    """Return the keyed hash of each value of a column.

    Parameters
    ----------
    name
        The column's name, for errors; it is not hashed.
    column
        Its values.
    secret
        The key of the ledger.
    write
        Writes a value as text: `spell` for a column that is released as it is.

    Examples
    --------
    >>> zeros = pa.array([0.0, -0.0, None, float("nan")])
    >>> [len(set(digest_column("a", zeros, b"k", way).to_pylist())) for way in (label, spell)]
    [2, 4]
    """
    texts, codes = encode_column(name, column, write)
    return pa.array(digest_texts(texts, secret), HASH).take(pa.array(codes))


def digest_texts(texts: Sequence[str | None], secret: bytes) -> list[bytes]:
    """Return the keyed hash of each value that a released file may show, given as text."""
    return [hash_texts([text], secret, VALUE) for text in texts]


def to_digests(column: pa.Array | pa.ChunkedArray) -> Digests:
    """Return hashes as an array that can be numbered and compared."""
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], HASH)
    if not len(column):
        return np.zeros(0, dtype=DIGEST)
    return np.frombuffer(column.buffers()[1], dtype=DIGEST)[column.offset :][: len(column)]


def hash_rows(rows: pa.Table, columns: Sequence[str], *, secret: bytes, kind: str) -> pa.Array:
    """Return the keyed hash of each row's values of some columns.

    Examples
    --------
    >>> rows = pa.table({"a": ["x", None, "x"], "b": [1, 1, 1]})
    >>> first, second, third = hash_rows(rows, ["b", "a"], secret=b"k", kind="key")
    >>> first == third, first == second
    (True, False)
    """
    names = sorted(columns)
    encoded = [encode_column(name, rows[name]) for name in names]
    if not encoded:
        return pa.array([hash_texts([], secret, kind)] * len(rows), HASH)
    sizes = [len(values) for values, _ in encoded]
    codes = np.array([codes for _, codes in encoded], dtype=np.int32)
    alike, first, _ = group_equal(codes, sizes, np.ones(len(rows), dtype=np.int64))
    texts = [
        [values[code] for code in line[first]]
        for (values, _), line in zip(encoded, codes, strict=True)
    ]
    written = [KEY] * len(names) if kind == KEY else names
    hashes = [
        hash_texts([part for pair in zip(written, row, strict=True) for part in pair], secret, kind)
        for row in zip(*texts, strict=True)
    ]
    return pa.array(hashes, HASH).take(pa.array(alike))


def hash_texts(texts: Sequence[str | None], secret: bytes, kind: str) -> bytes:
    """Hash texts so that no two lists of them are hashed alike."""
    hashed = hashlib.blake2b(key=secret, digest_size=HASH_BYTES, person=kind.encode()[:16])
    for text in texts:
        raw = b"" if text is None else text.encode()
        hashed.update(b"missing\n" if text is None else b"%d\n" % len(raw))
        hashed.update(raw)
    return hashed.digest()
