"""Plain text: a text file as DuckDB reads it, in UTF-8, without mark and uncompressed.

DuckDB could decompress, but it reads a zstd file that is cut off as a shorter table, and it does
not compare the checksum of gzip. A lost row is a person who is not counted.
"""

import codecs
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.file_format import format_of
from lookalike.tables.private_folders import write_errors

_BLOCK = 1 << 20


def as_plain_text(file: Path, encoding: str, connection: Connection) -> Path:
    """Return the file itself, or a copy in the private folder that has the same name."""
    chosen = format_of(file)
    compression = None if chosen is None else chosen.compression
    own = _own_encoding(file, encoding, compression)
    if own == "utf-8" and compression is None:
        return file
    copy = Path(tempfile.mkdtemp(dir=connection.folder.path)) / file.name
    with write_errors(copy), copy.open("x", encoding="utf-8", newline="") as out:
        for block in _read_text(file, own, compression):
            out.write(block)
    return copy


def _own_encoding(file: Path, encoding: str, compression: str | None) -> str:
    """Return the encoding of a file, which a mark at its start may reveal."""
    if codecs.lookup(encoding).name != "utf-8":
        return encoding
    mark = next(_read_bytes(file, compression, 3), b"")
    if mark[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise InvalidInput(f'{file} is UTF-16; set encoding = "utf-16"')
    return "utf-8-sig" if mark == codecs.BOM_UTF8 else "utf-8"


def _read_text(file: Path, encoding: str, compression: str | None) -> Iterator[str]:
    """Yield the text of a file, block by block."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in _read_bytes(file, compression, _BLOCK):
            yield decoder.decode(block)
        yield decoder.decode(b"", final=True)
    except UnicodeError:
        raise InvalidInput(
            f"{file} is not in the encoding {encoding!r}; set encoding to the file's own"
        ) from None


def _read_bytes(file: Path, compression: str | None, size: int) -> Iterator[bytes]:
    """Yield the uncompressed content of a file, block by block."""
    try:
        with pa.input_stream(str(file), compression=compression) as stream:
            while block := stream.read(size):
                yield block
    except OSError:
        problem = "cannot be read"
        if compression is not None:
            problem = f"is not a whole {compression} file; compress it again"
        raise InvalidInput(f"{file} {problem}") from None
