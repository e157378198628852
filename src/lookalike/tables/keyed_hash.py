"""Keyed hash: a random number for each row of a query, under a secret key.

DuckDB itself offers md5 as the only keyed hash that resists cryptanalysis, and md5 of 100 million
row numbers takes as long as sorting the rows. Our connections have a function that computes
SipHash-2-4 (:mod:`lookalike.kernels.siphash`). A connection of the user is left as it is and uses
md5.

Rows that are sorted by the hash of their position are in a random order: the hash is a
pseudorandom function, so the numbers of different positions are independent and uniform to everyone
without the key, and independent, uniform numbers are in each order with the same probability. Two
of 64 bits may be equal; then the engine decides which row comes first. For n rows, n² / 2^65 pairs
are expected to be equal: 0.0003 for 100 million rows, and nobody can see which pair it is.
"""

import duckdb
import numpy as np
import pyarrow as pa
from duckdb.func import PythonUDFType

from lookalike.kernels.siphash import siphash
from lookalike.tables.sql import derive, quote_name, quote_text

_FUNCTION = "lookalike_keyed_hash"


def register_keyed_hash(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the function to a connection."""
    connection.create_function(
        _FUNCTION,
        _hash_numbers,
        ["VARCHAR", "BIGINT"],
        "UBIGINT",
        type=PythonUDFType.ARROW,
    )


def keyed_hash_sql(relation: duckdb.DuckDBPyRelation, key: str, column: str) -> str:
    """Return an SQL expression for the keyed hash of a column of whole numbers."""
    own = f"{_FUNCTION}({quote_text(key)}, {quote_name(column)})"
    try:
        derive(relation, f"SELECT {own} FROM (SELECT 0 AS {quote_name(column)})")
    except duckdb.CatalogException:
        return f"md5_number_lower({quote_text(key)} || {quote_name(column)})"
    return own


def _hash_numbers(keys: pa.ChunkedArray, numbers: pa.ChunkedArray) -> pa.Array:
    """Hash the numbers of one piece of a query; it has one key."""
    words = np.frombuffer(bytes.fromhex(keys[0].as_py()), dtype="<u8")
    return pa.array(siphash(words, numbers.to_numpy().astype(np.uint64)))
