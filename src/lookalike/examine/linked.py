"""Check a release of linked tables against its certificate, by counting its files again."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.examine.held_linked import HeldLinked, check_held_linked, require_same_tables
from lookalike.examine.held_tables import read_held_tables
from lookalike.examine.holder_inputs import GivenSpecification, read_specification
from lookalike.publish.certificate import list_below
from lookalike.publish.digest import describe_file
from lookalike.publish.linked_certificate import (
    CertifiedTable,
    LinkedCertificate,
    write_linked_statement,
)
from lookalike.shown_text import count_rows
from lookalike.spec.record_fields import PERSONS
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import parse_once
from lookalike.tables.resources import Resources
from lookalike.verify.linked_rows import LinkedRows, count_broken_keys, divide_sets
from lookalike.verify.records import LinkedCount, LinkedPromise, recount_linked
from lookalike.verify.recount import Finding, Promise, open_release, recount


def verify_linked(
    folder: Path, spec: GivenSpecification | None, given: Mapping[str, object], resources: Resources
) -> Iterator[Finding]:
    """Check a published release of linked tables against its certificate, and its private tables.

    ``given``: the other arguments of :func:`~lookalike.examine.verify.verify`, by name.
    """
    certificate = LinkedCertificate.read(folder)
    tables = _read_given_tables(given)
    files = [*_check_files(folder, certificate)]
    yield from files
    if not all(one.holds for one in files):
        return
    connection = Connection(resources)
    released = _open_tables(folder, certificate, connection)
    fitting = [*_check_columns(certificate, released)]
    yield from fitting
    if not all(one.holds for one in fitting):
        return
    has_persons = certificate.tables[0].knows is None
    divided = divide_sets(released) if has_persons else released
    yield from _check_counts(certificate, divided, connection)
    stated = write_linked_statement(
        certificate.k,
        certificate.tables,
        linked=certificate.linked,
        assumed=certificate.one_row_each,
        unit=certificate.unit,
    )
    same = stated == certificate.statement
    yield Finding("the statement says what the fields say", same, "it does" if same else "other")
    if spec is None:
        yield from _leave_unchecked(certificate)
        return
    asked = read_specification(spec)
    private = read_held_tables(asked, tables, resources)
    require_same_tables(certificate, private)
    yield from check_held_linked(HeldLinked(certificate, asked, private, divided, connection))


def _read_given_tables(given: Mapping[str, object]) -> Mapping[str, object]:
    """Return the private tables that are given, by name; refuse what linked tables do not take."""
    others = [name for name, one in given.items() if one is not None and name != "table"]
    if others:
        raise InvalidInput(f"{others[0]} is not taken for linked tables; leave it out")
    table = given.get("table")
    if table is None or isinstance(table, Mapping):
        return table or {}
    return {PERSONS: table}


def _leave_unchecked(certificate: LinkedCertificate) -> Iterator[Finding]:
    """Return what cannot be checked without the private tables."""
    k, units = certificate.k_reached, certificate.units
    for table in certificate.tables:
        if table.is_apart and table.knows and table.rows_out:
            yield Finding(
                f"at least {k} {units} share the values of a record of {table.file}",
                True,
                "not checked: the file does not show whose records they are; the data holder "
                "counted",
                checked=False,
            )
    yield Finding(
        f"all released {units} generalize private {units} of their own",
        True,
        "not checked: only the data holder has the private tables",
        checked=False,
    )


def _check_files(folder: Path, certificate: LinkedCertificate) -> Iterator[Finding]:
    """Check that the folder holds exactly the files of the certificate, byte by byte."""
    tables = certificate.tables
    files = [one.file for one in tables if one.separator is None]
    named, sets = {*files}, [one for one in tables if one.separator is not None]
    plain = all(Path(name).name == name and name not in ("", "..") for name in certificate.files)
    fits = plain and named == set(certificate.files) and len(named) == len(files)
    # the person table comes first, if there is one, and the sets are those of its columns
    fits = fits and all(one.knows is not None for one in tables[1:])
    fits = fits and all(one.file == tables[0].file and not tables[0].knows for one in sets)
    keyed = {one.name for one in tables if one.key is not None}
    fits = fits and all(not one.distinct or one.knows is None for one in tables)
    fits = fits and all(one.refers is None or one.refers[1] in keyed for one in tables)
    yield Finding("the certificate names one file for each table", fits, ", ".join(sorted(named)))
    if not fits:
        return
    present = list_below(folder)
    expected = {CERTIFICATE, *certificate.documents}
    odd = sorted(present ^ expected)
    links = sorted(name for name in present if (folder / name).is_symlink())
    found = f"missing, not of this release, or a link: {', '.join([*odd, *links])}"
    good = not odd and not links
    yield Finding(
        "the folder holds the files of the certificate and nothing else",
        good,
        f"{len(expected)} files" if good else found,
    )
    for name, known in certificate.documents.items() if good else ():
        same = describe_file(folder / name) == known
        yield Finding(
            f"{name} has the digest of the certificate",
            same,
            "the same" if same else "the file was changed after it was published",
        )


def _check_counts(
    certificate: LinkedCertificate, divided: Sequence[LinkedRows], connection: Connection
) -> Iterator[Finding]:
    """Count the persons who share what may be known, and the rows of each table."""
    if any(one.refers for one in divided):
        broken = count_broken_keys(divided)
        yield Finding(
            f"records that refer to others refer to those of the same {certificate.unit}",
            not broken,
            f"{broken:,} do not",
        )
    has_persons, shown = certificate.tables[0].knows is None, certificate.persons_out
    yield from _count_apart(certificate, divided)
    linked = [one for one in divided if one.link is not None]
    if linked:
        persons = linked.pop(0) if has_persons else None
        promise = LinkedPromise(certificate.k, persons, tuple(linked))
        found = recount_linked(connection, promise)
        yield from _compare_counts(certificate, promise, found)
        shown = found.persons
    gone, out = certificate.persons_suppressed, certificate.persons_out
    yield from _check_dropped(certificate)
    yield Finding(
        f"the numbers of {certificate.units} add up",
        certificate.persons_in - gone == out == shown,
        f"{certificate.persons_in:,} − {gone:,} = {out:,}",
    )


def _check_dropped(certificate: LinkedCertificate) -> Iterator[Finding]:
    """Check that the numbers of left-out records of released persons can be true."""
    every = not certificate.persons_suppressed
    for one in certificate.tables:
        gone = one.rows_in - one.rows_out
        exact = every and one.at_most is None
        fits = one.rows_dropped == gone if exact else 0 <= one.rows_dropped <= gone
        if one.rows_dropped or not fits:
            stated = f"{count_rows(one.rows_dropped)} of released {certificate.units}"
            yield Finding(
                f"{one.name}: {stated} are left out",
                fits and one.knows is not None,
                f"{one.rows_in:,} − {one.rows_out:,} = {gone:,} rows are not in the release",
            )


def _open_tables(
    folder: Path, certificate: LinkedCertificate, connection: Connection
) -> list[LinkedRows]:
    """Open the files of the tables, each once; a set has the rows of the person table."""
    opened = {
        name: parse_once(open_release(folder / name, connection), folder / name)
        for name in certificate.files
    }
    return [
        LinkedRows(
            name=table.name,
            rows=opened[table.file],
            link=table.link,
            columns=(*table.generalized,),
            knows=table.knows or 0,
            separator=table.separator,
            key=table.key,
            refers=table.refers,
            distinct=table.distinct,
        )
        for table in certificate.tables
    ]


def _check_columns(
    certificate: LinkedCertificate, tables: Sequence[LinkedRows]
) -> Iterator[Finding]:
    """Check that each file has the columns of the certificate, which says how each is released."""
    for table, rows in zip(certificate.tables, tables, strict=True):
        if table.separator is not None:
            continue
        found = tuple(rows.rows.columns)
        fits = found == table.columns and _is_within(table, certificate)
        claim = f"{table.file} has the columns of the certificate"
        yield Finding(claim, fits, "the same" if fits else ", ".join(found))


def _count_apart(certificate: LinkedCertificate, tables: Sequence[LinkedRows]) -> Iterator[Finding]:
    """Count the records of tables that do not show whose they are: no fewer than persons."""
    for table, rows in zip(certificate.tables, tables, strict=True):
        if not table.is_apart:
            continue
        [(counted,)] = rows.rows.aggregate("count(*)").fetchall()
        same = counted == table.rows_out
        yield Finding(f"{table.file} has {count_rows(table.rows_out)}", same, count_rows(counted))
        if not table.knows or not counted:
            continue
        k = certificate.k_reached
        found = recount(rows.rows, Promise(rows.columns, k))
        yield Finding(
            f"at least {k} records of {table.file} share their values",
            found.k >= k,
            f"{found.classes:,} combinations counted, the rarest of {count_rows(found.k)}",
        )


def _compare_counts(
    certificate: LinkedCertificate, promise: LinkedPromise, found: LinkedCount
) -> Iterator[Finding]:
    """Compare what was counted with the certificate."""
    k, reached = certificate.k, certificate.k_reached
    unit, units = certificate.unit, certificate.units
    counted = [found.persons] * (promise.persons is not None) + [*found.rows]
    tables = [one for one in certificate.tables if not one.is_apart]
    for table, rows_out in zip(tables, counted, strict=True):
        name = table.file if table.separator is None else f"{table.file}, column {table.name},"
        same = rows_out == table.rows_out
        yield Finding(f"{name} has {count_rows(table.rows_out)}", same, count_rows(rows_out))
    yield Finding(
        f"every record belongs to a {unit}, and every {unit} has one row",
        not found.unlinked and not found.repeated,
        f"{found.unlinked:,} records without a {unit}, {found.repeated:,} repeated {units}",
    )
    yield Finding(
        f"at least {k} {units} share whatever may be known of a {unit}",
        found.smallest >= k,
        f"{found.combinations:,} combinations counted, the rarest of {found.smallest:,} {units}",
    )
    for column, least in (promise.persons.distinct if promise.persons else {}).items():
        yield Finding(
            f"these {units} have at least {least} different values of {column}",
            found.distinct[column] >= least,
            f"{found.distinct[column]:,} at the least",
        )
    apart = any(one.is_apart for one in certificate.tables)
    same = found.smallest == reached or (apart and found.smallest > reached)
    yield Finding(f"the rarest is that of {reached:,} {units}", same, f"{found.smallest:,}")


def _is_within(table: CertifiedTable, certificate: LinkedCertificate) -> bool:
    """Return whether a table says of each of its columns how it is released, at possible levels."""
    shown = (table.link, table.key, table.refers and table.refers[0])
    link = [one for one in shown if one is not None]
    sets = [one for one in certificate.tables if one.separator and one.file == table.file]
    said = (*link, *table.generalized, *table.released_as_they_are, *(one.name for one in sets))
    possible = (
        done.level is not None and 0 <= done.level <= done.height
        for one in (table, *sets)
        for done in one.generalized.values()
    )
    return sorted(said) == sorted(table.columns) and all(possible)
