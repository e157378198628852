"""Write a proposed hierarchy to a file that its holder edits."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lookalike.draft.column import ColumnProfile
from lookalike.draft.inline_table import write_text
from lookalike.draft.proposed_hierarchy import FileLine, ProposedHierarchy
from lookalike.draft.write_draft import write_private
from lookalike.errors import AlreadyExists, InvalidInput, UnknownValue
from lookalike.hierarchy import Hierarchy, Listed


def write_proposed(
    proposed: ProposedHierarchy, column: ColumnProfile, path: Path
) -> ProposedHierarchy:
    """Write a line for each value of a column to a new file, and return a proposal of it."""
    lines = proposed.lines or tuple(_list_lines(proposed.hierarchy, column))
    if not lines:
        raise InvalidInput(f"column {column.name!r} has no value, so there is no line to write")
    unknown = ', unknown = "suppress"' if proposed.hierarchy.unknown == "suppress" else ""
    written = replace(
        proposed,
        hierarchy=Listed({line[0]: line for line in lines}, unknown=proposed.hierarchy.unknown),
        table=f'{{ kind = "file", path = {write_text(str(path))}{unknown} }}',
        lines=lines,
        path=str(path),
    )
    _write_new(path, written.file_text)
    return written


def _list_lines(hierarchy: Hierarchy, column: ColumnProfile) -> list[FileLine]:
    """Return the labels of each value that a rule knows."""
    rule = hierarchy.fit(column.values)
    lines = []
    for value in column.values:
        try:
            lines.append(rule.ancestors(value))
        except UnknownValue:
            continue
    return lines


def _write_new(path: Path, text: str) -> None:
    """Write a new file, whole or not at all."""
    try:
        write_private(path, text)
    except FileExistsError:
        raise AlreadyExists(f"{path} exists already; give another name, or remove it") from None
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from None
