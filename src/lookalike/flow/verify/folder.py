"""Verify a published folder against its certificate, where nobody has seen the private table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput
from lookalike.flow.followup.restore_shown_values import restore_shown_values
from lookalike.flow.followup.widen import widen
from lookalike.flow.read_promises import make_truth_claim
from lookalike.flow.verify.consistency import check_consistency, read_decimal
from lookalike.flow.verify.ledger import check_ledger_entry
from lookalike.flow.verify.levels import check_released_levels
from lookalike.flow.verify.specification import check_against_specification
from lookalike.model.lattice import Lattice
from lookalike.publish.certificate import (
    CERTIFICATE,
    Certificate,
    describe_file,
    find_released_file,
)
from lookalike.search.lattice.constraints import Constraint, restrict
from lookalike.spec.policies import ALL_RELEASED
from lookalike.spec.specification import Specification
from lookalike.tables.count import settle_mixed
from lookalike.tables.read import Engine, Source, read_frame, read_source
from lookalike.tables.table import Frame
from lookalike.verify.bound.optimality import CertificateClaims, check_optimality
from lookalike.verify.bound.proof import find_proof
from lookalike.verify.recount import (
    Finding,
    Promise,
    as_relation,
    count_suppressed,
    open_release,
    recount,
)
from lookalike.verify.truth import count_untruthful


@dataclass(frozen=True)
class Verification:
    """Everything that was checked of a published release."""

    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against what the certificate says."""
        return all(finding.holds for finding in self.findings)

    @property
    def complete(self) -> bool:
        """Whether all of it could be checked."""
        return all(finding.checked for finding in self.findings)


def verify(
    folder: str | PathLike[str],
    *,
    specification: Specification | str | PathLike[str] | None = None,
    table: Any = None,
    optimality: str | PathLike[str] | None = None,
    ledger: str | PathLike[str] | None = None,
    ledger_files: str | PathLike[str] | None = None,
    ledger_key: str | PathLike[str] | None = None,
) -> Verification:
    """Check a published release against its certificate, and on request against its source.

    Parameters
    ----------
    folder
        The release.
    specification
        The holder's specification, whose hierarchies show what a value may become. With it,
        every released row must be the generalization of a private row of its own (Samarati,
        Definitions 3.1 and 4.1).
    table
        The private table, a path or a frame; without it, the source of the specification.
    optimality
        The holder's dossier. With it, the bound on precision is proved again, and how far the
        release is from it.
    ledger
        The ledger, if the specification does not name it. Of a release that is based on earlier
        ones it knows which rows show old values.
    ledger_files
        The folder of its files, if it is on a server.
    ledger_key
        The file of its key, if it is not as usual.
    """
    if specification is None and (table is not None or optimality is not None):
        goal = (
            "check a bound again" if table is None else "compare a release with its private table"
        )
        raise InvalidInput(
            f"to {goal} the hierarchies are needed; give the specification too (--spec)"
        )
    place = Path(folder)
    certificate = Certificate.read(place)
    findings = [*_check_files(place, certificate)]
    if not findings[0].holds:
        return Verification(tuple(findings))
    engine = Engine()
    counts = [*_check_counts(place, certificate, engine)]
    findings += counts
    if counts[0].holds:
        findings += [_check_cells(place, certificate, engine), check_consistency(certificate)]
        if specification is not None:
            places = {"ledger": ledger, "ledger_files": ledger_files, "ledger_key": ledger_key}
            holder = _load(specification, certificate, places)
            private = _private_rows(holder, table, engine)
            findings += _check_source(place, certificate, holder, private, engine)
            if optimality is not None:
                proof = find_proof(Path(optimality), next(iter(certificate.files.values())).sha256)
                release = open_release(find_released_file(place, certificate), engine)
                findings += check_optimality(
                    proof, _told(certificate), private, release, holder.hierarchies(), engine
                )
    return Verification(tuple(findings))


