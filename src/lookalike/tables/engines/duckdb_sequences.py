"""DuckDB's sequences: the distinct sequences of a table in temporary tables of a connection.

The rows are counted once, by DuckDB or by Spark. The codes of the values at every level stand in
one small table for each attribute, so the list at a vector is a join with these tables and one
group-by, over the shortest list that is kept below the vector. DuckDB spills all of them to disk
where memory is short.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Vector, dominates
from lookalike.tables.engines.engine import Column
from lookalike.tables.engines.join_tables import ENTRY_ROWS, code_of
from lookalike.tables.engines.sql_engine import Lazy, SqlEngine
from lookalike.tables.sql import derive, drop, engine_errors, quote_name, store

LISTS_KEPT = 3
"""How many lists are kept besides that of the private table."""

_ROWS = quote_name(ENTRY_ROWS)
_VALUE = quote_name("lookalike value")
_NUMBER = quote_name("lookalike number")


@dataclass(frozen=True, eq=False)
class _Stored(Discreet):
    """A temporary table of the connection of a relation."""

    source: duckdb.DuckDBPyRelation
    name: str
    rows: int

    @classmethod
    def make(cls, source: duckdb.DuckDBPyRelation, sql: str, mapping: Any = None) -> Self:
        """Run a query once into a new table."""
        name = f"lookalike {secrets.token_hex(8)}"
        with engine_errors():
            kept = store(derive(source, sql, mapping), name, "*")
            counted = kept.aggregate("count(*)").fetchall()
        return cls(source, name, int(counted[0][0]))

    def __str__(self) -> str:
        return quote_name(self.name)

    def ask(self, sql: str) -> pa.Table:
        """Return the rows of a query on the same connection."""
        with engine_errors():
            return derive(self.source, sql).to_arrow_table()

    def drop(self) -> None:
        """Drop the table."""
        with engine_errors():
            drop(self.source, self.name)


class DuckDBEntries:
    """The distinct sequences of a relation as values, in a temporary table.

    ``engine``: the engine of the rows that were counted.
    ``counted``: a query of the sequences, with the number of rows of each as `ENTRY_ROWS`.
    ``attributes``: the attributes.
    """

    def __init__(
        self, engine: SqlEngine, counted: duckdb.DuckDBPyRelation, attributes: Sequence[str]
    ) -> None:
        self._engine, self._attributes = engine, tuple(attributes)
        self._entries = _Stored.make(counted, "SELECT * FROM t")

    @property
    def sequences(self) -> int:
        """The number of distinct sequences."""
        return self._entries.rows

    def take(self) -> pa.Table:
        """Return the sequences, and keep them no longer."""
        entries = self._entries.ask(f"SELECT * FROM {self._entries}")
        self._entries.drop()
        return entries

    @cached_property
    def _values(self) -> tuple[_Stored, ...]:
        """The distinct values of each attribute, numbered, with the rows of each."""
        counted = (
            f"""
            WITH counted AS (
                SELECT {quote_name(name)} AS {_VALUE}, sum({_ROWS})::BIGINT AS {_ROWS}
                FROM {self._entries} GROUP BY ALL
            )
            SELECT *, (row_number() OVER () - 1)::INTEGER AS {_NUMBER} FROM counted
            """
            for name in self._attributes
        )
        return tuple(_Stored.make(self._entries.source, sql) for sql in counted)

    def values(self) -> list[tuple[Column, Counts]]:
        """Return for each attribute its distinct values, and the number of rows of each."""
        listed = [
            values.ask(f"SELECT {_VALUE}, {_ROWS} FROM {values} ORDER BY {_NUMBER}")
            for values in self._values
        ]
        return [(one[0], one[1].to_numpy().astype(np.int64)) for one in listed]

    def code(self, levels: Sequence[Sequence[Codes]]) -> "DuckDBSequences":
        """Replace the values by codes, and keep only these."""
        alike = any(len(np.unique(one[0])) < len(one[0]) for one in levels)
        maps = tuple(map(_store_levels, self._values, levels))
        codes = ", ".join(f"m{place}.{_level(0)} AS {_code(place)}" for place in range(len(maps)))
        rows = f"sum(s.{_ROWS})::BIGINT" if alike else f"s.{_ROWS}"
        ground = _Stored.make(
            self._entries.source,
            f"""
            SELECT {codes}, {rows} AS {_ROWS}
            FROM {self._entries} AS s {_join_values(self._attributes, maps)}
            {"GROUP BY ALL" if alike else ""}
            """,
        )
        for stored in (self._entries, *self._values):
            stored.drop()
        sizes = [[int(codes.max(initial=0)) + 1 for codes in one] for one in levels]
        return DuckDBSequences(self._engine, self._attributes, maps, sizes, ground)


class DuckDBSequences:
    """The distinct sequences of a relation as codes, and lists at higher vectors.

    ``engine``: the engine of the rows that were counted.
    ``attributes``: the attributes.
    ``maps``: for each attribute, the table of its values and their code at each level.
    ``sizes``: for each attribute, the number of codes of each level.
    ``ground``: the list at level 0: a code for each attribute, and the number of rows.
    """

    def __init__(
        self,
        engine: SqlEngine,
        attributes: tuple[str, ...],
        maps: tuple[_Stored, ...],
        sizes: Sequence[Sequence[int]],
        ground: _Stored,
    ) -> None:
        self._engine, self._attributes = engine, attributes
        self._maps, self._sizes = maps, sizes
        self._lists: dict[Vector, _Stored] = {(0,) * len(maps): ground}

    def count(self, vector: Vector) -> int:
        """Count the distinct sequences at a vector."""
        return self._at(vector).rows

    def estimate(self, vector: Vector) -> int:
        """Estimate the number of distinct sequences at a vector, by their hashes."""
        if vector in self._lists:
            return self._lists[vector].rows
        lower, base = self._below(vector)
        shown, joins = self._lift(lower, vector)
        distinct = f"approx_count_distinct(hash({', '.join(shown)}))"
        return int(base.ask(f"SELECT {distinct} FROM {base} AS s {joins}")[0][0].as_py())

    def outliers(self, vector: Vector, k: int) -> int:
        """Count the rows whose sequence occurs fewer than k times at a vector."""
        sizes, classes = self.count_sizes(vector)
        small = sizes < k
        return int(sizes[small] @ classes[small])

    def count_sizes(self, vector: Vector) -> tuple[Counts, Counts]:
        """Return the sizes of classes that occur at a vector, and the number of classes of each."""
        kept = self._at(vector)
        sizes, classes = _ask_numbers(
            kept, f"SELECT {_ROWS}, count(*) FROM {kept} GROUP BY ALL ORDER BY 1"
        )
        return sizes, classes

    def outlying(self, vector: Vector, k: int) -> list[tuple[Codes, Counts]]:
        """Count the rows of classes below k by their code at a vector, for each attribute."""
        kept, answers = self._at(vector), []
        for place in range(len(vector)):
            shown = f"{_code(place)}, sum({_ROWS})::BIGINT"
            codes, rows = _ask_numbers(
                kept, f"SELECT {shown} FROM {kept} WHERE {_ROWS} < {k:d} GROUP BY ALL"
            )
            answers.append((codes.astype(np.int32), rows))
        return answers

    def fetch(self, vector: Vector) -> tuple[Codes, Counts]:
        """Return the sequences at a vector, one row per attribute, and their numbers of rows."""
        kept = self._at(vector)
        *codes, counts = kept.ask(f"SELECT * FROM {kept}").columns
        listed = np.empty((len(codes), kept.rows), dtype=np.int32)
        for place, column in enumerate(codes):
            listed[place] = column.to_numpy()
        return listed, counts.to_numpy().astype(np.int64)

    def locate(self, frame: Lazy, vector: Vector) -> Lazy:
        """Add to each row its position, and its code at a vector for each attribute."""
        rows = self._engine.number(frame.to_native())
        for name, codes, level in zip(self._attributes, self._maps, vector, strict=True):
            known = codes.ask(f"SELECT {_VALUE}, {_level(level)} FROM {codes}")
            rows = self._engine.join(rows, known.rename_columns([name, code_of(name)]), [name])
        located: Lazy = nw.from_native(rows)
        return located

    def _at(self, vector: Vector) -> _Stored:
        """Return the list at a vector, rolled up from the shortest list below it."""
        if vector not in self._lists:
            lower, base = self._below(vector)
            shown, joins = self._lift(lower, vector)
            codes = ", ".join(f"{code} AS {_code(place)}" for place, code in enumerate(shown))
            sql = f"""
                SELECT {codes}, sum(s.{_ROWS})::BIGINT AS {_ROWS}
                FROM {base} AS s {joins} GROUP BY ALL
            """
            self._lists[vector] = _Stored.make(base.source, sql)
            self._forget_oldest()
        return self._lists[vector]

    def _forget_oldest(self) -> None:
        """Drop the list that was made first, if there are too many; the first of all stays."""
        _, *others = self._lists
        if len(others) > LISTS_KEPT:
            self._lists.pop(others[0]).drop()

    def _below(self, vector: Vector) -> tuple[Vector, _Stored]:
        """Return the shortest list that is kept below a vector, and its own vector."""
        usable = [one for one in self._lists.items() if dominates(vector, one[0])]
        return min(usable, key=lambda one: one[1].rows)

    def _lift(self, lower: Vector, upper: Vector) -> tuple[list[str], str]:
        """Return the higher codes of sequences ``s``, and the joins that find them."""
        shown, joins = [], []
        for place, (low, high) in enumerate(zip(lower, upper, strict=True)):
            if low == high:
                shown.append(f"s.{_code(place)}")
            elif self._sizes[place][high] == 1:
                shown.append("0")
            else:
                levels = f"{_level(low)} AS low, {_level(high)} AS high"
                pairs = f"(SELECT DISTINCT {levels} FROM {self._maps[place]})"
                shown.append(f"m{place}.high")
                joins.append(f"JOIN {pairs} AS m{place} ON s.{_code(place)} = m{place}.low")
        return shown, " ".join(joins)


def _store_levels(values: _Stored, levels: Sequence[Codes]) -> _Stored:
    """Store the values of an attribute, as the engine holds them, with their codes."""
    number = pa.array(np.arange(len(levels[0]), dtype=np.int32))
    codes = {f"level {level}": pa.array(codes) for level, codes in enumerate(levels)}
    sql = f"""
        SELECT v.{_VALUE}, m.* EXCLUDE (number)
        FROM {values} AS v JOIN mapping AS m ON v.{_NUMBER} = m.number
    """
    return _Stored.make(values.source, sql, pa.table({"number": number} | codes))


def _join_values(attributes: Sequence[str], maps: Sequence[_Stored]) -> str:
    """Return the joins of rows ``s`` with the codes of their values; missing equals missing."""
    return " ".join(
        f"LEFT JOIN {codes} AS m{place} "
        f"ON s.{quote_name(name)} IS NOT DISTINCT FROM m{place}.{_VALUE}"
        for place, (name, codes) in enumerate(zip(attributes, maps, strict=True))
    )


def _ask_numbers(kept: _Stored, sql: str) -> list[Counts]:
    """Return the columns of a query whose values are numbers."""
    return [column.to_numpy().astype(np.int64) for column in kept.ask(sql).columns]


def _level(level: int) -> str:
    """Name the column of the codes at a level."""
    return quote_name(f"level {level}")


def _code(place: int) -> str:
    """Name the column of an attribute's code in a list."""
    return quote_name(f"code {place}")
