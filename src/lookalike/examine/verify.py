"""Verify a published release: the verb, which runs every check and gathers the findings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.examine import released_file
from lookalike.examine.consistency import check_consistency, read_decimal
from lookalike.examine.examined_release import ExaminedRelease, HeldRelease
from lookalike.examine.holder_inputs import load_holder_specification, restore_shown_values
from lookalike.examine.levels import check_certain_share, check_released_levels
from lookalike.examine.people import (
    check_persons_again,
    check_registers,
    leave_persons_unchecked,
    list_claims,
)
from lookalike.examine.specification import check_against_specification
from lookalike.hierarchy.html_table import write_html_table
from lookalike.json_result import JsonResult
from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.ledger import open_at
from lookalike.model.lattice import Lattice
from lookalike.publish.certificate import Certificate
from lookalike.publish.digest import describe_file
from lookalike.publish.open_published import reading_folder
from lookalike.search.lattice.constraints import Constraint, restrict
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.connection import Connection
from lookalike.tables.engines import collect
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import read_source
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.table import Frame
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.optimality import check_optimality
from lookalike.verify.bound.proof import find_proof
from lookalike.verify.recount import Finding, Promise, recount
from lookalike.verify.truth import count_untruthful

_CLAIM = "the ledger holds this certificate, and with it the digest of the file"


@dataclass(frozen=True)
class Verification(JsonResult):
    """The result of verifying a published release.

    Parameters
    ----------
    findings
        Every check, in order, with its result.
    """

    json_names = "holds complete findings"

    findings: tuple[Finding, ...]

    def _repr_html_(self) -> str:
        marks = {True: "✓", False: "✗"}
        lines = [
            (marks[one.holds] if one.checked else "?", one.claim, one.found)
            for one in self.findings
        ]
        verdict = "every check holds" if self.holds else "FAILS, see ✗"
        verdict += "" if self.complete else "; ? marks what could not be checked"
        return write_html_table(f"Verification: {verdict}", ["", "claim", "found"], lines)

    @property
    def holds(self) -> bool:
        """Whether no check failed."""
        return all(finding.holds for finding in self.findings)

    @property
    def complete(self) -> bool:
        """Whether every check could be made."""
        return all(finding.checked for finding in self.findings)


def verify(
    folder: str | PathLike[str],
    *,
    spec: Specification | str | PathLike[str] | None = None,
    table: Any = None,
    optimality: str | PathLike[str] | None = None,
    ledger: str | PathLike[str] | None = None,
    ledger_files: str | PathLike[str] | None = None,
    ledger_key: str | PathLike[str] | None = None,
    memory: str | None = None,
    spill: str | PathLike[str] | None = None,
) -> Verification:
    """Check a published release against its certificate, and on request against its source.

    The parameters beyond eight are options of the command ``lookalike verify``.

    Parameters
    ----------
    folder
        The release, in a folder of this machine, or at an address that Spark reaches.
    spec
        The data holder's specification. With it, the certificate is compared with the
        specification, and every released row must generalize a private row of its own (Samarati,
        Definitions 3.1 and 4.1).
    table
        The private table, a path or a frame. Default: the source of the specification.
    optimality
        The data holder's dossier. With it, the bound on precision and the gap are proved again.
    ledger
        The ledger, if the specification does not name it. For a release that is based on earlier
        ones it knows which rows show old values.
    ledger_files
        The folder of the ledger's files, if the ledger is on a server.
    ledger_key
        The key file of the ledger, if it is not at its default path.
    memory
        How much memory DuckDB may use before it works on disk, such as ``"4GB"``. Default: that of
        the specification, else half of the memory that is free.
    spill
        Folder for what does not fit into memory.

    Raises
    ------
    InvalidInput
        If the folder is not a release, or the specification is missing or that of another
        release. A check that fails is a finding, not an exception.
    """
    _check_given(spec, table, optimality)
    with reading_folder(folder) as place:
        certificate = Certificate.read(place)
        findings = [*released_file.check_files(place, certificate)]
        if not findings[0].holds:
            return Verification(tuple(findings))
        resources = Resources(memory, None if spill is None else str(spill))
        examined = ExaminedRelease(place, certificate, Connection(resources))
        counts = [*released_file.check_counts(examined)]
        findings += counts
        if not counts[0].holds:
            return Verification(tuple(findings))
        findings.append(released_file.check_suppressed_values(examined))
        findings.append(check_consistency(certificate))
        if spec is None:
            findings += [*leave_persons_unchecked(certificate), *list_claims(certificate)]
            findings += released_file.check_protections(examined)
            return Verification(tuple(findings))
        places = {"ledger": ledger, "ledger_files": ledger_files, "ledger_key": ledger_key}
        holder, frame = _read_specification(spec, certificate, table, places)
        own = holder.resources if resources == HALF_OF_FREE else resources
        private = _read_private_table(holder, frame, Connection(own))
        held = HeldRelease(place, certificate, examined.connection, holder, private)
        findings += [*released_file.check_protections(held), *_check_source(held)]
        if optimality is not None:
            findings += _check_bound(held, Path(optimality))
        return Verification(tuple(findings))


def _check_given(specification: object, table: object, optimality: object) -> None:
    """Raise if something of the holder is given without the specification."""
    if specification is None and (table is not None or optimality is not None):
        goal = (
            "check a bound again" if table is None else "compare a release with its private table"
        )
        raise InvalidInput(f"to {goal} the hierarchies are needed; give the specification (--spec)")


def _check_source(held: HeldRelease) -> Iterator[Finding]:
    """Check a release against the holder's specification, ledger and private table."""
    certificate, specification, private = held.certificate, held.specification, held.private
    rows = recount(held.original, Promise(tuple(held.claim.levels), 0)).rows
    yield from check_against_specification(specification, certificate, rows)
    yield from check_ledger_entry(held.folder, certificate, specification)
    yield check_released_levels(held)
    yield from check_persons_again(held)
    yield from check_certain_share(held)
    shown = restore_shown_values(held.folder, certificate, specification, private)
    untrue = count_untruthful(shown, held.rows, held.claim, held.connection)
    if shown is not private:
        known = count_untruthful(private, held.rows, held.claim.linkable, held.connection)
        untrue = max(untrue, known)
    yield Finding(
        "every released row generalizes a private row of its own",
        untrue == 0,
        f"{count_rows(untrue)} {'does' if untrue == 1 else 'do'} not" if untrue else "all do",
    )
    yield from check_registers(held)