def _check_files(folder: Path, certificate: Certificate) -> Iterator[Finding]:
    """Check that the folder holds the files of the certificate, to the byte."""
    names = {path.name for path in folder.iterdir()}
    present = {n for n in names if (folder / n).is_file() and not (folder / n).is_symlink()}
    declared = set(certificate.files)
    missing, extra = sorted(declared - present), sorted(names - declared - {CERTIFICATE})
    yield Finding(
        "the folder holds every file of the certificate",
        len(declared) == 1 and not missing,
        f"missing, or a link: {', '.join(missing)}" if missing else f"{len(declared)} found",
    )
    yield Finding(
        "the folder holds nothing else",
        not extra,
        f"not of this release: {', '.join(extra)}" if extra else "nothing",
    )
    for name in sorted(declared & present):
        same = describe_file(folder / name) == certificate.files[name]
        found = "the same" if same else "the file was changed after it was published"
        yield Finding(f"{name} has the digest of the certificate", same, found)


def _check_counts(folder: Path, certificate: Certificate, engine: Engine) -> Iterator[Finding]:
    """Count the release again, over each quasi-identifier."""
    asked = certificate.quasi_identifiers
    try:
        release = open_release(find_released_file(folder, certificate), engine)
        verdicts = [recount(release, Promise(one.attributes, one.k)) for one in asked]
        alone = [*_check_alone(release, certificate)]
    except InvalidInput as problem:
        yield Finding("it can be read and counted again", False, str(problem))
        return
    yield Finding(
        "it has the columns of the certificate and no others",
        tuple(release.columns) == certificate.columns,
        ", ".join(release.columns),
    )
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    expected = certificate.rows_in - (0 if certificate.suppressed_rows == "blank" else suppressed)
    for quasi_identifier, verdict in zip(asked, verdicts, strict=True):
        yield Finding(
            f"it has {certificate.rows_out:,} rows, those that went in less those suppressed",
            verdict.rows == certificate.rows_out == expected,
            f"{verdict.rows:,} rows",
        )
        yield Finding(
            f"every combination of {', '.join(quasi_identifier.attributes)} occurs at least "
            f"{quasi_identifier.k} times",
            verdict.k >= quasi_identifier.k,
            f"at least {verdict.k} times"
            if verdict.k >= quasi_identifier.k
            else f"{verdict.rows_below_k:,} rows have one that occurs fewer times",
        )
        yield Finding(
            _describe_classes(
                quasi_identifier.classes, quasi_identifier.k_reached, quasi_identifier.rows_below_k
            ),
            (verdict.classes, verdict.k, verdict.rows_below_k)
            == (
                quasi_identifier.classes,
                quasi_identifier.k_reached,
                quasi_identifier.rows_below_k,
            ),
            _describe_classes(verdict.classes, verdict.k, verdict.rows_below_k),
        )
    yield from alone


def _describe_classes(classes: int, smallest: int, rows_below_k: int) -> str:
    """Say how a release is divided into classes."""
    below = f", {rows_below_k:,} rows below k" if rows_below_k else ""
    return f"it has {classes:,} classes, the smallest of {smallest} rows{below}"


def _check_alone(release: DuckDBPyRelation, certificate: Certificate) -> Iterator[Finding]:
    """Count again what is told of attributes by themselves, and of all together."""
    told = {name for one in certificate.quasi_identifiers for name in one.attributes}
    told |= {one.attribute for one in certificate.alone if one.apart}
    untold = sorted(set(certificate.generalized) - told)
    if untold:
        yield Finding(
            "every linkable attribute is in a quasi-identifier, or told of by itself",
            False,
            f"nothing is told of {', '.join(untold)}",
        )
    for one in certificate.alone:
        verdict = recount(release, Promise((one.attribute,), one.k))
        asked = f", at least {one.k}" if one.k else ""
        yield Finding(
            f"the rarest value of {one.attribute} occurs {one.k_reached} times{asked}",
            verdict.k == one.k_reached >= one.k,
            f"{verdict.k} times",
        )
    apart = any(one.apart for one in certificate.alone)
    if apart or certificate.k_over_all is not None:
        verdict = recount(release, Promise(tuple(certificate.generalized), 0))
        yield Finding(
            f"the smallest class over all attributes together has {certificate.k_over_all} rows",
            verdict.k == certificate.k_over_all,
            f"{verdict.k} rows",
        )


