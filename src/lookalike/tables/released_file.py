"""Read the file of a published release."""

from pathlib import Path
from typing import Any

import narwhals as nw

from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import format_of
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.sql import derive, quote_name
from lookalike.tables.table import column_names


def read_released_file(
    file: Path, connection: Connection, *, neutralized: bool = False
) -> nw.LazyFrame[Any]:
    """Return the rows of a released file, as a query that has not run yet.

    The delimiter is the one that :mod:`lookalike.tables.write` uses; it is not detected.

    ``neutralized``: whether an apostrophe at the beginning of a cell or a name is not part of it.
    """
    chosen = format_of(file)
    delimiter = None if chosen is None else chosen.delimiter
    rows = read_source(Source(path=str(file), delimiter=delimiter), connection)
    if not neutralized:
        return rows
    columns = ", ".join(
        f"CASE WHEN starts_with({cell}, '''') THEN substr({cell}, 2) ELSE {cell} END AS "
        f"{quote_name(name.removeprefix(chr(39)))}"
        for name, cell in ((name, quote_name(name)) for name in column_names(rows))
    )
    return nw.from_native(derive(rows.to_native(), f"SELECT {columns} FROM t"))
