"""Count a private table and its release in Spark, so that no row leaves Spark.

The counts are those of ``both_tables.py``; what is concluded from them is the same for every
engine. Distinct sequences come to the driver, as they did when the private table was counted. Where
levels differ from cell to cell, so do the distinct rows, as hashes.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from lookalike.tables import labels
from lookalike.tables.connection import Connection
from lookalike.tables.engines import sql_engine_of
from lookalike.tables.sql import quote_name, spark_name
from lookalike.verify.both_tables import ROWS, SHOWN, ComparedTable, TruthClaim
from lookalike.verify.recount import group_rows
from lookalike.verify.values import column_types

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_HALF = 32
_LOW, _HIGH = "lookalike low", "lookalike high"
_NESTED_KINDS = ("array", "map", "struct", "variant")
_AS_JSON = (
    "map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', "
    "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')"
)


def count_in_spark(
    original: DataFrame, release: DataFrame, claim: TruthClaim
) -> tuple[ComparedTable, ComparedTable]:
    """Count a private table and its release, as ``both_tables.py`` does.

    Spark shows the random key of the hashes in its plans, but no hash leaves this process.
    """
    connection, key = Connection(), secrets.token_hex(16)
    original = _with_pseudonyms(original, claim.pseudonym_keys)
    kinds = sql_engine_of(original).kinds(original)
    other_hash = _hash([(name, kinds[name]) for name in claim.other_columns], key)
    tables = []
    for native in (original, release):
        count = _count_rows if claim.cells else _count_sequences
        sequences = count(native, tuple(claim.levels), other_hash)
        types = column_types(connection.duckdb.from_arrow(sequences))
        tables.append(ComparedTable(types, sequences, native, other_hash))
    return tables[0], tables[1]


def _hash(columns: Sequence[tuple[str, str]], key: str) -> str:
    """Return SQL for the hash of some columns, with whether each is missing: Spark skips it."""
    parts = [f"'{key}'"]
    for name, kind in columns:
        value = quote_name(name)
        compared = f"CAST({value} AS {kind})"
        if kind.startswith(_NESTED_KINDS):
            compared = f"to_json(struct({value}), {_AS_JSON})"
        parts += [f"{value} IS NULL", compared]
    return f"xxhash64({', '.join(parts)})"


def _count_sequences(native: DataFrame, names: Sequence[str], other_hash: str) -> pa.Table:
    """Count the rows of each distinct sequence, and add up the hashes of their other columns.

    A sum of 64 bits would overflow, so the halves of the hashes are added up.
    """
    shown = quote_name(SHOWN)
    counted = _count(
        native,
        names,
        other_hash,
        f"sum({shown} & {2**_HALF - 1}L) AS {quote_name(_LOW)}",
        f"sum(shiftrightunsigned({shown}, {_HALF})) AS {quote_name(_HIGH)}",
    )
    low, high = (counted[name].to_numpy().astype(np.uint64) for name in (_LOW, _HIGH))
    marks = low + (high << np.uint64(_HALF))
    return counted.drop_columns([_LOW, _HIGH]).append_column(SHOWN, pa.array(marks))


def _count_rows(native: DataFrame, names: Sequence[str], other_hash: str) -> pa.Table:
    """Count the distinct rows, by sequence and by the hash of their other columns."""
    counted = _count(native, (*names, SHOWN), other_hash)
    marks = pa.array(counted[SHOWN].to_numpy().astype(np.uint64))
    return counted.select([*names, ROWS]).append_column(SHOWN, marks)


def _count(native: DataFrame, names: Sequence[str], other_hash: str, *sums: str) -> pa.Table:
    """Count the rows with equal values of some columns, of which the hash may be one."""
    own = [quote_name(name) for name in names if name != SHOWN]
    hashed = sql_engine_of(native).select(native, [*own, f"{other_hash} AS {quote_name(SHOWN)}"])
    return group_rows(hashed, names, f"count(*) AS {quote_name(ROWS)}", *sums)


def _with_pseudonyms(native: DataFrame, keys: Mapping[str, bytes]) -> DataFrame:
    """Replace identifiers by their pseudonyms, computed by Python in the executors."""
    from pyspark.cloudpickle import register_pickle_by_value
    from pyspark.sql.functions import udf

    register_pickle_by_value(labels)  # type: ignore[no-untyped-call]
    for name, key in keys.items():

        def hide(value: Any, key: bytes = key) -> str | None:
            text = labels.label(value)
            return None if text is None else hmac.new(key, text.encode(), "sha256").hexdigest()

        hidden = udf(hide, "string", useArrow=False)(native[spark_name(name)])
        native = native.withColumn(name, hidden)
    return native
