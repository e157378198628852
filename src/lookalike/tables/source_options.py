"""SourceOptions: the fields of ``[source]`` as keyword arguments of the library.

Editors and type checkers read the names and types here;
:class:`~lookalike.tables.source.Source` explains every field and validates it.
"""

from collections.abc import Sequence
from typing import TypedDict

from lookalike.tables.files.header import DuplicateHeaders
from lookalike.tables.source import ReadBy


class ReadingOptions(TypedDict, total=False):
    """How a table is read: every field for a path, ``missing`` and ``trim`` for a frame."""

    engine: ReadBy
    master: str | None
    partitions: bool | None
    where: str | None
    delimiter: str | None
    encoding: str
    duplicate_headers: DuplicateHeaders
    header_row: int | None
    skip_rows: int
    last_rows: int
    sheet: str | None
    value_labels: bool
    missing: Sequence[str]
    trim: bool
    memory: str | None
    spill: str | None


class SourceOptions(ReadingOptions, total=False):
    """How a table is read, and who its rows are."""

    name: str | None
    row_key: str | None
    person: str | Sequence[str] | None
    new_people: bool
