"""Recount the protections of sensitive values with SQL.

The formulas are written here a second time, from their definitions and on rows, so that a fault
in :mod:`lookalike.model.protections` shows as a difference. A missing value is a value like any
other: SQL's GROUP BY keeps it, and joins use IS NOT DISTINCT FROM.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.tables.labels import label
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.tables.table import check_columns
from lookalike.verify.values import column_types, compare_as, list_paths

EQUAL_WITHIN = 1e-9
"""Figures that differ by less count as equal, as in the search."""
DAY_TEXT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


@dataclass(frozen=True)
class ProtectionPromise:
    """The promise that each class satisfies a protection of a sensitive column.

    ``attributes``: the attributes of the quasi-identifier.
    ``column``: the sensitive column.
    ``protection``: the name of the protection in :data:`FORMULAS`.
    ``parameters``: its parameters by name, such as ``{"t": 0.2, "distance": "ordered"}``.
    ``hierarchy``: the hierarchy of the column, for closeness with ``distance = "hierarchy"``.
    """

    attributes: tuple[str, ...]
    column: str
    protection: str
    parameters: Mapping[str, Any]
    hierarchy: Hierarchy | None = field(default=None, repr=False)


@dataclass(frozen=True)
class ProtectionVerdict:
    """What was counted of a protection.

    ``classes``: the number of classes.
    ``figure``: the figure of the worst class; None without classes, infinite if no parameter would
    hold.
    ``classes_failing``, ``rows_failing``: the classes that do not satisfy the protection, and their
    rows.
    ``judged``: whether this judges the release. A protection that compares classes with all
    eligible rows is measured against the released rows if those are not given, which judges
    nothing.
    """

    classes: int
    figure: float | None
    classes_failing: int
    rows_failing: int
    judged: bool


@dataclass(frozen=True)
class Formula:
    """How a protection is written in SQL, from its parameters and ``different``.

    ``figure``: aggregates the entries of a class, one for each of its values: its ``rows``, its
    ``place`` by rows, its share ``p`` in the class and ``q`` in all rows.
    ``fails``: whether the figure fails.
    ``refers``: whether the figure compares a class with all eligible rows, so that only the holder
    counts it.
    ``least``: whether the worst class has the least figure, not the greatest.
    """

    figure: Callable[[Mapping[str, Any]], str]
    fails: Callable[[Mapping[str, Any]], str]
    refers: bool = False
    least: bool = False


def recount_protection(
    release: duckdb.DuckDBPyRelation,
    promise: ProtectionPromise,
    eligible: duckdb.DuckDBPyRelation | None = None,
) -> ProtectionVerdict:
    """Count how well the classes of a release satisfy a protection.

    Examples
    --------
    >>> rows = duckdb.sql("SELECT * FROM (VALUES (1, 'flu'), (1, NULL), (2, 'flu')) AS t(zip, ill)")
    >>> recount_protection(rows, ProtectionPromise(("zip",), "ill", "distinct", {"l": 2}))
    ProtectionVerdict(classes=2, figure=1.0, classes_failing=1, rows_failing=1, judged=True)
    """
    check_columns(release.columns, (*promise.attributes, promise.column))
    with engine_errors("the release"):
        value, all_values = _count_all(release, promise.column, eligible)
        statement = _write_statement(promise, value, all_values.num_rows)
        prepare = _PREPARED.get(promise.parameters.get("distance", ""))
        joined = all_values if prepare is None else prepare(promise, all_values)
        classes, figure, failing, rows = derive(release, statement, joined).fetchall()[0]
    judged = eligible is not None or not FORMULAS[promise.protection].refers
    return ProtectionVerdict(classes, figure, failing, int(rows), judged)


def require_protections(
    release: duckdb.DuckDBPyRelation,
    promises: Sequence[ProtectionPromise],
    eligible: duckdb.DuckDBPyRelation,
) -> tuple[ProtectionVerdict, ...]:
    """Recount every protection, and refuse a release in which a class fails one."""
    verdicts = []
    for promise in promises:
        verdict = recount_protection(release, promise, eligible)
        if verdict.classes_failing:
            raise RequirementNotMet(
                f"{verdict.classes_failing:,} classes with {verdict.rows_failing:,} rows do not "
                f"satisfy {promise.protection} of {promise.column!r}; did the source change while "
                "it was read?"
            )
        verdicts.append(verdict)
    return tuple(verdicts)


def _count_all(
    release: duckdb.DuckDBPyRelation, column: str, eligible: duckdb.DuckDBPyRelation | None
) -> tuple[str, pa.Table]:
    """Return how to write a released value, and each value of all rows with its share and rank.

    A released value is text in a file and typed in a frame, so both are read as one type.
    """
    rows = release if eligible is None else eligible
    check_columns(rows.columns, (column,))
    name, types = quote_name(column), (column_types(rows)[column], column_types(release)[column])
    ours, released = (
        _without_nan(pair.removeprefix(f"{name} IS NULL, "), [kind.id for kind in types])
        for pair in compare_as(name, *types)
    )
    counted: pa.Table = derive(
        rows,
        f"SELECT value, rows / sum(rows) OVER () AS q, {_rank()} AS rank FROM "
        f"(SELECT {ours} AS value, count(*) AS rows FROM t GROUP BY ALL)",
    ).to_arrow_table()
    return released, counted


def _without_nan(value: str, kinds: Collection[str]) -> str:
    """Return SQL for a value; not-a-number is missing, but the text "nan" is a value."""
    if not {"float", "double"} & set(kinds):
        return value
    return f"CASE WHEN isnan(CAST({value} AS DOUBLE)) THEN NULL ELSE {value} END"


def _rank() -> str:
    """Return SQL for the rank of each value: dates by time, all others by number.

    A value without an order has the rank NULL.
    """
    text = "CAST(value AS VARCHAR)"
    days = f"bool_and(regexp_full_match({text}, '{DAY_TEXT}')) OVER ()"
    number = f"TRY_CAST({text} AS DOUBLE)"
    keys = f"{number}, TRY_CAST({text} AS DECIMAL(38, 9)), {text}"
    return (
        f"CASE WHEN {days} AND value IS NOT NULL THEN row_number() OVER (ORDER BY {text}) "
        f"WHEN {number} IS NOT NULL THEN row_number() OVER (ORDER BY {keys}) END"
    )


def _cumulate(promise: ProtectionPromise, all_values: pa.Table) -> pa.Table:
    """Add to each value the share of all values up to it, and the sum of these shares before it."""
    if all_values["rank"].null_count:
        raise InvalidInput(
            f"column {promise.column!r}: only numbers, and dates written as 1965-09-20, have an "
            'order; ask for distance = "equal", or exclude other values and missing ones (where)'
        )
    ordered: pa.Table = all_values.sort_by("rank")
    up_to = np.cumsum(ordered["q"].to_numpy())
    return ordered.append_column("up_to", pa.array(up_to)).append_column(
        "before", pa.array(np.cumsum(up_to) - up_to)
    )


def _list_nodes(promise: ProtectionPromise, all_values: pa.Table) -> pa.Table:
    """Repeat each value for every level below the top, with the label that it has there."""
    if promise.hierarchy is None:
        raise InvalidInput(f"column {promise.column!r} needs a hierarchy to measure distances")
    labels = [label(value) for value in all_values["value"].to_pylist()]
    paths = list_paths(promise.column, promise.hierarchy, labels, SUPPRESSED)
    lines = [
        (number, level, node)
        for number, path in enumerate(paths)
        for level, node in enumerate(path[:-1] or path)
    ]
    numbers, levels, nodes = map(list, zip(*lines, strict=True)) if lines else ([], [], [])
    repeated: pa.Table = all_values.take(pa.array(numbers, pa.int64()))
    return repeated.append_column("level", pa.array(levels, pa.int64())).append_column(
        "node", pa.array(nodes, pa.string())
    )


def _write_statement(promise: ProtectionPromise, value: str, different: int) -> str:
    """Return the SQL that recounts a protection, over rows and all values."""
    formula, given = FORMULAS[promise.protection], {**promise.parameters, "different": different}
    figures = _FIGURES.get(given.get("distance", ""), _OF_VALUES)
    keys = ", ".join(quote_name(attribute) for attribute in promise.attributes)
    figures = figures.format(**given, figure=formula.figure(given), steps=max(1, different - 1))
    fails = formula.fails(given)
    return f"""
        WITH entries AS (
            SELECT row({keys}) AS class, {value} AS value, count(*) AS rows FROM t GROUP BY ALL
        ), shares AS (
            SELECT class, value, rows,
                CAST(sum(rows) OVER (PARTITION BY class) AS BIGINT) AS size,
                row_number() OVER (PARTITION BY class ORDER BY rows DESC) AS place,
                rows / sum(rows) OVER (PARTITION BY class) AS p
            FROM entries
        ), figures AS ({figures})
        SELECT count(*), {"min" if formula.least else "max"}(CAST(figure AS DOUBLE)),
            count(*) FILTER ({fails}), coalesce(sum(size) FILTER ({fails}), 0)
        FROM figures
    """


_OF_VALUES = """
    SELECT any_value(size) AS size, {figure} AS figure
    FROM (
        SELECT class, size, rows, place, p, coalesce(q, 0) AS q
        FROM shares LEFT JOIN mapping ON shares.value IS NOT DISTINCT FROM mapping.value
    ) GROUP BY class
