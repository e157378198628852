"""PastRelease: a published release in the folder of the studio, and the files that it offers.

A release is a folder with a certificate, directly in the folder that the studio was opened in or
one level deeper. Links are not followed, and nothing outside that folder exists for the studio. A
page names a release by a key made of its place and its certificate, never by a path.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.studio.releases.ledger_history import LedgerHistory, RecordedRelease
from lookalike.tables.files.file_format import CERTIFICATE, REPORT

MOST_RELEASES = 100
"""How many releases a page lists, the latest ones."""
MOST_FOLDERS = 2000
"""How many folders are searched."""
_LONGEST_CERTIFICATE = 4 * 2**20


@dataclass(frozen=True)
class PastRelease:
    """A release that was published.

    Parameters
    ----------
    key
        What a page calls it by.
    place
        Its folder, relative to that of the studio.
    folder
        Its folder.
    when
        When its certificate was written, to the minute.
    certificate
        Its certificate; None if that cannot be read.
    problem
        Why it cannot be used; empty if it can.
    recorded
        What the ledger remembers of it, if it does.
    """

    key: str
    place: str
    folder: Path
    when: str
    certificate: Certificate | None
    problem: str
    recorded: RecordedRelease | None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that may be opened: the table, the certificate, and the report if any."""
        if self.certificate is None or self.problem:
            return ()
        table = find_released_file(self.folder, self.certificate)
        named = (table, self.folder / CERTIFICATE, self.folder / REPORT)
        return tuple(path for path in named if is_plain_file(path))

    @property
    def k(self) -> int:
        """The greatest k that it promises."""
        promised = () if self.certificate is None else self.certificate.quasi_identifiers
        return max((one.k for one in promised), default=0)


@dataclass(frozen=True)
class PastReleases:
    """The releases of a folder.

    Parameters
    ----------
    listed
        The releases, the latest first.
    left_out
        How many older ones are not listed.
    elsewhere
        The releases of the ledger that are not among them.
    """

    listed: tuple[PastRelease, ...]
    left_out: int
    elsewhere: tuple[RecordedRelease, ...]

    def find(self, key: str) -> PastRelease:
        """Return a release by its key."""
        found = next((one for one in self.listed if one.key == key), None)
        if found is None:
            raise InvalidInput("there is no such release any more; choose one of the list")
        return found


def list_past_releases(folder: Path, history: LedgerHistory | None) -> PastReleases:
    """List the releases that were published to a folder, the latest first."""
    found = sorted(_find_certificates(folder), key=lambda one: (-one[1], one[0]))
    recorded = () if history is None else history.recorded
    known = {one.certificate_sha256: one for one in recorded}
    listed = [_describe(folder, path, known) for path, _ in found[:MOST_RELEASES]]
    here = {one.recorded for one in listed}
    elsewhere = tuple(one for one in recorded if one not in here)
    return PastReleases(tuple(listed), len(found) - len(listed), elsewhere)


def _find_certificates(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the certificates up to two levels below a folder, each with the time of its file."""
    outer = _list_folders(folder)
    inner = (deeper for one in outer for deeper in _list_folders(one))
    for one in (*outer, *inner)[:MOST_FOLDERS]:
        path = one / CERTIFICATE
        if is_plain_file(path):
            yield path, path.lstat().st_mtime_ns


def _list_folders(folder: Path) -> list[Path]:
    """List the folders directly in a folder that are no links and not hidden, by name."""
    try:
        with os.scandir(folder) as entries:
            found = [one.name for one in entries if one.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [folder / name for name in sorted(found)[:MOST_FOLDERS] if not name.startswith(".")]


def is_plain_file(path: Path) -> bool:
    """Return whether a path is a regular file, and no link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _describe(folder: Path, path: Path, known: dict[str, RecordedRelease]) -> PastRelease:
    """Read a certificate, and say what is wrong if it cannot be used."""
    place, home = path.parent.relative_to(folder).as_posix(), path.parent
    content, certificate, problem = _read_certificate(path)
    if certificate is not None:
        try:
            find_released_file(home, certificate)
        except InvalidInput as error:
            problem = str(error).replace(f"{home}", place)
    return PastRelease(
        key=hashlib.sha256(place.encode() + b"\0" + content).hexdigest()[:16],
        place=place,
        folder=home,
        when=f"{datetime.fromtimestamp(path.lstat().st_mtime):%Y-%m-%d %H:%M}",
        certificate=certificate,
        problem=problem,
        recorded=known.get(hashlib.sha256(content).hexdigest()),
    )


def _read_certificate(path: Path) -> tuple[bytes, Certificate | None, str]:
    """Return the content of a certificate, what it states, and why it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        return b"", None, f"{path.name} cannot be read: {error.strerror}"
    with os.fdopen(handle, "rb") as stream:
        content = stream.read(_LONGEST_CERTIFICATE)
    try:
        return content, Certificate.from_json(content, path.name), ""
    except InvalidInput as error:
        return content, None, str(error)
