"""Write the files of a draft: all of them, or none.

Hierarchies list the values of their columns, so only their owner can read them.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lookalike.draft.column import ColumnProfile
from lookalike.draft.proposed_hierarchy import FileLine, ProposedHierarchy
from lookalike.draft.toml_text import quote_toml
from lookalike.errors import AlreadyExists, InvalidInput, UnknownValue
from lookalike.hierarchy import Listed

_UNFINISHED = ".unfinished"


class WrittenDraft(ABC):
    """Base class of drafts: how a specification and the files beside it are written."""

    def toml(self, folder: Path | None = None) -> str:
        """Return the specification as commented TOML; it shows no value of the data.

        Parameters
        ----------
        folder
            The folder that the specification will be in, to which its paths are relative.
        """
        return "\n".join(self.write_lines(folder)) + "\n"

    def write(self, path: Path, *, replace: bool = False) -> tuple[Path, ...]:
        """Write the specification and the files of its hierarchies beside it.

        Parameters
        ----------
        path
            Path of the specification.
        replace
            Whether existing files are replaced; otherwise they are an error, and nothing is
            written.

        Returns
        -------
        tuple of Path
            The files, the specification first.
        """
        return write_files(self._files(path), replace=replace)

    def check_places(self, path: Path, *, replace: bool) -> None:
        """Raise if :meth:`write` would meet an existing file; for callers that ask questions."""
        refuse_existing(self._files(path), replace=replace)

    def _files(self, path: Path) -> dict[Path, str]:
        """Return the text of each file."""
        return {path: self.toml(path.parent), **self.hierarchy_files(path.parent)}

    @abstractmethod
    def write_lines(self, folder: Path | None) -> Iterator[str]:
        """Yield the lines of the specification."""

    @abstractmethod
    def hierarchy_files(self, folder: Path) -> dict[Path, str]:
        """Return the text of each file of a hierarchy or a map of spellings."""


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


def write_proposed(
    proposed: ProposedHierarchy, column: ColumnProfile, path: Path
) -> ProposedHierarchy:
    """Write a line for each value of a column to a new file, and return a proposal of it."""
    lines, rule = proposed.lines, proposed.hierarchy.fit(column.values)
    if not lines:
        known = list[FileLine]()
        for value in column.values:
            with suppress(UnknownValue):
                known.append(rule.ancestors(value))
        lines = tuple(known)
    if not lines:
        raise InvalidInput(f"column {column.name!r} has no value, so there is no line to write")
    unknown = ', unknown = "suppress"' if proposed.hierarchy.unknown == "suppress" else ""
    written = replace(
        proposed,
        hierarchy=Listed({line[0]: line for line in lines}, unknown=proposed.hierarchy.unknown),
        table=f'{{ kind = "file", path = {quote_toml(str(path))}{unknown} }}',
        lines=lines,
        path=str(path),
    )
    try:
        write_private(path, written.file_text)
    except FileExistsError:
        raise AlreadyExists(f"{path} exists already; give another name, or remove it") from None
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from None
    return written
