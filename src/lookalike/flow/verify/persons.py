"""Check the promise of persons of a published release: only the data holder can."""

from collections.abc import Iterator

import duckdb

from lookalike.flow.read_promises import read_promises
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedQuasiIdentifier
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.persons import (
    PersonVerdict,
    count_class_persons,
    count_rows_by_class,
    judge_persons,
    tabulate_images,
)
from lookalike.verify.recount import Finding, Promise
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


def check_persons_again(
    specification: Specification,
    certificate: Certificate,
    claim: TruthClaim,
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> Iterator[Finding]:
    """Count the persons of each class of a release, from the private table.

    At the attribute level, the image of each private row is known, and so are the persons of every
    class.
    """
    promises = {one.name: one for one in read_promises(specification, certificate.rows_in)}
    for one in certificate.quasi_identifiers:
        promise = promises.get(one.name)
        if one.counts != "persons" or promise is None or promise.person is None:
            continue
        if claim.cells:
            yield Finding(_claim(one), True, _NOT_REPEATABLE, checked=False)
            continue
        verdict = _count_again(promise, claim, private, release, connection)
        yield _judge(one, verdict)


def _count_again(
    promise: Promise,
    claim: TruthClaim,
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> PersonVerdict:
    """Count the persons of each class of a release over one quasi-identifier."""
    shown = tabulate_images(private, release, claim, connection)
    return judge_persons(
        count_class_persons(private, shown, list(claim.levels), promise),
        count_rows_by_class(release, promise.attributes),
        promise,
        column_types(private),
        connection,
    )


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
