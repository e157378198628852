"""Pseudonyms: keyed hashes that replace identifiers, the same in Python and in SQL."""

import hashlib
import hmac

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.labels import encode_column
from lookalike.tables.sql import quote_bytes, quote_name


def pseudonyms(name: str, column: pa.Array | pa.ChunkedArray, key: bytes) -> pa.Array:
    """Replace each value by a keyed hash of its text; missing stays missing."""
    values, codes = encode_column(name, column)
    hashed = [
        None if text is None else hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        for text in values
    ]
    return pa.array(hashed, pa.string()).take(pa.array(codes))


def pseudonym_sql(name: str, kind: str, key: bytes) -> str:
    """Return HMAC-SHA256 (RFC 2104) of the text of a column's values as an SQL expression."""
    text = _label_sql(name, quote_name(name), kind)
    inner, outer = map(quote_bytes, hash_pads(key))
    return f"sha256({outer} || unhex(sha256({inner} || encode({text}))))"


def hash_pads(key: bytes) -> tuple[bytes, bytes]:
    """Return what HMAC-SHA256 puts before the text, and before the hash of both."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    return bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)


def _label_sql(name: str, value: str, kind: str) -> str:
    """Write a value as text in SQL, the same text as its label in Python."""
    if kind in ("float", "double"):
        number = f"CAST({value} AS DOUBLE)"
        whole = f"CAST(CAST({number} AS HUGEINT) AS VARCHAR)"
        return (
            f"CASE WHEN isnan({number}) THEN NULL WHEN {number} = trunc({number}) "
            f"AND isfinite({number}) THEN {whole} ELSE CAST({number} AS VARCHAR) END"
        )
    if kind == "decimal":
        whole = f"CAST(CAST({value} AS HUGEINT) AS VARCHAR)"
        return f"CASE WHEN {value} = trunc({value}) THEN {whole} ELSE CAST({value} AS VARCHAR) END"
    if kind not in ("varchar", "enum", "boolean", "date", "uuid") and not kind.endswith(
        ("int", "integer")
    ):
        raise not_a_pseudonym(name, kind)
    return f"CAST({value} AS VARCHAR)"


def not_a_pseudonym(name: str, kind: str) -> InvalidInput:
    """Make the error for a column whose values cannot be written as the same text everywhere."""
    return InvalidInput(
        f"column {name!r} is of type {kind}, which cannot be a pseudonym; convert it to text"
    )
