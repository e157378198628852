"""Pseudonyms: keyed hashes that replace identifiers, the same in Python and in SQL.

The executors of Spark compute them, too. There the keys are columns of a table with one row, never
literals, which Spark shows in its plans.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables import labels
from lookalike.tables.labels import encode_column
from lookalike.tables.plan import Plan
from lookalike.tables.sql import quote_bytes, quote_name, spark_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLAIN_TEXT = ("string", "boolean", "date", "tinyint", "smallint", "int", "bigint")
"""The types whose values Spark writes as the text that is their label."""


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


def list_pads(plan: Plan) -> dict[str, list[bytes]]:
    """Return what HMAC puts before the texts of identifiers, as columns of one row."""
    pads = {name: hash_pads(key) for name, key in plan.table.pseudonym_keys.items()}
    inner = {_inner_of(name): [inner] for name, (inner, _) in pads.items()}
    return inner | {_outer_of(name): [outer] for name, (_, outer) in pads.items()}


def add_identifier_texts(plan: Plan, located: DataFrame) -> DataFrame:
    """Add the text of every identifier that becomes a pseudonym.

    Spark writes fractions in another way than Python, so Python labels these in the executors.
    The function is sent there whole, because they need not have this package.
    """
    from pyspark.cloudpickle import register_pickle_by_value
    from pyspark.sql.functions import udf

    register_pickle_by_value(labels)  # type: ignore[no-untyped-call]
    for name in plan.table.pseudonym_keys:
        kind = located.schema[name].dataType.simpleString()
        value = located[spark_name(name)]
        if kind.startswith(("float", "double", "decimal")):
            text = udf(labels.label, "string", useArrow=False)(value)
        elif kind in _PLAIN_TEXT:
            text = value.cast("string")
        else:
            raise not_a_pseudonym(name, kind)
        located = located.withColumn(_text_of(name), text)
    return located


def pseudonym_in_spark(name: str) -> str:
    """Return HMAC-SHA256 (RFC 2104) of an identifier's text as an SQL expression."""
    inner, outer = quote_name(_inner_of(name)), quote_name(_outer_of(name))
    text = f"CAST({quote_name(_text_of(name))} AS BINARY)"
    return f"sha2(concat({outer}, unhex(sha2(concat({inner}, {text}), 256))), 256)"


def _inner_of(name: str) -> str:
    """Name the column that holds what HMAC puts before the text of an identifier."""
    return f"lookalike inner {name}"


def _outer_of(name: str) -> str:
    """Name the column that holds what HMAC puts before the inner hash of an identifier."""
    return f"lookalike outer {name}"


def _text_of(name: str) -> str:
    """Name the column that holds the text of an identifier."""
    return f"lookalike text {name}"
