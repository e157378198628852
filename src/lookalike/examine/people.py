"""Count the people of every class again: persons of the private table, and of registers.

Only the data holder can. Before anything is published, the recoding left a trail: the fate of every
private row. Joined with what each fate shows, it says which persons are in which class. Later, the
private table and its hierarchies say it. The promises about registers are read from the fields of
the specification a second time, as in :mod:`lookalike.examine.promises`. The SQL is that of
:mod:`lookalike.verify.persons` and :mod:`lookalike.verify.register`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import duckdb
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.examine.examined_release import HeldRelease
from lookalike.examine.promises import read_promises
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedQuasiIdentifier, CertifiedRegister
from lookalike.spec.fields import KMapFields, RegisterFields
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, settle_mixed, sql_engine_of
from lookalike.tables.engines.engine import FATE
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.plan import Plan, label_fates
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.recode import Trail
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, check_columns, column_names
from lookalike.verify import persons, register
from lookalike.verify.recount import Declared, Finding, Verdict
from lookalike.verify.values import column_types

_NOT_SHOWN = "a release does not show which rows are of one person; its holder can check it"
_NOT_HELD = "only the data holder has the register (--spec)"
_NOT_REPEATABLE = (
    "it cannot be counted again: rows with equal private values were divided among classes at "
    "random; it was counted before the release was published"
)


def leave_unchecked(certificate: Certificate) -> Iterator[Finding]:
    """Yield what a recipient cannot check: the persons of each class, and people of registers."""
    for one in certificate.quasi_identifiers:
        if one.counts == "persons":
            yield Finding(_claim_persons(one), True, _NOT_SHOWN, checked=False)
    for promised in certificate.registers:
        yield Finding(_claim_people(promised), True, _NOT_HELD, checked=False)


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
            yield Finding(_claim_persons(one), True, _NOT_REPEATABLE, checked=False)
            continue
        shown = persons.tabulate_images(held.original, held.rows, held.claim, held.connection)
        verdict = persons.judge_persons(
            persons.count_class_persons(held.original, shown, list(held.claim.levels), promise),
            persons.count_rows_by_class(held.rows, promise.attributes),
            promise,
            held.types,
            held.connection,
        )
        if verdict.classes_different:
            other = f"{verdict.classes_different:,} classes have other rows in this private table"
            yield Finding(_claim_persons(one), True, other, checked=False)
        else:
            holds = one.persons_reached == verdict.k >= one.k
            yield Finding(_claim_persons(one), holds, f"{verdict.k:,} persons")


def _claim_persons(certified: CertifiedQuasiIdentifier) -> str:
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
    columns = list(dict.fromkeys(one.person for one in declared.promises if one.person is not None))
    if not columns:
        return tuple(verdicts)
    shown, counted = _tabulate_shown(plan, trail), plan.counted
    if counted.keys is not None and counted.located is None:  # Spark hands no rows over
        private = connection.duckdb.from_arrow(counted.keys.slice(0, 0))
    else:
        private = as_relation(plan.table.frame, connection)
    if sql_engine_of(released).is_cluster:
        rows = trail.source.to_native()
    else:
        rows = persons.keep_rows(trail.follow(columns), connection)
    reached = persons.require_persons(
        declared.promises,
        lambda promise: (
            persons.count_class_persons(rows, shown, [FATE], promise),
            persons.count_rows_by_class(released, promise.attributes),
        ),
        column_types(private),
        connection,
    )
    pairs = zip(verdicts, reached, strict=True)
    return tuple(replace(verdict, persons=number) for verdict, number in pairs)


def _tabulate_shown(plan: Plan, trail: Trail) -> pa.Table:
    """Return the labels that the rows of every fate show, without those that are left out."""
    stays = np.flatnonzero(~trail.fates.gone | plan.blank)
    labels = label_fates(plan, trail.fates, plan.frequency.attributes)
    columns = {persons.shown_as(name): column for name, column in labels.items()}
    numbers = pa.array(np.arange(len(trail.fates.gone), dtype=np.int32))
    return pa.table({FATE: numbers, **columns}).take(pa.array(stays))


def read_register_promises(specification: Specification) -> tuple[register.RegisterPromise, ...]:
    """Return what a specification promises about registers."""
    promises = []
    for asked in specification.release.registers:
        columns = {name: asked.columns.get(name, name) for name in specification.hierarchies()}
        if isinstance(asked, KMapFields):
            promises.append(register.RegisterPromise("k_map", columns, least=asked.k))
        else:
            bounds = asked.lowest, asked.highest
            promises.append(register.RegisterPromise("presence", columns, 0, *bounds))
    return tuple(promises)


def recount_registers(
    specification: Specification,
    certificate: Certificate,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> Iterator[tuple[register.RegisterPromise, register.RegisterVerdict]]:
    """Count the people of every register who match the classes of a release."""
    levels = {name: done.level for name, done in certificate.generalized.items()}
    done = register.Generalization(
        hierarchies=specification.hierarchies(),
        levels={name: level for name, level in levels.items() if level is not None},
        suppressed_label=specification.release.suppressed_label,
        rows_suppressed=certificate.rows_suppressed,
    )
    promises, cleaning = read_register_promises(specification), specification.cleaning
    for asked, promise in zip(specification.release.registers, promises, strict=True):
        frame = read_register(asked, promise.name, tuple(levels), connection, cleaning)
        people, original = as_relation(frame, connection), as_relation(private, connection)
        yield promise, register.recount_people(promise, done, original, release, people, connection)


def check_registers(held: HeldRelease) -> Iterator[Finding]:
    """Check the promises about registers."""
    given = held.specification, held.certificate, held.private, held.rows, held.connection
    for promise, verdict in recount_registers(*given):
        failing = f"{verdict.classes_failing:,} combinations do not satisfy it"
        rest = "it holds" if verdict.rest_holds else "the suppressed rows do not satisfy it"
        found = failing if verdict.classes_failing else rest
        yield Finding(_claim_people(_certify(promise)), verdict.holds, found)


def _claim_people(certified: CertifiedRegister) -> str:
    """Write a promise about a register as a claim."""
    if certified.condition == "k_map":
        return f"every combination matches at least {certified.k} people of the holder's register"
    return (
        f"the presence of every person of the holder's register is between {certified.lowest} and "
        f"{certified.highest}"
    )


def certify_registers(specification: Specification) -> tuple[CertifiedRegister, ...]:
    """Return what the certificate states about the registers of a specification."""
    return tuple(map(_certify, read_register_promises(specification)))


def _certify(promise: register.RegisterPromise) -> CertifiedRegister:
    """Return a condition on a register as the certificate states it."""
    if promise.lowest is None or promise.highest is None:
        return CertifiedRegister("k_map", k=promise.least)
    return CertifiedRegister(
        "presence", lowest=f"{promise.lowest:f}", highest=f"{promise.highest:f}"
    )


def read_register(
    asked: RegisterFields,
    name: str,
    attributes: Sequence[str],
    connection: Connection,
    cleaning: Cleaning,
) -> Frame:
    """Read a register, and make sure that it has a column for every attribute.

    ``cleaning``: how the values of the private table are read; those of the register are read the
    same way.
    """
    try:
        if asked.path is None:
            frame: Frame = settle_mixed(read_frame(asked.population))
        else:
            frame = read_source(Source(path=asked.path), connection)
    except InvalidInput as problem:
        raise InvalidInput(f"{name}: population: {problem}", named=problem.named) from None
    columns = [asked.column_of(attribute) for attribute in attributes]
    missing = [one for one in attributes if asked.column_of(one) not in column_names(frame)]
    if missing:
        raise InvalidInput(
            f"{name}: the register has no column {asked.column_of(missing[0])!r} for the attribute "
            f"{missing[0]!r}; name the column under columns, such as "
            f'columns = {{ {missing[0]} = "…" }}'
        )
    check_columns(column_names(frame), columns, f"the register of {name}")
    return clean(frame, cleaning.renamed(asked.columns))
