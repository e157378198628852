"""Count the persons of every released class again, which only the data holder can.

Before anything is published, the recoding left a trail: the fate of every private row. Joined with
what each fate shows, it says which persons are in which class. Later, the private table and its
hierarchies say it. The SQL is that of :mod:`lookalike.verify.persons`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from lookalike.examine.examined_release import HeldRelease
from lookalike.examine.promises import read_promises
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedQuasiIdentifier
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, sql_engine_of
from lookalike.tables.engines.engine import FATE
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.plan import Plan, label_fates
from lookalike.tables.recode import Trail
from lookalike.verify.persons import (
    PersonVerdict,
    count_class_persons,
    count_rows_by_class,
    judge_persons,
    keep_rows,
    require_persons,
    shown_as,
    tabulate_images,
)
from lookalike.verify.recount import Declared, Finding, Verdict
from lookalike.verify.values import column_types

_NOT_SHOWN = "a release does not show which rows are of one person; its holder can check it"
_NOT_REPEATABLE = (
    "it cannot be counted again: rows with equal private values were divided among classes at "
    "random; it was counted before the release was published"
)


def leave_persons_unchecked(certificate: Certificate) -> Iterator[Finding]:
    """Yield what a recipient cannot check: the number of persons of each class."""
    for one in certificate.quasi_identifiers:
        if one.counts == "persons":
            yield Finding(_claim(one), True, _NOT_SHOWN, checked=False)


def check_persons_again(held: HeldRelease) -> Iterator[Finding]:
    """Count the persons of each class of a release, from the private table.

    At the attribute level, the image of each private row is known, and so are the persons of every
    class.
    """
    certificate = held.certificate
    promises = {one.name: one for one in read_promises(held.specification, certificate.rows_in)}
    for one in certificate.quasi_identifiers:
        promise = promises.get(one.name)
        if one.counts != "persons" or promise is None or promise.person is None:
            continue
        if held.claim.cells:
            yield Finding(_claim(one), True, _NOT_REPEATABLE, checked=False)
            continue
        shown = tabulate_images(held.original, held.rows, held.claim, held.connection)
        verdict = judge_persons(
            count_class_persons(held.original, shown, list(held.claim.levels), promise),
            count_rows_by_class(held.rows, promise.attributes),
            promise,
            held.types,
            held.connection,
        )
        yield _judge(one, verdict)


def _judge(certified: CertifiedQuasiIdentifier, verdict: PersonVerdict) -> Finding:
    """Compare the persons that were counted with those of the certificate."""
    if verdict.classes_different:
        return Finding(
            _claim(certified),
            True,
            f"{verdict.classes_different:,} classes have other rows in this private table",
            checked=False,
        )
    holds = certified.persons_reached == verdict.k >= certified.k
    return Finding(_claim(certified), holds, f"{verdict.k:,} persons")


def _claim(certified: CertifiedQuasiIdentifier) -> str:
    """Write what a certificate promises about persons."""
    return (
        f"the class over {', '.join(certified.attributes)} with the fewest persons has "
        f"{certified.persons_reached}, at least {certified.k}"
    )


def recount_persons(
    plan: Plan,
    trail: Trail,
    released: QueryRows,
    declared: Declared,
    verdicts: Sequence[Verdict],
    connection: Connection,
) -> tuple[Verdict, ...]:
    """Count the persons of every class of a release, and refuse it if they are fewer than k.

    A release that Spark holds is counted there, beside the private rows; else these are kept on the
    connection.
    """
    persons = list(dict.fromkeys(one.person for one in declared.promises if one.person is not None))
    if not persons:
        return tuple(verdicts)
    shown = _tabulate_shown(plan, trail)
    if sql_engine_of(released).is_cluster:
        rows = trail.source.to_native()
    else:
        rows = keep_rows(trail.follow(persons), connection)
    reached = require_persons(
        declared.promises,
        lambda promise: (
            count_class_persons(rows, shown, [FATE], promise),
            count_rows_by_class(released, promise.attributes),
        ),
        _find_types(plan, connection),
        connection,
    )
    pairs = zip(verdicts, reached, strict=True)
    return tuple(replace(verdict, persons=persons) for verdict, persons in pairs)


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
