"""Join the increments of a source into one release, with a certificate of the whole."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as change
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.examine.consistency import compute_accuracy, compute_precision
from lookalike.examine.increments import (
    ReadIncrement,
    check_increments,
    find_increments,
    read_increments,
)
from lookalike.examine.promises import certify_protection
from lookalike.examine.verify import verify
from lookalike.json_result import JsonResult
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import write_statement
from lookalike.publish.certified import (
    CertifiedProtection,
    CertifiedQuasiIdentifier,
    EarlierReleases,
    GeneralizedColumn,
)
from lookalike.publish.open_published import open_published
from lookalike.publish.publish import (
    Documents,
    Recounted,
    check_places,
    publish,
    recount_staged,
    staging,
    write_staged,
)
from lookalike.spec.policies import INCREMENTS
from lookalike.tables.connection import Connection
from lookalike.tables.sql import derive
from lookalike.verify.protections import FORMULAS, ProtectionPromise, require_protections
from lookalike.verify.recount import Declared, Promise

_SAME = (
    "columns",
    "released_as_they_are",
    "suppressed_label",
    "coarsened",
    "recipient",
    "formulas",
)
"""The fields of a certificate that increments have in common."""


@dataclass(frozen=True)
class JoinedRelease(JsonResult):
    """Increments that were put together.

    Parameters
    ----------
    certificate
        The certificate of the whole.
    increments
        The number of increments.
    file
        The file with all rows.
    """

    json_names = (
        "increments k=certificate.least_k rows_out=certificate.rows_out "
        "rows_waiting=certificate.rows_suppressed precision=certificate.precision file"
    )

    certificate: Certificate
    increments: int
    file: Path


def join_releases(
    *folders: str | PathLike[str], out: str | PathLike[str], replace: bool = False
) -> JoinedRelease:
    """Put the increments of a source together, verify the whole, and publish it.

    Each increment is verified first. Their certificates prove that they have no row in common, so
    every class of the whole has at least k rows.

    Parameters
    ----------
    folders
        The published increments, or folders of them, in any order.
    out
        The file to write; its folder becomes the joined release.
    replace
        Whether an earlier release in that folder may be replaced.

    Returns
    -------
    JoinedRelease
        With the certificate of the whole.

    Raises
    ------
    RequirementNotMet
        If an increment does not keep its certificate, or two may have rows in common.
    InvalidInput
        If they differ in columns, hierarchies or protections.
    """
    increments, target, connection = _read_checked(folders), Path(out).absolute(), Connection()
    check_places(target, None, None, None, replace=replace)
    certificates = [one.certificate for one in increments]
    tables = [open_published(one.folder, one.certificate, connection) for one in increments]
    with staging(target) as folder:
        staged = write_staged(nw.from_native(_shuffle(tables)), folder, target, connection)
        declared = Declared(
            columns=certificates[-1].columns,
            rows=sum(one.rows_out for one in certificates),
            promises=_list_promises(certificates),
        )
        recounted = recount_staged(staged, declared, connection)
        whole = _certify(certificates, recounted, _state_earlier(increments))
        publish(recounted, Documents(whole), replace=replace)
    return JoinedRelease(whole, len(increments), target)


def _read_checked(folders: Sequence[str | PathLike[str]]) -> list[ReadIncrement]:
    """Read increments, and refuse those that do not hold or cannot be put together."""
    if not folders:
        raise InvalidInput("there is nothing to join; name the folders of the increments")
    increments = read_increments(
        [one for each in folders for one in find_increments(each) or [Path(each)]]
    )
    for one in increments:
        if not verify(one.folder).holds:
            raise RequirementNotMet(
                f"{one.folder} does not keep its certificate, so nothing is joined; see lookalike "
                f"verify {one.folder}"
            )
    for finding in check_increments(increments):
        if not finding.holds:
            raise RequirementNotMet(
                "the releases may have rows in common, so they cannot be joined: "
                f'{finding.found}. Join only releases of the policy "increments", each once'
            )
    for one in increments:
        _refuse_different(one.certificate, increments[-1].certificate)
    return increments


def _refuse_different(one: Certificate, other: Certificate) -> None:
    """Refuse to join releases that show different columns, or promise what cannot be joined."""
    hierarchies = [
        {
            name: (done.hierarchy, done.height, done.weight)
            for name, done in each.generalized.items()
        }
        for each in (one, other)
    ]
    groups = [[(q.name, q.attributes) for q in each.quasi_identifiers] for each in (one, other)]
    kinds = [[change(p, reached=None) for p in each.protections] for each in (one, other)]
    different = [name for name in _SAME if getattr(one, name) != getattr(other, name)]
    pairs: dict[str, list[Any]] = {
        "hierarchies": hierarchies,
        "quasi_identifiers": groups,
        "protections": kinds,
    }
    different += [name for name, (first, second) in pairs.items() if first != second]
    if different:
        raise InvalidInput(f"the releases differ in {different[0]}, so they cannot be joined")
    compared = any(FORMULAS[p.protection].refers for p in one.protections)
    if one.suppressed_rows == "blank" or one.alone or one.registers or one.pseudonyms or compared:
        raise InvalidInput(
            "releases with blank rows, pseudonyms, registers, attributes that are protected alone, "
            "or protections that refer to the whole table cannot be joined; use them one by one"
        )


def _shuffle(tables: Iterable[duckdb.DuckDBPyRelation]) -> duckdb.DuckDBPyRelation:
    """Return the rows of all tables in a random order; values of different types become text."""
    first, *others = tables
    for other in others:
        names = zip(first.columns, first.types, other.types, strict=True)
        text = {name for name, one, two in names if one != two}
        first, other = (
            one.project(
                ", ".join(
                    f'CAST("{name}" AS VARCHAR) AS "{name}"' if name in text else f'"{name}"'
                    for name in (part.replace('"', '""') for part in one.columns)
                )
            )
            for one in (first, other)
        )
        first = first.union(other)
    return derive(first, "SELECT * FROM t ORDER BY random()")


def _state_earlier(increments: Sequence[ReadIncrement]) -> EarlierReleases:
    """State which earlier releases the whole has no row in common with: those that are not in it.

    So it cannot be joined with one of its own increments again.
    """
    own = {one.digest for one in increments}
    others = tuple(one for one in increments[-1].follows if one not in own)
    return EarlierReleases(INCREMENTS, len(others), follows=others)


def _list_promises(certificates: Sequence[Certificate]) -> tuple[Promise, ...]:
    """Return the least k that the increments promise, for each quasi-identifier."""
    return tuple(
        Promise(same[0].attributes, min(one.k for one in same), name=same[0].name)
        for same in zip(*(one.quasi_identifiers for one in certificates), strict=True)
    )


def _certify(
    certificates: Sequence[Certificate], recounted: Recounted, earlier: EarlierReleases
) -> Certificate:
    """Make the certificate of the whole: what the increments state, and what the file shows."""
    last, rows = certificates[-1], sum(one.rows_out for one in certificates)
    generalized = {
        name: _add_up([one.generalized[name] for one in certificates], certificates)
        for name in last.generalized
    }
    by_cell = any(done.level is None for done in generalized.values())
    if by_cell:
        generalized = {n: _by_cell(done, rows) for n, done in generalized.items()}
    whole = change(
        last,
        quasi_identifiers=_certify_groups(certificates, recounted),
        protections=_certify_protections(last, recounted),
        recoding="cell level" if by_cell else "attribute level",
        generalized=generalized,
        rows_in=rows + last.rows_suppressed,
        rows_out=rows,
        rows_complementary=0,
        files=recounted.files,
        report=None,
        objective=None,
        optimality="not proved",
        precision_bound=None,
        certain_share=None,
        accepted=tuple(dict.fromkeys(name for one in certificates for name in one.accepted)),
        decoys=None,
        order="randomized",
        average_risk=None,
        earlier_releases=earlier,
        completeness=rows / (rows + last.rows_suppressed),
    )
    whole = change(
        whole, precision=float(compute_precision(whole)), accuracy=float(compute_accuracy(whole))
    )
    return change(whole, statement=write_statement(whole))


def _certify_groups(
    certificates: Sequence[Certificate], recounted: Recounted
) -> tuple[CertifiedQuasiIdentifier, ...]:
    """Return each quasi-identifier with the least k promised, and what the file shows."""
    together = zip(*(one.quasi_identifiers for one in certificates), strict=True)
    return tuple(
        change(
            same[0],
            k=min(one.k for one in same),
            k_reached=verdict.k,
            classes=verdict.classes,
            persons_reached=min((one.persons_reached or 0 for one in same), default=None)
            if same[0].counts == "persons"
            else None,
        )
        for same, verdict in zip(together, recounted.verdicts, strict=True)
    )


def _certify_protections(
    last: Certificate, recounted: Recounted
) -> tuple[CertifiedProtection, ...]:
    """Refuse the whole if it fails a protection of its increments; return what it reaches."""
    promises = [
        ProtectionPromise(one.attributes, one.column, one.protection, one.parameters)
        for one in last.protections
    ]
    verdicts = require_protections(recounted.rows, promises, recounted.rows) if promises else ()
    return tuple(map(certify_protection, promises, verdicts))


def _add_up(
    columns: Sequence[GeneralizedColumn], certificates: Sequence[Certificate]
) -> GeneralizedColumn:
    """Return how a column is generalized in all increments together."""
    hidden = sum(one.cells_suppressed for one in columns)
    if len({one.level for one in columns}) == 1 and columns[0].level is not None:
        return change(columns[0], cells_suppressed=hidden)
    by_level: dict[int, int] = {}
    for done, certificate in zip(columns, certificates, strict=True):
        for level, cells in (_by_cell(done, certificate.rows_out).cells_by_level or {}).items():
            by_level[level] = by_level.get(level, 0) + cells
    return change(columns[0], level=None, cells_by_level=by_level, cells_suppressed=hidden)


def _by_cell(done: GeneralizedColumn, rows: int) -> GeneralizedColumn:
    """Return the levels of a column counted by cell, also if they are all the same."""
    if done.level is None:
        return done
    shown = rows - done.cells_suppressed
    return change(done, level=None, cells_by_level={done.level: shown} if shown else {})
