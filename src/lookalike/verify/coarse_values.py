"""Count the released numbers that are finer or further out than the certificate says.

Short numbers are judged by SQL, with decimals that hold all of their digits. All others, such as
1e+20 and long fractions, are judged by fractions of Python.
"""

import re
from fractions import Fraction

import duckdb

from lookalike.errors import RequirementNotMet
from lookalike.tables.sql import derive, quote_name

_SHORT = "[+-]?[0-9]{1,28}([.][0-9]{1,9})?"
_SHORT_TYPE = "DECIMAL(38, 9)"
_ANY = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
"""A number as files have it; a longer exponent would only fill the memory."""


def count_fine_values(
    release: duckdb.DuckDBPyRelation,
    column: str,
    multiple: int | None,
    top: int | None,
    bottom: int | None,
) -> int:
    """Count the values of a column that are no multiple, or outside the bounds, or no number.

    Examples
    --------
    >>> pay = duckdb.sql("SELECT unnest(['1000', '1500', '2500', '9000', NULL]) AS pay")
    >>> count_fine_values(pay, "pay", 1000, 2500, None)
    2
    """
    text = f"CAST({quote_name(column)} AS VARCHAR)"
    number = f"TRY_CAST(value AS {_SHORT_TYPE})"
    short = [one is None or abs(one) < 10**28 for one in (multiple, top, bottom)]
    judged = f"regexp_full_match(value, '{_SHORT}')" if all(short) else "false"
    fine = " OR ".join(_write_conditions(number, multiple, top, bottom))
    counted = derive(
        release,
        f"""
        SELECT CASE WHEN NOT {judged} THEN value END AS value, sum(rows) AS rows
        FROM (SELECT {text} AS value, count(*) AS rows FROM t GROUP BY ALL)
        WHERE value IS NOT NULL AND (NOT {judged} OR {fine}) GROUP BY ALL
        """,
    ).fetchall()
    return sum(
        int(rows)
        for value, rows in counted
        if value is None or _is_fine(value, multiple, top, bottom)
    )


def _write_conditions(
    number: str, multiple: int | None, top: int | None, bottom: int | None
) -> list[str]:
    """Return the conditions under which a short number is finer or further out."""
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


def _is_fine(text: str, multiple: int | None, top: int | None, bottom: int | None) -> bool:
    """Return whether a text is finer or further out, or no number."""
    if text in ("inf", "-inf"):
        return multiple is not None or (top if text == "inf" else bottom) is not None
    if not _ANY.fullmatch(text):
        return True
    number = Fraction(text)
    beyond = (top is not None and number > top) or (bottom is not None and number < bottom)
    is_multiple = multiple is None or number in (top, bottom) or number % multiple == 0
    return beyond or not is_multiple


def require_coarse(
    release: duckdb.DuckDBPyRelation,
    column: str,
    multiple: int | None,
    top: int | None,
    bottom: int | None,
) -> None:
    """Refuse released rows with finer numbers; the parameters are those of the count."""
    found = count_fine_values(release, column, multiple, top, bottom)
    if found:
        raise RequirementNotMet(
            f"column {column!r} has {found:,} released values that are finer than round, top and "
            "bottom allow, so nothing is released; does the ledger hold an earlier release with "
            "finer values, which rows keep?"
        )
