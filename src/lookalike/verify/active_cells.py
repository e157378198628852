"""Count the cells of a released text file that a spreadsheet would take for formulas."""

import duckdb

from lookalike.tables.sql import derive, quote_name

_ACTIVE = ("=", "+", "-", "@", "\t", "\r")


def count_active_cells(file: duckdb.DuckDBPyRelation) -> int:
    """Count the cells that begin like a formula and are not numbers, and such column names."""
    names = sum(name.startswith(_ACTIVE) and not _is_number(name) for name in file.columns)
    cells = " + ".join(f"count(*) FILTER (WHERE {_is_active(name)})" for name in file.columns)
    [(found,)] = derive(file, f"SELECT {cells} FROM t").fetchall()
    return names + int(found)


def _is_active(name: str) -> str:
    """Return the SQL condition that a cell begins like a formula."""
    cell = f"CAST({quote_name(name)} AS VARCHAR)"
    return (
        f"left({cell}, 1) IN ('=', '@', chr(9), chr(13)) OR "
        f"(left({cell}, 1) IN ('+', '-') AND TRY_CAST({cell} AS DOUBLE) IS NULL)"
    )


def _is_number(text: str) -> bool:
    """Return whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return text[0] in "+-"
