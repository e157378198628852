"""Make the recipient's report of a published release again, and compare it with the first one."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.publish.certificate import Certificate, name_software
from lookalike.publish.digest import describe_file
from lookalike.publish.open_published import reading_folder
from lookalike.publish.place import refuse_inside_release
from lookalike.report.recipient.write_report import report_on_folder
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import REPORT
from lookalike.tables.resources import Resources


@dataclass(frozen=True)
class RemadeReport(Discreet, JsonResult):
    """The recipient's report of a published release, made again from its folder.

    Parameters
    ----------
    html
        The report, as one HTML page.
    published
        Whether the folder holds a report.
    differences
        Why the published report differs, in sentences; empty if it is the same byte for byte, or
        if there is none.
    out
        The file that the report was written to, if one was asked for.
    """

    json_names = "published same differences out"

    html: str
    published: bool
    differences: tuple[str, ...]
    out: Path | None = None

    @property
    def same(self) -> bool:
        """Whether the folder holds the same report, byte for byte."""
        return self.published and not self.differences


def report(
    folder: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    memory: str | None = None,
    spill: str | PathLike[str] | None = None,
) -> RemadeReport:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed, and nothing is written into the folder.

    Parameters
    ----------
    folder
        The release.
    out
        A new file to write the report to, outside of any release.
    memory
        How much memory DuckDB may use before it works on disk, such as ``"4GB"``.
    spill
        Folder for what does not fit into memory.

    Raises
    ------
    InvalidInput
        If the folder is not a release, its table cannot be read, or the report cannot be written.
    """
    target = None if out is None else Path(out)
    if target is not None:
        _check_target(target)
    connection = Connection(Resources(memory, None if spill is None else str(spill)))
    with reading_folder(folder) as place:
        html = report_on_folder(place, connection)
        differences, published = tuple(_compare(place, html)), (place / REPORT).exists()
    if target is not None:
        _write(target, html)
    return RemadeReport(html, published, differences, target)


def _check_target(target: Path) -> None:
    """Refuse a file that exists, or that is inside a release."""
    refuse_inside_release("out", target)
    if target.exists():
        raise AlreadyExists(f"out: {target} exists already; name a new file")


def _write(target: Path, html: str) -> None:
    """Write the report to a new file."""
    try:
        with target.open("x", encoding="utf-8", newline="") as stream:
            stream.write(html)
    except OSError as error:
        raise InvalidInput(f"out: {target} cannot be written: {error.strerror}") from None


def _compare(folder: Path, html: str) -> Iterator[str]:
    """Say how the published report differs from the one made now; nothing if it does not."""
    path, certificate = folder / REPORT, Certificate.read(folder)
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


def _explain(folder: Path, certificate: Certificate) -> Iterator[str]:
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
