"""Header: the names of the columns in a line of a text file or a row of a sheet."""

import csv
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.tables.files.encoding import explain_encoding
from lookalike.tables.files.file_format import format_of
from lookalike.tables.files.find_header import DELIMITERS, refuse_preamble
from lookalike.tables.table import check_names

DuplicateHeaders = Literal["refuse", "number"]
"""What is done with a name that occurs twice, or is empty."""
_NUMBER_THEM = 'rename one, or number them with duplicate_headers = "number" under [source]'


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
