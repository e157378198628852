"""Verify: count a release again, by SQL, without anything that made it.

Nothing of the search is imported here. What is checked is the table that a recipient gets:
its columns, its rows, and how often each sequence of quasi-identifier values occurs in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import narwhals as nw

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.read import Engine, Source, read_source
from lookalike.sql import derive, engine_errors, quote_name
from lookalike.table import Frame, check_columns


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
    """

    columns: tuple[str, ...]
    rows: int
    classes: int
    k: int


def recount(release: duckdb.DuckDBPyRelation, quasi_identifier: Sequence[str]) -> Verdict:
    """Count the rows and classes of a release."""
    check_columns(release.columns, quasi_identifier)
    keys = ", ".join(quote_name(attribute) for attribute in quasi_identifier)
    with engine_errors("the release"):
        counted = derive(
            release,
            "SELECT coalesce(sum(size), 0), count(*), coalesce(min(size), 0) FROM "
            f"(SELECT count(*) AS size FROM t GROUP BY {keys})",
        )
        rows, classes, k = counted.fetchall()[0]
    return Verdict(tuple(release.columns), int(rows), int(classes), int(k))


@dataclass(frozen=True)
class Promise:
    """That every sequence of values of some attributes occurs at least k times."""

    attributes: tuple[str, ...]
    k: int


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


def judge(release: duckdb.DuckDBPyRelation, declared: Declared) -> tuple[Verdict, ...]:
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
        verdict = recount(release, promise.attributes)
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
    if verdict.k < promise.k:
        raise RequirementNotMet(
            f"the smallest class over {', '.join(promise.attributes)} has {verdict.k} rows, fewer "
            f"than k = {promise.k}; did the source change while it was read?"
        )


def open_release(file: Path, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Open a released file; its fields are divided as we write them."""
    delimiter = {".csv": ",", ".tsv": "\t"}.get(file.suffix.lower())
    return as_relation(read_source(Source(path=str(file), delimiter=delimiter), engine), engine)


def as_relation(frame: Frame, engine: Engine) -> duckdb.DuckDBPyRelation:
    """Hand a frame to SQL; a query stays where it is."""
    if isinstance(frame, nw.DataFrame):
        return engine.connection.from_arrow(frame.to_arrow())
    relation: duckdb.DuckDBPyRelation = frame.to_native()
    return relation
