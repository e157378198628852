"""Header: find the line or row that holds the names of the columns, and read the names.

A first row that holds a title is refused.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.tables.files.encoding import explain_encoding
from lookalike.tables.files.file_format import format_of
from lookalike.tables.table import check_names

Row = Sequence[str | None]
Numbered = tuple[int, Row]
"""The number of a row in its file, counted from 1, and its cells."""
DELIMITERS = (",", ";", "\t", "|")
NUMBER_OR_DATE = re.compile(r"[+-]?[0-9][0-9.,:/ T-]*")
"""Text that is a number or a date."""
SAMPLE = 1 << 16
"""How many characters of a text file are examined."""
LEAST_NAMED = 0.75
"""The share of the columns that a row of names must name."""
LEAST_REGULAR = 0.8
"""The share of the lines below a preamble that must have as many fields as the table columns."""
BELOW = 5
"""How many rows below a row it is compared with."""
TELLING = 3
"""Lines with so many fields are no table of one column, whatever the first line says."""
DuplicateHeaders = Literal["refuse", "number"]
"""What is done with a name that occurs twice, or is empty."""
_NUMBER_THEM = 'rename one, or number them with duplicate_headers = "number" under [source]'


class TitleRow(InvalidInput):
    """The first row of a file does not hold the names of the columns."""


def refuse_title(place: str, unit: str, rows: Sequence[Numbered], *, numbered: bool) -> None:
    """Raise if the first row does not hold the names of the columns.

    It does not if most columns get no name of their own by it. If only some do not, it does not
    if a row below, above numbers, has a name for every column.

    ``rows``: the first rows, without those that are empty; the first one in any case.
    ``numbered``: whether columns without a name of their own are to be numbered, if no row has the
    names.
    """
    width = max((len(row) for _, row in rows), default=0)
    unnamed = width - _count_names(rows[0][1]) if rows else 0
    if not unnamed:
        return
    first, *others = rows[0][1] or [None]
    mostly = 2 * unnamed > width or (bool(first and others) and not any(others))
    found = find_names(rows, width, certain=not mostly)
    if found is not None or (mostly and not numbered):
        raise TitleRow(_describe(place, unit, rows[0][0], found))


def refuse_preamble(file: Path, delimiter: str | None, own: str, *, numbered: bool) -> None:
    """Raise if the first line of a text file does not hold the names of the columns."""
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        text = stream.read(SAMPLE)
        cut = stream.read(1) != ""
    rows = _split(text, own, cut=cut)
    if rows and len(rows[0][1]) == _width(rows) > 1:
        refuse_title(file.name, "line", rows, numbered=numbered)
        return
    others = [] if delimiter else [one for one in DELIMITERS if one != own]
    tried = {one: _split(text, one, cut=cut) for one in (own, *others)}
    best = max(tried, key=lambda one: _width(tried[one]))
    width = _width(tried[best])
    if width > 1 and len(tried[best][0][1]) < LEAST_NAMED * width:
        certain = best != own and width < TELLING
        found = find_names(tried[best], width, certain=certain)
        if found is not None:
            raise TitleRow(_describe(file.name, "line", 1, found))


def find_names(rows: Sequence[Numbered], width: int, *, certain: bool) -> int | None:
    """Return the number of the first row below the first that looks like names of columns.

    Its cells are mostly filled and different, and fewer of them are numbers than below.
    """
    for place, (number, row) in enumerate(rows[1:], 2):
        below = [_count_numbers(other) for _, other in rows[place : place + BELOW]]
        names, numbers = _count_names(row), _count_numbers(row)
        if certain:
            fits = names == width and not numbers and any(below)
        else:
            fits = names >= LEAST_NAMED * width and numbers < max((1, *below))
        if below and fits:
            return number
    return None


def _describe(place: str, unit: str, first: int, found: int | None) -> str:
    """Say that a row does not hold the names, and which one does; no cell is shown."""
    does = f"; {unit} {found} does" if found is not None else ""
    chosen = "N" if found is None else found
    return (
        f"{place}, {unit} {first}: does not look like the names of the columns{does}. Set "
        f"header_row = {chosen} under [source] (--header-row {chosen}), or header_row = {first} if "
        f"{unit} {first} holds the names"
    )


def _split(text: str, delimiter: str, *, cut: bool) -> list[Numbered]:
    """Split the beginning of a text file into rows, without empty ones but the first."""
    reader, rows, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [], 1
    try:
        for row in reader:
            rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error:
        return []
    whole = rows[:-1] if cut else rows
    return [one for place, one in enumerate(whole) if place == 0 or any(one[1])]


def _width(rows: Sequence[Numbered]) -> int:
    """Return the number of fields of nearly all rows below the first few; 0 if there is none."""
    sizes = [len(row) for _, row in rows[1:]]
    [(size, often)] = Counter(sizes).most_common(1) or [(0, 0)]
    return size if sizes and often >= LEAST_REGULAR * len(sizes[sizes.index(size) :]) else 0


def _count_names(row: Row) -> int:
    """Count the different texts in a row, case ignored."""
    return len({cell.strip().lower() for cell in row if cell and cell.strip()})


def _count_numbers(row: Row) -> int:
    """Count the cells of a row that are numbers or dates."""
    return sum(NUMBER_OR_DATE.fullmatch(cell.strip()) is not None for cell in row if cell)


def find_delimiter(
    file: Path, given: str | None, header_row: int | None, duplicates: DuplicateHeaders
) -> str:
    """Return the delimiter of a text file in UTF-8.

    It is a tab for TSV, else what occurs most often in the header line, outside quotes.

    ``header_row``: the line that holds the names; by default the first, which is refused if it does
    not.
    """
    chosen = format_of(file)
    if given is None and chosen is not None and chosen.delimiter == "\t":
        given = "\t"
    line = re.sub(r'"[^"]*"', "", _read_line(file, header_row or 1))
    own = given or max(DELIMITERS, key=line.count)
    if header_row is None:
        refuse_preamble(file, given, own, numbered=duplicates == "number")
    return own


def read_header(
    file: Path, delimiter: str, duplicates: DuplicateHeaders, number: int = 1
) -> list[str]:
    """Return the names in a line of a CSV file."""
    line, place = _read_line(file, number), f"{file.name}, line {number}"
    try:
        line.encode()
        header = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except UnicodeError:
        raise InvalidInput(explain_encoding(file, "utf-8", number)) from None
    except csv.Error:
        raise InvalidInput(
            f'{place}: a quoted field is not closed; write a quote inside as ""'
        ) from None
    if not header:
        raise InvalidInput(f"{place}: is empty, but must hold the column names")
    return settle_names(header, place, duplicates)


def _read_line(file: Path, number: int) -> str:
    """Return a line of a file; nothing if it has fewer."""
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        return next(islice(stream, number - 1, None), "")


def settle_names(names: Sequence[str], place: str, duplicates: DuplicateHeaders) -> list[str]:
    """Refuse or number names that are empty or occur twice, case ignored, as SQL does.

    Examples
    --------
    >>> settle_names(["name", "", "Name", "name (2)"], "people.csv, line 1", "number")
    ['name', 'column 2', 'Name (3)', 'name (2)']
    """
    if duplicates == "number":
        names = _number(names)
    elif "" in names:
        raise InvalidInput(
            f"{place}: column {names.index('') + 1} has no name; give it one, or number such "
            'columns with duplicate_headers = "number" under [source]'
        )
    check_names(names, place, _NUMBER_THEM)
    return list(names)


def _number(names: Sequence[str]) -> list[str]:
    """Add a number to each name that occurred before, such that it differs from all others."""
    named = [name or f"column {place}" for place, name in enumerate(names, 1)]
    known, used, settled = {name.lower() for name in named}, set[str](), list[str]()
    for name in named:
        own, number = name, 2
        while own.lower() in used or (own != name and own.lower() in known):
            own, number = f"{name} ({number})", number + 1
        used.add(own.lower())
        settled.append(own)
    return settled
