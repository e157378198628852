"""Spark: DataFrames of a Spark session, also through Spark Connect, whose rows stay in Spark.

Counting and recoding are queries of the DataFrame API, and only the frequency list comes to the
driver. Verification and writing are DuckDB's: Spark writes the rows as Parquet into a private
folder, which DuckDB reads. Secret keys are columns of a table with one row, never literals: Spark
shows the literals of a query in its plans, its event log and its web page.

PySpark is imported where it is used, so that the package does not need it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.tables.connection import Connection
from lookalike.tables.counted import Counted
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.engines.duckdb_sequences import DuckDBEntries
from lookalike.tables.engines.join_tables import read_grouped
from lookalike.tables.engines.spark_files import keep_in_files, open_spark_store
from lookalike.tables.engines.spark_handover import (
    hand_to_duckdb,
    spark_errors,
    spark_kinds,
    without_metadata,
)
from lookalike.tables.engines.sql_engine import (
    COUNTED,
    Lazy,
    QueryRows,
    SqlEngine,
    write_columns,
    write_stays,
)
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.pseudonyms import add_identifier_texts, list_pads, pseudonym_in_spark
from lookalike.tables.sql import SOURCE_CHANGED, name_rows, quote_name, spark_name, spark_sql
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import POSITION, Frame, Table, check_names

ORDER = "lookalike order"
"""The column by which rows are ordered; never released."""
ROWS_TOGETHER = 250_000
"""How many rows a partition has, on average."""
MOST_PARTITIONS = 5_000
"""More would cost more than they save: a shuffle has as many pieces as the square."""


if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

_BROADCAST_BYTES = 64 * 2**20
"""A larger list of sequences is not copied to every executor, but joined by a shuffle."""
_OWN_KINDS = {"int32": "integer", "int64": "long", "bool": "boolean", "binary": "binary"}
"""The types of our own columns, from Arrow to Spark; the others are text."""
_HANDED_OUT: list[Frame | None] = []
"""The kept rows of releases whose tables were given back."""


class Spark(SqlEngine):
    """The engine of Spark DataFrames."""

    is_cluster = True
    random = "rand()"
    hash = "xxhash64({})"
    errors = staticmethod(spark_errors)

    def select(self, rows: QueryRows, expressions: Sequence[str], where: str = "") -> QueryRows:
        """Select from the rows that satisfy a condition."""
        chosen = rows.where(spark_sql(where)) if where else rows
        return chosen.selectExpr(*map(spark_sql, expressions))

    def total(self, rows: QueryRows, names: Sequence[str], *sums: str) -> QueryRows:
        """Group the rows."""
        from pyspark.sql.functions import expr

        return rows.groupBy(*map(spark_name, names)).agg(*(expr(spark_sql(one)) for one in sums))

    def join(
        self,
        rows: QueryRows,
        small: pa.Table,
        keys: Sequence[str],
        condition: str = "true",
        *,
        like: Mapping[str, str] | None = None,
        inner: bool = False,
    ) -> QueryRows:
        """Send the small table to the session, and join."""
        from pyspark.sql.functions import expr

        kinds, theirs = spark_kinds(rows.schema), {n: f"lookalike key {n}" for n in keys}
        types = {other: kinds[name] for name, other in theirs.items()}
        types |= {name: kinds[other] for name, other in (like or {}).items()}
        named = small.rename_columns([theirs.get(name, name) for name in small.column_names])
        same = (f"{spark_name(n)} <=> {spark_name(other)}" for n, other in theirs.items())
        on = " AND ".join((*same, spark_sql(condition)))
        joined = rows.join(_send(rows, named, types), expr(on), "inner" if inner else "left")
        return joined.drop(*theirs.values())

    def kinds(self, rows: QueryRows) -> dict[str, str]:
        """Return the types of the DataFrame."""
        return {name: kind.simpleString() for name, kind in spark_kinds(rows.schema).items()}

    def run(self, rows: QueryRows) -> pa.Table:
        """Fetch the rows as an Arrow table."""
        return rows.toArrow()

    def ask(self, rows: QueryRows, statement: str) -> pa.Table:
        """Run the statement over a view of the rows, which is dropped afterwards."""
        view = f"lookalike_{secrets.token_hex(8)}"
        rows.createOrReplaceTempView(view)
        try:
            query = spark_sql(name_rows(statement, f"t AS (SELECT * FROM {view})"))
            return rows.sparkSession.sql(query).toArrow()
        finally:
            rows.sparkSession.catalog.dropTempView(view)

    def is_drawn(self, value: str, one_in: int, part: int) -> str:
        """Divide the hash; a part is a remainder."""
        return f"pmod(xxhash64({value}), {one_in}) = {part}"

    def takes(self, frame: Any) -> TypeGuard[Lazy]:
        """Take DataFrames of a session in this process and of Spark Connect."""
        kind = frame.implementation
        return bool(kind.is_pyspark() or kind.is_pyspark_connect())

    def adopt(self, frame: Lazy) -> Lazy:
        """Take metadata and collations from the columns.

        Metadata may list values of rows that are not released, as those of an indexed column do.
        A column that holds nothing and has no type becomes text, which can be joined.
        Under a collation, texts that are written in different ways may count as one.
        """
        native: DataFrame = frame.to_native()
        check_names(native.columns)
        plain = (
            native[spark_name(name)]
            .cast("string" if kind.simpleString() == "void" else kind)
            .alias(name, metadata={})
            for name, kind in spark_kinds(without_metadata(native.schema)).items()
        )
        with spark_errors():
            return nw.from_native(native.select(*plain))

    def settle_numbers(self, frame: Lazy) -> Lazy:
        """Settle the numbers where the rows are read."""
        native: DataFrame = frame.to_native()
        kinds = self.kinds(native)
        settled = (
            f"CASE WHEN NOT isnan({value}) THEN {value} + CAST(0 AS {kind}) END AS {value}"
            if kind in ("float", "double")
            else value
            for value, kind in zip(map(spark_name, kinds), kinds.values(), strict=True)
        )
        return nw.from_native(native.selectExpr(*settled))

    def materialize(self, frame: Lazy, place: Path | StorageUrl | None = None) -> Lazy:
        """Run the query once and keep its rows in files, with the position of each."""
        kept: Lazy = nw.from_native(keep_in_files(frame.to_native(), place))
        return kept

    def group_within(
        self, frame: Lazy, attributes: Sequence[str], most: int, hashed: Sequence[str] = ()
    ) -> Counted | DuckDBEntries:
        """Fetch the distinct sequences, or let DuckDB keep them on the disk of the driver."""
        with self.errors():
            counted = self.total(frame.to_native(), attributes, COUNTED, *self.sum_bits(hashed))
            entries = self.run(counted.limit(most + 1))
        if len(entries) <= most:
            return read_grouped(entries, attributes, None)
        kept = hand_to_duckdb(counted, Connection())
        return DuckDBEntries(self, kept, attributes)

    def fetch(self, frame: Lazy, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, batch by batch, through DuckDB."""
        chosen = frame.to_native().select(*map(spark_name, columns))
        rows = nw.from_native(hand_to_duckdb(chosen, Connection()))
        yield from DuckDB().fetch(rows, columns)

    def locate(self, plan: Plan, fates: Fates) -> QueryRows:
        """Add the secrets of the draw to the rows, and find the fate of each."""
        source: DataFrame = plan.located.to_native()
        secret = source.crossJoin(_send(source, _secrets(plan), {}))
        return self.draw(plan, secret, fates, _random("choice"))

    def recode(self, plan: Plan, fates: Fates) -> tuple[Lazy, Lazy, None]:
        """Join the rows with the list of sequences, on the values that were counted.

        A row whose sequence is not in the list stops the query: the source changed after it was
        counted.
        """
        order = quote_name(POSITION) if plan.keep_order else _random("order")
        hidden = {name: pseudonym_in_spark(name) for name in plan.table.pseudonym_keys}
        stays = write_stays(plan, f"CAST(raise_error('{SOURCE_CHANGED}') AS BOOLEAN)")
        with self.errors():
            located = self.locate(plan, fates)
            kept = add_identifier_texts(plan, self.select(located, ["*"], stays))
            written = self.select(
                kept, [*write_columns(plan, hidden), f"{order} AS {quote_name(ORDER)}"]
            )
            ordered = (
                written.orderBy(ORDER) if plan.keep_order else shuffle_rows(written, plan.rows_out)
            )
            released = ordered.drop(ORDER)
        return nw.from_native(released), nw.from_native(located), None

    def write(self, frame: Lazy, path: Path, connection: Connection) -> pa.Schema:
        """Write the rows to one file, through DuckDB."""
        relation = self.to_relation(frame, connection)
        return DuckDB().write(nw.from_native(relation), path, connection)

    open_store = staticmethod(open_spark_store)

    def to_relation(self, frame: Lazy, connection: Connection) -> duckdb.DuckDBPyRelation:
        """Hand the rows to DuckDB through Parquet in the private folder of its connection."""
        return hand_to_duckdb(frame.to_native(), connection)

    def collect(self, frame: Lazy) -> nw.DataFrame[Any]:
        """Fetch all rows as an Arrow table, through DuckDB."""
        return DuckDB().collect(nw.from_native(hand_to_duckdb(frame.to_native(), Connection())))

    def like(self, frame: Lazy, rows: pa.Table) -> Any:
        """Return a small Arrow table as a DataFrame of the same session."""
        return frame.to_native().sparkSession.createDataFrame(rows)

    def give_back(self, frame: Frame, table: Table) -> Any:
        """Return the DataFrame; the files that it reads stay until the process ends.

        Nobody can see when the last DataFrame that the user derives from it is gone.
        """
        _HANDED_OUT.append(table.held)
        return frame.to_native()


