"""Publish a release as a folder of part files, on a store that may not rename a folder at once.

Spark writes the rows of ``out = "hdfs://cluster/released/table.parquet"`` as many files into the
folder ``table.parquet``, whose name is ``out``; the folder around it, ``released``, is the place
of the release. Object stores have no rename of a folder, and no lock. So the last write makes the
release: a folder without its certificate is none, and the certificate lists every part file with
its digest. Start reading at :func:`publish_parts`; its caller is
:meth:`lookalike.flow.result.Release.publish`.

The path of a release, with what a crash at each step leaves:

=====================================  ===================  =====================================
step                                   function             after a crash here, the next start
=====================================  ===================  =====================================
1. make a private folder beside the    ``staging_parts``    removes it; an earlier release is
   place, which also locks the place                        untouched
2. Spark writes the rows there         ``write_parts``      the same
3. hash the files, read them back and  ``recount_parts``    the same
   count them again
4. write the certificate there; from   ``publish_parts``    removes the private folder, and what
   now on it says what belongs to us                        the place holds of this release
5. move the certificate of an earlier  ``publish_parts``    the same; there is no release then
   release there, remove its rows
6. move the rows into the place, and   ``publish_parts``    the same
   hash them again
7. move the certificate into the       ``publish_parts``    removes the private folder: the
   place                                                    release is complete
=====================================  ===================  =====================================

A start removes from a place only what the certificates in the private folder name. A process that
publishes has a private folder beside the place. Its name ends with a digest of the machine and with
the token of a locked folder on that machine, so another process there knows whether the first one
lives. On another machine nobody knows, so the folder counts as in use.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lookalike.errors import InternalError, InvalidInput, Unavailable
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import ReleasedFile
from lookalike.publish.place import require_free
from lookalike.tables import private_folders
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame
from lookalike.verify.recount import Declared, Verdict, require_declared

WITHDRAWN_CERTIFICATE = "replaced.json"
"""The certificate of the release that is replaced, in the private folder."""
_OWNED = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


@dataclass(frozen=True)
class AddressPlace:
    """The place of a release of part files.

    ``store``: the file system.
    ``out``: the folder of part files to publish; the folder around it is the place of the release.
    """

    store: Store
    out: StorageUrl

    def __str__(self) -> str:
        return str(self.out.parent)

    def find_around(self) -> StorageUrl | None:
        """Return the release that the place is inside of."""
        around = self.out.parent.parent
        while around.parts and not self.store.exists(around / CERTIFICATE):
            around = around.parent
        return around if around.parts else None

    def is_empty(self) -> bool:
        """Return whether there is no file."""
        return not self.store.list_files(self.out.parent)

    def holds_release(self) -> bool:
        """Return whether the place holds a complete release and nothing else."""
        return find_release(self.store, self.out.parent) is not None


def check_parts_place(store: Store, out: StorageUrl, *, replace: bool) -> None:
    """Check that a release of part files can be published to an address."""
    place = out.parent
    if not out.name.endswith(".parquet") or not place.name or out.name.startswith(("_", ".")):
        raise InvalidInput(
            f"{out}: Spark writes Parquet files into a folder of this name, in a folder that "
            "becomes the release; name both, such as hdfs://cluster/released/table.parquet"
        )
    require_free(AddressPlace(store, out), f"{place}/released/{out.name}", replace=replace)


def find_release(store: Store, place: StorageUrl) -> Certificate | None:
    """Return the certificate of a folder that holds a complete release and nothing else."""
    files = store.list_files(place) or {}
    certificate = read_certificate(store, place / CERTIFICATE) if CERTIFICATE in files else None
    if certificate is None:
        return None
    sizes = {name: file.bytes for name, file in certificate.documents.items()}
    files.pop(CERTIFICATE)
    return certificate if files == sizes else None


def read_certificate(store: Store, file: StorageUrl) -> Certificate | None:
    """Read a certificate; return nothing if there is none, or not a valid one."""
    if not store.exists(file):
        return None
    content = store.read(file)
    try:
        return Certificate.from_json(content, str(file))
    except InvalidInput:
        return None


def staging_of(place: StorageUrl, lock: private_folders.PrivateFolder) -> StorageUrl:
    """Return the private folder of the process that holds a lock."""
    machine, token = private_folders.machine_of(lock), private_folders.token_of(lock.path)
    return place.parent / f"{_prefix(place)}{machine}-{token}"


def recover_parts(store: Store, place: StorageUrl, lock: private_folders.PrivateFolder) -> None:
    """Undo what dead processes left unfinished at a place."""
    prefix, mine = _prefix(place), staging_of(place, lock).name
    living = private_folders.list_living_tokens(lock)
    for name in store.list_folders(place.parent):
        found = _OWNED.fullmatch(name.removeprefix(prefix))
        if found is None or name == mine or not name.startswith(prefix):
            continue
        folder = place.parent / name
        if found[1] != private_folders.machine_of(lock):
            raise Unavailable(
                f"a process on another machine is publishing to {place}, or was interrupted; if it "
                f"has ended, remove {folder}, and {place} if it has no {CERTIFICATE}"
            )
        if found[2] in living:
            raise Unavailable(f"another process is publishing to {place}; wait for it to end")
        undo(store, folder, place)


def undo(store: Store, folder: StorageUrl, place: StorageUrl) -> None:
    """Remove a private folder, and before it what an unfinished move left in the place.

    Nothing is removed from a complete release, nor any file that the certificates in the private
    folder do not name.
    """
    known = {CERTIFICATE}
    for name in (CERTIFICATE, WITHDRAWN_CERTIFICATE):
        certificate = read_certificate(store, folder / name)
        known |= set() if certificate is None else set(certificate.documents)
    left = set(store.list_files(place) or ())
    if len(known) > 1 and left <= known and find_release(store, place) is None:
        for name in {file.partition("/")[0] for file in known}:
            store.remove(place / name)
    store.remove(folder)


def _prefix(place: StorageUrl) -> str:
    """Return the first part of the names of private folders beside a place."""
    return f"_lookalike-staging-{place.name}-"


@dataclass(frozen=True, eq=False)
class StagedParts:
    """A release of part files that is not in place yet.

    ``store``: the file system.
    ``folder``: the private folder that holds it.
    ``out``: the folder of part files to publish; the folder around it is the place of the release.
    """

    store: Store
    folder: StorageUrl
    out: StorageUrl

    @property
    def rows(self) -> StorageUrl:
        """The folder that holds the part files for now."""
        return self.folder / "rows"


@dataclass(frozen=True, eq=False)
class RecountedParts(Discreet):
    """A staged release whose files were read back, counted again, and meet its declaration.

    ``staged``: the staged release.
    ``frame``: the rows of its files.
    ``verdicts``: the result of the recount for each promise.
    ``files``: the digest and size of each file, taken before it was counted.
    """

    staged: StagedParts
    frame: Frame
    verdicts: tuple[Verdict, ...]
    files: dict[str, ReleasedFile]


@contextmanager
def staging_parts(store: Store, out: StorageUrl, *, replace: bool) -> Iterator[StagedParts]:
    """Make a private folder beside the place of a release; at the end remove what is unfinished.

    The folder also locks the place. Of two processes that make theirs at the same time, each
    finds the other's, so at most one goes on.
    """
    place, lock = out.parent, private_folders.scratch_folder()
    staged = StagedParts(store, staging_of(place, lock), out)
    try:
        recover_parts(store, place, lock)
        check_parts_place(store, out, replace=replace)
        store.make_private(staged.folder)
        try:
            recover_parts(store, place, lock)
            yield staged
        finally:
            undo(store, staged.folder, place)
    finally:
        lock.remove()
        store.close()


def write_parts(frame: Frame, staged: StagedParts) -> None:
    """Let Spark write the released rows into the private folder."""
    staged.store.write_rows(frame, staged.rows)


def recount_parts(staged: StagedParts, declared: Declared) -> RecountedParts:
    """Hash the written files, read them back, and count them again in Spark."""
    files = digest_parts(staged, staged.rows)
    frame = staged.store.read_rows(staged.rows)
    verdicts = require_declared(frame.to_native(), declared)
    return RecountedParts(staged, frame, verdicts, files)


def digest_parts(staged: StagedParts, folder: StorageUrl) -> dict[str, ReleasedFile]:
    """Return the part files in a folder as the certificate lists them."""
    found = staged.store.digest_files(folder)
    if not found:
        raise InvalidInput(f"{folder}: Spark wrote no file; is it a folder that all executors see?")
    return {
        f"{staged.out.name}/{name}": ReleasedFile(sha256=digest, bytes=size)
        for name, (digest, size) in found.items()
    }


def publish_parts(recounted: RecountedParts, certificate: Certificate, *, replace: bool) -> None:
    """Move the part files of a release into its place, and then its certificate.

    The files are hashed again after the move: what is certified is what was counted. If anything
    fails, :func:`staging_parts` removes what was moved.
    """
    staged, store = recounted.staged, recounted.staged.store
    place, waiting = staged.out.parent, staged.folder / CERTIFICATE
    if certificate.files != recounted.files:
        raise InternalError("the certificate is not that of the staged files")
    store.write(waiting, certificate.to_json().encode())
    check_parts_place(store, staged.out, replace=replace)
    if store.exists(place / CERTIFICATE):
        # Without its certificate, the release that is replaced is none any more.
        store.move(place / CERTIFICATE, staged.folder / WITHDRAWN_CERTIFICATE)
        for name in {file.partition("/")[0] for file in store.list_files(place) or ()}:
            store.remove(place / name)
    store.make(place)
    store.move(staged.rows, staged.out)
    if digest_parts(staged, staged.out) != recounted.files:
        raise InvalidInput(
            f"{staged.out}: files changed while they were moved, so nothing is published; does "
            "another process write there?"
        )
    for folder in (staged.out, staged.folder):
        store.sync(folder)
    store.move(waiting, place / CERTIFICATE)
    store.sync(place)
