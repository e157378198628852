"""Write the files of a draft: all of them, or none.

Hierarchies list the values of their columns, so only their owner can read them.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from lookalike.errors import AlreadyExists

_UNFINISHED = ".unfinished"


def write_files(files: Mapping[Path, str], *, replace: bool) -> tuple[Path, ...]:
    """Write text files; first beside their places, then by renaming."""
    refuse_existing(files, replace=replace)
    made = {path: path.with_name(path.name + _UNFINISHED) for path in files}
    try:
        for path, text in files.items():
            write_private(made[path], text)
        for path, unfinished in made.items():
            unfinished.replace(path)
    finally:
        for unfinished in made.values():
            unfinished.unlink(missing_ok=True)
    return tuple(files)


def write_private(path: Path, text: str) -> None:
    """Write a new text file that only its owner can read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


def refuse_existing(files: Iterable[Path], *, replace: bool) -> None:
    """Raise if a file exists that may not be replaced."""
    existing = [path for path in files if path.exists()]
    if existing and not replace:
        raise AlreadyExists(
            f"{', '.join(map(str, existing))} exists already; give another --out, or --replace"
        )
