"""Count again how many rows the answers of a release leave in each class.

A *set* is what some rows of a class show in some columns; a value that is left out is shown as the
suppressed label, and counts as a value. Every set of so many columns must have k rows. A column
that shows one value in a class divides none of its sets, so only the others are combined.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.tables.sql import derive, engine_errors, quote_name, quote_text
from lookalike.tables.table import check_columns

MOST_COUNTED = 2_000_000_000
"""The most rows of all sets together that are counted, which takes minutes and gigabytes."""


@dataclass(frozen=True)
class AnswersPromise:
    """The promise that any so many answers leave k rows of each class.

    ``attributes``: the quasi-identifier.
    ``columns``: the answers.
    ``known``: how many of them are known together.
    ``k``: the least number of rows of a set.
    ``label``: the label of a value that is left out.
    """

    attributes: tuple[str, ...]
    columns: tuple[str, ...]
    known: int
    k: int
    label: str


@dataclass(frozen=True)
class AnswersVerdict:
    """What was counted of the answers of a release.

    ``left_out``: for each column the number of cells that are left out.
    ``fewest``: the number of rows of the smallest set.
    ``sets_below_k``: the number of sets with fewer than k rows.
    """

    left_out: dict[str, int]
    fewest: int
    sets_below_k: int


def recount_answers(release: duckdb.DuckDBPyRelation, promise: AnswersPromise) -> AnswersVerdict:
    """Count the rows of every set, and the cells that are left out.

    Raises
    ------
    InvalidInput
        If the sets have more than :data:`MOST_COUNTED` rows together. Nothing is counted then.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES (1, 'no'), (1, 'no'), (1, '*')) AS t(zip, q)")
    >>> recount_answers(rows, AnswersPromise(("zip",), ("q",), 1, 2, "*"))
    AnswersVerdict(left_out={'q': 1}, fewest=1, sets_below_k=1)
    """
    check_columns(release.columns, (*promise.attributes, *promise.columns))
    texts = {name: f"CAST({quote_name(name)} AS VARCHAR)" for name in promise.columns}
    counted = ", ".join(
        f"count(*) FILTER ({text} = {quote_text(promise.label)})" for text in texts.values()
    )
    varied, work = _write_varied(promise, [*texts.values()]), _write_work(promise)
    with engine_errors("the release"):
        rows, *left_out = derive(release, f"{varied} SELECT ({work}), {counted} FROM t").fetchall()[
            0
        ]
        _refuse_work(int(rows), promise.known)
        fewest, below = derive(release, f"{varied} {_write_sets(promise)}").fetchall()[0]
    return AnswersVerdict(dict(zip(texts, left_out, strict=True)), int(fewest), int(below))


def _refuse_work(rows: int, known: int) -> None:
    """Refuse to count sets that have very many rows together."""
    if rows > MOST_COUNTED:
        raise InvalidInput(
            f"knows_answers = {known}: the combinations of answers have {rows:,} rows to count "
            f"again, more than the {MOST_COUNTED:,} that are counted in minutes; release fewer "
            f"columns with role other or fewer rows{', or lower it' if known > 1 else ''}"
        )


def _write_varied(promise: AnswersPromise, texts: Sequence[str]) -> str:
    """Return the SQL that finds the columns with several values in a class: ``several``."""
    keys = ", ".join(map(quote_name, promise.attributes))
    cells = ", ".join(f"{{'place': {place}, 'value': {text}}}" for place, text in enumerate(texts))
    return f"""
        WITH lines AS (
            SELECT row_number() OVER () AS line, dense_rank() OVER (ORDER BY {keys}) AS class,
                [{cells}] AS cells FROM t
        ), opened AS (
            SELECT line, class, unnest(cells, recursive := true) FROM lines
        ), several AS (
            SELECT class, place FROM opened GROUP BY ALL
            HAVING count(DISTINCT value) + max(CAST(value IS NULL AS INTEGER)) > 1
        )
    """


def _write_work(promise: AnswersPromise) -> str:
    """Return the SQL that counts the rows of all sets together: rows, times sets of columns."""
    ways = " + ".join(("n", "n * (n - 1) // 2", "n * (n - 1) * (n - 2) // 6")[: promise.known])
    return f"""
        SELECT coalesce(sum(size * ({ways})), 0)
        FROM (SELECT class, count(*)::HUGEINT AS n FROM several GROUP BY class)
        JOIN (SELECT class, count(*) AS size FROM lines GROUP BY class) USING (class)
    """


def _write_sets(promise: AnswersPromise) -> str:
    """Return the SQL that counts every set of up to so many columns, class by class.

    An *item* is a value of a column in a class, by its number.
    """
    keys = ", ".join(map(quote_name, promise.attributes))
    counts = [f"SELECT count(*) AS size FROM t GROUP BY {keys}"]
    for number in range(1, min(promise.known, len(promise.columns)) + 1):
        joins = "".join(
            f" JOIN varied AS c{one} ON c{one}.line = c0.line AND c{one}.item > c{one - 1}.item"
            for one in range(1, number)
        )
        group = ", ".join(f"c{one}.item" for one in range(number))
        counts.append(f"SELECT count(*) AS size FROM varied AS c0{joins} GROUP BY {group}")
    return f"""
        , varied AS MATERIALIZED (
            SELECT line, dense_rank() OVER (ORDER BY class, place, value)::INTEGER AS item
            FROM opened JOIN several USING (class, place)
        )
        SELECT coalesce(min(size), 0), count(*) FILTER (size < {promise.k})
        FROM ({" UNION ALL ".join(counts)})
    """


def require_answers(release: duckdb.DuckDBPyRelation, promise: AnswersPromise) -> AnswersVerdict:
    """Count the sets again, and refuse a release in which one has fewer than k rows."""
    verdict = recount_answers(release, promise)
    if verdict.sets_below_k:
        raise RequirementNotMet(
            f"{verdict.sets_below_k:,} combinations of answers leave fewer than {promise.k} rows "
            f"of a class, down to {verdict.fewest}; did the source change while it was read?"
        )
    return verdict


def require_single_rows(private: duckdb.DuckDBPyRelation, person: str) -> None:
    """Refuse persons with several rows: rows of answers would count one person twice."""
    name = quote_name(person)
    with engine_errors("the private table"):
        [(repeated,)] = private.aggregate(f"count(*) - count(DISTINCT {name})").fetchall()
    if repeated:
        raise RequirementNotMet(
            f"knows_answers counts rows, but persons have {repeated:,} further rows; give each "
            "person one row, or leave out knows_answers"
        )
