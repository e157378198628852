"""Formulas: write text so that a spreadsheet does not take it for a formula.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is written after an
apostrophe, unless it is a plain number. So is one that begins with an apostrophe, which can then be
read back.
"""

import re

import duckdb

from lookalike.tables.sql import derive, quote_name, quote_text

_BEGINS = r"^[=+\-@\t\r']"
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def neutralize(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return the rows and column names of a relation with apostrophes before formulas."""
    columns = zip(relation.columns, relation.types, strict=True)
    written = ", ".join(
        f"{_write_cell(name) if _is_text(str(kind)) else quote_name(name)} AS "
        f"{quote_name(neutralize_text(name))}"
        for name, kind in columns
    )
    return derive(relation, f"SELECT {written} FROM t")


def neutralize_text(text: str) -> str:
    """Return a text as it is written to a file.

    Examples
    --------
    >>> neutralize_text("=1+1"), neutralize_text("-1.5"), neutralize_text("'"), neutralize_text("a")
    ("'=1+1", '-1.5', "''", 'a')
    """
    harmless = re.match(_BEGINS, text) is None or re.fullmatch(_NUMBER, text) is not None
    return text if harmless else f"'{text}"


def _write_cell(name: str) -> str:
    """Return the SQL of a cell as it is written."""
    cell = f"CAST({quote_name(name)} AS VARCHAR)"
    return (
        f"CASE WHEN regexp_matches({cell}, {quote_text(_BEGINS)}) AND NOT "
        f"regexp_full_match({cell}, {quote_text(_NUMBER)}) THEN '''' || {cell} ELSE {cell} END"
    )


def _is_text(kind: str) -> bool:
    """Return whether a column holds text, of any values or of listed ones."""
    return kind == "VARCHAR" or kind.startswith("ENUM")
