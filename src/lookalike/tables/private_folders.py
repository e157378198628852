"""Private folders: places for private rows while they are processed.

Spill files, transcoded tables and a release that is not verified yet hold private rows. They
live in folders that only their owner may enter and that are locked while in use. A process
that dies leaves its folder behind without a lock; the next one to start there removes it.
"""

import fcntl
import hashlib
import os
import platform
import secrets
import shutil
import stat
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lookalike.errors import InvalidInput, Unavailable

WAIT_SECONDS = 60.0
PAUSE_SECONDS = 0.01


class PrivateFolder:
    """A locked folder of mode 0700, removed when nothing refers to it any more.

    ``parent``: where to create it; it must be on the same disk as the place that it is renamed to.
    ``prefix``: the start of its name; earlier folders of that prefix whose owner died are removed.
    """

    def __init__(self, parent: Path, prefix: str) -> None:
        self.released = False
        with locked(parent):
            sweep(parent, prefix)
            self.path = parent / f"{prefix}{secrets.token_hex(8)}"
            self.path.mkdir(mode=0o700)
            self._lock = _try_lock(self.path)
        self._cleanup = weakref.finalize(self, _discard, self.path, self._lock, os.getpid())

    def remove(self) -> None:
        """Remove the folder now."""
        self._cleanup()

    def move(self, target: Path) -> None:
        """Rename the folder; it stays private, locked and temporary."""
        self.path.rename(target)
        self.path = target
        self._cleanup.detach()
        self._cleanup = weakref.finalize(self, _discard, target, self._lock, os.getpid())

    def release(self, target: Path) -> None:
        """Rename the folder and stop managing it: it is published now."""
        self.path.rename(target)
        self.released = True
        self._cleanup.detach()
        if self._lock is not None:
            os.close(self._lock)


def scratch_folder(parent: Path | None = None) -> PrivateFolder:
    """Create a folder for spill and temporary copies.

    It lies in a folder of the user, or beside the place of the release.
    """
    try:
        return PrivateFolder(parent or own_folder(), ".lookalike-scratch-")
    except OSError as error:
        remedy = "choose another place for the release" if parent else "set TMPDIR to another one"
        raise InvalidInput(
            f"a temporary folder cannot be made in {parent or tempfile.tempdir}: {error.strerror}; "
            f"{remedy}"
        ) from None


def own_folder() -> Path:
    """Return a folder in which only this user can create, lock and remove folders.

    Other users of the system's temporary folder could lock it forever, or have created something
    else under the name of ours. Then the folder is in the user's home.
    """
    shared = Path(tempfile.gettempdir()) / f"lookalike-{os.getuid()}"
    if _make_own(shared):
        return shared
    home = Path("~/.cache/lookalike").expanduser()
    home.parent.mkdir(parents=True, exist_ok=True)
    if _make_own(home):
        return home
    raise InvalidInput(
        f"neither {shared} nor {home} is a folder that only you may enter; remove what is there, "
        "or set TMPDIR to a folder of your own"
    )


def _make_own(folder: Path) -> bool:
    """Create a folder that only its owner may enter; return whether it is one and no link."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    others = stat.S_IRWXG | stat.S_IRWXO
    return (
        stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & others
    )


def sweep(parent: Path, prefix: str) -> None:
    """Remove the folders of a prefix whose process has ended."""
    for leftover in abandoned(parent, prefix):
        shutil.rmtree(leftover, ignore_errors=True)


def abandoned(parent: Path, prefix: str) -> list[Path]:
    """List the folders of a prefix that belong to this user and that no process has locked."""
    return [folder for folder in folders(parent, prefix) if not _is_held(folder)]


def folders(parent: Path, prefix: str) -> list[Path]:
    """List the folders of a prefix that belong to this user."""
    return [
        Path(entry.path)
        for entry in sorted(os.scandir(parent), key=lambda entry: entry.name)
        if entry.name.startswith(prefix) and _is_ours(entry)
    ]


def machine_of(lock: PrivateFolder) -> str:
    """Return a digest of this machine and of the folder in which its processes lock theirs."""
    where = f"{platform.node()} {lock.path.parent}"
    return hashlib.blake2b(where.encode(), digest_size=4).hexdigest()


def token_of(path: Path) -> str:
    """Return the random part of the name of a private folder."""
    return path.name.rpartition("-")[2]


def list_living_tokens(lock: PrivateFolder) -> set[str]:
    """Return the tokens of the processes that hold a folder beside this one."""
    parent, prefix = lock.path.parent, lock.path.name.removesuffix(token_of(lock.path))
    held = {*folders(parent, prefix)} - {*abandoned(parent, prefix)}
    return {token_of(path) for path in held}


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder of this user; a vanished one is not."""
    try:
        owner = entry.stat(follow_symlinks=False).st_uid
    except FileNotFoundError:
        return False
    return entry.is_dir(follow_symlinks=False) and owner == os.getuid()


def _is_held(folder: Path) -> bool:
    """Return whether a process has locked a folder; a vanished one is not locked."""
    try:
        lock = _try_lock(folder)
    except FileNotFoundError:
        return False
    if lock is not None:
        os.close(lock)
    return lock is None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, so that two processes cannot sweep and create at once."""
    handle = os.open(folder, os.O_RDONLY)
    until = time.monotonic() + WAIT_SECONDS
    try:
        while not _lock(handle):
            if time.monotonic() >= until:
                raise Unavailable(
                    f"another process has locked {folder} and does not release it; end it, or "
                    "choose a folder that nobody else can read"
                )
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(handle)


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn a file system error into one that names what could not be written."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror or 'is there room on the disk?'}; nothing "
            "is published"
        ) from None


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all, and wait for the disk."""
    fresh = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    sync(fresh)
    fresh.rename(path)
    sync(path.parent)


def _try_lock(folder: Path) -> int | None:
    """Lock a folder and return the handle that holds the lock, or nothing if it is taken."""
    handle = os.open(folder, os.O_RDONLY)
    if _lock(handle):
        return handle
    os.close(handle)
    return None


def _lock(handle: int) -> bool:
    """Lock an open folder if nobody else has; return whether it is locked now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _discard(path: Path, lock: int | None, owner: int) -> None:
    """Remove a folder and release its lock, unless this process is a fork of its owner."""
    if os.getpid() != owner:
        return
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)
