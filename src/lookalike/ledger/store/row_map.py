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
from lookalike.tables.row_tags import RECALLED
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
    linkable: tuple[str, ...],
    class_of_fate: Codes,
    secret: bytes,
) -> Iterator[pa.Table]:
    """Yield the row map of a release, piece by piece.

    ``linkable``: the attributes over which its classes were chosen.
    """
    persons = {} if person is None else {PERSON: person}
    unchanged, hidden = plan.table.unchanged, plan.table.pseudonym_keys
    recalled = (RECALLED,) if RECALLED in plan.table.roles else ()
    needed = row_key, *linkable, *unchanged, *hidden, *persons.values(), *recalled
    for rows in trail.follow(list(dict.fromkeys(needed))):
        if rows[FATE].null_count:
            raise source_changed()
        classes = class_of_fate[rows[FATE].to_numpy()]
        own = {kind: digest_column(name, rows[name], secret) for kind, name in persons.items()}
        for name, key in hidden.items():
            place = rows.column_names.index(name)
            rows = rows.set_column(place, name, pseudonyms(name, rows[name], key))
        hashed = _hash_columns(rows, row_key, linkable, (*unchanged, *hidden), secret)
        if recalled:
            hashed |= _recall_hashes(hashed, rows[RECALLED], linkable)
        shown = pa.array(classes, pa.int32(), mask=classes == LEFT_OUT)
        yield pa.table({KEY: hashed.pop(KEY), CLASS: shown, **hashed, **own})


def _hash_columns(
    rows: pa.Table, row_key: str, linkable: Sequence[str], unchanged: Sequence[str], secret: bytes
) -> dict[str, pa.Array]:
    """Return the hashes of the row key, the quasi-identifier, and the values of each column."""
    return {
        KEY: hash_rows(rows, [row_key], secret=secret, kind=KEY),
        LINKABLE: hash_rows(rows, linkable, secret=secret, kind=LINKABLE),
        **{f"{VALUE} {name}": digest_column(name, rows[name], secret, spell) for name in unchanged},
        **{f"{GROUND} {name}": digest_column(name, rows[name], secret) for name in linkable},
    }


def _list_recalled(linkable: Sequence[str]) -> list[str]:
    """Return the columns of the row map that a recalled row has from the ledger."""
    return [KEY, LINKABLE, *(f"{GROUND} {name}" for name in linkable)]


def write_recalled(digests: Sequence[Digests]) -> pa.Array:
    """Write the hashes that a recalled row has from the ledger as one text for each row.

    ``digests``: of the row key, the quasi-identifier, and each of its attributes.
    """
    columns = ([bytes(one).hex() for one in each] for each in digests)
    return pa.array(map("".join, zip(*columns, strict=True)), pa.string())


def _recall_hashes(
    hashed: Mapping[str, pa.Array], recalled: pa.ChunkedArray, linkable: Sequence[str]
) -> dict[str, pa.Array]:
    """Return hashes of rows in which those of recalled rows are what they were when last shown."""
    texts = recalled.to_pylist()
    here = [place for place, text in enumerate(texts) if text is not None]
    names = _list_recalled(linkable)
    raw = np.frombuffer(bytes.fromhex("".join(texts[place] for place in here)), DIGEST)
    replaced = {}
    for name, digests in zip(names, raw.reshape(len(here), len(names)).T, strict=True):
        column = to_digests(hashed[name]).copy()
        column[here] = digests
        replaced[name] = pa.array([bytes(one) for one in column], HASH)
    return replaced


def columns_of(kind: str, rows: pa.Table) -> dict[str, str]:
    """Return the row map's columns of one kind (`VALUE` or `GROUND`), by released column."""
    prefix = f"{kind} "
    return {
        place.removeprefix(prefix): place for place in rows.column_names if place.startswith(prefix)
    }


def digests_of(kind: str, rows: pa.Table) -> dict[str, Digests]:
    """Return the hashes in a row map's columns of one kind, by released column."""
    return {name: to_digests(rows[place]) for name, place in columns_of(kind, rows).items()}


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
    ``types``: types of these columns.
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
    needed = list(dict.fromkeys([row_key, *linkable, *unchanged]))
    keys, pieces = [], []
    for piece in fetch(frame, needed):
        keys.append(piece.select([row_key]))
        pieces.append(pa.table(_hash_columns(piece, row_key, linkable, unchanged, secret)))
        types = {name: value_type(piece[name].type) for name in needed}
    hashed = pa.concat_tables(pieces)
    return HashedRows(
        row_keys=pa.concat_tables(keys)[row_key],
        keys=to_digests(hashed[KEY]),
        quasi_identifier=to_digests(hashed[LINKABLE]),
        values=digests_of(VALUE, hashed),
        ground=digests_of(GROUND, hashed),
        types=types,
    )
