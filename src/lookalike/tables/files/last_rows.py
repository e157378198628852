"""LastRows: the last rows of a file, by which one judges whether they are data."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.files.file_bytes import BLOCK

KEPT_ROWS = 20
"""How many rows at the end of a file are kept, to judge whether the last of them are data."""


@dataclass(frozen=True)
class LastRows(Discreet):
    """The last rows of a private file.

    Parameters
    ----------
    file
        The name of the file.
    names
        The names of its columns.
    rows
        The cells of its last rows, in order; an empty cell is missing.
    """

    file: str
    names: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


def read_last_lines(file: Path, rows: int) -> list[bytes]:
    """Return the lines of a file from the last but so many on, empty ones not counted."""
    size, whole = BLOCK // 256, file.stat().st_size
    while True:
        with file.open("rb") as stream:
            stream.seek(max(0, whole - size))
            lines = stream.read().splitlines(keepends=True)
        filled = [place for place, line in enumerate(lines) if line.strip()]
        if len(filled) > rows:
            return lines[filled[-rows] :]
        if size >= whole:
            return lines
        size *= 4


def read_last_rows(
    file: Path, names: Sequence[str], delimiter: str, *, has_header: bool
) -> LastRows:
    """Return the last rows of a text file, those with a field for every column."""
    lines = read_last_lines(file, KEPT_ROWS)
    if has_header and sum(map(len, lines)) == file.stat().st_size:
        del lines[:1]
    text = (line.decode(errors="replace") for line in lines)
    try:
        rows = [row for row in csv.reader(text, delimiter=delimiter) if len(row) == len(names)]
    except csv.Error:
        rows = []
    cells = tuple(tuple(cell or None for cell in row) for row in rows)
    return LastRows(file.name, tuple(names), cells)


def keep_last_rows(file: Path, table: pa.Table) -> LastRows:
    """Return the last rows of a sheet that was read from a file."""
    last = table.slice(max(0, table.num_rows - KEPT_ROWS))
    rows = tuple(zip(*last.to_pydict().values(), strict=True))
    return LastRows(file.name, tuple(table.column_names), rows)
