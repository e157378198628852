"""Hierarchy files in the folder: which there are, import of one, and export."""

import stat
import tempfile
from pathlib import Path

from lookalike.draft.column import ColumnProfile
from lookalike.draft.proposed_hierarchy import name_hierarchy_file
from lookalike.draft.write_draft import write_private
from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, Hierarchy, write_hierarchy
from lookalike.studio.folder import find_free_name
from lookalike.studio.session import Refused

LARGEST_OFFERED = 2**28
"""A larger file is not offered as a hierarchy."""
_SUFFIXES = (".csv", ".txt", ".tsv")


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


def decode_hierarchy(content: bytes, encoding: str) -> str:
    """Return the text of an imported file."""
    try:
        return content.decode(encoding or "utf-8").removeprefix("\ufeff")
    except LookupError:
        problem = "no such encoding is known; try utf-8"
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"line {line} is not in this encoding; try latin-1 or cp1252"
    except ValueError:
        problem = "the file is not in this encoding; try utf-8"
    raise Refused({"import-encoding": problem})


def store_hierarchy(
    folder: Path, column: str, text: str, profile: ColumnProfile | None, *, suppresses: bool
) -> str:
    """Check a hierarchy, write it to a private file of its own, and return the name of the file."""
    name = name_hierarchy_file(column)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, name)
        write_private(path, text)
        rule = File(path, unknown="suppress" if suppresses else "error")
        try:
            rule.released_paths(column, () if profile is None else profile.values)
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(f"{place}/{name}", "the file")) from None
    free = find_free_name(folder, name, text)
    if not (folder / free).exists():
        write_private(folder / free, text)
    return free


def export_hierarchy(rule: Hierarchy, profile: ColumnProfile | None) -> bytes:
    """Return a hierarchy as the content of a file, for the values of a column."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "hierarchy.csv")
        write_hierarchy(rule, () if profile is None else profile.values, path)
        return path.read_bytes()
