"""Read the file of a published release, and count its classes and the values of a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
from duckdb import DuckDBPyRelation

from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import format_of
from lookalike.tables.labels import encode_column, label_in
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.sql import derive, engine_errors, quote_name, quote_text
from lookalike.tables.table import check_columns, column_names

MOST_SHOWN = 20
"""The number of values of a column that are listed."""


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
    return nw.from_native(derive(rows.to_native(), f"SELECT {columns} FROM t"))


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


def count_released_values(
    rows: DuckDBPyRelation, column: str, suppressed: str, most: int = MOST_SHOWN
) -> ReleasedValues:
    """Count the values of a column of a release."""
    with engine_errors("the release"):
        found = derive(rows, _write_query(rows, column, suppressed, most)).to_arrow_table()
    labels, codes = encode_column(column, found.column("value"))
    counts = found.column("rows").to_pylist()
    frequent = tuple((labels[one], n) for one, n in zip(codes.tolist(), counts, strict=True))
    if not frequent:
        return ReleasedValues(0, (), None)
    first = found.slice(0, 1).to_pylist()[0]
    return ReleasedValues(first["distinct_values"], frequent, _read_range(column, first))


def _write_query(rows: DuckDBPyRelation, column: str, suppressed: str, most: int) -> str:
    """Write the query: the most frequent values, each beside what is known of all of them."""
    name = quote_name(column)
    kind = str(rows.types[rows.columns.index(column)])
    is_float = kind in ("DOUBLE", "FLOAT")
    value = f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END" if is_float else name
    number = "TRY_CAST(text AS DOUBLE)"
    other = f"text <> {quote_text(suppressed)}"
    return f"""
        WITH counted AS MATERIALIZED (
            SELECT value, count(*) AS "rows", CAST(value AS VARCHAR) AS text
            FROM (SELECT {value} AS value FROM t) GROUP BY value
        ), numbers AS (
            SELECT struct_pack(number := {number}, text := text, value := value) AS one
            FROM counted WHERE {other} AND isfinite({number})
        )
        SELECT value, "rows", "all".*, "range".* FROM counted,
            (SELECT count(*) AS distinct_values, count(*) FILTER ({other}) AS others FROM counted)
                AS "all",
            (SELECT count(*) AS numbers, min(one) AS least, max(one) AS greatest FROM numbers)
                AS "range"
        ORDER BY "rows" DESC, text NULLS LAST LIMIT {most}
    """


def _read_range(column: str, found: dict[str, Any]) -> tuple[str, str] | None:
    """Return the least and the greatest value as text, if all values are numbers."""
    if not found["numbers"] or found["numbers"] < found["others"]:
        return None
    ends = (label_in(column, found[end]["value"]) for end in ("least", "greatest"))
    least, greatest = (f"{end}" for end in ends)
    return least, greatest


def count_class_sizes(rows: DuckDBPyRelation, attributes: Sequence[str]) -> dict[int, int]:
    """Return the number of classes of each size, the smallest first."""
    check_columns(rows.columns, attributes)
    keys = ", ".join(quote_name(one) for one in attributes)
    with engine_errors("the release"):
        found = derive(
            rows,
            "SELECT size, count(*) FROM "
            f"(SELECT count(*) AS size FROM t GROUP BY {keys}) GROUP BY size ORDER BY size",
        ).fetchall()
    return {int(size): int(classes) for size, classes in found}
