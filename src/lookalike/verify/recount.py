"""Count the rows and classes of a release again, with SQL, and compare them with what was declared.

What is checked is the table that a recipient gets: its columns, its rows, and the number of
occurrences of each sequence of quasi-identifier values. Nothing of the search is imported here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, sql_engine_of
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.released_file import read_released_file
from lookalike.tables.sql import engine_errors, quote_name, quote_text
from lookalike.tables.table import check_columns


@dataclass(frozen=True)
class Verdict:
    """The result of counting a release.

    ``columns``: the columns, in order.
    ``rows``: the number of rows.
    ``classes``: the number of distinct sequences of quasi-identifier values.
    ``k``: the size of the smallest class; 0 if the release is empty.
    ``rows_below_k``: the number of rows in classes smaller than the required k.
    ``persons``: the number of persons of the class with the fewest, if k counts persons
    (:mod:`lookalike.verify.persons`).
    """

    columns: tuple[str, ...]
    rows: int
    classes: int
    k: int
    rows_below_k: int
    persons: int | None = None


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    ``claim``: the statement that must hold.
    ``holds``: whether it holds.
    ``found``: what was found, in a few words.
    ``checked``: whether it could be checked; if not, `holds` is true but nothing is proved.
    """

    claim: str
    holds: bool
    found: str
    checked: bool = True


@dataclass(frozen=True)
class Promise:
    """The promise that every sequence of values of some attributes occurs at least k times.

    ``attributes``: the attributes.
    ``k``: the promised number of occurrences.
    ``least``: the number of occurrences to enforce if the holder publishes a release that does not
    keep the promise; by default k.
    ``name``: the name of the quasi-identifier.
    ``person``: the column that identifies persons, if k counts persons
    (:mod:`lookalike.verify.persons`). A class of k persons has at least k rows.
    """

    attributes: tuple[str, ...]
    k: int
    least: int | None = None
    name: str = ""
    person: str | None = None


def group_rows(rows: QueryRows, columns: Sequence[str], *sums: str) -> pa.Table:
    """Group rows by some columns; missing is a value.

    It is SQL of verification's own: what counts the private table has no part in it.
    """
    keys = ", ".join(map(quote_name, columns))
    statement = f"SELECT {', '.join((keys, *sums))} FROM t GROUP BY {keys}"
    return sql_engine_of(rows).ask(rows, statement)


def recount(release: QueryRows, promise: Promise) -> Verdict:
    """Count the rows and classes of a release, in the engine that holds it.

    The SQL is of its own, as that of :func:`group_rows`.
    """
    check_columns(release.columns, promise.attributes)
    engine, keys = sql_engine_of(release), ", ".join(map(quote_name, promise.attributes))
    # Longer than the name of any attribute, so it is none of them.
    size = quote_name(" ".join(("size", *promise.attributes)))
    sizes = f"count(*) AS {size}"
    figures = (
        f"coalesce(sum({size}), 0), count(*), coalesce(min({size}), 0), "
        f"coalesce(sum(CASE WHEN {size} < {promise.k} THEN {size} END), 0)"
    )
    with engine.errors("the release"):
        if engine.is_cluster:
            classes = f"(SELECT {sizes} FROM t GROUP BY {keys}) AS classes"
            counted = engine.ask(release, f"SELECT {figures} FROM {classes}")
        else:  # without a view, which takes as long as to count a small release
            counted = release.aggregate(sizes, keys).aggregate(figures).to_arrow_table()
    numbers = (int(column[0].as_py()) for column in counted.columns)
    return Verdict(tuple(release.columns), *numbers)


def count_suppressed(release: duckdb.DuckDBPyRelation, columns: Sequence[str], label: str) -> int:
    """Count the rows whose every value in some columns is suppressed."""
    shown = [f"CAST({quote_name(one)} AS VARCHAR) = {quote_text(label)}" for one in columns]
    with engine_errors("the release"):
        return int(release.filter(" AND ".join(shown)).aggregate("count(*)").fetchall()[0][0])


@dataclass(frozen=True)
class Declared:
    """What a release must contain to be published.

    ``columns``: its columns, in order, and no others.
    ``rows``: the number of its rows.
    ``promises``: the promise for each of its quasi-identifiers.
    ``average_risk``: the greatest number of classes per row over each of them.
    """

    columns: tuple[str, ...]
    rows: int
    promises: tuple[Promise, ...]
    average_risk: Fraction | None = None


def require_declared(release: QueryRows, declared: Declared) -> tuple[Verdict, ...]:
    """Count a release over each quasi-identifier, and refuse it if it is not as declared."""
    if not declared.promises:
        raise InternalError("a release has no promise to check")
    verdicts = []
    for promise in declared.promises:
        verdict, over = recount(release, promise), ", ".join(promise.attributes)
        if verdict.columns != declared.columns:
            raise RequirementNotMet(
                f"the release has the columns {', '.join(verdict.columns)}, not "
                f"{', '.join(declared.columns)}"
            )
        if verdict.rows != declared.rows:
            raise RequirementNotMet(
                f"the release has {verdict.rows:,} rows, not {declared.rows:,}; did the source "
                "change while it was read?"
            )
        risk = declared.average_risk
        if risk is not None and promise.k and verdict.classes > risk * verdict.rows:
            raise RequirementNotMet(
                f"the release has {verdict.classes:,} classes in {verdict.rows:,} rows over "
                f"{over}, an average risk above {float(risk):g}; did the source change while it "
                "was read?"
            )
        least = promise.k if promise.least is None else promise.least
        if verdict.k < least:
            raise RequirementNotMet(
                f"the smallest class over {over} has {verdict.k} rows, fewer than {least}; did the "
                "source change while it was read?"
            )
        verdicts.append(verdict)
    return tuple(verdicts)


def open_release(
    file: Path, connection: Connection, *, neutralized: bool = False
) -> duckdb.DuckDBPyRelation:
    """Open the file of a published release; without the apostrophes before formulas, if any."""
    rows = read_released_file(file, connection, neutralized=neutralized)
    return as_relation(rows, connection)
