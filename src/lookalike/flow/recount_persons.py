"""Recount_persons: count the persons of every released class again, before anything is published.

The recoding left a trail: the fate of every private row. Joined with what each fate shows, it says
which persons are in which class. The SQL is that of :mod:`lookalike.verify.persons`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation
from lookalike.tables.engines.engine import FATE
from lookalike.tables.plan import Plan, label_fates
from lookalike.tables.recode import Trail
from lookalike.tables.table import Frame
from lookalike.verify.persons import (
    count_class_persons,
    count_rows_by_class,
    keep_rows,
    require_persons,
    shown_as,
)
from lookalike.verify.recount import Declared, Promise, Verdict
from lookalike.verify.spark_tables import count_classes_in_spark, count_persons_in_spark
from lookalike.verify.values import column_types


def recount_persons(
    plan: Plan,
    trail: Trail,
    released: duckdb.DuckDBPyRelation,
    declared: Declared,
    verdicts: Sequence[Verdict],
    connection: Connection,
) -> tuple[Verdict, ...]:
    """Count the persons of every class of a release, and refuse it if they are fewer than k."""
    persons = _name_persons(declared.promises)
    if not persons:
        return tuple(verdicts)
    rows, shown = keep_rows(trail.follow(persons), connection), _tabulate_shown(plan, trail)
    reached = require_persons(
        declared.promises,
        lambda promise: (
            count_class_persons(rows, shown, [FATE], promise),
            count_rows_by_class(released, promise.attributes),
        ),
        _find_types(plan, connection),
        connection,
    )
    return _add_persons(verdicts, reached)


def recount_persons_in_spark(
    plan: Plan, trail: Trail, released: Frame, declared: Declared, verdicts: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """Count the persons of a release that Spark holds; the parameters are as above."""
    if not _name_persons(declared.promises):
        return tuple(verdicts)
    shown, connection = _tabulate_shown(plan, trail), Connection()
    reached = require_persons(
        declared.promises,
        lambda promise: (
            count_persons_in_spark(trail.source, shown, FATE, promise),
            count_classes_in_spark(released, promise.attributes),
        ),
        _find_types(plan, connection),
        connection,
    )
    return _add_persons(verdicts, reached)


def _name_persons(promises: Sequence[Promise]) -> list[str]:
    """Name the columns that identify persons."""
    return list(dict.fromkeys(one.person for one in promises if one.person is not None))


def _tabulate_shown(plan: Plan, trail: Trail) -> pa.Table:
    """Return the labels that the rows of every fate show, without those that are left out."""
    stays = np.flatnonzero(~trail.fates.gone | plan.blank)
    labels = label_fates(plan, trail.fates, plan.frequency.attributes)
    columns = {shown_as(name): column for name, column in labels.items()}
    numbers = pa.array(np.arange(len(trail.fates.gone), dtype=np.int32))
    return pa.table({FATE: numbers, **columns}).take(pa.array(stays))


def _find_types(plan: Plan, connection: Connection) -> dict[str, Any]:
    """Return the DuckDB types of the private columns, without handing rows over from Spark."""
    counted = plan.counted
    if counted.keys is not None and counted.located is None:
        return column_types(connection.duckdb.from_arrow(counted.keys.slice(0, 0)))
    return column_types(as_relation(plan.table.frame, connection))


def _add_persons(verdicts: Sequence[Verdict], reached: Sequence[int | None]) -> tuple[Verdict, ...]:
    """Return the verdicts with the fewest persons of a class."""
    pairs = zip(verdicts, reached, strict=True)
    return tuple(replace(verdict, persons=persons) for verdict, persons in pairs)
