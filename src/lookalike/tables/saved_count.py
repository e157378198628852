"""Saved count: the distinct sequences of files, kept until they are released.

Counting large files takes minutes, and a release may be interrupted afterwards. So a list that
took long to count is kept in a private file, and the next release of the same files begins with
it. Files are the same if their paths, sizes and times of change are. A list that is out of date
for another reason cannot do harm: a release is recoded from the rows, and published only if the
written file, counted again, keeps its promise.
"""

import hashlib
import json
import os
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from lookalike.tables.cleaning import Cleaning
from lookalike.tables.counted import Counted
from lookalike.tables.engines.join_tables import ENTRY_ROWS
from lookalike.tables.files.read_files import find_files
from lookalike.tables.private_folders import own_folder
from lookalike.tables.source import Source

KEPT_SECONDS = 24 * 3600
"""After a day, a list is removed by the next release that looks for one."""
_PREFIX = ".lookalike-count-"
_ABOUT_READING = (
    "path",
    "partitions",
    "delimiter",
    "encoding",
    "duplicate_headers",
    "header_row",
    "skip_rows",
    "last_rows",
    "sheet",
    "value_labels",
)
"""The fields of a source that decide which rows its files hold."""


@dataclass(frozen=True)
class SavedCount:
    """The place of a saved list."""

    file: Path

    def load(self) -> pa.Table | None:
        """Return the distinct sequences and the number of rows of each, if they were saved."""
        _remove_old(self.file.parent)
        try:
            if not _is_own(self.file):
                return None
            with pa.OSFile(str(self.file)) as opened:
                return pa.ipc.open_file(opened).read_all()
        except (OSError, pa.ArrowInvalid):
            return None

    def save(self, counted: Counted) -> None:
        """Save a list; on a full disk nothing is saved, and it is counted again next time."""
        if counted.keys is None:
            return
        entries = counted.keys.append_column(ENTRY_ROWS, pa.array(counted.counts))
        unfinished = self.file.with_suffix(f".{os.getpid()}")
        try:
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as opened, pa.ipc.new_file(opened, entries.schema) as file:
                file.write_table(entries)
            unfinished.rename(self.file)
        except OSError:
            unfinished.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the list."""
        self.file.unlink(missing_ok=True)


def find_saved_count(source: Source, attributes: Sequence[str], cleaning: Cleaning) -> SavedCount:
    """Return where the list of some files is saved."""
    files = [(str(file.absolute()), *_identify(file)) for file in find_files(source.path or "")]
    reading = {name: getattr(source, name) for name in _ABOUT_READING}
    identity = json.dumps([reading, files, list(attributes), asdict(cleaning)]).encode()
    folder = source.resources.place() or own_folder()
    return SavedCount(folder / f"{_PREFIX}{hashlib.sha256(identity).hexdigest()[:32]}.arrow")


def _identify(file: Path) -> tuple[int, int, int]:
    """Return what changes when a file is written: its number, size and time of change."""
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _is_own(file: Path) -> bool:
    """Return whether a file is one that only this user may read or write, and no link."""
    found = file.lstat()
    others = stat.S_IRWXG | stat.S_IRWXO
    return (
        stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & others
    )


def _remove_old(folder: Path) -> None:
    """Remove the lists that nobody has released for a day, and what dead processes left."""
    for file in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if time.time() - file.lstat().st_mtime > KEPT_SECONDS:
                file.unlink()
