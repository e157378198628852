"""Hashed: the rows of a table as a ledger knows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from lookalike.count import fetch
from lookalike.discreet import Discreet
from lookalike.kernels.numbering import Digests
from lookalike.ledger.row_map import HASH, KEY, OTHER, hash_kinds, list_columns, to_digests
from lookalike.table import Frame


@dataclass(frozen=True, eq=False)
class Hashed(Discreet):
    """The rows of a table, in the order in which they were fetched.

    Parameters
    ----------
    keys
        Their row keys, as the table has them.
    digests
        Their hashes, by kind.
    other
        The columns that are released as they are, with their types.
    """

    keys: pa.ChunkedArray
    digests: dict[str, Digests]
    other: pa.Schema


def hash_frame(frame: Frame, kinds: Mapping[str, Sequence[str]], secret: bytes) -> Hashed:
    """Hash every row of a table.

    Parameters
    ----------
    frame
        The rows.
    kinds
        The columns of each kind of hash: the row key's own, and those released as they are.
    secret
        The key of the ledger.
    """
    [row_key] = kinds[KEY]
    keys, schema = [], pa.schema([])
    hashed: dict[str, list[pa.Array]] = {kind: [] for kind in kinds}
    for piece in fetch(frame, list_columns(kinds)):
        schema = piece.schema
        keys += piece[row_key].chunks
        for kind, hashes in hash_kinds(piece, kinds, secret).items():
            hashed[kind].append(hashes)
    return Hashed(
        keys=pa.chunked_array(keys, schema.field(row_key).type),
        digests={kind: to_digests(pa.chunked_array(parts, HASH)) for kind, parts in hashed.items()},
        other=pa.schema([_plain(schema.field(name)) for name in kinds[OTHER]]),
    )


def _plain(field: pa.Field) -> pa.Field:
    """Return a column's name and type; of categories, the type of their values."""
    kind = field.type
    return pa.field(field.name, kind.value_type if pa.types.is_dictionary(kind) else kind)
