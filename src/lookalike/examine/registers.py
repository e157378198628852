"""Compare a release with the registers of its specification once more.

The promises are read from the fields of the specification a second time, as in
:mod:`lookalike.examine.promises`, and the people are counted by :mod:`lookalike.verify.register`.
"""

from collections.abc import Iterator, Sequence

import duckdb

from lookalike.errors import InvalidInput
from lookalike.examine.examined_release import HeldRelease
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedRegister
from lookalike.spec.fields import RegisterFields
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, settle_mixed
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, check_columns, column_names
from lookalike.verify.recount import Finding
from lookalike.verify.register import (
    Generalization,
    RegisterPromise,
    RegisterVerdict,
    recount_people,
    require_people,
)


def read_register_promises(specification: Specification) -> tuple[RegisterPromise, ...]:
    """Return what a specification promises about registers."""
    asked, linkable = specification.release, list(specification.hierarchies())
    promises = []
    if asked.k_map is not None:
        columns = {name: asked.k_map.columns.get(name, name) for name in linkable}
        promises.append(RegisterPromise("k_map", columns, least=asked.k_map.k))
    if asked.presence is not None:
        columns = {name: asked.presence.columns.get(name, name) for name in linkable}
        bounds = asked.presence.lowest, asked.presence.highest
        promises.append(RegisterPromise("presence", columns, 0, *bounds))
    return tuple(promises)


def recount_registers(
    specification: Specification,
    certificate: Certificate,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> Iterator[tuple[RegisterPromise, RegisterVerdict]]:
    """Count the people of every register who match the classes of a release."""
    levels = {name: done.level for name, done in certificate.generalized.items()}
    done = Generalization(
        hierarchies=specification.hierarchies(),
        levels={name: level for name, level in levels.items() if level is not None},
        suppressed_label=specification.release.suppressed_label,
        rows_suppressed=certificate.rows_suppressed,
    )
    for asked, promise in zip(
        specification.release.registers, read_register_promises(specification), strict=True
    ):
        cleaning = specification.cleaning
        frame = read_register(asked, promise.name, tuple(levels), connection, cleaning)
        people = as_relation(frame, connection)
        original = as_relation(private, connection)
        yield promise, recount_people(promise, done, original, release, people, connection)


def check_registers(held: HeldRelease) -> Iterator[Finding]:
    """Check the promises about registers."""
    given = held.specification, held.certificate, held.private, held.rows, held.connection
    for promise, verdict in recount_registers(*given):
        failing = f"{verdict.classes_failing:,} combinations do not satisfy it"
        rest = "it holds" if verdict.rest_holds else "the suppressed rows do not satisfy it"
        found = failing if verdict.classes_failing else rest
        yield Finding(_claim(_certify(promise)), verdict.holds, found)


def list_claims(certificate: Certificate) -> Iterator[Finding]:
    """List the promises about registers, which nobody but the data holder can check."""
    for one in certificate.registers:
        yield Finding(
            _claim(one),
            holds=True,
            found="only the data holder has the register (--spec)",
            checked=False,
        )


def _claim(certified: CertifiedRegister) -> str:
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


def _certify(promise: RegisterPromise) -> CertifiedRegister:
    """Return a condition on a register as the certificate states it."""
    if promise.lowest is None or promise.highest is None:
        return CertifiedRegister("k_map", k=promise.least)
    return CertifiedRegister(
        "presence", lowest=f"{promise.lowest:f}", highest=f"{promise.highest:f}"
    )


def require_registers(
    specification: Specification,
    certificate: Certificate,
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> None:
    """Refuse a release that does not keep a promise; the parameters are those of the recount."""
    given = specification, certificate, private, release, connection
    for promise, verdict in recount_registers(*given):
        require_people(promise, verdict)


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
