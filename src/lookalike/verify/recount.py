"""Verify: count a release again, by SQL, without anything that made it.

Nothing of the search is imported here. What is checked is the table that a recipient gets:
its columns, its rows, and how often each sequence of quasi-identifier values occurs in it.
"""

from dataclasses import dataclass
from pathlib import Path

import duckdb
import narwhals as nw

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.tables.plain import plain_nested
from lookalike.tables.read import Engine
from lookalike.tables.released_file import read_released_file
from lookalike.tables.sql import derive, engine_errors, quote_name, quote_text
from lookalike.tables.table import Frame, check_columns


@dataclass(frozen=True)
class Verdict:
    """What counting a release says.

    Parameters
    ----------
    columns
        The columns, in order.
    rows
        The number of rows.
    classes
        The number of distinct sequences of quasi-identifier values.
    k
        The size of the smallest class; 0 for a release without rows.
    rows_below_k
        The number of rows in classes smaller than the k that was asked for.
    """

    columns: tuple[str, ...]
    rows: int
    classes: int
    k: int
    rows_below_k: int


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Parameters
    ----------
    claim
        What must hold.
    holds
        Whether it does.
    found
        What was found, in a few words.
    checked
        Whether it could be checked; if not, nothing speaks against it, and nothing for it.
    """

    claim: str
    holds: bool
    found: str
    checked: bool = True


@dataclass(frozen=True)
class Promise:
    """That every sequence of values of some attributes occurs at least k times.

    Parameters
    ----------
    attributes
        The attributes.
    k
        How often each sequence should occur.
    least
        How often it must occur at the least, where the holder lets a release out that does
        not keep the promise; else k.
    name
        What the attributes are called together.
    """

    attributes: tuple[str, ...]
    k: int
    least: int | None = None
    name: str = ""


def recount(release: duckdb.DuckDBPyRelation, promise: Promise) -> Verdict:
    """Count the rows and classes of a release."""
    check_columns(release.columns, promise.attributes)
    keys = ", ".join(quote_name(attribute) for attribute in promise.attributes)
    with engine_errors("the release"):
        counted = derive(
            release,
            "SELECT coalesce(sum(size), 0), count(*), coalesce(min(size), 0), "
            f"coalesce(sum(size) FILTER (size < {promise.k}), 0) FROM "
            f"(SELECT count(*) AS size FROM t GROUP BY {keys})",
        )
        numbers = (int(number) for number in counted.fetchall()[0])
    return Verdict(tuple(release.columns), *numbers)


def count_suppressed(release: duckdb.DuckDBPyRelation, column: str, label: str) -> int:
    """Count the cells of a column that are written as the suppressed value."""
    with engine_errors("the release"):
        shown = f"CAST({quote_name(column)} AS VARCHAR) = {quote_text(label)}"
        counted = derive(release, f"SELECT count(*) FILTER ({shown}) FROM t")
        return int(counted.fetchall()[0][0])


@dataclass(frozen=True)
class Declared:
    """What a release must be found to be, or it is not published.

    Parameters
    ----------
    columns
        Its columns, in order, and no others.
    rows
        The number of its rows.
    promises
        What must hold over each of its quasi-identifiers.
    """

    columns: tuple[str, ...]
    rows: int
    promises: tuple[Promise, ...]


def require_declared(release: duckdb.DuckDBPyRelation, declared: Declared) -> tuple[Verdict, ...]:
    """Count a release over each quasi-identifier, and refuse one that is not what it must be.

    Raises
    ------
    RequirementNotMet
        If the columns or rows differ from those declared, or a class is smaller than k.
    """
    if not declared.promises:
        raise InternalError("a release was to be judged without a promise")
    verdicts = []
    for promise in declared.promises:
        verdict = recount(release, promise)
        _require(verdict, declared, promise)
        verdicts.append(verdict)
    return tuple(verdicts)


def _require(verdict: Verdict, declared: Declared, promise: Promise) -> None:
    """Refuse what was counted if it is not what was declared."""
    if verdict.columns != declared.columns:
        raise RequirementNotMet(
            f"the release has the columns {', '.join(verdict.columns)}, not "
            f"{', '.join(declared.columns)}"
        )
    if verdict.rows != declared.rows:
        raise RequirementNotMet(
            f"the release has {verdict.rows:,} rows, not {declared.rows:,}; did the source change "
            "while it was read?"
        )
    least = promise.k if promise.least is None else promise.least
    if verdict.k < least:
        raise RequirementNotMet(
            f"the smallest class over {', '.join(promise.attributes)} has {verdict.k} rows, fewer "
            f"than {least}; did the source change while it was read?"
        )


def open_release(file: Path, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Open the file of a published release."""
    return as_relation(read_released_file(file, engine), engine)


def as_relation(frame: Frame, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Hand a frame to SQL; a query stays where it is."""
    if isinstance(frame, nw.DataFrame):
        return engine.connection.from_arrow(plain_nested(frame.to_arrow()))
    relation: duckdb.DuckDBPyRelation = frame.to_native()
    return relation
