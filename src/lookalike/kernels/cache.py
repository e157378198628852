"""Choose the folder that holds compiled code, one for each state of the kernels' source.

numba notices a change of the file that a function is in, but not of the functions that it calls
in other files. So the folder's name holds a digest of all kernels: code that was compiled from
another source is never found, and installations with the same source share it.
"""

import hashlib
import os
import shutil
import stat
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

PREFIX = "kernels-"
UNUSED = 30 * 24 * 3600
"""Seconds without use after which folders of other states of the source are removed."""


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled code, created if missing; ``None`` if no folder is safe.

    It is below ``NUMBA_CACHE_DIR`` if that is set, else below the user's cache folder, so an
    installation that the user cannot write to has one, too. Anyone who can write to the folder can
    make this process run any code, so only the user may have access.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    if not sources:
        return None
    try:
        folder = _parent() / f"{PREFIX}{_digest(sources)}"
        if not folder.exists():
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            _remove_unused(folder.parent)
        os.utime(folder)
    except (OSError, RuntimeError):
        return None
    return folder if _is_safe(folder) else None


def _parent() -> Path:
    """Return the folder that contains the folders of all states of the source."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given).absolute()
    return user_cache_path("lookalike", appauthor=False).absolute()


def _digest(sources: list[Path]) -> str:
    """Return a digest of the kernels and of the compiler's version."""
    import numba

    digest = hashlib.sha256(numba.__version__.encode())
    for source in sources:
        digest.update(f"\0{source.name}\0".encode() + source.read_bytes())
    return digest.hexdigest()[:32]


def _is_safe(folder: Path) -> bool:
    """Return whether no other user can write to a folder or replace it."""
    own, parent = folder.lstat(), folder.parent.stat()
    shared = stat.S_IWGRP | stat.S_IWOTH
    exchangeable = parent.st_mode & stat.S_IWOTH and not parent.st_mode & stat.S_ISVTX
    is_own = stat.S_ISDIR(own.st_mode) and own.st_uid == os.getuid()
    return is_own and not own.st_mode & shared and not exchangeable


def _remove_unused(parent: Path) -> None:
    """Remove the folders that have not been used for a long time."""
    for other in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - other.lstat().st_mtime > UNUSED:
                shutil.rmtree(other, ignore_errors=True)
