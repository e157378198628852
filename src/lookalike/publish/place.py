"""The place of a release: check it, move a release into it by one rename, recover from a crash.

Hidden folders beside the place have one of three names: ``staging`` while a release is written,
``ready`` once it is verified, and ``old`` for a release that is being replaced. Whenever a
process dies, :func:`recover` restores the old release or completes the new one at the next
start:

=============================  ==========================================================
left behind                    what recovery does
=============================  ==========================================================
staging                        removes it: it was not verified
ready, and a release in place  removes ready: the move had not begun
ready, old, nothing in place   moves ready into place and removes old
ready, nothing else            removes ready: there was no release before
old, nothing in place          moves old back
old, and a release in place    removes old: the new release is in place
=============================  ==========================================================
"""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lookalike.errors import AlreadyExists, InvalidInput, Unavailable
from lookalike.publish.certificate import list_below
from lookalike.publish.digest import describe_file
from lookalike.publish.linked_certificate import read_any
from lookalike.tables.files.file_format import CERTIFICATE, RELEASED_SUFFIXES, released_format_of
from lookalike.tables.private_folders import PrivateFolder, abandoned, folders, locked, sync


class Place(Protocol):
    """The folder that becomes a release: of this machine, or at an address that Spark reaches."""

    def __str__(self) -> str: ...

    def find_around(self) -> object | None:
        """Return the release that the place is inside of, if there is one."""

    def is_empty(self) -> bool:
        """Return whether there is nothing in the place."""

    def holds_release(self) -> bool:
        """Return whether the place holds a complete release and nothing else."""


@dataclass(frozen=True)
class FolderPlace:
    """A folder of this machine that becomes a release."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def find_around(self) -> Path | None:
        """Return the release that the folder is inside of."""
        return _find_release(*self.folder.resolve().parents)

    def is_empty(self) -> bool:
        """Return whether there is no such folder, or nothing in it; refuse a file."""
        if self.folder.exists() and not self.folder.is_dir():
            raise InvalidInput(f"{self} is a file; choose another folder for the release")
        return not self.folder.exists() or not any(self.folder.iterdir())

    def holds_release(self) -> bool:
        """Return whether the folder holds a complete release and nothing else."""
        return is_release(self.folder)


def require_free(place: Place, example: str, *, replace: bool) -> None:
    """Refuse a place inside a release, with other files, or with a release that is to stay."""
    around = place.find_around()
    if around is not None:
        raise InvalidInput(f"{place} {_describe_inside(around)}")
    if place.is_empty():
        return
    if not place.holds_release():
        raise InvalidInput(
            f"{place} holds other files, so it cannot become a release; a release needs a folder "
            f"of its own, such as {example}"
        )
    if not replace:
        raise AlreadyExists(
            f"{place} holds a release already; replace it with --replace, or publish to another "
            f"folder, such as {place}-2"
        )


def check_place(out: Path, *, replace: bool) -> None:
    """Check that a release can be published to a path, before any work is done."""
    if released_format_of(out) is None:
        raise InvalidInput(
            f"{out}: the suffix chooses the format and must be one of {RELEASED_SUFFIXES}"
        )
    folder = out.parent
    if out.name == CERTIFICATE or not folder.name or folder.name == "..":
        raise InvalidInput(
            f"{out}: a release needs a folder of its own; name it, such as released/{out.name}"
        )
    if folder.is_symlink():
        raise InvalidInput(
            f"{folder} is a symbolic link, which cannot become a release; name its target"
        )
    require_free(FolderPlace(folder), f"{folder.name}/released/{out.name}", replace=replace)


def check_outside_release(name: str, private: Path, folder: Path) -> None:
    """Check that a private file or folder is outside the release to publish, and any other."""
    place, release = private.resolve(), folder.resolve()
    if place.is_relative_to(release) or release.is_relative_to(place):
        raise InvalidInput(
            f"{name}: {private} is private and must be neither inside nor around the release "
            f"{folder}; choose another folder, such as private/{folder.resolve().name}"
        )
    refuse_inside_release(name, private)


def refuse_inside_release(name: str, path: Path) -> None:
    """Refuse a file or folder that is, or is inside, a release."""
    place = path.resolve()
    around = _find_release(place, *place.parents)
    if around is not None:
        raise InvalidInput(f"{name}: {path} {_describe_inside(around)}")


def _find_release(*folders: Path) -> Path | None:
    """Return the first folder that holds a certificate, if one does."""
    return next((folder for folder in folders if (folder / CERTIFICATE).exists()), None)


def _describe_inside(release: object) -> str:
    """Describe what is wrong with a path inside a release."""
    return f"is inside the release {release}, which must hold nothing else; choose another folder"


def is_release(folder: Path) -> bool:
    """Return whether a folder holds a complete release and nothing else, not even a link."""
    try:
        certificate = read_any(folder)
    except InvalidInput:
        return False
    names = list_below(folder)
    links = [name for name in (".", *names) if (folder / name).is_symlink()]
    return names == {CERTIFICATE, *certificate.documents} and not links


def recover(folder: Path) -> None:
    """Finish or undo a publication to this place that a dead process left unfinished."""
    parent = folder.parent
    with locked(parent):
        staging, ready = (
            folders(parent, private_prefix(folder, kind)) for kind in ("staging", "ready")
        )
        unowned = [*abandoned(parent, private_prefix(folder, "staging"))]
        unowned += abandoned(parent, private_prefix(folder, "ready"))
        if len(unowned) < len(staging) + len(ready):
            raise Unavailable(f"another process is publishing to {folder}; wait for it to end")
        old = folders(parent, private_prefix(folder, "old"))
        whole = [path for path in (*ready, *old) if is_release(path)]
        if old and whole and not folder.exists():
            whole[0].rename(folder)
        for leftover in {*staging, *ready, *old}:
            if leftover.exists():
                shutil.rmtree(leftover)


def digest_published_certificate(folder: Path) -> str | None:
    """Return the digest of the certificate in a place, or None if there is none.

    An unfinished publication of a dead process is finished or undone first.
    """
    with suppress(Unavailable):
        recover(folder)
    with locked(folder.parent):
        certificate = folder / CERTIFICATE
        return describe_file(certificate).sha256 if certificate.is_file() else None


def put_in_place(stage: PrivateFolder, out: Path, *, replace: bool) -> None:
    """Give a verified folder ordinary permissions and move it to its place by one rename.

    The parent folder is locked meanwhile, so that one process at a time publishes there.
    """
    folder = out.parent
    _make_durable(stage.path)
    number = stage.path.name.rpartition("-")[2]
    aside = folder.parent / f"{private_prefix(folder, 'old')}{number}"
    with locked(folder.parent):
        check_place(out, replace=replace)
        stage.move(folder.parent / f"{private_prefix(folder, 'ready')}{number}")
        try:
            if folder.exists():
                folder.rename(aside)
            stage.release(folder)
        except BaseException:
            if aside.exists() and not folder.exists():
                aside.rename(folder)
            raise
        sync(folder.parent)
        shutil.rmtree(aside, ignore_errors=True)


def _make_durable(folder: Path) -> None:
    """Give the files of a folder ordinary permissions and sync them to the disk."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)
        sync(path)
    folder.chmod(0o777 & ~mask)
    sync(folder)


def private_prefix(folder: Path, kind: str) -> str:
    """Return the name prefix of the private folders of one kind beside a release's place."""
    return f".{folder.name}.lookalike-{kind}-"
