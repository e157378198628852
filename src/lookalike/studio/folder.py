"""The folder that the studio was opened in: its tables and specifications, and uploads.

A name that comes from a page is the plain name of a file directly in that folder. Other folders,
hidden files, links that lead elsewhere and devices do not exist for the studio.
"""

import os
import re
import stat
from collections.abc import Callable, Collection
from pathlib import Path
from typing import BinaryIO

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.tables.files.file_format import KNOWN_SUFFIXES, format_of

_PLAIN_NAME = re.compile(r"[^/\\\x00-\x1f]+")
_LONGEST_NAME = 200
_PIECE = 2**20
LARGEST_OFFERED = 2**28
"""A larger file is not offered as a hierarchy."""
_SUFFIXES = (".csv", ".txt", ".tsv")


def list_tables(folder: Path) -> list[Path]:
    """List the tables directly in a folder, by name."""
    return _list(folder, _is_table)


def find_table(folder: Path, name: str) -> Path:
    """Return the path of a table directly in a folder."""
    return _find(folder, name, _is_table, "table")


def list_specifications(folder: Path) -> list[Path]:
    """List the specifications directly in a folder, by name."""
    return _list(folder, _is_specification)


def find_specification(folder: Path, name: str) -> Path:
    """Return the path of a specification directly in a folder."""
    return _find(folder, name, _is_specification, "specification")


def receive_table(folder: Path, name: str, content: BinaryIO) -> Path:
    """Write an uploaded table into a folder, where only its owner can read it."""
    path = folder / _check_name(name)
    if format_of(path) is None:
        raise InvalidInput(f"the suffix of a table is one of {KNOWN_SUFFIXES}")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            while piece := content.read(_PIECE):
                stream.write(piece)
        os.link(part, path)
    except FileExistsError:
        raise AlreadyExists(f"{name!r} exists already; choose it in the list") from None
    finally:
        part.unlink(missing_ok=True)
    return path


def find_free_name(folder: Path, name: str, text: str, taken: Collection[str] = ()) -> str:
    """Return a name under which a text can be in a folder without replacing another file.

    ``name``: the name to begin with; a number is put behind it until it is free.
    """
    path, free, number = Path(name), name, 1
    while free in taken or not _holds(folder / free, text):
        number += 1
        free = f"{path.stem}-{number}{path.suffix}"
    return free


def _holds(path: Path, text: str) -> bool:
    """Return whether a path is free, or is a regular file with a text."""
    if not os.path.lexists(path):
        return True
    return not path.is_symlink() and path.is_file() and path.read_bytes() == text.encode()


def _list(folder: Path, is_wanted: Callable[[Path], bool]) -> list[Path]:
    """List the files directly in a folder that are wanted, by name."""
    return sorted(filter(is_wanted, folder.iterdir()), key=lambda path: path.name.lower())


def _find(folder: Path, name: str, is_wanted: Callable[[Path], bool], kind: str) -> Path:
    """Return the path of a file directly in a folder, if it is wanted."""
    path = folder / _check_name(name)
    if not is_wanted(path):
        raise InvalidInput(f"{name!r} is not a {kind} in this folder")
    return path


def _check_name(name: str) -> str:
    """Return the plain name of a file."""
    if not _PLAIN_NAME.fullmatch(name) or name.startswith(".") or len(name) > _LONGEST_NAME:
        raise InvalidInput("choose a file of this folder by its plain name")
    return name


def _is_table(path: Path) -> bool:
    """Return whether a path is a regular file with the suffix of a table, and no link."""
    return format_of(path) is not None and "-hierarchy" not in path.stem and _is_plain(path)


def _is_specification(path: Path) -> bool:
    """Return whether a path is a regular file with the suffix of a specification, and no link."""
    return path.suffix == ".toml" and _is_plain(path)


def _is_plain(path: Path) -> bool:
    """Return whether a path is a regular file that is not hidden, and no link."""
    if path.name.startswith("."):
        return False
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def list_hierarchy_files(folder: Path) -> list[str]:
    """List the names of the text files directly in a folder that may be hierarchies."""
    return sorted(path.name for path in folder.iterdir() if _may_be_hierarchy(path))


def _may_be_hierarchy(path: Path) -> bool:
    """Return whether a path is a regular text file that is not too large, and no link."""
    if path.name.startswith(".") or path.suffix.lower() not in _SUFFIXES:
        return False
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_OFFERED
