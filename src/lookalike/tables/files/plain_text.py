"""Plain text: a text file as DuckDB reads it, in UTF-8, without mark and uncompressed.

The lines around its table are left out. The last rows of the table are kept, to judge whether they
are data.
"""

import codecs
import csv
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.connection import Connection
from lookalike.tables.files.encoding import (
    BLOCK,
    UTF_16_MARKS,
    compression_of,
    explain_encoding,
    read_bytes,
)
from lookalike.tables.private_folders import write_errors
from lookalike.tables.source import Source

KEPT_ROWS = 20
"""How many rows at the end of a file are kept, to judge whether the last of them are data."""


def as_plain_text(file: Path, encoding: str, connection: Connection) -> Path:
    """Return the file itself, or a copy in the private folder that has the same name."""
    own = _own_encoding(file, encoding)
    if own == "utf-8" and compression_of(file) is None:
        return file
    copy = Path(tempfile.mkdtemp(dir=connection.folder.path)) / file.name
    with write_errors(copy), copy.open("x", encoding="utf-8", newline="") as out:
        for block in _read_text(file, own):
            out.write(block)
    return copy


def _own_encoding(file: Path, encoding: str) -> str:
    """Return the encoding of a file, which a mark at its start may reveal."""
    if codecs.lookup(encoding).name != "utf-8":
        return encoding
    mark = next(read_bytes(file, 3), b"")
    if mark[:2] in UTF_16_MARKS:
        raise InvalidInput(f'{file} is UTF-16; set encoding = "utf-16"')
    return "utf-8-sig" if mark == codecs.BOM_UTF8 else "utf-8"


def _read_text(file: Path, encoding: str) -> Iterator[str]:
    """Yield the text of a file, block by block."""
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    try:
        for block in read_bytes(file):
            text = decoder.decode(block)
            line += text.count("\n")
            yield text
        yield decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise InvalidInput(explain_encoding(file, encoding, line + _count_lines(error))) from None


def _count_lines(error: UnicodeError) -> int:
    """Count the lines of a block before what could not be decoded."""
    if not isinstance(error, UnicodeDecodeError):
        return 0
    before = error.object[: error.start]
    return before.decode(error.encoding, errors="ignore").count("\n")


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


@dataclass(frozen=True)
class LastRows(Discreet):
    """The last rows of a private file.

    ``file``: the name of the file.
    ``names``: the names of its columns.
    ``rows``: the cells of its last rows, in order; an empty cell is missing.
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
