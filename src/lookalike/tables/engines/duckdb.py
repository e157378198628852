"""DuckDB: files and relations, whose rows stay on disk until they are needed.

Counting, recoding and writing are SQL. A table is recoded by joining it with the list of
entries that were counted, on the values as DuckDB holds them. The row order and the choice among
rows with equal values are a keyed hash of each row's position, under secret keys of the
plan's draw: the same each time the query runs, and nobody else can repeat them
(:mod:`lookalike.tables.keyed_hash`).
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.kernels.types import Codes
from lookalike.tables.coarsen import coarsen
from lookalike.tables.coarsening import NumberCoarsening
from lookalike.tables.connection import Connection
from lookalike.tables.dominant import RULED_OUT, DominantValues, Dominated, query_dominant
from lookalike.tables.engines.duckdb_sequences import DuckDBEntries
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
    read_grouped,
    tabulate_classes,
    tabulate_entries,
    tabulate_fates,
    tabulate_tags,
)
from lookalike.tables.keyed_hash import keyed_hash_sql
from lookalike.tables.plain import plain_sql
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.pseudonyms import pseudonym_sql
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import (
    SOURCE_CHANGED,
    derive,
    engine_errors,
    quote_name,
    quote_text,
    store,
)
from lookalike.tables.storage_url import StorageUrl, not_in_storage
from lookalike.tables.table import POSITION, Frame, Table
from lookalike.tables.write import write_relation

Lazy = nw.LazyFrame[Any]

_RANK = "lookalike rank"


class DuckDB:
    """The engine of files and DuckDB relations."""

    def takes(self, frame: Any) -> TypeGuard[Lazy]:
        """Take relations."""
        return isinstance(frame, nw.LazyFrame) and frame.implementation.is_duckdb()

    def adopt(self, frame: Lazy) -> Lazy:
        """Return the query as it is."""
        return frame

    def columns(self, frame: Lazy) -> Sequence[str]:
        """Return the names of the columns, also where two differ only in case."""
        names: list[str] = frame.to_native().columns
        return names

    def settle(self, frame: Lazy) -> Lazy:
        """Return the query as it is: its columns have one type each."""
        return frame

    def settle_numbers(self, frame: Lazy) -> Lazy:
        """Settle the numbers where the rows are read.

        DuckDB takes the bounds that Parquet files give for a column as proof that all values are
        numbers, but writers leave out those that are not. It has no proof for a random sum.
        """
        relation = frame.to_native()
        kinds = dict(zip(relation.columns, relation.types, strict=True))
        settled = (
            f"CASE WHEN NOT isnan({column} + random()) THEN {column} + 0::{kinds[name]} END "
            f"AS {column}"
            for name, column in zip(kinds, map(quote_name, kinds), strict=True)
            if kinds[name].id in ("float", "double")
        )
        return nw.from_native(derive(relation, f"SELECT * REPLACE ({', '.join(settled)}) FROM t"))

    def coarsen(self, frame: Lazy, columns: Mapping[str, NumberCoarsening]) -> Lazy:
        """Compute the coarser numbers where the rows are read."""
        relation: duckdb.DuckDBPyRelation = frame.to_native()
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
        fetch = lambda rows: rows.fetchall()[0]  # noqa: E731
        with engine_errors():
            return nw.from_native(coarsen(relation, kinds, columns, quote_name, _select, fetch))

    def materialize(self, frame: Lazy, place: Path | StorageUrl | None = None) -> Lazy:  # noqa: ARG002
        """Run the query once into a temporary table, with the position of each row.

        DuckDB spills it to disk where memory is short. The order in which a query gives its rows
        may change from run to run, above all below ``GROUP BY`` and ``DISTINCT``.
        """
        name, position = f"lookalike rows {secrets.token_hex(8)}", quote_name(POSITION)
        with engine_errors():
            kept = store(frame.to_native(), name, f"*, row_number() OVER () AS {position}")
        return nw.from_native(kept)

    def group(self, frame: Lazy, attributes: Sequence[str], tag: str | None) -> Grouped:
        """Let DuckDB count, and fetch the distinct sequences."""
        names = (*attributes, *(() if tag is None else (tag,)))
        with engine_errors():
            entries = derive(frame.to_native(), _count_sql(names)).to_arrow_table()
        return read_grouped(entries, attributes, tag)

    def group_within(
        self, frame: Lazy, attributes: Sequence[str], most: int
    ) -> Grouped | DuckDBEntries:
        """Count into a temporary table, and fetch the sequences unless there are too many."""
        kept = DuckDBEntries(frame.to_native(), attributes, _count_sql(attributes))
        return kept if kept.sequences > most else read_grouped(kept.take(), attributes, None)

    def count_distinct(
        self, frame: Lazy, columns: Sequence[str], *, exact: bool
    ) -> dict[str, tuple[int, int]]:
        """Estimate first, and count exactly where asked or where most values seem to differ."""
        relation = frame.to_native()
        with engine_errors():
            return estimate_first(partial(_ask, relation), columns, exact=exact)

    def count_unique(self, frame: Lazy, columns: Sequence[str]) -> int:
        """Let DuckDB group and count."""
        counted = f"WITH g AS ({_count_sql(columns)}) SELECT count(*) FROM g"
        query = f"{counted} WHERE {quote_name(ENTRY_ROWS)} = 1"
        with engine_errors():
            return int(derive(frame.to_native(), query).fetchall()[0][0])

    def list_dominant(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Dominated
    ) -> list[DominantValues]:
        """Let DuckDB count."""
        with engine_errors():
            return query_dominant(
                class_of,
                fates,
                columns,
                partial(_count_bits, plan, fates),
                lambda name, own: derive(
                    _place(plan, fates, own, columns.named(name)), columns.sql
                ).to_arrow_table(),
            )

    def fetch_classes(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str]
    ) -> tuple[Codes, tuple[Column, ...]]:
        """Join the rows with the entries of the classes."""
        named = {f"column {number}": name for number, name in enumerate(columns)}
        with engine_errors():
            placed = _place(plan, fates, class_of, named)
            rows = derive(placed, "SELECT * FROM t WHERE class >= 0").to_arrow_table()
        own, *values = rows.columns
        return own.to_numpy(), tuple(values)

    def fetch(self, frame: Lazy, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, batch by batch."""
        names = ", ".join(quote_name(name) for name in columns)
        with engine_errors():
            reader = derive(frame.to_native(), f"SELECT {names} FROM t").to_arrow_reader()
            yield pa.Table.from_batches([*islice(reader, 1)], reader.schema)
            for batch in reader:
                yield pa.Table.from_batches([batch])

    def sample(
        self, frame: Lazy, columns: Sequence[str], keys: Sequence[str], one_in: int
    ) -> pa.Table:
        """Draw rows by a random number, and groups by DuckDB's hash of their value."""
        names = ", ".join(quote_name(name) for name in columns)
        query = f"SELECT {names} FROM t"
        if one_in > 1:
            reasons = [f"random() < {1 / one_in}"]
            reasons += [f"hash({quote_name(key)}) % {one_in} = 0" for key in keys]
            marks = [quote_name(drawn_of(number)) for number in range(len(reasons))]
            flags = (f"{one} AS {mark}" for one, mark in zip(reasons, marks, strict=True))
            query = f"SELECT * FROM (SELECT {names}, {', '.join(flags)} FROM t) "
            query += f"WHERE {' OR '.join(marks)}"
        with engine_errors():
            return derive(frame.to_native(), query).to_arrow_table()

    def tag_rows(self, frame: Lazy, tags: RowTags) -> Lazy:
        """Tag the rows, found by their keys."""
        shown = ", ".join(
            f"CASE WHEN m.{quote_name(kept_of(name))} THEN m.{quote_name(old_of(name))} "
            f"ELSE s.{quote_name(name)} END AS {quote_name(name)}"
            for name in tags.old
        )
        key = f"s.{quote_name(tags.row_key)} = m.{quote_name(TAGGED_KEY)}"
        tagged = derive(
            frame.to_native(),
            f"""
            SELECT s.* {f"REPLACE ({shown})" if shown else ""}, m.{quote_name(TAG)}
            FROM t AS s LEFT JOIN mapping AS m ON {key}
            """,
            tabulate_tags(tags),
        )
        return nw.from_native(tagged)

    def recode(self, plan: Plan, fates: Fates) -> Recoded:
        """Join the query with the list of sequences, on the values that were counted.

        A row whose sequence is not in the list stops the query: the source changed after it was
        counted.
        """
        source = plan.located.to_native()
        located = (_draw_by_join if fates.splits else _locate)(plan, source, fates)
        gone = quote_name(GONE)
        stays = "true" if plan.blank else f"NOT {gone}"
        changed = f"error({quote_text(SOURCE_CHANGED)})"
        order = quote_name(POSITION)
        if not plan.keep_order:
            order = keyed_hash_sql(source, plan.draw.key("order"), POSITION)
        released = derive(
            located,
            f"""
            SELECT {_written(plan, source)} FROM t
            WHERE CASE WHEN {gone} IS NULL THEN {changed} ELSE {stays} END
            ORDER BY {order}
            """,
        )
        return Recoded(nw.from_native(released), nw.from_native(located), None)

    def write(self, frame: Lazy, path: Path) -> pa.Schema:
        """Write the rows."""
        relation = frame.to_native()
        with engine_errors(path.name):
            schema = derive(relation, "SELECT * FROM t LIMIT 0").to_arrow_table().schema
            write_relation(relation, path)
        return schema

    def open_store(self, frame: Any, url: StorageUrl) -> NoReturn:  # noqa: ARG002
        """Refuse: only Spark writes part files."""
        raise not_in_storage(url)

    def to_relation(self, frame: Lazy, connection: Connection) -> duckdb.DuckDBPyRelation:  # noqa: ARG002
        """Return the query itself, which stays on its own connection."""
        relation: duckdb.DuckDBPyRelation = frame.to_native()
        return relation

    def collect(self, frame: Lazy) -> nw.DataFrame[Any]:
        """Fetch all rows as an Arrow table."""
        return frame.collect("pyarrow")

    def like(self, frame: Lazy, rows: pa.Table) -> Any:  # noqa: ARG002
        """Return the Arrow table itself, since a relation would need a connection to live on."""
        return rows

    def give_back(self, frame: Frame, table: Table) -> Any:  # noqa: ARG002
        """Return the query."""
        return frame.to_native()


