"""Row map: which private row is in which released class, with keyed hashes of private values.

It has one row per private row, with these columns:

``key``
    The hash of its row key.
``class``
    The position of its class in
    :class:`~lookalike.ledger.store.entry.ReleasedClasses`, or missing if the row was
    left out.
``quasi_identifier``
    The hash of its private values of the quasi-identifier.
``value NAME``
    For each column that is released unchanged or as a pseudonym: the hash of the value in the
    released file.
``ground NAME``
    For each attribute of the quasi-identifier: the hash of its private value.
``person``
    If k counts persons: the hash of the value that identifies the person of the row.

The hashes are BLAKE2b under the ledger's key, 16 bytes each, with a different personalization for
each kind. ``value``, ``ground`` and ``person`` are one kind and do not include the name of the
column, so that the contents of two columns can be compared. The hash of a row key does not include
the name either: rows are found again if the key column was renamed. ``quasi_identifier`` includes
the names of the columns, in alphabetical order. All values are hashed as text, so that neither the
order of columns nor the file format matters.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Digests
from lookalike.tables.count import fetch
from lookalike.tables.engines.engine import FATE
from lookalike.tables.labels import Write, encode_column, label, spell
from lookalike.tables.plan import Plan
from lookalike.tables.pseudonyms import pseudonyms
from lookalike.tables.recode import Trail
from lookalike.tables.sql import source_changed
from lookalike.tables.table import Frame

LEFT_OUT = -1
"""The class number of rows that are not in the release."""
HASH_BYTES = 16
HASH = pa.binary(HASH_BYTES)
DIGEST = np.dtype(f"V{HASH_BYTES}")
KEY, CLASS, LINKABLE = "key", "class", "quasi_identifier"


VALUE, GROUND, PERSON = "value", "ground", "person"


def map_rows(
    plan: Plan,
    trail: Trail,
    row_key: str,
    person: str | None,
    class_of_fate: Codes,
    secret: bytes,
) -> Iterator[pa.Table]:
    """Yield the row map of a release, piece by piece."""
    kinds = {KEY: (row_key,), LINKABLE: plan.frequency.attributes}
    persons = () if person is None else (person,)
    unchanged, hidden = plan.table.unchanged, plan.table.pseudonym_keys
    schema = _map_schema(plan, persons=bool(persons))
    needed = row_key, *plan.frequency.attributes, *unchanged, *hidden, *persons
    for rows in trail.follow(list(dict.fromkeys(needed))):
        if rows[FATE].null_count:
            raise source_changed()
        classes = class_of_fate[rows[FATE].to_numpy()]
        hashed = {
            kind: hash_rows(rows, columns, secret=secret, kind=kind)
            for kind, columns in kinds.items()
        }
        hashed[CLASS] = pa.array(classes, pa.int32(), mask=classes == LEFT_OUT)
        for name, digests in _digest_shown(rows, unchanged, hidden, secret).items():
            hashed[f"{VALUE} {name}"] = digests
        for name in plan.frequency.attributes:
            hashed[f"{GROUND} {name}"] = digest_column(name, rows[name], secret)
        for name in persons:
            hashed[PERSON] = digest_column(name, rows[name], secret)
        yield pa.table(hashed).select(schema.names).cast(schema)


def _map_schema(plan: Plan, *, persons: bool) -> pa.Schema:
    """Return the schema of the row map of a release."""
    linkable = plan.frequency.attributes
    hashes = [
        *(f"{VALUE} {name}" for name in (*plan.table.unchanged, *plan.table.pseudonym_keys)),
        *(f"{GROUND} {name}" for name in linkable),
        *([PERSON] if persons else []),
    ]
    fixed = [(KEY, HASH), (CLASS, pa.int32()), (LINKABLE, HASH)]
    return pa.schema([*fixed, *((name, HASH) for name in hashes)])


def columns_of(kind: str, rows: pa.Table) -> dict[str, str]:
    """Return the row map's columns of one kind (`VALUE` or `GROUND`), by released column."""
    prefix = f"{kind} "
    return {
        place.removeprefix(prefix): place for place in rows.column_names if place.startswith(prefix)
    }