"""
"""An aggregate over the values of each class; a value that not all rows have has the share 0."""

_ORDERED = """
    SELECT any_value(size) AS size, CASE WHEN count(rank) < count(*) THEN 'inf'::DOUBLE
        ELSE (2 * sum(if(turn > rank, reached * (turn - rank) - (before_turn - before), 0))
            - sum(p * ({different} + 1 - rank)) + (SELECT sum(up_to) FROM mapping)) / {steps}
        END AS figure
    FROM (
        SELECT own.*, if(far.rank < next, far.rank, next) AS turn,
            if(far.rank < next, far.before, before_next) AS before_turn
        FROM (
            SELECT class, size, p, rank, before,
                sum(p) OVER (PARTITION BY class ORDER BY rank) AS reached,
                lead(rank, 1, {different} + 1) OVER (PARTITION BY class ORDER BY rank) AS next,
                lead(before, 1, (SELECT sum(up_to) FROM mapping))
                    OVER (PARTITION BY class ORDER BY rank) AS before_next
            FROM shares LEFT JOIN mapping USING (value)
        ) AS own ASOF LEFT JOIN mapping AS far ON own.reached <= far.up_to
    ) GROUP BY class
"""
"""Σ |P − Q| ∕ (m − 1) over the cumulated shares of all m values, as 2 Σ max(P − Q, 0) − Σ (P − Q).

