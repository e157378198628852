"""Count values of released columns: distinct ones, formulas, and numbers that are too fine.

Formulas are cells of a text file that a spreadsheet would take for them. Numbers are finer or
further out than the certificate says: short ones are judged by SQL, with decimals that hold all of
their digits; all others, such as 1e+20 and long fractions, by fractions of Python.
"""

import re
from fractions import Fraction

import duckdb
import pyarrow as pa

from lookalike.errors import RequirementNotMet
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.sql import derive, engine_errors, quote_name, quote_text
from lookalike.verify.values import list_values

_ACTIVE = ("=", "+", "-", "@", "\t", "\r")
_SHORT = "[+-]?[0-9]{1,28}([.][0-9]{1,9})?"
_SHORT_TYPE = "DECIMAL(38, 9)"
_ANY = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
"""A number as files have it; a longer exponent would only fill the memory."""


def count_column_values(
    relation: duckdb.DuckDBPyRelation, name: str, place: str = "the table"
) -> tuple[list[object], list[int]]:
    """Return the distinct values of a column, and the number of rows of each.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES ('02138'), ('02139'), ('02138')) AS t(zip)")
    >>> values, counts = count_column_values(rows, "zip")
    >>> sorted(zip(values, counts))
    [('02138', 2), ('02139', 1)]
    """
    with engine_errors(place):
        counted: pa.Table = derive(
            relation, f"SELECT {quote_name(name)}, count(*) FROM t GROUP BY ALL"
        ).to_arrow_table()
    values, places = list_values(counted.column(0))
    rows = dict(zip(places.tolist(), counted.column(1).to_pylist(), strict=True))
    return values, [rows[place] for place in range(len(values))]


def count_active_cells(file: duckdb.DuckDBPyRelation) -> int:
    """Count the cells that begin like a formula and are not numbers, and such column names."""
    names = sum(name.startswith(_ACTIVE) and not _is_number(name) for name in file.columns)
    cells = " + ".join(f"count(*) FILTER (WHERE {_is_active(name)})" for name in file.columns)
    [(found,)] = file.aggregate(cells).fetchall()
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


def count_fine_values(
    release: duckdb.DuckDBPyRelation,
    column: str,
    asked: NumberCoarsening,
    hidden: str | None = None,
) -> int:
    """Count the values of a column that are no multiple, or outside the bounds, or no number.

    ``hidden``: the label of values that are left out, if some may be.

    Examples
    --------
    >>> pay = duckdb.sql("SELECT unnest(['1000', '1500', '2500', '9000', NULL]) AS pay")
    >>> count_fine_values(pay, "pay", NumberCoarsening(1000, 2500))
    2
    """
    text = f"CAST({quote_name(column)} AS VARCHAR)"
    number = f"TRY_CAST(value AS {_SHORT_TYPE})"
    short = [one is None or abs(one) < 10**28 for one in (asked.round, asked.top, asked.bottom)]
    judged = f"regexp_full_match(value, '{_SHORT}')" if all(short) else "false"
    left_out = "NULL" if hidden is None else quote_text(hidden)
    fine = " OR ".join(_write_conditions(number, asked))
    counted = derive(
        release,
        f"""
        SELECT CASE WHEN NOT {judged} THEN value END AS value, sum(rows) AS rows
        FROM (SELECT {text} AS value, count(*) AS rows FROM t GROUP BY ALL)
        WHERE value IS NOT NULL AND value IS DISTINCT FROM {left_out}
            AND (NOT {judged} OR {fine}) GROUP BY ALL
        """,
    ).fetchall()
    return sum(int(rows) for value, rows in counted if value is None or _is_fine(value, asked))


def _write_conditions(number: str, asked: NumberCoarsening) -> list[str]:
    """Return the conditions under which a short number is finer or further out."""
    multiple, top, bottom = asked.round, asked.top, asked.bottom
    wrong = [f"{number} IS NULL"]
    ends = [f"CAST({end} AS {_SHORT_TYPE})" for end in (top, bottom) if end is not None]
    if multiple is not None:
        inside = f" AND {number} NOT IN ({', '.join(ends)})" if ends else ""
        wrong.append(f"({number} % CAST({multiple} AS {_SHORT_TYPE}) <> 0{inside})")
    if top is not None:
        wrong.append(f"{number} > CAST({top} AS {_SHORT_TYPE})")
    if bottom is not None:
        wrong.append(f"{number} < CAST({bottom} AS {_SHORT_TYPE})")
    return wrong


def _is_fine(text: str, asked: NumberCoarsening) -> bool:
    """Return whether a text is finer or further out, or no number."""
    multiple, top, bottom = asked.round, asked.top, asked.bottom
    if text in ("inf", "-inf"):
        return multiple is not None or (top if text == "inf" else bottom) is not None
    if not _ANY.fullmatch(text):
        return True
    number = Fraction(text)
    beyond = (top is not None and number > top) or (bottom is not None and number < bottom)
    is_multiple = multiple is None or number in (top, bottom) or number % multiple == 0
    return beyond or not is_multiple


def require_coarse(
    release: duckdb.DuckDBPyRelation, column: str, asked: NumberCoarsening, hidden: str | None
) -> None:
    """Refuse released rows with finer numbers; the parameters are those of the count."""
    found = count_fine_values(release, column, asked, hidden)
    if found:
        raise RequirementNotMet(
            f"column {column!r} has {found:,} released values that are finer than round, top and "
            "bottom allow, so nothing is released; does the ledger hold an earlier release with "
            "finer values, which rows keep?"
        )
