"""File bytes: the content of a text file, uncompressed and block by block.

DuckDB could decompress, but it reads a zstd file that is cut off as a shorter table, and it does
not compare the checksum of gzip. A lost row is a person who is not counted.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.files.file_format import format_of

BLOCK = 1 << 20


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
