"""Count how many classes of each size a release has."""

from collections.abc import Sequence

from duckdb import DuckDBPyRelation

from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.tables.table import check_columns


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
