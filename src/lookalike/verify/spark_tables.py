"""Count a release in Spark, and a private table beside it, so that no row leaves Spark.

The counts are those of ``recount.py`` and ``both_tables.py``; what is concluded from them is the
same for every engine. Distinct sequences come to the driver, as they did when the private table was
counted. Where levels differ from cell to cell, so do the distinct rows, as hashes.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from lookalike.tables import labels
from lookalike.tables.connection import Connection
from lookalike.tables.engines.spark_handover import spark_errors, spark_kinds, spark_name
from lookalike.tables.table import Frame, check_columns
from lookalike.verify.both_tables import CLASS, ROWS, SHOWN, ComparedTable, TruthClaim
from lookalike.verify.persons import CLASS_PERSONS, CLASS_ROWS, named_person, shown_as
from lookalike.verify.recount import Promise, Verdict
from lookalike.verify.truth import compare_tables, require_none_untruthful
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


def recount_in_spark(release: Frame, promise: Promise) -> Verdict:
    """Count the rows and classes of a release that Spark holds."""
    native: DataFrame = release.to_native()
    check_columns(native.columns, promise.attributes)
    with spark_errors("the release"):
        classes = _group(native, promise.attributes, "count(*) AS size")
        [numbers] = classes.selectExpr(
            "coalesce(sum(size), 0)",
            "count(*)",
            "coalesce(min(size), 0)",
            f"coalesce(sum(CASE WHEN size < {promise.k} THEN size END), 0)",
        ).collect()
    return Verdict(tuple(native.columns), *(int(number) for number in numbers))


def count_classes_in_spark(release: Frame, attributes: Sequence[str]) -> pa.Table:
    """Count the rows of each class of a release that Spark holds."""
    with spark_errors("the release"):
        return _group(
            release.to_native(), attributes, f"count(*) AS {spark_name(CLASS_ROWS)}"
        ).toArrow()


def count_persons_in_spark(source: Frame, shown: pa.Table, on: str, promise: Promise) -> pa.Table:
    """Count the rows and the distinct persons of each class, as ``persons.py`` does.

    ``shown``: what the released rows show: the column `on`, and the label of each attribute.
    """
    native: DataFrame = source.to_native()
    name = named_person(promise)
    person, kind = spark_name(name), spark_kinds(native.schema)[name].simpleString()
    if kind in ("float", "double"):
        person = f"nullif({person}, double('NaN'))"
    names = [shown_as(name) for name in promise.attributes]
    with spark_errors():
        labels = native.sparkSession.createDataFrame(shown.select([on, *names]))
        joined = native.selectExpr(spark_name(on), f"{person} AS person").join(labels, on)
        return _group(
            joined,
            names,
            f"count(*) AS {spark_name(CLASS_ROWS)}",
            "count(DISTINCT person) + CAST(count(*) > count(person) AS INTEGER) "
            f"AS {spark_name(CLASS_PERSONS)}",
        ).toArrow()


def require_truth_in_spark(private: Frame, release: Frame, claim: TruthClaim) -> None:
    """Refuse a release in Spark with rows that do not generalize different private rows."""
    require_none_untruthful(count_untruthful_in_spark(private, release, claim))


def count_untruthful_in_spark(private: Frame, release: Frame, claim: TruthClaim) -> int:
    """Count the released rows that are not the generalization of a different private row each."""
    original, rows = private.to_native(), release.to_native()
    check_columns(original.columns, claim.columns)
    check_columns(rows.columns, claim.columns, "the release")
    connection, key = Connection(), secrets.token_hex(16)
    with spark_errors("the private table or the release"):
        original = _with_pseudonyms(original, claim.pseudonym_keys)
        kinds = {name: kind.simpleString() for name, kind in spark_kinds(original.schema).items()}
        private_table, released_table = (
            _compare(one, kinds, key, claim, connection) for one in (original, rows)
        )
        return compare_tables(private_table, released_table, claim, connection)


def _compare(
    native: DataFrame,
    kinds: Mapping[str, str],
    key: str,
    claim: TruthClaim,
    connection: Connection,
) -> ComparedTable:
    """Count one of the two tables.

    ``key``: the random key of the hashes. Spark shows it in its plans, but no hash leaves this
    process.
    """
    names = tuple(claim.levels)
    other_hash = _hash([(name, kinds[name]) for name in claim.other_columns], key)
    sequences = (_count_rows if claim.cells else _count_sequences)(native, names, other_hash)
    return ComparedTable(
        types=column_types(connection.duckdb.from_arrow(sequences)),
        sequences=sequences,
        count_classes=partial(_count_classes, native, other_hash),
    )


def _hash(columns: Sequence[tuple[str, str]], key: str) -> str:
    """Return SQL for the hash of some columns, with whether each is missing: Spark skips it."""
    parts = [f"'{key}'"]
    for name, kind in columns:
        value = spark_name(name)
        compared = f"CAST({value} AS {kind})"
        if kind.startswith(_NESTED_KINDS):
            compared = f"to_json(struct({value}), {_AS_JSON})"
        parts += [f"{value} IS NULL", compared]
    return f"xxhash64({', '.join(parts)})"


def _count_sequences(native: DataFrame, names: Sequence[str], other_hash: str) -> pa.Table:
    """Count the rows of each distinct sequence, and add up the hashes of their other columns.

    A sum of 64 bits would overflow, so the halves of the hashes are added up.
    """
    hashed = native.selectExpr(*map(spark_name, names), f"{other_hash} AS {spark_name(SHOWN)}")
    shown = spark_name(SHOWN)
    counted = _group(
        hashed,
        names,
        f"count(*) AS {spark_name(ROWS)}",
        f"sum({shown} & {2**_HALF - 1}L) AS {spark_name(_LOW)}",
        f"sum(shiftrightunsigned({shown}, {_HALF})) AS {spark_name(_HIGH)}",
    ).toArrow()
    low, high = (counted[name].to_numpy().astype(np.uint64) for name in (_LOW, _HIGH))
    marks = low + (high << np.uint64(_HALF))
    return counted.drop_columns([_LOW, _HIGH]).append_column(SHOWN, pa.array(marks))


def _count_rows(native: DataFrame, names: Sequence[str], other_hash: str) -> pa.Table:
    """Count the distinct rows, by sequence and by the hash of their other columns."""
    hashed = native.selectExpr(*map(spark_name, names), f"{other_hash} AS {spark_name(SHOWN)}")
    counted = _group(hashed, (*names, SHOWN), f"count(*) AS {spark_name(ROWS)}").toArrow()
    marks = pa.array(counted[SHOWN].to_numpy().astype(np.uint64))
    return counted.select([*names, ROWS]).append_column(SHOWN, marks)


def _count_classes(native: DataFrame, other_hash: str, mapping: pa.Table) -> pa.Table:
    """Count the rows of some sequences by class and by the hash of their other columns."""
    from pyspark.sql.functions import expr
    from pyspark.sql.types import StructType

    names = mapping.column_names[:-1]
    keys = [f"lookalike key {number}" for number in range(len(names))]
    kinds = spark_kinds(native.schema)
    schema = StructType()
    for key, name in zip(keys, names, strict=True):
        schema.add(key, kinds[name])
    known = native.sparkSession.createDataFrame(
        mapping.rename_columns([*keys, CLASS]), schema.add(CLASS, "integer")
    )
    hashed = native.selectExpr(*map(spark_name, names), f"{other_hash} AS hash")
    on = " AND ".join(
        f"{spark_name(name)} <=> {spark_name(key)}" for name, key in zip(names, keys, strict=True)
    )
    counted = hashed.join(known, expr(on)).selectExpr(f"{spark_name(CLASS)} AS class", "hash")
    return _group(counted, ("class", "hash"), "count(*) AS rows").toArrow()


def _group(native: DataFrame, names: Sequence[str], *sums: str) -> DataFrame:
    """Group rows by some columns."""
    from pyspark.sql.functions import expr

    return native.groupBy(*map(spark_name, names)).agg(*map(expr, sums))


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
