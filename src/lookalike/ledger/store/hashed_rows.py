"""HashedRows: the rows of a table as keyed hashes, which can be compared with a row map."""

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
    value_type,
)
from lookalike.tables.count import fetch
from lookalike.tables.labels import spell
from lookalike.tables.table import Frame


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