def _select(
    relation: duckdb.DuckDBPyRelation, expressions: Sequence[str]
) -> duckdb.DuckDBPyRelation:
    """Apply a list of expressions to the rows of a relation."""
    return derive(relation, f"SELECT {', '.join(expressions)} FROM t")


def _count_sql(names: Sequence[str]) -> str:
    """Return a query of the distinct sequences, with the number of rows of each."""
    keys = ", ".join(quote_name(name) for name in names)
    return f"SELECT {keys}, count(*) AS {quote_name(ENTRY_ROWS)} FROM t GROUP BY {keys}"


def _ask(
    relation: duckdb.DuckDBPyRelation, columns: Sequence[str], function: str, together: int
) -> dict[str, tuple[int, int]]:
    """Ask DuckDB for the distinct values of columns and the rows that have one, some at a time."""
    answers: dict[str, tuple[int, int]] = {}
    for begin in range(0, len(columns), together):
        names = columns[begin : begin + together]
        asked = (f"{function.format(one)}, count({one})" for one in map(quote_name, names))
        numbers = derive(relation, f"SELECT {', '.join(asked)} FROM t").fetchall()[0]
        answers |= dict(zip(names, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
    return answers


def _draw_by_join(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: Fates
) -> duckdb.DuckDBPyRelation:
    """Give each row a fate of its sequence: the rows of a sequence are ranked at random."""
    sequence, rank = quote_name(SEQUENCE_NUMBER), quote_name(_RANK)
    choice = keyed_hash_sql(source, plan.draw.key("choice"), POSITION)
    return derive(
        _locate(plan, source, None),
        f"""
        WITH ranked AS (
            SELECT *, row_number() OVER (PARTITION BY {sequence} ORDER BY {choice}) AS {rank}
            FROM t
        )
        SELECT s.*, m.* EXCLUDE ({sequence}) FROM ranked AS s LEFT JOIN mapping AS m
        ON s.{sequence} = m.{sequence}
        AND {rank} > {quote_name(AFTER_RANK)} AND {rank} <= {quote_name(UNTIL_RANK)}
        """,
        tabulate_fates(plan, fates),
    )


def _locate(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: Fates | None
) -> duckdb.DuckDBPyRelation:
    """Number the rows and find the sequence of each, with its one fate if these are given.

    Materialized rows have their position already. Other queries read files in their order.
    """
    counted = counted_keys(plan).column_names
    numbered = (
        "" if POSITION in source.columns else f", row_number() OVER () AS {quote_name(POSITION)}"
    )
    on = " AND ".join(
        f"s.{quote_name(name)} IS NOT DISTINCT FROM m.{quote_name(name)}" for name in counted
    )
    keys = ", ".join(quote_name(name) for name in counted)
    return derive(
        source,
        f"""
        WITH numbered AS (SELECT * {numbered} FROM t)
        SELECT s.*, m.* EXCLUDE ({keys}) FROM numbered AS s LEFT JOIN mapping AS m ON {on}
        """,
        tabulate_entries(plan, fates),
    )


def _count_bits(plan: Plan, fates: Fates, names: Sequence[str], bits: int) -> pa.Table:
    """Count for each fate the rows with each bit of the hashes of columns.

    Where a sequence has one fate, its rows are counted before they are joined with the list.
    """
    source, fate = plan.located.to_native(), quote_name(FATE)
    numbers = ", ".join(
        f"count_if(hash({quote_name(name)}) & {1 << bit} <> 0) AS {quote_name(f'{column} {bit}')}"
        for column, name in enumerate(names)
        for bit in range(bits)
    )
    if fates.splits:
        drawn = _draw_by_join(plan, source, fates)
        return derive(drawn, f"SELECT {fate}, {numbers} FROM t GROUP BY {fate}").to_arrow_table()
    keys = ", ".join(map(quote_name, counted_keys(plan).column_names))
    counted = derive(source, f"SELECT {keys}, {numbers} FROM t GROUP BY {keys}")
    located = _locate(plan, counted, fates)
    return derive(located, f"SELECT {fate}, COLUMNS('^[0-9]+ [0-9]+$') FROM t").to_arrow_table()


def _place(
    plan: Plan, fates: Fates, class_of: Codes, columns: Mapping[str, str]
) -> duckdb.DuckDBPyRelation:
    """Return the class of every row, with some columns under new names."""
    rows, classes = plan.located.to_native(), tabulate_classes(plan, class_of)
    if fates.splits:
        rows = _draw_by_join(plan, rows, fates)
        numbers = np.arange(len(class_of), dtype=np.int32)
        classes = pa.table({FATE: numbers, CLASS: class_of})
    *keys, own = classes.column_names
    on = " AND ".join(f"s.{key} IS NOT DISTINCT FROM m.{key}" for key in map(quote_name, keys))
    named = (f"s.{quote_name(name)} AS {quote_name(new)}" for new, name in columns.items())
    return derive(
        rows,
        f"""
        SELECT coalesce(m.{quote_name(own)}, {RULED_OUT}) AS class, {", ".join(named)}
        FROM t AS s LEFT JOIN mapping AS m ON {on}
        """,
        classes,
    )


def _written(plan: Plan, source: duckdb.DuckDBPyRelation) -> str:
    """List the columns of the release: values as they are, or the labels that replace them."""
    kinds = dict(zip(source.columns, source.types, strict=True))
    written = []
    for name in plan.table.released:
        value = quote_name(name)
        if name in plan.relabelled:
            value = quote_name(label_of(name))
        elif name in plan.table.pseudonym_keys:
            value = pseudonym_sql(name, kinds[name].id, plan.table.pseudonym_keys[name])
        elif plain_sql(str(kinds[name])) != str(kinds[name]):
            value = f"CAST({value} AS {plain_sql(str(kinds[name]))})"
        written.append(f"{value} AS {quote_name(name)}")
    return ", ".join(written)
