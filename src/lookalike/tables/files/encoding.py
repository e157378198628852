"""Encoding: the bytes of a text file, uncompressed and block by block, and how they are encoded.

DuckDB could decompress, but it reads a zstd file that is cut off as a shorter table, and it does
not compare the checksum of gzip. A lost row is a person who is not counted.
"""

import codecs
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.files.file_format import format_of

BLOCK = 1 << 20
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The first two bytes of a file in UTF-16."""
_TRIED = ("ascii", "utf-8", "cp1252")
_ANY_BYTES = "latin-1"
"""The encoding in which every byte is a character."""


def compression_of(file: Path) -> str | None:
    """Return how a file is compressed, by its suffix."""
    chosen = format_of(file)
    return None if chosen is None else chosen.compression


def read_bytes(file: Path, size: int | None = None) -> Iterator[bytes]:
    """Yield the uncompressed content of a file, block by block."""
    compression = compression_of(file)
    try:
        with pa.input_stream(str(file), compression=compression) as stream:
            while block := stream.read(size or BLOCK):
                yield block
    except OSError:
        problem = "cannot be read"
        if compression is not None:
            problem = f"is not a whole {compression} file; compress it again"
        raise InvalidInput(f"{file} {problem}") from None


def detect_encoding(*files: Path) -> str:
    r"""Return the encoding in which the whole text of the files of a table can be read.

    That is UTF-16 if a file begins with its mark; otherwise UTF-8, else Windows-1252 (cp1252),
    else Latin-1, whichever is the first that decodes every byte. Files may be compressed, and
    are read block by block.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "towns.csv"
    ...     _ = file.write_bytes("town\nMünster\n".encode("latin-1"))
    ...     detect_encoding(file)
    'cp1252'
    """
    found = {_detect(file): file.name for file in files}
    if "utf-16" not in found:
        found.pop("ascii", None)  # such a file is the same in every other encoding
    if len(found) > 1:
        named = " and ".join(f"{name} in {encoding}" for encoding, name in found.items())
        raise InvalidInput(f"the files have different encodings, such as {named}; convert them")
    return next(iter(found), "utf-8")


def _detect(file: Path) -> str:
    """Return the first encoding in which a whole file can be read."""
    if next(read_bytes(file, 2), b"") in UTF_16_MARKS:
        return "utf-16"
    decoders = {name: codecs.getincrementaldecoder(name)() for name in _TRIED}
    for block in read_bytes(file):
        decoders = {name: one for name, one in decoders.items() if _decodes(one, block)}
        if not decoders:
            break
    ended = [name for name, one in decoders.items() if _decodes(one, b"", final=True)]
    return ended[0] if ended else _ANY_BYTES


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool = False) -> bool:
    """Return whether a decoder can read the next block."""
    try:
        decoder.decode(block, final)
    except UnicodeError:
        return False
    return True


def explain_encoding(file: Path, encoding: str, line: int) -> str:
    """Return the error of a file that is not in an encoding, with one in which it can be read."""
    remedy = f'it can be read with encoding = "{detect_encoding(file)}" (--encoding)'
    return f"{file.name}, line {line}: not in the encoding {encoding}; {remedy}"
