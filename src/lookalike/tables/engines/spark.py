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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.kernels.types import Codes
from lookalike.tables.coarsen import coarsen
from lookalike.tables.coarsening import NumberCoarsening
from lookalike.tables.connection import Connection
from lookalike.tables.dominant import RULED_OUT, DominantValues, Dominated, query_dominant
from lookalike.tables.engines.duckdb import DuckDB, Lazy
from lookalike.tables.engines.engine import FATE, Column, Grouped, Recoded
from lookalike.tables.engines.join_tables import (
    AFTER_RANK,
    CLASS,
    ENTRY_ROWS,
    GONE,
    SEQUENCE_NUMBER,
    TAGGED_KEY,
    UNTIL_RANK,
    counted_keys,
    drawn_of,
    estimate_first,
    kept_of,
    label_of,
    old_of,
    tabulate_classes,
    tabulate_entries,
    tabulate_fates,
    tabulate_tags,
)
from lookalike.tables.engines.spark_handover import (
    fetch_groups,
    hand_to_duckdb,
    spark_errors,
    spark_kinds,
    spark_name,
    without_metadata,
)
from lookalike.tables.engines.spark_pseudonyms import (
    add_identifier_texts,
    list_pads,
    pseudonym_in_spark,
)
from lookalike.tables.engines.spark_rows import keep_in_files
from lookalike.tables.engines.spark_store import open_spark_store
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import SOURCE_CHANGED
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

_RANK = "lookalike rank"
_DRAWN = "lookalike drawn"
_BROADCAST_BYTES = 64 * 2**20
"""A larger list of sequences is not copied to every executor, but joined by a shuffle."""
_OWN_KINDS = {"int32": "integer", "int64": "long", "bool": "boolean", "binary": "binary"}
"""The types of our own columns, from Arrow to Spark; the others are text."""
_HANDED_OUT: list[Frame | None] = []
"""The kept rows of releases whose tables were given back."""


