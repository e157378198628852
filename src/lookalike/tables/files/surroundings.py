"""Surroundings: a text file without the lines around its table, which are no data."""

import tempfile
from pathlib import Path
from typing import TextIO

from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_bytes import BLOCK
from lookalike.tables.files.last_rows import read_last_lines
from lookalike.tables.private_folders import write_errors
from lookalike.tables.source import Source


def cut_surroundings(file: Path, source: Source, connection: Connection) -> tuple[Path, int]:
    """Copy a text file, without the lines that are no data, to the private folder.

    Returns: the copy, and the number of lines at its beginning that are no data. These lines
    are empty, so that every line keeps its number. The file itself and 0 if it holds the names in
    its first line and nothing but data below.
    """
    if not source.surrounding:
        return file, 0
    copy = Path(tempfile.mkdtemp(dir=connection.folder.path)) / file.name
    with (
        file.open(encoding="utf-8", errors="surrogateescape", newline="") as stream,
        write_errors(copy),
        copy.open("x", encoding="utf-8", errors="surrogateescape", newline="") as out,
    ):
        lines, end = _pass_head(stream, source)
        out.write(end * lines)
        while block := stream.read(BLOCK):
            out.write(block)
    if source.last_rows:
        _cut_end(copy, source.last_rows)
    return copy, lines


def _pass_head(stream: TextIO, source: Source) -> tuple[int, str]:
    """Read past what is above the data; return the number of lines and how the last one ends."""
    lines, left, header, line = 0, source.skip_rows, source.header_row or 1, ""
    while lines < header or left:
        line = stream.readline()
        if not line:
            raise too_few_rows(Path(stream.name), "skip_rows", source.skip_rows)
        lines += 1
        left -= lines > header and bool(line.strip())
    return lines, line[len(line.rstrip("\r\n")) :]


def too_few_rows(file: Path, field: str, number: int) -> InvalidInput:
    """Return the error of a file that has fewer rows than are to be left out."""
    return InvalidInput(
        f"{file.name}: {field} = {number}, but fewer rows follow the names of the columns"
    )


def _cut_end(file: Path, rows: int) -> None:
    """Shorten a file by its last rows, and by the empty lines among them."""
    lines = read_last_lines(file, rows)
    if sum(bool(line.strip()) for line in lines) < rows:
        raise too_few_rows(file, "last_rows", rows)
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size - sum(map(len, lines)))
