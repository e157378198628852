"""Check a release of linked tables against its certificate, by counting its files again."""

from collections.abc import Iterator
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import list_below
from lookalike.publish.digest import describe_file
from lookalike.publish.linked_certificate import (
    CertifiedTable,
    LinkedCertificate,
    write_linked_statement,
)
from lookalike.shown_text import count_rows
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import parse_once
from lookalike.tables.resources import Resources
from lookalike.verify.records import LinkedCount, LinkedPromise, LinkedRows, recount_linked
from lookalike.verify.recount import Finding, open_release


def verify_linked(folder: Path, spec: object, resources: Resources) -> Iterator[Finding]:
    """Check a published release of linked tables against its certificate."""
    if spec is not None:
        raise InvalidInput(
            f"{folder} holds linked tables, which are proved against their source when they are "
            "published; the check of the folder needs no specification (--spec)"
        )
    certificate = LinkedCertificate.read(folder)
    files = [*_check_files(folder, certificate)]
    yield from files
    if not all(one.holds for one in files):
        return
    yield from _check_counts(folder, certificate, Connection(resources))
    stated = write_linked_statement(certificate.k, certificate.tables)
    same = stated == certificate.statement
    yield Finding("the statement says what the fields say", same, "it does" if same else "other")
    yield Finding(
        "every released person generalizes a private person of their own",
        True,
        "not checked: only the data holder has the private tables",
        checked=False,
    )


def _check_files(folder: Path, certificate: LinkedCertificate) -> Iterator[Finding]:
    """Check that the folder holds exactly the files of the certificate, byte by byte."""
    named = {one.file for one in certificate.tables}
    plain = all(Path(name).name == name and name not in ("", "..") for name in certificate.files)
    fits = plain and named == set(certificate.files) and len(named) == len(certificate.tables)
    yield Finding("the certificate names one file for each table", fits, ", ".join(sorted(named)))
    if not fits:
        return
    present = list_below(folder)
    expected = {CERTIFICATE, *certificate.files}
    odd = sorted(present ^ expected)
    links = sorted(name for name in present if (folder / name).is_symlink())
    found = f"missing, not of this release, or a link: {', '.join([*odd, *links])}"
    good = not odd and not links
    yield Finding(
        "the folder holds the files of the certificate and nothing else",
        good,
        f"{len(expected)} files" if good else found,
    )
    for name, known in certificate.files.items() if good else ():
        same = describe_file(folder / name) == known
        yield Finding(
            f"{name} has the digest of the certificate",
            same,
            "the same" if same else "the file was changed after it was published",
        )


def _check_counts(
    folder: Path, certificate: LinkedCertificate, connection: Connection
) -> Iterator[Finding]:
    """Count the persons who share what may be known, and the rows of each table."""
    linked, shown = [], True
    for table in certificate.tables:
        path = folder / table.file
        rows = parse_once(open_release(path, connection), path)
        fits = tuple(rows.columns) == table.columns and _is_within(table)
        yield Finding(
            f"{table.file} has the columns of the certificate",
            fits,
            "the same" if fits else ", ".join(rows.columns),
        )
        shown = shown and fits
        linked.append(
            LinkedRows(table.name, rows, table.link, (*table.generalized,), table.knows or 0)
        )
    if not shown:
        return
    promise = LinkedPromise(certificate.k, linked[0], tuple(linked[1:]))
    yield from _compare_counts(certificate, recount_linked(connection, promise))


def _compare_counts(certificate: LinkedCertificate, found: LinkedCount) -> Iterator[Finding]:
    """Compare what was counted with the certificate."""
    k, reached = certificate.k, certificate.k_reached
    for table, rows_out in zip(certificate.tables, (found.persons, *found.rows), strict=True):
        same = rows_out == table.rows_out
        yield Finding(f"{table.file} has {count_rows(table.rows_out)}", same, count_rows(rows_out))
    yield Finding(
        "every record belongs to a person, and every person has one row",
        not found.unlinked and not found.repeated,
        f"{found.unlinked:,} records without a person, {found.repeated:,} repeated persons",
    )
    yield Finding(
        f"at least {k} persons share whatever may be known of a person",
        found.smallest >= k,
        f"{found.combinations:,} combinations counted, the rarest of {found.smallest:,} persons",
    )
    same = found.smallest == reached
    yield Finding(f"the rarest is that of {reached:,} persons", same, f"{found.smallest:,}")
    gone, out = certificate.persons_suppressed, certificate.persons_out
    yield Finding(
        "the numbers of persons add up",
        certificate.persons_in - gone == out == found.persons,
        f"{certificate.persons_in:,} − {gone:,} = {out:,}",
    )


def _is_within(table: CertifiedTable) -> bool:
    """Return whether a table says of each of its columns how it is released."""
    said = (table.link, *table.generalized, *table.released_as_they_are)
    return sorted(said) == sorted(table.columns)
