"""Excel file: a sheet of an .xlsx file as a table of text, as a person sees its cells.

python-calamine is imported only when it is needed, because it is an optional dependency.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.files.header_and_delimiter import Numbered, Row, refuse_title, settle_names
from lookalike.tables.files.plain_text import too_few_rows
from lookalike.tables.labels import label
from lookalike.tables.source import Source

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

SAMPLE_ROWS = 100
"""How many rows of a sheet are examined for the names of the columns."""
_SHOWN_DIGITS = 15
"""Excel shows no more digits of a number."""


def read_excel(file: Path, source: Source) -> pa.Table:
    """Read a sheet; its first row that is not empty holds the names, unless another one is named.

    An empty cell is missing. A row without any value is no row: sheets often end with such rows.
    A column without a name and without any value is no column.
    """
    place = file.name if source.sheet is None else f"{file.name}, sheet {source.sheet}"
    number, header, rows = _find_table(_number_rows(_open_sheet(file, source.sheet)), place, source)
    for field in ("skip_rows", "last_rows"):
        if len(rows) < (count := getattr(source, field)):
            raise too_few_rows(file, field, count)
        rows = rows[count:] if field == "skip_rows" else rows[: len(rows) - count]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    kept = [
        (_in_one_line(name), column)
        for name, column in zip(header, columns, strict=True)
        if name is not None or any(cell is not None for cell in column)
    ]
    names = settle_names(
        [name for name, _ in kept], f"{place}, row {number}", source.duplicate_headers
    )
    arrays = [pa.array(column, pa.string()) for _, column in kept]
    return pa.table(dict(zip(names, arrays, strict=True)))


def _number_rows(sheet: "CalamineSheet") -> list[Numbered]:
    """Return the rows of a sheet that are not empty, with the numbers that Excel shows."""
    first = 1 if sheet.start is None else sheet.start[0] + 1
    rows = (
        (number, [write_cell(cell) for cell in row])
        for number, row in enumerate(sheet.to_python(), first)
    )
    return [(number, row) for number, row in rows if any(cell is not None for cell in row)]


def _find_table(
    rows: Sequence[Numbered], place: str, source: Source
) -> tuple[int, Row, Sequence[Row]]:
    """Return the number and the cells of the row with the names, and the rows below it."""
    if not rows:
        raise InvalidInput(f"{place}: is empty, but its first row must hold the column names")
    if source.header_row is None:
        numbered = source.duplicate_headers == "number"
        refuse_title(place, "row", rows[:SAMPLE_ROWS], numbered=numbered)
    number = rows[0][0] if source.header_row is None else source.header_row
    names = dict(rows).get(number)
    if names is None:
        raise InvalidInput(f"{place}, row {number}: is empty, but must hold the column names")
    return number, names, [row for other, row in rows if other > number]


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