def _check_cells(folder: Path, certificate: Certificate, engine: Engine) -> Finding:
    """Count the suppressed cells of a release again."""
    release = open_release(find_released_file(folder, certificate), engine)
    blank = certificate.rows_suppressed + certificate.rows_complementary
    kept = blank if certificate.suppressed_rows == "blank" else 0
    told = {name: done.cells_suppressed + kept for name, done in certificate.generalized.items()}
    label = certificate.suppressed_label
    found = {name: count_suppressed(release, name, label) for name in told}
    return Finding(f"suppressed values: {_list(told)}", found == told, _list(found))


def _list(numbers: Mapping[str, int]) -> str:
    """Say how many values of which attributes there are."""
    return (
        ", ".join(f"{number:,} of {name}" for name, number in numbers.items() if number) or "none"
    )


def _check_source(
    folder: Path,
    certificate: Certificate,
    specification: Specification,
    private: Frame,
    engine: Engine,
) -> Iterator[Finding]:
    """Check a release against what its holder has: specification, ledger and private table."""
    release = open_release(find_released_file(folder, certificate), engine)
    claimed = make_truth_claim(specification, certificate)
    rows = recount(as_relation(private, engine), Promise(tuple(claimed.levels), 0)).rows
    yield from check_against_specification(specification, certificate, rows)
    yield from check_ledger_entry(folder, specification)
    yield check_released_levels(private, release, certificate, claimed, engine)
    shown = restore_shown_values(folder, certificate, specification, private)
    false = count_untruthful(shown, release, claimed, engine)
    if shown is not private:
        false = max(false, count_untruthful(private, release, claimed.linkable, engine))
    yield Finding(
        "every released row generalizes a private row of its own",
        false == 0,
        f"{false:,} rows do not" if false else "all do",
    )


def _load(
    specification: Specification | str | PathLike[str],
    certificate: Certificate,
    places: Mapping[str, str | PathLike[str] | None],
) -> Specification:
    """Read the holder's specification, and refuse that of another release."""
    if not isinstance(specification, Specification):
        specification = Specification.load(
            Path(specification), {"recipient": certificate.recipient}
        )
    given = {name: str(place) for name, place in places.items() if place is not None}
    asked = specification.release.model_copy(update=given)
    specification = specification.model_copy(update={"release": asked})
    told = certificate.earlier_releases
    if not isinstance(told, str) and told.policy == ALL_RELEASED:
        known = specification.hierarchies()
        specification = widen(specification, [n for n in certificate.generalized if n not in known])
    hierarchies = specification.hierarchies()
    if list(hierarchies) != list(certificate.generalized):
        raise InvalidInput(
            "the specification is not that of this release: its quasi-identifier is "
            f"{', '.join(hierarchies)}, not {', '.join(certificate.generalized)}"
        )
    return specification


def _told(certificate: Certificate) -> CertificateClaims:
    """Gather what the certificate tells of what was asked and reached."""
    done = certificate.generalized
    levels, _ = restrict(
        Lattice.of_heights([one.height for one in done.values()]),
        tuple(done),
        [Constraint.parse(text) for text in certificate.constraints],
    )
    return CertificateClaims(
        software=certificate.software,
        method=certificate.method,
        release_sha256=next(iter(certificate.files.values())).sha256,
        weights={name: read_decimal(one.weight, f"weight of {name}") for name, one in done.items()},
        quasi_identifiers=[(one.attributes, one.k) for one in certificate.quasi_identifiers],
        max_suppressed=_amount(certificate.max_suppressed),
        levels=levels,
        blank=certificate.suppressed_rows == "blank",
        precision=certificate.precision,
        precision_bound=certificate.precision_bound,
        proved=certificate.optimality == "proved",
        suppressed_label=certificate.suppressed_label,
    )


def _amount(text: str | None) -> int | Decimal | None:
    """Read how many rows could be suppressed: a number of rows, or a fraction of them."""
    if text is None:
        return None
    return int(text) if text.isdecimal() else read_decimal(text, "max_suppressed")


def _private_rows(specification: Specification, table: Any, engine: Engine) -> Frame:
    """Return the private table: a frame, another path, or the specification's own source."""
    source = specification.source
    if table is not None and not isinstance(table, str | PathLike):
        frame = settle_mixed(read_frame(table))
        return frame if isinstance(frame, nw.DataFrame) else frame.collect("pyarrow")
    if table is not None:
        source = replace(source or Source(path=""), path=str(table), query=None, tables={})
    if source is None:
        raise InvalidInput("the specification names no source; give the private table")
    return read_source(source, engine)
