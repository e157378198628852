"""Plain text: a text file as DuckDB reads it, in UTF-8, without mark and uncompressed."""

import codecs
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.files.encoding import UTF_16_MARKS, explain_encoding
from lookalike.tables.files.file_bytes import compression_of, read_bytes
from lookalike.tables.private_folders import write_errors


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
