"""Stamps: what changes when a file that a specification reads is written, replaced or removed."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.studio.editing.project import Project
from lookalike.tables.files.read_files import find_files
from lookalike.tables.source import resolve_path

FileStamps = tuple[tuple[str, int, int, int, int], ...]
"""The files of a path: name, inode, size, and when each was written and last changed in any way,
which programs cannot set. None of an address, or if there is no file."""
Stamps = Mapping[str, FileStamps]
"""For each path of a specification its files."""
_PATHS = ("path", "population")
"""The fields that name the files of a table, a hierarchy or a register."""


def find_stamps(project: Project) -> Stamps:
    """Return the stamps of the files that a specification reads."""
    return {path: stamp_files(project.folder, path) for path in _list_paths(project.fields)}


def list_changed(before: Stamps, after: Stamps) -> list[str]:
    """Return the paths of both whose files are not the same any more."""
    return [path for path, files in before.items() if after.get(path, files) != files]


def _list_paths(fields: Any) -> Iterator[str]:
    """Yield the paths of the files that a specification reads: tables, hierarchies, registers."""
    for name, value in fields.items() if isinstance(fields, dict) else ():
        if isinstance(value, str) and name in _PATHS:
            yield value
        elif isinstance(value, str) and name == "database" and value.startswith("sqlite"):
            file = value.partition(":")[2].removeprefix("///")
            yield from (file, f"{file}-wal")
        elif isinstance(value, dict) and name == "tables":
            yield from (path for path in value.values() if isinstance(path, str))
        yield from _list_paths(value)


def stamp_files(folder: Path, path: str) -> FileStamps:
    """Return the stamps of the files of a path, a folder or a glob."""
    with suppress(InvalidInput, OSError):
        place = resolve_path(path, folder)
        files = [Path(place)] if Path(place).is_file() else sorted(find_files(place))
        return tuple(map(_stamp, files))
    return ()


def _stamp(file: Path) -> tuple[str, int, int, int, int]:
    """Return the stamp of a file."""
    found = file.stat()
    return str(file), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
