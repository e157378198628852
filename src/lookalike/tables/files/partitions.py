"""Partitions: the columns that the folder names of Parquet files hold, such as ``zip=02138``."""

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from lookalike.errors import InvalidInput

_WILDCARD = re.compile(r"[*?\[]")


def partition_names(path: str, files: Sequence[Path]) -> list[str]:
    """Return the names of the columns in the folder names of the files of one table.

    Only folders below the given one count, or from the first wildcard of a glob on: the place of
    a table is no data.

    Examples
    --------
    >>> partition_names("year=2024/visits/**", [Path("year=2024/visits/zip=02138/a.parquet")])
    ['zip']
    """
    depth = len(fixed_part(path).parts)
    found = {file: _names(file.parts[depth:-1]) for file in files}
    first = files[0]
    for file, names in found.items():
        if names != found[first]:
            raise InvalidInput(
                f"{path}: the folders of {first} and {file} name different columns; with "
                "partitions = true every file needs the same ones, in the same order"
            )
        if set(names) & set(_names(file.parts[:depth])) or len(set(names)) < len(names):
            raise InvalidInput(f"{path}: two folders of {file} name the same column; rename one")
    return found[first]


def has_partition_names(path: str, files: Sequence[Path]) -> bool:
    """Return whether a folder of some file of a table has a name such as ``zip=02138``."""
    depth = len(fixed_part(path).parts)
    return any(_names(file.parts[depth:-1]) for file in files)


def fixed_part(path: str) -> Path:
    """Return the place of a table: the path itself, or the part of a glob before a wildcard."""
    if Path(path).exists():
        return Path(path)
    return Path(*takewhile(lambda part: not _WILDCARD.search(part), Path(path).parts))


def _names(folders: Sequence[str]) -> list[str]:
    """Return the column names in folder names, in order."""
    return [name for name, sign, _ in (folder.partition("=") for folder in folders) if sign]
