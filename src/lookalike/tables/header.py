"""Header: the names of the columns in the first line of a text file or a sheet."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.tables.encoding import explain_encoding
from lookalike.tables.file_format import format_of
from lookalike.tables.table import check_names

DuplicateHeaders = Literal["refuse", "number"]
"""What is done with a name that occurs twice, or is empty."""
DELIMITERS = (",", ";", "\t", "|")
_NUMBER_THEM = 'rename one, or number them with duplicate_headers = "number" under [source]'


def find_delimiter(file: Path) -> str:
    """Return a tab for TSV, else what occurs most often in the header line, outside quotes."""
    chosen = format_of(file)
    if chosen is not None and chosen.delimiter == "\t":
        return "\t"
    with file.open(encoding="utf-8-sig", errors="replace") as stream:
        header = re.sub(r'"[^"]*"', "", stream.readline())
    return max(DELIMITERS, key=header.count)


def read_header(file: Path, delimiter: str, duplicates: DuplicateHeaders) -> list[str]:
    """Return the names in the first line of a CSV file."""
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        line = stream.readline()
    try:
        line.encode()
        header = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except UnicodeError:
        raise InvalidInput(explain_encoding(file, "utf-8", 1)) from None
    except csv.Error:
        raise InvalidInput(
            f'{file.name}, line 1: a quoted field is not closed; write a quote inside as ""'
        ) from None
    if not header:
        raise InvalidInput(f"{file.name}, line 1: is empty, but must hold the column names")
    return settle_names(header, f"{file.name}, line 1", duplicates)


def settle_names(names: Sequence[str], place: str, duplicates: DuplicateHeaders) -> list[str]:
    """Refuse or number names that are empty or occur twice, case ignored, as SQL does.

    Parameters
    ----------
    names
        The names as they are written.
    place
        Where they are, for the error message.
    duplicates
        What is done.

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
