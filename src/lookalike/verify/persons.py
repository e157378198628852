"""Count the persons of every class of a release again, with SQL, where k counts persons.

A release does not show which rows belong to the same person, so only the data holder can count
persons. Private rows are joined with what they show in the release, and each class is counted in
rows and in distinct persons. Its rows must be as many as the release has in that class. Nothing of
the search is imported here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.tables.connection import Connection
from lookalike.tables.engines import sql_engine_of
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.labels import label
from lookalike.tables.sql import derive, engine_errors, quote_name, store
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.recount import Promise, group_rows
from lookalike.verify.values import column_types, list_paths, list_values, recognize

CLASS_ROWS, CLASS_PERSONS = "lookalike class rows", "lookalike class persons"
_FRACTIONS = ("float", "double")


@dataclass(frozen=True)
class PersonVerdict:
    """The result of counting the persons of a release.

    ``k``: the number of persons of the class with the fewest; 0 if the release is empty.
    ``classes_below_k``: the number of classes with fewer than k persons.
    ``classes_different``: the number of classes that have other rows in the release than those
    whose persons were counted.
    """

    k: int
    classes_below_k: int
    classes_different: int


def shown_as(name: str) -> str:
    """Name the column that holds the label of an attribute in the release."""
    return f"lookalike shown {name}"


def keep_rows(pieces: Iterator[pa.Table], connection: Connection) -> duckdb.DuckDBPyRelation:
    """Keep rows that come piece by piece, one at least, where DuckDB can spill them to disk."""
    first = next(pieces)
    batches = (batch for piece in (first, *pieces) for batch in piece.to_batches())
    reader = pa.RecordBatchReader.from_batches(first.schema, batches)
    with engine_errors():
        return store(
            connection.duckdb.from_arrow(reader), "lookalike persons", "*", connection.duckdb
        )


def count_class_persons(
    rows: QueryRows, shown: pa.Table, on: Sequence[str], promise: Promise
) -> pa.Table:
    """Count the rows and the distinct persons of each class; all missing persons are one person.

    ``shown``: what the released rows show: the columns `on`, and the label of each attribute as
    :func:`shown_as`. Rows that are not found here are not released.
    """
    if promise.person is None:
        raise InternalError("persons were counted for a promise of rows")
    engine, person = sql_engine_of(rows), quote_name(promise.person)
    if engine.kinds(rows)[promise.person].lower() in _FRACTIONS:
        # Take not-a-number as missing and -0 as 0, as counting does.
        person = f"CASE WHEN NOT isnan({person}) THEN {person} + CAST(0 AS DOUBLE) END"
    names = [shown_as(name) for name in promise.attributes]
    with engine.errors():
        joined = engine.join(rows, shown.select([*on, *names]), on, inner=True)
        labelled = engine.select(joined, [*map(quote_name, names), f"{person} AS person"])
        return group_rows(
            labelled,
            names,
            f"count(*) AS {quote_name(CLASS_ROWS)}",
            "count(DISTINCT person) + CAST(count(*) > count(person) AS INTEGER) "
            f"AS {quote_name(CLASS_PERSONS)}",
        )


def count_rows_by_class(release: QueryRows, attributes: Sequence[str]) -> pa.Table:
    """Count the rows of each class of a release."""
    with sql_engine_of(release).errors("the release"):
        return group_rows(release, attributes, f"count(*) AS {quote_name(CLASS_ROWS)}")


def tabulate_images(
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    claim: TruthClaim,
    connection: Connection,
) -> pa.Table:
    """Return the labels of every private sequence at the levels of a release that shows them.

    This is for the attribute level, where each attribute has one level.
    """
    keys = ", ".join(map(quote_name, claim.levels))
    with engine_errors():
        sequences = private.project(keys).distinct().to_arrow_table()
    for name, rule in claim.hierarchies.items():
        values, places = list_values(sequences[name])
        paths = list_paths(name, rule, [label(value) for value in values], claim.suppressed_label)
        levels = claim.levels_of(name, len(paths[0]) - 1) if paths else []
        images = pa.array([path[level] for path in paths for level in levels], pa.string())
        sequences = sequences.append_column(shown_as(name), images.take(pa.array(places)))
    attributes = tuple(claim.levels)
    classes = count_rows_by_class(release, attributes)
    found = _recognize(sequences, classes, attributes, column_types(private), connection)
    same = " AND ".join(
        f"t.{quote_name(shown_as(name))} IS NOT DISTINCT FROM m.{quote_name(shown_as(name))}"
        for name in attributes
    )
    with engine_errors():
        return derive(
            connection.duckdb.from_arrow(sequences),
            f"SELECT t.* FROM t SEMI JOIN mapping AS m ON {same}",
            found,
            connection.duckdb,
        ).to_arrow_table()


def judge_persons(
    counted: pa.Table,
    classes: pa.Table,
    promise: Promise,
    types: Mapping[str, Any],
    connection: Connection,
) -> PersonVerdict:
    """Compare the persons of classes with k, and their rows with those of the release."""
    persons = counted[CLASS_PERSONS].to_numpy()
    recognized = _recognize(counted, classes, promise.attributes, types, connection)
    keys = ", ".join(quote_name(shown_as(name)) for name in promise.attributes)
    rows = quote_name(CLASS_ROWS)
    with engine_errors():
        different = derive(
            connection.duckdb.from_arrow(counted),
            f"SELECT count(*) FROM (SELECT sum({rows}) FROM (SELECT {keys}, {rows} FROM t UNION "
            f"ALL SELECT {keys}, -{rows} FROM mapping) GROUP BY {keys} HAVING sum({rows}) <> 0)",
            recognized,
            connection.duckdb,
        ).fetchall()[0][0]
    return PersonVerdict(
        k=int(persons.min()) if len(persons) else 0,
        classes_below_k=int((persons < promise.k).sum()),
        classes_different=int(different),
    )


def _recognize(
    counted: pa.Table,
    classes: pa.Table,
    attributes: Sequence[str],
    types: Mapping[str, Any],
    connection: Connection,
) -> pa.Table:
    """Return the classes of a release with their values as labels."""
    columns = {}
    for name in attributes:
        values, places = list_values(classes[name])
        labels = [(text,) for text in list_values(counted[shown_as(name)])[0]]
        texts = recognize(values, labels, (0,), types[name], connection)
        columns[shown_as(name)] = pa.array(texts, pa.string()).take(pa.array(places))
    return pa.table({**columns, CLASS_ROWS: classes[CLASS_ROWS]})


def require_persons(
    promises: Sequence[Promise],
    count: Callable[[Promise], tuple[pa.Table, pa.Table]],
    types: Mapping[str, Any],
    connection: Connection,
) -> tuple[int | None, ...]:
    """Refuse a release that has a class with fewer than k persons, where k counts persons.

    ``count``: counts the persons of private rows by what they show, and the classes of the release.
    Returns: for each promise the fewest persons of a class; None where k counts rows.
    """
    reached: list[int | None] = []
    for promise in promises:
        if promise.person is None:
            reached.append(None)
            continue
        verdict = judge_persons(*count(promise), promise, types, connection)
        over = ", ".join(promise.attributes)
        if verdict.classes_different:
            raise RequirementNotMet(
                f"{verdict.classes_different:,} classes over {over} have other rows than those "
                "whose persons were counted, so nothing is released; did the source change while "
                "it was read? If not, please report it"
            )
        if verdict.classes_below_k:
            raise RequirementNotMet(
                f"{verdict.classes_below_k:,} classes over {over} have fewer than {promise.k} "
                f"persons in column {promise.person!r}, so nothing is released; did the source "
                "change while it was read? If not, please report it"
            )
        reached.append(verdict.k)
    return tuple(reached)