def _check_bound(held: HeldRelease, dossier: Path) -> Iterator[Finding]:
    """Prove the bound on precision again, from the proof in the holder's dossier."""
    certificate, rules = held.certificate, held.specification.hierarchies()
    proof = find_proof(dossier, next(iter(certificate.files.values())).sha256)
    given = held.private, held.rows, rules, held.connection
    yield from check_optimality(proof, _gather_claims(certificate), *given)


def _read_specification(
    specification: Specification | str | PathLike[str],
    certificate: Certificate,
    table: Any,
    places: Mapping[str, str | PathLike[str] | None],
) -> tuple[Specification, Frame | None]:
    """Read the holder's specification, with other places of the ledger; and a private frame."""
    holder, frame = load_holder_specification(specification, certificate, table)
    given = {name: str(place) for name, place in places.items() if place is not None}
    release = holder.release.model_copy(update=given)
    return holder.model_copy(update={"release": release}), frame


def _gather_claims(certificate: Certificate) -> CertificateClaims:
    """Gather the fields of a certificate that the proof of its bound is checked against."""
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
        max_suppressed=_read_amount(certificate.max_suppressed),
        levels=levels,
        blank=certificate.suppressed_rows == "blank",
        precision=certificate.precision,
        precision_bound=certificate.precision_bound,
        proved=certificate.optimality != "not proved",
        decoys=certificate.decoys is not None,
        stricter=certificate.stricter_than_bound,
        suppressed_label=certificate.suppressed_label,
    )


def _read_amount(text: str | None) -> int | Decimal | None:
    """Read MaxSup as a certificate writes it: a number of rows, or a fraction of them."""
    if text is None:
        return None
    return int(text) if text.isdecimal() else read_decimal(text, "max_suppressed")


def _read_private_table(
    specification: Specification, frame: Frame | None, connection: Connection
) -> Frame:
    """Read the private table: the frame that was given, or the source of the specification."""
    if frame is not None:
        return collect(clean(frame, specification.cleaning))
    if specification.source is None:
        raise InvalidInput("the specification names no source; give the private table (--table)")
    return read_source(specification.source, connection, specification.cleaning)


def check_ledger_entry(
    folder: Path, certificate: Certificate, specification: Specification
) -> Iterator[Finding]:
    """Compare the certificate of a release with those in the ledger.

    ``specification``: the holder's specification; if it names no ledger, what the ledger knows is
    not checked.
    """
    address, earlier = specification.release.address, certificate.earlier_releases
    if address is None:
        if not isinstance(earlier, str):
            unknown = f"not checked: only the ledger knows that {earlier.considered:,} were"
            yield Finding("earlier releases were considered", True, unknown, checked=False)
        return
    try:
        entries = open_at(address, create=False).releases()
    except NoLedger:
        yield Finding(_CLAIM, True, f"no ledger is found at {address}", checked=False)
        return
    digest = describe_file(folder / CERTIFICATE).sha256
    known = any(entry.certificate_sha256 == digest for entry in entries)
    yield Finding(_CLAIM, known, "it does" if known else "it holds no such certificate")
