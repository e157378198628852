"""Excel file: a sheet of an .xlsx file as a table of text, as a person sees its cells.

python-calamine is imported only when it is needed, because it is an optional dependency.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.header import settle_names
from lookalike.tables.labels import label
from lookalike.tables.source import Source

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_SHOWN_DIGITS = 15
"""Excel shows no more digits of a number."""


def read_excel(file: Path, source: Source) -> pa.Table:
    """Read a sheet; its first row that is not empty holds the names of the columns.

    An empty cell is missing. A row without any value is no row: sheets often end with such rows.
    """
    place = file.name if source.sheet is None else f"{file.name}, sheet {source.sheet}"
    rows = _open_sheet(file, source.sheet).to_python()
    if not rows:
        raise InvalidInput(f"{place}: is empty, but its first row must hold the column names")
    header, *cells = [[write_cell(cell) for cell in row] for row in rows]
    names = settle_names(
        [_in_one_line(name) for name in header], f"{place}, first row", source.duplicate_headers
    )
    filled = [row for row in cells if any(cell is not None for cell in row)]
    columns = list(zip(*filled, strict=True)) if filled else [()] * len(names)
    arrays = [pa.array(column, pa.string()) for column in columns]
    return pa.table(dict(zip(names, arrays, strict=True)))


def _in_one_line(name: str | None) -> str:
    """Write the name of a column, which may be broken into lines in its cell, in one line."""
    return " ".join((name or "").split())


def _open_sheet(file: Path, name: str | None) -> "CalamineSheet":
    """Open a sheet of a file, the first one by default."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError
    except ModuleNotFoundError:
        raise InvalidInput(
            f"{file.name}: Excel files need python-calamine: pip install 'lookalike[excel]'"
        ) from None
    try:
        book = CalamineWorkbook.from_path(str(file))
        if name is None:
            return book.get_sheet_by_index(0)
    except PasswordError:
        raise InvalidInput(
            f"{file.name}: is protected by a password; save it without one, or as CSV"
        ) from None
    except (CalamineError, OSError):
        raise InvalidInput(f"{file.name}: is not an Excel file that can be read") from None
    if name not in book.sheet_names:
        known = ", ".join(map(repr, book.sheet_names))
        raise InvalidInput(f"{file.name}: has no sheet {name!r}; its sheets are {known}")
    return book.get_sheet_by_name(name)


def write_cell(value: Any) -> str | None:
    """Write the value of a cell as text; an empty one is missing.

    Examples
    --------
    >>> [write_cell(value) for value in (41.0, 0.1 + 0.2, True, "02138", "")]
    ['41', '0.3', 'true', '02138', None]
    """
    if value == "":
        return None
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.{_SHOWN_DIGITS}g}"
    try:
        return label(value)
    except TypeError:
        return str(value)
