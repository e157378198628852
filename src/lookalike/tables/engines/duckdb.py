"""DuckDB: files and relations, whose rows stay on disk until they are needed.

Counting, recoding and writing are SQL. A table is recoded by joining it with the list of
entries that were counted, on the values as DuckDB holds them. The row order and the choice among
rows with equal values are a keyed hash of each row's position, under secret keys of the
plan's draw: the same each time the query runs, and nobody else can repeat them
(:mod:`lookalike.tables.connection`).
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

import duckdb
import narwhals as nw
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.tables.connection import Connection, keyed_hash_sql
from lookalike.tables.counted import Counted
from lookalike.tables.engines.duckdb_sequences import DuckDBEntries
from lookalike.tables.engines.join_tables import (
    GONE,
    counted_keys,
    label_of,
    read_grouped,
    tabulate_entries,
)
from lookalike.tables.engines.sql_engine import (
    COUNTED,
    Lazy,
    QueryRows,
    SqlEngine,
    read_one_row,
    write_columns,
    write_stays,
)
from lookalike.tables.plain import plain_sql
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.pseudonyms import pseudonym_sql
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

_HASHES = 2**64
"""How many different hashes DuckDB has."""


class DuckDB(SqlEngine):
    """The engine of files and DuckDB relations."""

    random = "random()"
    hash = "hash({})"
    errors = staticmethod(engine_errors)

    def select(self, rows: QueryRows, expressions: Sequence[str], where: str = "") -> QueryRows:
        """Select from the rows that satisfy a condition."""
        chosen = rows.filter(where) if where else rows
        return chosen.project(", ".join(expressions))

    def total(self, rows: QueryRows, names: Sequence[str], *sums: str) -> QueryRows:
        """Group the rows."""
        keys = ", ".join(map(quote_name, names))
        return rows.aggregate(", ".join((keys, *sums)), keys)

    def join(
        self,
        rows: QueryRows,
        small: pa.Table,
        keys: Sequence[str],
        condition: str = "true",
        *,
        like: Mapping[str, str] | None = None,  # noqa: ARG002
        inner: bool = False,
    ) -> QueryRows:
        """Join the rows with an Arrow table of this process."""
        names = [quote_name(name) for name in keys]
        same = "".join(f"s.{name} IS NOT DISTINCT FROM m.{name} AND " for name in names)
        return derive(
            rows,
            f"SELECT s.*, m.* EXCLUDE ({', '.join(names)}) "
            f"FROM t AS s {'' if inner else 'LEFT '}JOIN mapping AS m ON {same}{condition}",
            small,
        )

    def number(self, rows: QueryRows) -> QueryRows:
        """Number the rows in the order of the source, unless they are kept with their positions."""
        if POSITION in rows.columns:
            return rows
        return self.select(rows, ["*", f"row_number() OVER () AS {quote_name(POSITION)}"])

    def append_rows(self, frame: Lazy, rows: pa.Table) -> Lazy:
        """Append the rows of an Arrow table of this process, at the positions after the others."""
        known, place = frame.to_native(), quote_name(POSITION)
        more = rows.append_column(POSITION, pa.array(range(1, len(rows) + 1), pa.int64()))
        given = {name: quote_name(name) for name in rows.column_names}
        given[POSITION] = f"(SELECT max({place}) FROM t) + {place}"
        columns = (
            f"CAST({given.get(name, 'NULL')} AS {kind}) AS {quote_name(name)}"
            for name, kind in self.kinds(known).items()
        )
        statement = f"SELECT * FROM t UNION ALL SELECT {', '.join(columns)} FROM mapping"
        both: Lazy = nw.from_native(derive(known, statement, more))
        return both

    def kinds(self, rows: QueryRows) -> dict[str, str]:
        """Return the types of the relation."""
        return dict(zip(rows.columns, map(str, rows.types), strict=True))

    def run(self, rows: QueryRows) -> pa.Table:
        """Fetch the rows as an Arrow table."""
        return rows.to_arrow_table()

    def ask(self, rows: QueryRows, statement: str) -> pa.Table:
        """Run the statement over the relation."""
        return derive(rows, statement).to_arrow_table()

    def is_drawn(self, value: str, one_in: int, part: int) -> str:
        """Compare the hash with the bounds of a part, which costs a third of dividing it."""
        width = _HASHES // one_in
        return f"hash({value}) BETWEEN {part * width} AND {(part + 1) * width - 1}"

    def takes(self, frame: Any) -> TypeGuard[Lazy]:
        """Take relations."""
        return isinstance(frame, nw.LazyFrame) and frame.implementation.is_duckdb()

    def adopt(self, frame: Lazy) -> Lazy:
        """Return the query as it is."""
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
        rows: Lazy = nw.from_native(relation.project(f"* REPLACE ({', '.join(settled)})"))
        return rows

    def materialize(self, frame: Lazy, place: Path | StorageUrl | None = None) -> Lazy:  # noqa: ARG002
        """Run the query once into a temporary table, with the position of each row.

        DuckDB spills it to disk where memory is short. The order in which a query gives its rows
        may change from run to run, above all below ``GROUP BY`` and ``DISTINCT``.
        """
        name, position = f"lookalike rows {secrets.token_hex(8)}", quote_name(POSITION)
        with engine_errors():
            kept = store(frame.to_native(), name, f"*, row_number() OVER () AS {position}")
        return nw.from_native(kept)

    def group_within(
        self, frame: Lazy, attributes: Sequence[str], most: int, hashed: Sequence[str] = ()
    ) -> Counted | DuckDBEntries:
        """Fetch the sequences; count into a temporary table if they may be too many.

        DuckDB knows the number of rows of a file or a table without reading them.
        """
        rows = frame.to_native()
        counted = self.total(rows, attributes, COUNTED, *self.sum_bits(hashed))
        with engine_errors():
            if read_one_row(self.run(rows.aggregate("count(*)")))[0] <= most:
                return read_grouped(self.run(counted), attributes, None)
        kept = DuckDBEntries(self, counted, attributes)
        return kept if kept.sequences > most else read_grouped(kept.take(), attributes, None)

    def fetch(self, frame: Lazy, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, batch by batch."""
        names = ", ".join(quote_name(name) for name in columns)
        with engine_errors():
            reader = frame.to_native().project(names).to_arrow_reader()
            yield pa.Table.from_batches([*islice(reader, 1)], reader.schema)
            for batch in reader:
                yield pa.Table.from_batches([batch])

    def locate(self, plan: Plan, fates: Fates) -> QueryRows:
        """Number the rows, and find the fate of each."""
        source = self.number(plan.located.to_native())
        choice = keyed_hash_sql(source, plan.draw.key("choice"), POSITION)
        return self.draw(plan, source, fates, choice)

    def recode(self, plan: Plan, fates: Fates) -> tuple[Lazy, Lazy, None]:
        """Join the query with the list of sequences, on the values that were counted.

        A row whose sequence is not in the list stops the query: the source changed after it was
        counted. With maps of values, a row that has another value is left out, and the recount
        misses it; or verification finds that the source has another list.
        """
        source, located = plan.located.to_native(), self.locate(plan, fates)
        rows, constants = self._map_values(plan, fates) if plan.maps_values else (located, [])
        kinds = dict(zip(source.columns, source.types, strict=True))
        order = quote_name(POSITION)
        if not plan.keep_order:
            order = keyed_hash_sql(rows, plan.draw.key("order"), POSITION)
        written = ", ".join(write_columns(plan, _replace(plan, kinds)))
        changed = f"error({quote_text(SOURCE_CHANGED)})"
        stays = "true" if plan.maps_values else write_stays(plan, changed)
        ordered = rows.filter(stays).order(order)
        released = ordered.project(", ".join(("*", *constants))).project(written)
        return nw.from_native(released), nw.from_native(located), None

    def _map_values(self, plan: Plan, fates: Fates) -> tuple[QueryRows, list[str]]:
        """Number the rows that are not suppressed, and find the label of each value.

        Returns: also the labels of attributes that have one in every row. They are added after the
        rows are sorted, which costs less.
        """
        entries, keys = tabulate_entries(plan, fates), counted_keys(plan).column_names
        gone = entries.filter(entries[GONE]).select(keys)
        kept = entries.filter(arrow_compute.invert(entries[GONE]))
        rows, constants = self.number(plan.located.to_native()), []
        if len(gone):
            same = (f"t.{name} IS NOT DISTINCT FROM m.{name}" for name in map(quote_name, keys))
            rows = derive(rows, f"FROM t ANTI JOIN mapping AS m ON {' AND '.join(same)}", gone)
        for attribute in plan.relabelled:
            name, label = quote_name(attribute), quote_name(label_of(attribute))
            shown = kept[label_of(attribute)].unique()
            if len(shown) == 1 and shown.null_count == 0:
                constants.append(f"{quote_text(shown[0].as_py())} AS {label}")
                continue
            rows = derive(
                rows,
                f"SELECT t.*, m.{label} FROM t JOIN (SELECT DISTINCT {name}, {label} FROM mapping) "
                f"AS m ON t.{name} IS NOT DISTINCT FROM m.{name}",
                kept.select([attribute, label_of(attribute)]),
            )
        return rows, constants

    def write(self, frame: Lazy, path: Path, connection: Connection) -> pa.Schema:  # noqa: ARG002
        """Write the rows on their own connection."""
        relation = frame.to_native()
        with engine_errors(path.name):
            schema = relation.limit(0).to_arrow_table().schema
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


def _replace(plan: Plan, kinds: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns that are not released as the engine holds them."""
    names = [name for name in plan.table.released if name in kinds]
    plain = {name: plain_sql(str(kinds[name])) for name in names}
    cast = {n: f"CAST({quote_name(n)} AS {k})" for n, k in plain.items() if k != str(kinds[n])}
    keys = plan.table.pseudonym_keys.items()
    return cast | {name: pseudonym_sql(name, kinds[name].id, key) for name, key in keys}
