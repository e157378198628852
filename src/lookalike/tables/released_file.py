"""Read the file of a published release, and count its classes and the values of its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa
import pyarrow.compute as arrow_compute
from duckdb import DuckDBPyRelation

from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import format_of
from lookalike.tables.labels import encode_column
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.sql import derive, engine_errors, quote_name, quote_text
from lookalike.tables.table import check_columns, column_names

MOST_SHOWN = 20
"""The number of values of a column that are listed."""
COLUMNS_TOGETHER = 32
"""How many columns one statement counts: it tells groups apart by the bits of a number."""


def read_released_file(
    file: Path, connection: Connection, *, neutralized: bool = False
) -> nw.LazyFrame[Any]:
    """Return the rows of a released file, as a query that has not run yet.

    The delimiter is the one that :mod:`lookalike.tables.write` uses; it is not detected.

    ``neutralized``: whether an apostrophe at the beginning of a cell or a name is not part of it.
    """
    chosen = format_of(file)
    delimiter = None if chosen is None else chosen.delimiter
    rows = read_source(Source(path=str(file), delimiter=delimiter), connection)
    if not neutralized:
        return rows
    columns = ", ".join(
        f"CASE WHEN starts_with({cell}, '''') THEN substr({cell}, 2) ELSE {cell} END AS "
        f"{quote_name(name.removeprefix(chr(39)))}"
        for name, cell in ((name, quote_name(name)) for name in column_names(rows))
    )
    return nw.from_native(rows.to_native().project(columns))


@dataclass(frozen=True)
class ReleasedValues(Discreet):
    """The values of a released column.

    Parameters
    ----------
    distinct
        The number of distinct values; missing is one of them.
    frequent
        The most frequent values as text, with the number of rows of each; ``None`` is missing.
        Values that are equally frequent are in the order of their text.
    range
        The least and the greatest value, if all values are numbers, missing or suppressed.
    """

    distinct: int
    frequent: tuple[tuple[str | None, int], ...]
    range: tuple[str, str] | None

    @property
    def more(self) -> int:
        """The number of values that are not listed."""
        return self.distinct - len(self.frequent)


@dataclass(frozen=True)
class CountedRelease(Discreet):
    """The values of each column of a release, and the number of classes of each size.

    ``sizes``: for each quasi-identifier, the smallest size first.
    """

    values: dict[str, ReleasedValues]
    sizes: tuple[dict[int, int], ...]


def count_release(
    rows: DuckDBPyRelation,
    classes: Sequence[Sequence[str]],
    suppressed: str,
    most: int = MOST_SHOWN,
) -> CountedRelease:
    """Count the values of every column of a release, and its classes, in one pass over the rows.

    ``classes``: the attributes of each quasi-identifier.
    """
    values: dict[str, ReleasedValues] = {}
    sizes: list[dict[int, int]] = []
    for begin in range(0, len(rows.columns), COLUMNS_TOGETHER):
        columns = rows.columns[begin : begin + COLUMNS_TOGETHER]
        asked = [] if begin else [*classes]
        every = [*dict.fromkeys((*columns, *chain.from_iterable(asked)))]
        check_columns(rows.columns, every)
        own = [_number_group(every, [name]) for name in columns]
        together = [_number_group(every, one) for one in asked]
        with engine_errors("the release"):
            plain = _name_by_place(rows, every)
            statement = _write_query(plain.columns, own, together, suppressed, most)
            found = derive(plain, statement).to_arrow_table()
        for place, (name, number) in enumerate(zip(columns, own, strict=True)):
            part = _choose(found, number, is_class=False)
            values[name] = _read_values(name, part[f"c{place}"], part.to_pylist(), most)
        sizes += (_read_sizes(_choose(found, number, is_class=True)) for number in together)
    return CountedRelease(values, tuple(sizes))


def _name_by_place(rows: DuckDBPyRelation, names: Sequence[str]) -> DuckDBPyRelation:
    """Return some columns under the names c0, c1 and so on; not-a-number is missing."""
    kinds = dict(zip(rows.columns, map(str, rows.types), strict=True))
    written = (
        f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
        if kinds[name] in ("DOUBLE", "FLOAT")
        else column
        for name, column in zip(names, map(quote_name, names), strict=True)
    )
    return rows.project(", ".join(f"{one} AS c{place}" for place, one in enumerate(written)))


def _number_group(every: Sequence[str], group: Sequence[str]) -> int:
    """Return the number by which SQL knows a group: a bit for each column that it lacks."""
    return sum(1 << at for at, name in enumerate(reversed(every)) if name not in group)


def _write_query(
    columns: Sequence[str], own: Sequence[int], classes: Sequence[int], suppressed: str, most: int
) -> str:
    """Write the query: the most frequent values of columns, and the sizes of classes.

    Beside each value is what is known of all values of its column.

    ``own``: the number of the group of each of the first columns.
    ``classes``: the number of the group of each quasi-identifier.
    """
    names, other = ", ".join(columns), f"text <> {quote_text(suppressed)}"
    sets = {one: _list_columns(columns, one) for one in (*own, *classes)}
    texts = (f"WHEN {one} THEN CAST({sets[one]} AS VARCHAR)" for one in own)
    return f"""
        WITH counted AS MATERIALIZED (
            SELECT {names}, GROUPING({names}) AS number, count(*) AS "rows"
            FROM t GROUP BY GROUPING SETS ({", ".join(f"({one})" for one in sets.values())})
        ), texts AS (
            SELECT *, CASE number {" ".join(texts)} END AS text FROM counted
            WHERE number IN ({", ".join(map(str, own))})
        ), measured AS (
            SELECT *, CASE WHEN {other} AND isfinite(TRY_CAST(text AS DOUBLE)) THEN
                struct_pack(size := TRY_CAST(text AS DOUBLE), text := text) END AS size
            FROM texts
        )
        SELECT {names}, number, "rows", false AS is_class, count(*) OVER same AS times,
            row_number() OVER (PARTITION BY number ORDER BY "rows" DESC, text NULLS LAST) AS place,
            count(*) FILTER ({other}) OVER same = count(size) OVER same AS is_numeric,
            size = min(size) OVER same AS is_least, size = max(size) OVER same AS is_greatest
        FROM measured WINDOW same AS (PARTITION BY number)
        QUALIFY place <= {most} OR is_least OR is_greatest
        UNION ALL BY NAME
        SELECT number, "rows", true AS is_class, count(*) AS times FROM counted
        WHERE number IN ({", ".join(map(str, classes)) or "NULL"}) GROUP BY number, "rows"
    """


def _list_columns(columns: Sequence[str], number: int) -> str:
    """Return the columns of a group."""
    last = len(columns) - 1
    return ", ".join(one for at, one in enumerate(columns) if not number >> (last - at) & 1)


def _choose(found: pa.Table, number: int, *, is_class: bool) -> pa.Table:
    """Return the part of an answer that is about one group."""
    same = arrow_compute.equal(found["number"], number)
    return found.filter(arrow_compute.and_(same, arrow_compute.equal(found["is_class"], is_class)))


def _read_values(
    name: str, column: pa.ChunkedArray, found: list[dict[str, Any]], most: int
) -> ReleasedValues:
    """Return the most frequent values of a column, and the range of its values."""
    if not found:
        return ReleasedValues(0, (), None)
    texts, codes = encode_column(name, column)
    labels = [texts[code] for code in codes.tolist()]
    shown = [one for one in zip(found, labels, strict=True) if one[0]["place"] <= most]
    shown.sort(key=lambda one: int(one[0]["place"]))
    ends = [
        [label for one, label in zip(found, labels, strict=True) if one[end]]
        for end in ("is_least", "is_greatest")
    ]
    return ReleasedValues(
        distinct=found[0]["times"],
        frequent=tuple((label, one["rows"]) for one, label in shown),
        range=(f"{ends[0][0]}", f"{ends[1][0]}") if found[0]["is_numeric"] and ends[0] else None,
    )


def _read_sizes(found: pa.Table) -> dict[int, int]:
    """Return the number of classes of each size, the smallest first."""
    pairs = zip(found["rows"].to_pylist(), found["times"].to_pylist(), strict=True)
    return dict(sorted(pairs))