From a value of a class to its next one P is constant and Q grows, so P − Q is positive up to the
value at which Q reaches P.
"""

_HIERARCHY = """
    SELECT any_value(size) AS size, (sum(abs(p - q) - q) / any_value(levels) + 1) / 2 AS figure
    FROM (
        SELECT class, size, p, coalesce(q, 0) AS q, (SELECT max(level) + 1 FROM mapping) AS levels
        FROM (
            SELECT class, any_value(size) AS size, level, node, sum(p) AS p
            FROM shares LEFT JOIN mapping ON shares.value IS NOT DISTINCT FROM mapping.value
            GROUP BY class, level, node
        ) AS own LEFT JOIN (
            SELECT level, node, sum(q) AS q FROM mapping GROUP BY level, node
        ) AS nodes ON own.level = nodes.level AND own.node IS NOT DISTINCT FROM nodes.node
    ) GROUP BY class
"""
"""The mean over the levels of ½ Σ |P − Q| over the nodes, where P is 0 at nodes without rows."""

_FIGURES = {"ordered": _ORDERED, "hierarchy": _HIERARCHY}
_PREPARED = {"ordered": _cumulate, "hierarchy": _list_nodes}


def _figure_likeness(given: Mapping[str, Any]) -> str:
    """Return the greatest gain; infinity if the enhanced form holds for no β."""
    limit = f"p / q - 1 > {EQUAL_WITHIN} - ln(q)" if given.get("enhanced", True) else "false"
    return f"max(CASE WHEN q = 0 OR {limit} THEN 'inf'::DOUBLE ELSE greatest(p / q - 1, 0) END)"


def _figure_disclosure(given: Mapping[str, Any]) -> str:
    """Return the greatest |ln(p ∕ q)|; infinity if the class lacks a value."""
    return (
        f"CASE WHEN count(*) < {given['different']} OR min(q) = 0 THEN 'inf'::DOUBLE "
        "ELSE max(abs(ln(p) - ln(q))) END"
    )


def _figure_recursive(given: Mapping[str, Any]) -> str:
    """Return the most frequent count by the sum of those from l on."""
    tail = f"sum(rows) FILTER (place >= {int(given['l'])})"
    return f"coalesce(max(rows) / {tail}, 'inf'::DOUBLE)"


def _below(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Return the condition that a figure is below a parameter."""
    return lambda given: f"figure < {float(given[name])!r}::DOUBLE - {EQUAL_WITHIN}"


def _above(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Return the condition that a figure is above a parameter."""
    return lambda given: f"figure > {float(given[name])!r}::DOUBLE + {EQUAL_WITHIN}"


def _not_below(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Return the condition that a figure is not below a parameter."""
    return lambda given: f"figure >= {float(given[name])!r}::DOUBLE - {EQUAL_WITHIN}"


FORMULAS: dict[str, Formula] = {
    "distinct": Formula(lambda _: "count(*)", _below("l"), least=True),
    "entropy": Formula(lambda _: "exp(-sum(p * ln(p)))", _below("l"), least=True),
    "recursive": Formula(_figure_recursive, _not_below("c")),
    "share": Formula(lambda _: "max(p)", _above("alpha")),
    "closeness": Formula(lambda _: "(sum(abs(p - q) - q) + 1) / 2", _above("t"), refers=True),
    "likeness": Formula(_figure_likeness, _above("beta"), refers=True),
    "disclosure": Formula(_figure_disclosure, _not_below("delta"), refers=True),
}
"""The formula of each protection by its name."""
