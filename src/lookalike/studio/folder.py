"""The folder that the studio was opened in: its tables and specifications, and uploads.

A name that comes from a page is the plain name of a file directly in that folder. Other folders,
hidden files, links that lead elsewhere and devices do not exist for the studio.
"""

import math
import os
import re
import stat
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO, Literal

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.tables.files.file_format import KNOWN_SUFFIXES, format_of

_PLAIN_NAME = re.compile(r"[^/\\\x00-\x1f]+")
_LONGEST_NAME = 200
_PIECE = 2**20
LARGEST_OFFERED = 2**28
"""A larger file is not offered as a hierarchy."""
_SUFFIXES = (".csv", ".txt", ".tsv")
FileKind = Literal["table", "specification"]


def list_files(folder: Path, kind: FileKind) -> list[Path]:
    """List the files of a kind directly in a folder, by name; no links, and none that is hidden."""
    return sorted(
        (path for path in folder.iterdir() if _is_of(path, kind)),
        key=lambda path: path.name.lower(),
    )


def find_file(folder: Path, name: str, kind: FileKind) -> Path:
    """Return the path of a file directly in a folder, if it is of a kind."""
    path = folder / _check_name(name)
    if not _is_of(path, kind):
        raise InvalidInput(f"{name!r} is not a {kind} in this folder")
    return path


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


def _check_name(name: str) -> str:
    """Return the plain name of a file."""
    if not _PLAIN_NAME.fullmatch(name) or name.startswith(".") or len(name) > _LONGEST_NAME:
        raise InvalidInput("choose a file of this folder by its plain name")
    return name


def _is_of(path: Path, kind: FileKind) -> bool:
    """Return whether a path is a file of a kind by its name, which is not hidden."""
    if kind == "table":
        is_named = format_of(path) is not None and "-hierarchy" not in path.stem
    else:
        is_named = path.suffix == ".toml"
    return is_named and not path.name.startswith(".") and is_plain_file(path)


def is_plain_file(path: Path, most: float = math.inf) -> bool:
    """Return whether a path is a regular file of at most so many bytes, and no link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode) and path.lstat().st_size <= most
    except OSError:
        return False


def list_hierarchy_files(folder: Path) -> list[str]:
    """List the names of the text files directly in a folder that may be hierarchies."""
    texts = (one for one in folder.iterdir() if one.suffix.lower() in _SUFFIXES)
    plain = (one.name for one in texts if is_plain_file(one, LARGEST_OFFERED))
    return sorted(name for name in plain if not name.startswith("."))
