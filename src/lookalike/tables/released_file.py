"""Read the file of a published release."""

from pathlib import Path
from typing import Any

import narwhals as nw

from lookalike.tables.connection import Connection
from lookalike.tables.file_format import format_of
from lookalike.tables.read import read_source
from lookalike.tables.source import Source


def read_released_file(file: Path, connection: Connection) -> nw.LazyFrame[Any]:
    """Return the rows of a released file, as a query that has not run yet.

    The delimiter is the one that :mod:`lookalike.tables.write` uses; it is not detected.
    """
    chosen = format_of(file)
    delimiter = None if chosen is None else chosen.delimiter
    return read_source(Source(path=str(file), delimiter=delimiter), connection)
