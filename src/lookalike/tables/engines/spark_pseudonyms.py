"""Spark pseudonyms: keyed hashes that replace identifiers, computed by the executors.

The keys are columns of a table with one row, never literals, which Spark shows in its plans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lookalike.tables import labels
from lookalike.tables.engines.spark_handover import spark_kinds, spark_name
from lookalike.tables.plan import Plan
from lookalike.tables.pseudonyms import hash_pads, not_a_pseudonym

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLAIN_TEXT = ("string", "boolean", "date", "tinyint", "smallint", "int", "bigint")
"""The types whose values Spark writes as the text that is their label."""


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
    kinds = spark_kinds(located.schema)
    for name in plan.table.pseudonym_keys:
        kind, value = kinds[name].simpleString(), located[spark_name(name)]
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
    inner, outer = spark_name(_inner_of(name)), spark_name(_outer_of(name))
    text = f"CAST({spark_name(_text_of(name))} AS BINARY)"
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
