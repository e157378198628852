"""Count the distinct values of one column, and how many rows have each of them."""

import duckdb
import pyarrow as pa

from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.verify.values import list_values


def count_column_values(
    relation: duckdb.DuckDBPyRelation, name: str
) -> tuple[list[object], list[int]]:
    """Return the distinct values of a column, and the number of rows of each.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES ('02138'), ('02139'), ('02138')) AS t(zip)")
    >>> values, counts = count_column_values(rows, "zip")
    >>> sorted(zip(values, counts))
    [('02138', 2), ('02139', 1)]
    """
    with engine_errors():
        counted: pa.Table = derive(
            relation, f"SELECT {quote_name(name)}, count(*) FROM t GROUP BY ALL"
        ).to_arrow_table()
    values, places = list_values(counted.column(0))
    rows = dict(zip(places.tolist(), counted.column(1).to_pylist(), strict=True))
    return values, [rows[place] for place in range(len(values))]
