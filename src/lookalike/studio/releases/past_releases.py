"""The releases of the past: those in the folder of the studio, and those that a ledger remembers.

A release is a folder with a certificate, directly in the folder that the studio was opened in or
one level deeper. Links are not followed, and nothing outside that folder exists for the studio. A
page names a release by a key made of its place and its certificate, never by a path.
"""

import hashlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput, Unavailable
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.publish.linked_certificate import LinkedCertificate, says_linked
from lookalike.spec.specification import Specification
from lookalike.studio.editing.project import Project
from lookalike.studio.folder import is_plain_file
from lookalike.tables.files.file_format import CERTIFICATE, REPORT

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import Entry

MOST_RECORDED = 100
"""How many releases of a ledger a page lists."""


@dataclass(frozen=True)
class LedgerHistory:
    """What a ledger remembers, the latest release first.

    ``source``: the name of the source that the specification releases. If the ledger does not
    exist, publishing creates it. ``matter``: the numbers of the releases that somebody may have
    together with the next one. ``problem``: why the ledger was not read.
    """

    source: str
    exists: bool
    recorded: "tuple[Entry, ...]" = ()
    matter: Collection[int] = ()
    left_out: int = 0
    problem: str = ""

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources, in the order of their latest releases."""
        return tuple(dict.fromkeys(one.source for one in self.recorded))

    @property
    def of_source(self) -> "list[Entry]":
        """The releases of the source of the specification."""
        return [one for one in self.recorded if one.source == self.source]


def recall_ledger(project: Project) -> LedgerHistory | None:
    """Read the ledger of a project; None if its specification names none, or is wrong.

    A ledger on a server is not read, because a page must not wait for it. Nothing is changed.
    """
    if not project.text or project.problems:
        return None
    specification = project.specification()
    address = specification.release.address
    if address is None:
        return None
    read = specification.source
    source = "" if read is None else read.name or read.row_key or ""
    if address.database is None:
        return LedgerHistory(source, True, problem="it is on a server: use lookalike ledger list")
    if not address.database.is_file():
        return LedgerHistory(source, exists=False)
    return _read(specification, source)


def _read(specification: Specification, source: str) -> LedgerHistory:
    """Read the releases of a ledger that is a file."""
    from lookalike.ledger.policies.policy import relevant_to  # imports sqlalchemy
    from lookalike.ledger.store.ledger import find_ledger

    asked = specification.release
    assert asked.address is not None
    try:
        entries = find_ledger(asked.address, create=False).releases()
    except (InvalidInput, Unavailable) as error:
        return LedgerHistory(source, True, problem=str(error))
    own = [entry for entry in entries if entry.source == source]
    matter = [one.number for one in relevant_to(own, asked.recipient, asked.contract)]
    listed = entries[::-1][:MOST_RECORDED]
    return LedgerHistory(source, True, tuple(listed), matter, len(entries) - len(listed))


MOST_RELEASES = 100
"""How many releases a page lists, the latest ones."""
MOST_FOLDERS = 2000
"""How many folders are searched."""
_LONGEST_CERTIFICATE = 4 * 2**20


@dataclass(frozen=True)
class PastRelease:
    """A release that was published; ``problem``: why it cannot be used, empty if it can.

    ``key``: what a page calls it by. ``place``: its folder, relative to that of the studio.
    ``when``: when its certificate was written, to the minute. ``linked``: the certificate of linked
    tables, which have no other one.
    """

    key: str
    place: str
    folder: Path
    when: str
    certificate: Certificate | None
    problem: str
    recorded: "Entry | None"
    linked: LinkedCertificate | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that may be opened: the tables, the certificate, and the report if any."""
        if self.linked is not None and not self.problem:
            names = (self.folder / name for name in (*self.linked.files, CERTIFICATE))
            return tuple(path for path in names if is_plain_file(path))
        if self.certificate is None or self.problem:
            return ()
        table = find_released_file(self.folder, self.certificate)
        named = (table, self.folder / CERTIFICATE, self.folder / REPORT)
        return tuple(path for path in named if is_plain_file(path))

    @property
    def k(self) -> int:
        """The greatest k that it promises."""
        if self.linked is not None:
            return self.linked.k
        promised = () if self.certificate is None else self.certificate.quasi_identifiers
        return max((one.k for one in promised), default=0)


@dataclass(frozen=True)
class PastReleases:
    """The releases of a folder, the latest first, and those of the ledger elsewhere."""

    listed: tuple[PastRelease, ...]
    left_out: int
    elsewhere: "list[Entry]"

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
    here = [one.recorded.number for one in listed if one.recorded is not None]
    elsewhere = [one for one in recorded if one.number not in here]
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


def _describe(folder: Path, path: Path, known: "dict[str, Entry]") -> PastRelease:
    """Read a certificate, and say what is wrong if it cannot be used."""
    place, home = path.parent.relative_to(folder).as_posix(), path.parent
    content, certificate, problem = _read_certificate(path)
    linked = None
    if isinstance(certificate, LinkedCertificate):
        linked, certificate = certificate, None
        if any(Path(name).name != name for name in linked.files):
            problem = f"the certificate names a file outside the folder {place}"
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
        linked=linked,
    )


def _read_certificate(path: Path) -> tuple[bytes, Certificate | LinkedCertificate | None, str]:
    """Return the content of a certificate, what it states, and why it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        return b"", None, f"{path.name} cannot be read: {error.strerror}"
    with os.fdopen(handle, "rb") as stream:
        content = stream.read(_LONGEST_CERTIFICATE)
    kind = LinkedCertificate if says_linked(content) else Certificate
    try:
        return content, kind.from_json(content, path.name), ""
    except InvalidInput as error:
        return content, None, str(error)