class Spark:
    """The engine of Spark DataFrames."""

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
            native[spark_name(name)].cast(_typed(kind)).alias(name, metadata={})
            for name, kind in spark_kinds(without_metadata(native.schema)).items()
        )
        with spark_errors():
            return nw.from_native(native.select(*plain))

    def columns(self, frame: Lazy) -> Sequence[str]:
        """Return the names of the columns."""
        names: list[str] = frame.to_native().columns
        return names

    def settle(self, frame: Lazy) -> Lazy:
        """Return the query as it is: its columns have one type each."""
        return frame

    def settle_numbers(self, frame: Lazy) -> Lazy:
        """Settle the numbers where the rows are read."""
        native: DataFrame = frame.to_native()
        kinds = {name: kind.simpleString() for name, kind in spark_kinds(native.schema).items()}
        settled = (
            f"CASE WHEN NOT isnan({value}) THEN {value} + CAST(0 AS {kind}) END AS {value}"
            if kind in ("float", "double")
            else value
            for value, kind in zip(map(spark_name, kinds), kinds.values(), strict=True)
        )
        return nw.from_native(native.selectExpr(*settled))

    def coarsen(self, frame: Lazy, columns: Mapping[str, NumberCoarsening]) -> Lazy:
        """Compute the coarser numbers where the rows are read."""
        native: DataFrame = frame.to_native()
        kinds = {name: kind.simpleString() for name, kind in spark_kinds(native.schema).items()}
        with spark_errors():
            select = lambda rows, sql: rows.selectExpr(*sql)  # noqa: E731
            coarse = coarsen(native, kinds, columns, spark_name, select, lambda rows: rows.head())
        return nw.from_native(coarse)

    def materialize(self, frame: Lazy, place: Path | StorageUrl | None = None) -> Lazy:
        """Run the query once and keep its rows in files, with the position of each."""
        kept: Lazy = nw.from_native(keep_in_files(frame.to_native(), place))
        return kept

    def group(self, frame: Lazy, attributes: Sequence[str], tag: str | None) -> Grouped:
        """Let Spark count, and fetch the distinct sequences."""
        return fetch_groups(frame.to_native(), attributes, tag)

    def group_within(self, frame: Lazy, attributes: Sequence[str], most: int) -> Grouped:
        """Fetch the distinct sequences; refuse if there are too many, since Spark keeps none."""
        return fetch_groups(frame.to_native(), attributes, None, most)

    def count_distinct(
        self, frame: Lazy, columns: Sequence[str], *, exact: bool
    ) -> dict[str, tuple[int, int]]:
        """Estimate first, and count exactly where asked or where most values seem to differ."""
        with spark_errors():
            return estimate_first(partial(_ask, frame.to_native()), columns, exact=exact)

    def count_unique(self, frame: Lazy, columns: Sequence[str]) -> int:
        """Let Spark group and count."""
        from pyspark.sql.functions import expr

        rows = spark_name(ENTRY_ROWS)
        with spark_errors():
            groups = frame.to_native().groupBy(*map(spark_name, columns))
            return int(groups.agg(expr(f"count(1) AS {rows}")).filter(f"{rows} = 1").count())

    def list_dominant(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Dominated
    ) -> list[DominantValues]:
        """Let Spark count."""
        with spark_errors():
            return query_dominant(
                class_of,
                fates,
                columns,
                partial(_count_bits, plan, fates),
                lambda name, own: _ask_classes(
                    _place(plan, fates, own, columns.named(name)), columns.sql
                ),
            )

    def fetch_classes(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str]
    ) -> tuple[Codes, tuple[Column, ...]]:
        """Join the rows with the entries of the classes."""
        named = {f"column {number}": name for number, name in enumerate(columns)}
        with spark_errors():
            rows = _place(plan, fates, class_of, named).where("class >= 0").toArrow()
        own, *values = rows.columns
        return own.to_numpy(), tuple(values)

    def fetch(self, frame: Lazy, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, batch by batch, through DuckDB."""
        chosen = frame.to_native().select(*map(spark_name, columns))
        rows = nw.from_native(hand_to_duckdb(chosen, Connection()))
        yield from DuckDB().fetch(rows, columns)

    def sample(
        self, frame: Lazy, columns: Sequence[str], keys: Sequence[str], one_in: int
    ) -> pa.Table:
        """Draw rows by a random number, and groups by Spark's hash of their value."""
        rows: DataFrame = frame.to_native().select(*map(spark_name, columns))
        if one_in > 1:
            reasons = [f"rand() < {1 / one_in}"]
            reasons += [f"pmod(xxhash64({spark_name(key)}), {one_in}) = 0" for key in keys]
            marks = [spark_name(drawn_of(number)) for number in range(len(reasons))]
            flags = (f"{one} AS {mark}" for one, mark in zip(reasons, marks, strict=True))
            rows = rows.selectExpr("*", *flags).where(" OR ".join(marks))
        with spark_errors():
            return rows.toArrow()

    def tag_rows(self, frame: Lazy, tags: RowTags) -> Lazy:
        """Tag the rows, found by their keys."""
        native: DataFrame = frame.to_native()
        kinds = spark_kinds(native.schema)
        old = {old_of(name): kinds[name] for name in tags.old}
        small = _send(native, tabulate_tags(tags), {TAGGED_KEY: kinds[tags.row_key], **old})
        on = f"{spark_name(tags.row_key)} = {spark_name(TAGGED_KEY)}"
        shown = [
            f"CASE WHEN {spark_name(kept_of(name))} THEN {spark_name(old_of(name))} "
            f"ELSE {spark_name(name)} END AS {spark_name(name)}"
            if name in tags.old
            else spark_name(name)
            for name in native.columns
        ]
        return nw.from_native(_join(native, small, on).selectExpr(*shown, spark_name(TAG)))

    def recode(self, plan: Plan, fates: Fates) -> Recoded:
        """Join the rows with the list of sequences, on the values that were counted.

        A row whose sequence is not in the list stops the query: the source changed after it was
        counted.
        """
        source: DataFrame = plan.table.frame.to_native()
        gone = spark_name(GONE)
        stays = "true" if plan.blank else f"NOT {gone}"
        changed = f"CAST(raise_error('{SOURCE_CHANGED}') AS BOOLEAN)"
        order = spark_name(POSITION) if plan.keep_order else _random("order")
        with spark_errors():
            located = (_draw_by_join if fates.splits else _locate)(plan, source, fates)
            kept = located.where(f"CASE WHEN {gone} IS NULL THEN {changed} ELSE {stays} END")
            written = add_identifier_texts(plan, kept).selectExpr(
                *_written(plan), f"{order} AS {spark_name(ORDER)}"
            )
            ordered = (
                written.orderBy(ORDER) if plan.keep_order else shuffle_rows(written, plan.rows_out)
            )
            released = ordered.drop(ORDER)
        return Recoded(nw.from_native(released), nw.from_native(located), None)

    def write(self, frame: Lazy, path: Path) -> pa.Schema:
        """Write the rows to one file, through DuckDB."""
        relation = self.to_relation(frame, Connection(beside=path.parent.parent))
        return DuckDB().write(nw.from_native(relation), path)

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


def _typed(kind: DataType) -> DataType | str:
    """Return the type of a column, which is text if it has none."""
    return "string" if kind.simpleString() == "void" else kind


def _ask(
    native: DataFrame, columns: Sequence[str], function: str, together: int
) -> dict[str, tuple[int, int]]:
    """Ask Spark for the distinct values of columns and the rows that have one, some at a time."""
    answers: dict[str, tuple[int, int]] = {}
    for begin in range(0, len(columns), together):
        names = columns[begin : begin + together]
        known = map(spark_name, names)
        asked = [part for one in known for part in (function.format(one), f"count({one})")]
        [numbers] = native.selectExpr(*asked).collect()
        answers |= dict(zip(names, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
    return answers


def _send(native: DataFrame, rows: pa.Table, kinds: Mapping[str, DataType]) -> DataFrame:
    """Send a small Arrow table to the session of a DataFrame."""
    from pyspark.sql.types import StructType

    schema = StructType()
    for field in rows.schema:
        schema.add(field.name, kinds.get(field.name, _OWN_KINDS.get(str(field.type), "string")))
    sent: DataFrame = native.sparkSession.createDataFrame(rows, schema)
    return sent.hint("broadcast") if rows.nbytes <= _BROADCAST_BYTES else sent


def _join(native: DataFrame, small: DataFrame, on: str) -> DataFrame:
    """Join rows with a small table; a row without a partner stays."""
    from pyspark.sql.functions import expr

    return native.join(small, expr(on), "left")


def _draw_by_join(plan: Plan, source: DataFrame, fates: Fates) -> DataFrame:
    """Give each row a fate of its sequence: the rows of a sequence are ranked at random."""
    sequence, rank, drawn = map(spark_name, (SEQUENCE_NUMBER, _RANK, _DRAWN))
    after, until = spark_name(AFTER_RANK), spark_name(UNTIL_RANK)
    ranked = _locate(plan, source, None).selectExpr(
        "*", f"row_number() OVER (PARTITION BY {sequence} ORDER BY {_random('choice')}) AS {rank}"
    )
    known = _send(source, tabulate_fates(plan, fates), {})
    on = f"{sequence} = {drawn} AND {rank} > {after} AND {rank} <= {until}"
    return _join(ranked, known.withColumnRenamed(SEQUENCE_NUMBER, _DRAWN), on)


def _locate(plan: Plan, source: DataFrame, fates: Fates | None) -> DataFrame:
    """Find the sequence of each row, with its one fate if these are given."""
    names, kinds = counted_keys(plan).column_names, spark_kinds(source.schema)
    keys = {name: f"lookalike key {number}" for number, name in enumerate(names)}
    entries = tabulate_entries(plan, fates)
    entries = entries.rename_columns([keys.get(name, name) for name in entries.column_names])
    small = _send(source, entries, {keys[name]: kinds[name] for name in names})
    on = " AND ".join(f"{spark_name(name)} <=> {spark_name(keys[name])}" for name in names)
    return _join(source.crossJoin(_send(source, _secrets(plan), {})), small, on)


def _count_bits(plan: Plan, fates: Fates, names: Sequence[str], bits: int) -> pa.Table:
    """Count for each fate the rows with each bit of the hashes of columns.

    Where a sequence has one fate, its rows are counted before they are joined with the list.
    """
    from pyspark.sql.functions import expr

    source: DataFrame = plan.table.frame.to_native()
    numbers = [f"{column} {bit}" for column in range(len(names)) for bit in range(bits)]
    counts = [
        expr(f"count_if((xxhash64({spark_name(name)}) & {1 << bit}) <> 0)")
        for name in names
        for bit in range(bits)
    ]
    named = [one.alias(number) for one, number in zip(counts, numbers, strict=True)]
    if fates.splits:
        drawn = _draw_by_join(plan, source, fates)
        return drawn.groupBy(spark_name(FATE)).agg(*named).toArrow()
    keys = map(spark_name, counted_keys(plan).column_names)
    located = _locate(plan, source.groupBy(*keys).agg(*named), fates)
    return located.select(*map(spark_name, (FATE, *numbers))).toArrow()


def _place(plan: Plan, fates: Fates, class_of: Codes, columns: Mapping[str, str]) -> DataFrame:
    """Return the class of every row, with some columns under new names."""
    rows: DataFrame = plan.table.frame.to_native()
    classes, kinds = tabulate_classes(plan, class_of), spark_kinds(rows.schema)
    if fates.splits:
        rows = _draw_by_join(plan, rows, fates)
        numbers = np.arange(len(class_of), dtype=np.int32)
        classes = pa.table({FATE: numbers, CLASS: class_of})
    *keys, _ = classes.column_names
    own = {key: f"lookalike key {number}" for number, key in enumerate(keys)}
    own_kinds = {own[key]: kinds[key] for key in keys if key in kinds}
    small = _send(rows, classes.rename_columns([*own.values(), CLASS]), own_kinds)
    on = " AND ".join(f"{spark_name(key)} <=> {spark_name(own[key])}" for key in keys)
    return _join(rows, small, on).selectExpr(
        f"coalesce({spark_name(CLASS)}, {RULED_OUT}) AS class",
        *(f"{spark_name(name)} AS {spark_name(new)}" for new, name in columns.items()),
    )


def _ask_classes(rows: DataFrame, query: str) -> pa.Table:
    """Run a query over rows, which it calls ``t``."""
    name = f"lookalike_{secrets.token_hex(8)}"
    rows.createOrReplaceTempView(name)
    try:
        return rows.sparkSession.sql(query.replace("FROM t ", f"FROM {name} ")).toArrow()
    finally:
        rows.sparkSession.catalog.dropTempView(name)


def _secrets(plan: Plan) -> pa.Table:
    """Return the secret keys of a plan as a table of one row."""
    columns = {_key_of(purpose): [plan.draw.key(purpose)] for purpose in ("order", "choice")}
    return pa.table({**columns, **list_pads(plan)})


def _random(purpose: str) -> str:
    """Return an SQL expression of 128 random bits for each row, the same each time."""
    whole = f"sha2(concat({spark_name(_key_of(purpose))}, {spark_name(POSITION)}), 256)"
    return f"unhex(substr({whole}, 1, 32))"


def _written(plan: Plan) -> list[str]:
    """List the columns of the release: values as they are, or the labels that replace them."""
    written = []
    for name in plan.table.released:
        value = spark_name(name)
        if name in plan.relabelled:
            value = spark_name(label_of(name))
        elif name in plan.table.pseudonym_keys:
            value = pseudonym_in_spark(name)
        written.append(f"{value} AS {spark_name(name)}")
    return written


def _key_of(purpose: str) -> str:
    """Name the column that holds a secret key of the draw."""
    return f"lookalike secret {purpose}"


if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def shuffle_rows(rows: DataFrame, number: int) -> DataFrame:
    """Order rows by their random key, the same each time.

    The number of partitions depends on that of the rows alone: what Spark would choose may
    change from run to run, and the order with it.
    """
    partitions = min(1 + number // ROWS_TOGETHER, MOST_PARTITIONS)
    return rows.repartition(partitions, ORDER).sortWithinPartitions(ORDER)
