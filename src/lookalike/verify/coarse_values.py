"""Count the released numbers that are finer or further out than the certificate says."""

import duckdb

from lookalike.errors import RequirementNotMet
from lookalike.tables.sql import derive, quote_name


def count_fine_values(
    release: duckdb.DuckDBPyRelation,
    column: str,
    multiple: int | None,
    top: int | None,
    bottom: int | None,
) -> int:
    """Count the values of a column that are no multiple, or outside the bounds, or no number.

    Parameters
    ----------
    release
        The released rows.
    column
        The column.
    multiple
        What every number must be a multiple of, except the bounds themselves.
    top, bottom
        The greatest and the smallest number.

    Examples
    --------
    >>> pay = duckdb.sql("SELECT unnest(['1000', '1500', '2500', '9000', NULL]) AS pay")
    >>> count_fine_values(pay, "pay", 1000, 2500, None)
    2
    """
    number = f"TRY_CAST({quote_name(column)} AS DECIMAL(38, 6))"
    wrong = [f"{number} IS NULL"]
    if multiple is not None:
        ends = [str(end) for end in (top, bottom) if end is not None]
        inside = f" AND {number} NOT IN ({', '.join(ends)})" if ends else ""
        wrong.append(f"({number} % {multiple} <> 0{inside})")
    if top is not None:
        wrong.append(f"{number} > {top}")
    if bottom is not None:
        wrong.append(f"{number} < {bottom}")
    condition = f"{quote_name(column)} IS NOT NULL AND ({' OR '.join(wrong)})"
    [(found,)] = derive(release, f"SELECT count(*) FROM t WHERE {condition}").fetchall()
    return int(found)


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
