"""Make the recipient's report of a release again, print a report, or write the regulator's file."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.publish.certificate import Certificate, name_software
from lookalike.publish.digest import describe_file
from lookalike.publish.dossier import PREFLIGHT, PreflightRecord, digest_release
from lookalike.publish.linked_certificate import LinkedCertificate, is_linked, read_any
from lookalike.publish.open_published import reading_folder
from lookalike.publish.place import refuse_inside_release
from lookalike.report.print_page import find_browser, print_page
from lookalike.report.recipient.linked import report_on_linked
from lookalike.report.recipient.write_report import report_on_folder
from lookalike.report.regulator import AdversarialTest, write_regulator_file
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import CERTIFICATE, REPORT
from lookalike.tables.resources import Resources


@dataclass(frozen=True)
class RemadeReport(Discreet, JsonResult):
    """The recipient's report of a published release, made again from its folder.

    Parameters
    ----------
    html
        The report, as one HTML page.
    published
        Whether the folder holds a report; None for a dossier, whose report cannot be made again.
    differences
        Why the published report differs, in sentences; empty if it is the same byte for byte, or
        if there is none.
    out
        The file that the report was written to, if one was asked for.
    pdf
        The file that it was printed to, if one was asked for.
    regulator
        The file for a regulator, if one was asked for.
    """

    json_names = "published same differences out pdf regulator"

    html: str
    published: bool | None
    differences: tuple[str, ...]
    out: Path | None = None
    pdf: Path | None = None
    regulator: Path | None = None

    @property
    def same(self) -> bool:
        """Whether the folder holds the same report, byte for byte."""
        return bool(self.published) and not self.differences


def report(
    folder: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    pdf: str | PathLike[str] | None = None,
    regulator: str | PathLike[str] | None = None,
    dossier: str | PathLike[str] | None = None,
    tests: Sequence[str | PathLike[str]] = (),
    memory: str | None = None,
    spill: str | PathLike[str] | None = None,
) -> RemadeReport:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed, and nothing is written into the folder.

    Parameters
    ----------
    folder
        The release; or a dossier, whose report for the data holder is printed with ``pdf``.
    out
        A new file to write the report to, outside of any release.
    pdf
        A new file to print the report to, outside of any release; an installed Chromium, Google
        Chrome or Microsoft Edge prints it.
    regulator
        A new file, outside of any release, for what agencies and standards want documented; it
        states figures of the private table.
    dossier
        The dossier of the release, which the file for a regulator needs.
    tests
        Files with what ``lookalike link --json`` or ``lookalike attack --json`` printed about the
        release, for the file for a regulator.
    memory
        How much memory DuckDB may use before it works on disk, such as ``"4GB"``.
    spill
        Folder for what does not fit into memory.

    Raises
    ------
    InvalidInput
        If the folder is not a release, its table cannot be read, or the report cannot be written.
    """
    target, filed = read_new_path("out", out), read_new_path("regulator", regulator)
    printed = read_new_path("pdf", pdf)
    if (filed is None) != (dossier is None) or (tests and filed is None):
        raise InvalidInput("regulator: name the file, and the dossier of the release")
    if printed is not None:
        find_browser()
    if printed is not None and _is_dossier(folder):
        return _print_dossier(Path(folder), printed)
    connection = Connection(Resources(memory, None if spill is None else str(spill)))
    with reading_folder(folder) as place:
        linked = is_linked(place)
        if linked and filed is not None:
            raise InvalidInput(
                "--regulator: a file for the regulator is made of a release of one table; leave it "
                "out for linked tables"
            )
        html = (report_on_linked if linked else report_on_folder)(place, connection)
        differences = tuple(_compare(place, html))
        published = (place / REPORT).exists()
        certificate = None if linked else Certificate.read(place)
    if filed is not None and dossier is not None and certificate is not None:
        page = _draw_for_regulator(certificate, Path(dossier), [*map(Path, tests)])
        write_new("regulator", filed, page.encode(), mode=0o600)
    if target is not None:
        write_new("out", target, html.encode())
    if printed is not None:
        write_new("pdf", printed, print_page(html))
    return RemadeReport(html, published, differences, target, printed, filed)


def _draw_for_regulator(certificate: Certificate, dossier: Path, tests: Sequence[Path]) -> str:
    """Return the file for a regulator, from the dossier of the same release and from tests."""
    record = PreflightRecord.read(dossier, digest_release(certificate))
    return write_regulator_file(certificate, record, [*map(AdversarialTest.read, tests)])


def _is_dossier(folder: str | PathLike[str]) -> bool:
    """Return whether a folder is a dossier with the holder's report, and no release."""
    names = {name for name in (CERTIFICATE, PREFLIGHT, REPORT) if Path(folder, name).is_file()}
    return names == {PREFLIGHT, REPORT}


def _print_dossier(dossier: Path, printed: Path) -> RemadeReport:
    """Print the holder's report of a dossier."""
    html = (dossier / REPORT).read_text(encoding="utf-8")
    write_new("pdf", printed, print_page(html), mode=0o600)
    return RemadeReport(html, None, (), pdf=printed)


def read_new_path(option: str, given: str | PathLike[str] | None) -> Path | None:
    """Read where a report goes; refuse a file that exists, or that is inside a release."""
    if given is None:
        return None
    target = Path(given)
    refuse_inside_release(option, target)
    if target.exists():
        raise AlreadyExists(f"{option}: {target} exists already; name a new file")
    return target


def write_new(option: str, target: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file."""
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
    except OSError as error:
        raise InvalidInput(f"{option}: {target} cannot be written: {error.strerror}") from None


def _compare(folder: Path, html: str) -> Iterator[str]:
    """Say how the published report differs from the one made now; nothing if it does not."""
    path, certificate = folder / REPORT, read_any(folder)
    if not path.is_file() or path.is_symlink():
        if certificate.report is not None:
            yield f"{path} is missing or a link, although the certificate names it."
        return
    if certificate.report is None:
        yield f"{path} was added after publication: the certificate names no report."
    elif describe_file(path) != certificate.report:
        yield f"{path} was changed after publication: its digest differs from the certificate's."
    elif path.read_bytes() != html.encode():
        yield from _explain(folder, certificate)


def _explain(folder: Path, certificate: Certificate | LinkedCertificate) -> Iterator[str]:
    """Say why a report that was not changed differs from the one made now."""
    changed = [
        name for name, file in certificate.files.items() if describe_file(folder / name) != file
    ]
    for name in changed:
        yield f"{folder / name} was changed after publication."
    if certificate.software != name_software():
        yield (
            f"The release was made by {certificate.software}, and this is {name_software()}: "
            "reports of different versions differ."
        )
    elif not changed:
        yield (
            f"{REPORT} or the certificate was changed after publication, or charts are drawn by "
            "another version of vl-convert."
        )