def _digest_shown(
    rows: pa.Table, unchanged: Sequence[str], pseudonym_keys: Mapping[str, bytes], secret: bytes
) -> dict[str, pa.Array]:
    """Return the hashes of the values that a file shows outside of the quasi-identifier."""
    digests = {name: digest_column(name, rows[name], secret, spell) for name in unchanged}
    for name, key in pseudonym_keys.items():
        written = pseudonyms(name, rows[name], key)
        digests[name] = digest_column(name, written, secret)
    return digests


def digest_column(
    name: str, column: pa.Array | pa.ChunkedArray, secret: bytes, write: Write = label
) -> pa.Array:
    """Return the keyed hash of each value of a column.

    ``write``: function that writes a value as text: `spell` for a column that is released
    unchanged.
    """
    texts, codes = encode_column(name, column, write)
    return pa.array(digest_texts(texts, secret), HASH).take(pa.array(codes))


def value_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values; for a dictionary-encoded column, the decoded type."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def digest_texts(texts: Sequence[str | None], secret: bytes) -> list[bytes]:
    """Return the keyed hash of each text, as the row map has it for values."""
    return [hash_texts([text], secret, VALUE) for text in texts]


def to_digests(column: pa.Array | pa.ChunkedArray) -> Digests:
    """Return hashes as a numpy array, which can be numbered and compared."""
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], HASH)
    if not len(column):
        return np.zeros(0, dtype=DIGEST)
    return np.frombuffer(column.buffers()[1], dtype=DIGEST)[column.offset :][: len(column)]


def hash_rows(rows: pa.Table, columns: Sequence[str], *, secret: bytes, kind: str) -> pa.Array:
    """Return the keyed hash of each row over some columns."""
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
    """Hash a list of texts; different lists have different input bytes."""
    hashed = hashlib.blake2b(key=secret, digest_size=HASH_BYTES, person=kind.encode()[:16])
    for text in texts:
        raw = b"" if text is None else text.encode()
        hashed.update(b"missing\n" if text is None else b"%d\n" % len(raw))
        hashed.update(raw)
    return hashed.digest()


@dataclass(frozen=True, eq=False)
class HashedRows(Discreet):
    """The rows of a table, in the order in which they were fetched.

    ``row_keys``: row keys as the table has them, not hashed.
    ``quasi_identifier``: hashes of the values of the quasi-identifier, all attributes together.
    ``values``: for each column that is released unchanged, the hashes of its values.
    ``ground``: for each attribute of the quasi-identifier, the hashes of its values.
    ``types``: types of the columns that are released unchanged.
    """

    row_keys: pa.ChunkedArray
    keys: Digests
    quasi_identifier: Digests
    values: dict[str, Digests]
    ground: dict[str, Digests]
    types: dict[str, pa.DataType]


def hash_frame(
    frame: Frame, row_key: str, linkable: tuple[str, ...], unchanged: tuple[str, ...], secret: bytes
) -> HashedRows:
    """Hash every row of a table."""
    pieces = [
        (
            piece.schema,
            piece[row_key],
            {
                KEY: hash_rows(piece, [row_key], secret=secret, kind=KEY),
                LINKABLE: hash_rows(piece, linkable, secret=secret, kind=LINKABLE),
            },
            {name: digest_column(name, piece[name], secret, spell) for name in unchanged},
            {name: digest_column(name, piece[name], secret) for name in linkable},
        )
        for piece in fetch(frame, list(dict.fromkeys([row_key, *linkable, *unchanged])))
    ]
    schemas, keys, kinds, values, ground = zip(*pieces, strict=True)
    hashed = _concatenate(kinds)
    return HashedRows(
        row_keys=pa.chunked_array([chunk for key in keys for chunk in key.chunks], keys[0].type),
        keys=hashed[KEY],
        quasi_identifier=hashed[LINKABLE],
        values=_concatenate(values),
        ground=_concatenate(ground),
        types={name: value_type(schemas[0].field(name).type) for name in unchanged},
    )


def _concatenate(pieces: tuple[dict[str, pa.Array], ...]) -> dict[str, Digests]:
    """Concatenate the hashes of all pieces, column by column."""
    return {
        name: to_digests(pa.chunked_array([piece[name] for piece in pieces], HASH))
        for name in pieces[0]
    }
