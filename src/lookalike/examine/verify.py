"""Verify a published release: the verb, which runs every check and gathers the findings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.examine import holder_inputs, released_file
from lookalike.examine.consistency import check_consistency, read_decimal
from lookalike.examine.examined_release import ExaminedRelease, HeldRelease
from lookalike.examine.increments import check_increments, find_increments, read_increments
from lookalike.examine.levels import check_certain_share, check_kept, check_released_levels
from lookalike.examine.linked import verify_linked
from lookalike.examine.people import check_persons_again, check_registers, leave_unchecked
from lookalike.examine.promises import read_certified_answers
from lookalike.examine.specification import check_against_specification
from lookalike.hierarchy.html_table import write_html_table
from lookalike.json_result import JsonResult
from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.entry import ReleasedClasses
from lookalike.ledger.store.ledger import open_at
from lookalike.model.lattice import Lattice
from lookalike.publish.certificate import Certificate
from lookalike.publish.digest import describe_file
from lookalike.publish.linked_certificate import is_linked
from lookalike.publish.open_published import reading_folder
from lookalike.search.lattice.constraints import Constraint, restrict
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import fetch
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.labels import encode_column
from lookalike.tables.resources import Resources
from lookalike.verify.answers_truth import count_false_answers
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
        The release, in a folder of this machine, or at an address that Spark reaches; or a folder
        of increments, which are then also checked to have no row in common.
    spec
        The data holder's specification. With it, the certificate is compared with the
        specification, and every released row must generalize a private row of its own (Samarati,
        Definitions 3.1 and 4.1); of linked tables, every released person with all records a private
        person of their own.
    table
        The private table, a path or a frame. Default: the source of the specification. Of linked
        tables it is that of the persons, or a mapping of names to tables.
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
    if several := find_increments(folder):
        return _verify_increments(several, spec)
    resources = Resources(memory, None if spill is None else str(spill))
    with reading_folder(folder) as place:
        places = {"ledger": ledger, "ledger_files": ledger_files, "ledger_key": ledger_key}
        if is_linked(place):
            given = {"table": table, "optimality": optimality, **places}
            return Verification(tuple(verify_linked(place, spec, given, resources)))
        certificate = Certificate.read(place)
        findings = [*released_file.check_files(place, certificate)]
        if not findings[0].holds:
            return Verification(tuple(findings))
        examined = ExaminedRelease(place, certificate, Connection(resources))
        findings += (counts := [*released_file.check_counts(examined)])
        if not counts[0].holds:
            return Verification(tuple(findings))
        hidden = released_file.check_suppressed_values(examined)
        findings += [hidden, *released_file.check_answers(examined), check_consistency(certificate)]
        if spec is None:
            unchecked = leave_unchecked(certificate)
            return Verification((*findings, *unchecked, *released_file.check_protections(examined)))
        holder, frame = holder_inputs.load_holder_specification(spec, certificate, table, places)
        read = holder_inputs.read_private_table(holder, frame, resources)
        private = holder_inputs.leave_out_shown(place, certificate, holder, read)
        held = HeldRelease(place, certificate, examined.connection, holder, private)
        findings += [*released_file.check_protections(held), *_check_source(held, optimality)]
        return Verification(tuple(findings))


def _verify_increments(folders: Sequence[Path], specification: object) -> Verification:
    """Check every increment in a folder, and that they have no row in common."""
    if specification is not None:
        raise InvalidInput(
            f"{folders[0].parent} holds several releases; to prove rows against their source "
            "(--spec), verify each by itself, with the table of its time"
        )
    increments = read_increments(folders)
    findings = [
        replace(finding, claim=f"{one.folder.name}: {finding.claim}")
        for one in increments
        for finding in verify(one.folder).findings
    ]
    return Verification((*findings, *check_increments(increments)))


def _check_given(specification: object, table: object, optimality: object) -> None:
    """Raise if something of the holder is given without the specification."""
    if specification is None and (table is not None or optimality is not None):
        goal = (
            "check a bound again" if table is None else "compare a release with its private table"
        )
        raise InvalidInput(f"to {goal} the hierarchies are needed; give the specification (--spec)")


def _check_source(held: HeldRelease, dossier: str | PathLike[str] | None) -> Iterator[Finding]:
    """Check a release against the holder's specification, ledger, private table and dossier."""
    restored = holder_inputs.restore_rows(held) if held.certificate.keeps_leavers else None
    rows = recount(held.original, Promise(tuple(held.claim.levels), 0)).rows
    if held.certificate.keeps_leavers:
        unknown = max(0, held.certificate.rows_in - rows)
        rows += unknown if restored is None else restored.left
    if held.certificate.is_increment and held.specification.release.ledger is None:
        rows = min(rows, held.certificate.rows_in)  # only the ledger knows which were shown
    yield from check_against_specification(held.specification, held.certificate, rows)
    yield from _check_ledger_entry(held)
    yield check_released_levels(held)
    yield from check_kept(held)
    yield from check_persons_again(held)
    yield from check_certain_share(held)
    yield from _check_truth(held, restored)
    yield from check_registers(held)
    if dossier is not None:
        yield from _check_bound(held, Path(dossier))


def _check_truth(
    held: HeldRelease, restored: holder_inputs.RestoredRows | None
) -> Iterator[Finding]:
    """Check that every row generalizes a private row of its own.

    Rows that the source no longer has must be as earlier releases showed them.
    """
    claim = "every released row generalizes a private row of its own"
    if held.certificate.keeps_leavers:
        kept = "rows that the source no longer has are as earlier releases showed them"
        if restored is None:
            unknown = "not checked: only the ledger knows the rows of people who left"
            yield Finding(kept, True, unknown, checked=False)
            yield Finding(claim, True, unknown, checked=False)
            return
        yield Finding(kept, restored.as_before, "they are" if restored.as_before else "some differ")
    shown, present = holder_inputs.restore_shown_values(held), held.private
    is_older = shown is not present
    if restored is not None:
        shown, present = restored.append_to(shown), restored.append_to(present)
    untrue = count_untruthful(shown, held.rows, held.claim, held.connection)
    if held.certificate.answers is not None:
        promise = read_certified_answers(held.certificate)
        given = held.original, held.rows, held.claim, promise, held.connection
        untrue = max(untrue, count_false_answers(*given))
    if is_older:
        known = count_untruthful(present, held.rows, held.claim.linkable, held.connection)
        untrue = max(untrue, known)
    yield Finding(
        claim,
        untrue == 0,
        f"{count_rows(untrue)} {'does' if untrue == 1 else 'do'} not" if untrue else "all do",
    )


def _check_bound(held: HeldRelease, dossier: Path) -> Iterator[Finding]:
    """Prove the bound on precision again, from the proof in the holder's dossier."""
    certificate, rules = held.certificate, held.specification.hierarchies()
    proof = find_proof(dossier, next(iter(certificate.files.values())).sha256)
    given = held.private, held.rows, rules, held.connection
    yield from check_optimality(proof, _gather_claims(certificate), *given)


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
        objective=certificate.objective,
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


def _check_ledger_entry(held: HeldRelease) -> Iterator[Finding]:
    """Compare the certificate of a release with those in the ledger.

    If the specification names no ledger, what the ledger knows is not checked.
    """
    address, earlier = held.specification.release.address, held.certificate.earlier_releases
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
    digest = describe_file(held.folder / CERTIFICATE).sha256
    known = [entry for entry in entries if entry.certificate_sha256 == digest]
    yield Finding(_CLAIM, bool(known), "it does" if known else "it holds no such certificate")
    for entry in known if held.certificate.shares_classes else ():
        yield _check_shared_classes(held, entry.files.read_classes())


def _check_shared_classes(held: HeldRelease, classes: ReleasedClasses) -> Finding:
    """Compare the rows of each label with those of the classes that all recipients share."""
    names = [name for name in classes.attributes if name in held.certificate.generalized]
    known: Counter[tuple[str | None, ...]] = Counter()
    chosen = [classes.labels[classes.attributes.index(name)] for name in names]
    for labels, rows in zip(zip(*chosen, strict=True), classes.counts.tolist(), strict=True):
        known[labels] += rows
    found: Counter[tuple[str | None, ...]] = Counter()
    for piece in fetch(nw.from_native(held.rows), names):
        encoded = (encode_column(name, piece[name]) for name in names)
        labelled = ([texts[code] for code in codes] for texts, codes in encoded)
        found.update(zip(*labelled, strict=True))
    differ = sum(((known - found) + (found - known)).values())
    return Finding(
        f"its rows are in the classes over {', '.join(classes.attributes)} that the ledger holds",
        not differ,
        f"{count_rows(differ)} are not" if differ else "they are",
    )
