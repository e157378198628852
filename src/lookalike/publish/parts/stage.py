"""Write a release as part files into a private folder beside its place, and count it again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certified import ReleasedFile
from lookalike.publish.parts.place import (
    STAGED_CERTIFICATE,
    WITHDRAWN_CERTIFICATE,
    check_parts_place,
    recover_parts,
    staging_of,
    undo,
)
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame
from lookalike.verify.recount import Declared, Verdict, require_declared


@dataclass(frozen=True, eq=False)
class StagedParts:
    """A release of part files that is not in place yet.

    Parameters
    ----------
    store
        The file system.
    folder
        The private folder that holds it.
    out
        The folder of part files to publish; the folder around it is the place of the release.
    """

    store: Store
    folder: StorageUrl
    out: StorageUrl

    @property
    def rows(self) -> StorageUrl:
        """The folder that holds the part files for now."""
        return self.folder / "rows"

    @property
    def certificate(self) -> StorageUrl:
        """The certificate that waits for its rows."""
        return self.folder / STAGED_CERTIFICATE

    @property
    def withdrawn(self) -> StorageUrl:
        """The certificate of the release that is replaced."""
        return self.folder / WITHDRAWN_CERTIFICATE


@dataclass(frozen=True, eq=False)
class RecountedParts(Discreet):
    """A staged release whose files were read back, counted again, and meet its declaration.

    Parameters
    ----------
    staged
        The staged release.
    frame
        The rows of its files.
    verdicts
        The result of the recount for each promise.
    files
        The digest and size of each file, taken before it was counted.
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
    place, lock = out.parent, scratch_folder()
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
