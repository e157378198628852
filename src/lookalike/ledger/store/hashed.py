"""Hashed: the rows of a table as a ledger knows them."""

from dataclasses import dataclass

import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Digests
from lookalike.ledger.store.row_map import (
    HASH,
    KEY,
    LINKABLE,
    digest_column,
    hash_rows,
    to_digests,
)
from lookalike.tables.count import fetch
from lookalike.tables.labels import spell
from lookalike.tables.table import Frame


@dataclass(frozen=True, eq=False)
class Hashed(Discreet):
    """The rows of a table, in the order in which they were fetched.

    Parameters
    ----------
    row_keys
        Their row keys, as the table has them.
    keys
        The hashes of their row keys.
    quasi_identifier
        The hashes of their values of the quasi-identifier.
    values
        For each column that is released as it is, the hashes of their values.
    ground
        For each attribute of the quasi-identifier, the hashes of their values.
    types
        The types of the columns that are released as they are.
    """

    row_keys: pa.ChunkedArray
    keys: Digests
    quasi_identifier: Digests
    values: dict[str, Digests]
    ground: dict[str, Digests]
    types: dict[str, pa.DataType]


def hash_frame(
    frame: Frame, row_key: str, linkable: tuple[str, ...], unchanged: tuple[str, ...], secret: bytes
) -> Hashed:
    """Hash every row of a table.

    Parameters
    ----------
    frame
        The rows.
    row_key
        The column that tells them apart.
    linkable
        The attributes of the quasi-identifier.
    unchanged
        The columns that are released as they are.
    secret
        The key of the ledger.
    """
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
    hashed = _join(kinds)
    return Hashed(
        row_keys=pa.chunked_array([chunk for key in keys for chunk in key.chunks], keys[0].type),
        keys=hashed[KEY],
        quasi_identifier=hashed[LINKABLE],
        values=_join(values),
        ground=_join(ground),
        types={name: _plain(schemas[0].field(name).type) for name in unchanged},
    )


def _join(pieces: tuple[dict[str, pa.Array], ...]) -> dict[str, Digests]:
    """Put the hashes of all pieces together."""
    return {
        name: to_digests(pa.chunked_array([piece[name] for piece in pieces], HASH))
        for name in pieces[0]
    }


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values; of categories, that of what they stand for."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind
