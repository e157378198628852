"""Check the folder and the file of a release against its certificate."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from duckdb import DuckDBPyRelation

from lookalike.errors import InvalidInput, name_some
from lookalike.examine.examined_release import ExaminedRelease, HeldRelease
from lookalike.examine.promises import read_certified_answers
from lookalike.publish.certificate import Certificate, find_released_file, list_below, name_table
from lookalike.publish.certificate_sentences import describe_coarsening, state_protections
from lookalike.publish.certified import CertifiedProtection, CertifiedQuasiIdentifier
from lookalike.publish.digest import describe_file
from lookalike.shown_text import count_rows
from lookalike.spec.fields import Attribute
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.verify.answers import recount_answers
from lookalike.verify.protections import ProtectionPromise, ProtectionVerdict, recount_protection
from lookalike.verify.recount import (
    Finding,
    Promise,
    Verdict,
    count_suppressed,
    open_release,
    recount,
)
from lookalike.verify.released_values import count_active_cells, count_fine_values

SAME_FIGURE = 1e-9
"""The relative difference up to which two figures count as equal."""


def check_files(folder: Path, certificate: Certificate) -> Iterator[Finding]:
    """Check that the folder holds exactly the files of the certificate, byte by byte."""
    names = list_below(folder)
    present = {n for n in names if (folder / n).is_file() and not (folder / n).is_symlink()}
    declared = set(certificate.documents)
    missing, extra = sorted(declared - present), sorted(names - declared - {CERTIFICATE})
    yield Finding(
        "the folder holds every file of the certificate",
        name_table(certificate) is not None and not missing,
        f"missing, or a link: {', '.join(missing)}" if missing else f"{len(declared)} found",
    )
    yield Finding(
        "the folder holds nothing else",
        not extra,
        f"not of this release: {', '.join(extra)}" if extra else "nothing",
    )
    # The digests of files are compared one by one, those of part files together.
    known = sorted(declared & present)
    changed = [one for one in known if describe_file(folder / one) != certificate.documents[one]]
    for name in (one for one in known if "/" not in one):
        found = "the file was changed after it was published" if name in changed else "the same"
        yield Finding(f"{name} has the digest of the certificate", name not in changed, found)
    parts = [one for one in known if "/" in one]
    if parts:
        yield Finding(
            f"{len(parts):,} part files have the digests of the certificate",
            not changed,
            f"changed after they were published: {name_some(changed)}" if changed else "the same",
        )


def check_counts(examined: ExaminedRelease) -> Iterator[Finding]:
    """Recount the rows and classes of a release over each quasi-identifier.

    If the first finding does not hold, the file cannot be read or has other columns.
    """
    certificate = examined.certificate
    certified, blank = certificate.quasi_identifiers, certificate.suppressed_rows == "blank"
    expected = certificate.rows_in if blank else certificate.rows_shown
    try:
        release = examined.rows
        verdicts = [recount(release, Promise(one.attributes, one.k)) for one in certified]
        alone = [*_check_alone(release, certificate)]
    except InvalidInput as problem:
        yield Finding("it can be read and counted again", False, str(problem))
        return
    yield Finding(
        "it has the columns of the certificate and no others",
        tuple(release.columns) == certificate.columns,
        ", ".join(release.columns),
    )
    if certificate.neutralized:
        file = find_released_file(examined.folder, certificate)
        active = count_active_cells(open_release(file, examined.connection))
        yield Finding(
            "no cell of the file begins like a formula", not active, f"{active:,} cells do"
        )
    yield from _check_coarsened(release, certificate)
    for quasi_identifier, verdict in zip(certified, verdicts, strict=True):
        yield Finding(
            f"it has {certificate.rows_out:,} rows, the input rows minus the dropped rows",
            verdict.rows == certificate.rows_out == expected,
            count_rows(verdict.rows),
        )
        yield from _check_classes(quasi_identifier, verdict)
        if certificate.average_risk is not None:
            yield Finding(
                f"there are at most {certificate.average_risk} classes per row",
                verdict.classes <= Decimal(certificate.average_risk) * verdict.rows,
                f"{verdict.classes / max(1, verdict.rows):.4g}",
            )
    yield from alone


def _check_coarsened(release: DuckDBPyRelation, certificate: Certificate) -> Iterator[Finding]:
    """Check that numbers are as coarse as the certificate says."""
    for name, done in certificate.coarsened.items():
        if name not in release.columns:
            continue
        fine = count_fine_values(release, name, done, certificate.label_of(name))
        yield Finding(
            f"the numbers of {name} are {describe_coarsening(done)}",
            not fine,
            f"{fine:,} are not" if fine else "they are",
        )


def _check_classes(certified: CertifiedQuasiIdentifier, verdict: Verdict) -> Iterator[Finding]:
    """Check k, the number of classes and the smallest class of one quasi-identifier."""
    holds = verdict.k >= certified.k
    yield Finding(
        f"every combination of {', '.join(certified.attributes)} occurs at least "
        f"{certified.k} times",
        holds,
        f"at least {verdict.k} times"
        if holds
        else f"{verdict.rows_below_k:,} rows have one that occurs fewer times",
    )
    expected = certified.classes, certified.k_reached, certified.rows_below_k
    counted = verdict.classes, verdict.k, verdict.rows_below_k
    yield Finding(_describe_classes(*expected), counted == expected, _describe_classes(*counted))


def _describe_classes(classes: int, smallest: int, rows_below_k: int) -> str:
    """Describe how a release is divided into classes."""
    below = f", {count_rows(rows_below_k)} below k" if rows_below_k else ""
    return f"it has {classes:,} classes, the smallest of {smallest} rows{below}"


def _check_alone(release: DuckDBPyRelation, certificate: Certificate) -> Iterator[Finding]:
    """Recount the attributes with a k of their own, and all attributes together."""
    listed = {name for one in certificate.quasi_identifiers for name in one.attributes}
    listed |= {one.attribute for one in certificate.alone if one.is_outside}
    missing = sorted(set(certificate.generalized) - listed)
    if missing:
        yield Finding(
            "every quasi-identifier attribute is protected in combination or listed by itself",
            False,
            f"not listed: {', '.join(missing)}",
        )
    for one in certificate.alone:
        verdict = recount(release, Promise((one.attribute,), one.k))
        minimum = f", at least {one.k}" if one.k else ""
        yield Finding(
            f"the rarest value of {one.attribute} occurs {one.k_reached} times{minimum}",
            verdict.k == one.k_reached >= one.k,
            f"{verdict.k} times",
        )
    outside = any(one.is_outside for one in certificate.alone)
    if outside or certificate.k_over_all is not None:
        verdict = recount(release, Promise(tuple(certificate.generalized), 0))
        yield Finding(
            f"the smallest class over all attributes together has {certificate.k_over_all} rows",
            verdict.k == certificate.k_over_all,
            count_rows(verdict.k),
        )


def check_answers(examined: ExaminedRelease) -> Iterator[Finding]:
    """Recount what answers leave of each class, and the values that are left out."""
    certificate = examined.certificate
    if certificate.answers is None:
        return
    promise = read_certified_answers(certificate)
    verdict, known = recount_answers(examined.rows, promise), certificate.answers
    yield Finding(
        f"every class with what {known.describe()} show has at least {known.k} rows",
        not verdict.sets_below_k and verdict.fewest == known.k_reached,
        f"at least {verdict.fewest:,} rows",
    )
    other = [name for name, cells in verdict.left_out.items() if cells != known.left_out[name]]
    yield Finding(
        f"{sum(known.left_out.values()):,} values of answers are left out, of each as many as "
        "stated",
        not other,
        f"other numbers in {name_some(other)}" if other else "they are",
    )


def check_suppressed_values(examined: ExaminedRelease) -> Finding:
    """Recount the suppressed values of each attribute."""
    certificate = examined.certificate
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    blank = suppressed if certificate.suppressed_rows == "blank" else 0
    expected = {
        name: done.cells_suppressed + blank for name, done in certificate.generalized.items()
    }
    label = certificate.suppressed_label
    counted = {name: count_suppressed(examined.rows, [name], label) for name in expected}
    return Finding(f"suppressed values: {_list(expected)}", counted == expected, _list(counted))


def _list(numbers: Mapping[str, int]) -> str:
    """List the attributes with their number of values, without those that have none."""
    return (
        ", ".join(f"{number:,} of {name}" for name, number in numbers.items() if number) or "none"
    )


def check_protections(examined: ExaminedRelease) -> Iterator[Finding]:
    """Recount every protection of a release.

    Without the private table, a protection that compares classes with it cannot be judged; its
    figure against the released rows is shown instead.
    """
    eligible, columns = None, dict[str, Attribute]()
    if isinstance(examined, HeldRelease):
        eligible, columns = examined.original, examined.specification.attributes
    for one in examined.certificate.protections:
        [claim] = state_protections([one], None)
        rule = columns[one.column].hierarchy if one.column in columns else None
        promise = ProtectionPromise(
            one.attributes, one.column, one.protection, one.parameters, rule
        )
        if one.parameters.get("distance") == "hierarchy" and rule is None:
            needed = "not counted: the hierarchy of the column is the holder's (--spec)"
            yield Finding(claim, True, needed, checked=False)
            continue
        verdict = recount_protection(examined.rows, promise, eligible)
        yield _judge(claim, one, verdict)


def _judge(claim: str, certified: CertifiedProtection, verdict: ProtectionVerdict) -> Finding:
    """Return the finding about one protection."""
    figure = 0.0 if verdict.figure is None else verdict.figure
    if not verdict.judged:
        found = f"{figure:.4g} against the released rows; the holder's table is needed to judge"
        return Finding(claim, True, found, checked=False)
    if verdict.classes_failing:
        failing = f"{verdict.classes_failing:,} classes with {verdict.rows_failing:,} rows do not"
        return Finding(claim, False, failing)
    stated = certified.reached
    same = stated is None or abs(stated - figure) <= SAME_FIGURE * max(1.0, abs(figure))
    found = f"{figure:.4g} in the worst class"
    return Finding(claim, same, found if same else f"{found}, not {stated:.4g} as certified")
