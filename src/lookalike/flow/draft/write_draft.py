"""Write the files of a draft: all of them, or none."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from lookalike.errors import InvalidInput

_UNFINISHED = ".unfinished"


def write_files(files: Mapping[Path, str], *, replace: bool) -> tuple[Path, ...]:
    """Write text files; first beside their places, then by renaming.

    Parameters
    ----------
    files
        The text of each file.
    replace
        Whether existing files are replaced.
    """
    refuse_existing(files, replace=replace)
    made = {path: path.with_name(path.name + _UNFINISHED) for path in files}
    try:
        for path, text in files.items():
            made[path].write_text(text, encoding="utf-8", newline="\n")
        for path, unfinished in made.items():
            unfinished.replace(path)
    finally:
        for unfinished in made.values():
            unfinished.unlink(missing_ok=True)
    return tuple(files)


def refuse_existing(files: Iterable[Path], *, replace: bool) -> None:
    """Raise if a file exists that may not be replaced."""
    existing = [path for path in files if path.exists()]
    if existing and not replace:
        raise InvalidInput(
            f"{', '.join(map(str, existing))} exists already; give another --out, or --replace"
        )
