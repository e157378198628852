"""Place: where a release goes; how it gets there by one rename, and what a crash can leave.

``--replace`` first renames the old release aside. A process that dies at any moment leaves a
state from which :func:`recover`, at the next start, gets to the old release or the new one:

=============================  ==========================================================
left behind                    what the next start does
=============================  ==========================================================
staging                        removes it: it was not verified
ready, and a release in place  removes it: the new release had not begun to take its place
ready, old, nothing in place   moves ready into place and removes old
ready, nothing else            removes it: there was no release before
old, nothing in place          moves it back
old, and a release in place    removes it: the new release is there
=============================  ==========================================================
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import CERTIFICATE, Certificate, describe_file
from lookalike.tables.private_folders import PrivateFolder, abandoned, folders, locked, sync
from lookalike.tables.read import FORMATS


def check_place(out: Path, *, replace: bool) -> None:
    """Make sure that a release can be put where it shall go, before any work is done.

    Raises
    ------
    InvalidInput
        If the suffix is no format, or the folder holds something that may not be replaced.
    """
    if out.suffix.lower() not in FORMATS:
        raise InvalidInput(
            f"{out}: the suffix chooses the format, and must be one of {', '.join(FORMATS)}"
        )
    folder = out.parent
    if out.name == CERTIFICATE or not folder.name or folder.name == "..":
        raise InvalidInput(
            f"{out}: a release is a folder of its own; name it, such as released/{out.name}"
        )
    if folder.is_symlink():
        raise InvalidInput(
            f"{folder} is a symbolic link, which cannot become a release; name the folder itself"
        )
    above = next((path for path in folder.resolve().parents if (path / CERTIFICATE).exists()), None)
    if above is not None:
        raise InvalidInput(
            f"{folder} lies inside of the release {above}, which must hold nothing else; choose "
            "another folder"
        )
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"{folder} is a file; choose another folder for the release")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not is_release(folder):
        raise InvalidInput(
            f"{folder} holds other files, so it cannot become a release; a release is a folder "
            f"of its own, such as {folder.name}/released/{out.name}"
        )
    if not replace:
        raise InvalidInput(f"{folder} holds a release already; replace it with --replace")


def check_outside_release(name: str, private: Path, folder: Path) -> None:
    """Make sure that something private is apart from a release, and from every other.

    Parameters
    ----------
    name
        What it is called in a specification.
    private
        The file or folder.
    folder
        The place of the release.

    Raises
    ------
    InvalidInput
        If it is not.
    """
    place, release = private.resolve(), folder.resolve()
    if place.is_relative_to(release) or release.is_relative_to(place):
        raise InvalidInput(
            f"{name}: {private} is private and must be apart from the release {folder}, neither "
            "inside of it nor around it; choose another folder, such as private/"
            f"{folder.resolve().name}"
        )
    above = next((one for one in (place, *place.parents) if (one / CERTIFICATE).exists()), None)
    if above is not None:
        raise InvalidInput(
            f"{name}: {private} lies inside of the release {above}, which must hold nothing else; "
            "choose another folder"
        )


def is_release(folder: Path) -> bool:
    """Tell whether a folder holds a release and nothing else, not even a link."""
    try:
        certificate = Certificate.read(folder)
    except InvalidInput:
        return False
    files = list(folder.iterdir())
    whole = {path.name for path in files} == {CERTIFICATE, *certificate.files}
    return whole and not any(path.is_symlink() for path in (folder, *files))


def recover(folder: Path) -> None:
    """Finish or undo what a process that died while publishing here left behind.

    Raises
    ------
    InvalidInput
        If another process is publishing here now.
    """
    parent = folder.parent
    with locked(parent):
        staging, ready = (
            folders(parent, private_prefix(folder, kind)) for kind in ("staging", "ready")
        )
        gone = [*abandoned(parent, private_prefix(folder, "staging"))]
        gone += abandoned(parent, private_prefix(folder, "ready"))
        if len(gone) < len(staging) + len(ready):
            raise InvalidInput(f"another process is publishing to {folder}; wait for it to end")
        old = folders(parent, private_prefix(folder, "old"))
        whole = [path for path in (*ready, *old) if is_release(path)]
        if old and whole and not folder.exists():
            whole[0].rename(folder)
        for leftover in {*staging, *ready, *old}:
            if leftover.exists():
                shutil.rmtree(leftover)


def digest_published_certificate(folder: Path) -> str | None:
    """Return the digest of the certificate in a place, if there is one, once it is at rest.

    What a dead process left there is finished or undone first; a living one has done that.
    """
    with suppress(InvalidInput):
        recover(folder)
    with locked(folder.parent):
        certificate = folder / CERTIFICATE
        return describe_file(certificate).sha256 if certificate.is_file() else None


def put_in_place(stage: PrivateFolder, out: Path, *, replace: bool) -> None:
    """Make a verified folder readable and move it to its place, one process at a time."""
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
    """Give the files of a folder ordinary permissions and put them on the disk."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)
        sync(path)
    folder.chmod(0o777 & ~mask)
    sync(folder)


def private_prefix(folder: Path, kind: str) -> str:
    """Name the private folders that belong to a release's place."""
    return f".{folder.name}.lookalike-{kind}-"