def _send(native: DataFrame, rows: pa.Table, kinds: Mapping[str, DataType]) -> DataFrame:
    """Send a small Arrow table to the session of a DataFrame."""
    from pyspark.sql.types import StructType

    schema = StructType()
    for field in rows.schema:
        schema.add(field.name, kinds.get(field.name, _OWN_KINDS.get(str(field.type), "string")))
    sent: DataFrame = native.sparkSession.createDataFrame(rows, schema)
    return sent.hint("broadcast") if rows.nbytes <= _BROADCAST_BYTES else sent


def _secrets(plan: Plan) -> pa.Table:
    """Return the secret keys of a plan as a table of one row."""
    columns = {_key_of(purpose): [plan.draw.key(purpose)] for purpose in ("order", "choice")}
    return pa.table({**columns, **list_pads(plan)})


def _random(purpose: str) -> str:
    """Return an SQL expression of 128 random bits for each row, the same each time."""
    whole = f"sha2(concat({quote_name(_key_of(purpose))}, {quote_name(POSITION)}), 256)"
    return f"unhex(substr({whole}, 1, 32))"


def _key_of(purpose: str) -> str:
    """Name the column that holds a secret key of the draw."""
    return f"lookalike secret {purpose}"


def shuffle_rows(rows: DataFrame, number: int) -> DataFrame:
    """Order rows by their random key, the same each time.

    The number of partitions depends on that of the rows alone: what Spark would choose may
    change from run to run, and the order with it.
    """
    partitions = min(1 + number // ROWS_TOGETHER, MOST_PARTITIONS)
    return rows.repartition(partitions, ORDER).sortWithinPartitions(ORDER)
