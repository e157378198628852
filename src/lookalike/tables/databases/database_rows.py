"""DatabaseRows: the result of a query in a database, with the types of its columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

_BATCH = 20_000


class Cursor(Protocol):
    """What the cursors of databases have in common."""

    def fetchmany(self, size: int = ..., /) -> Sequence[Any]:
        """Return the next rows."""


@dataclass(frozen=True, eq=False, repr=False)
class DatabaseRows:
    """Rows that are fetched in batches."""

    schema: pa.Schema
    cursor: Cursor

    @property
    def batches(self) -> Iterator[Sequence[tuple[object, ...]]]:
        """The rows, some thousands at a time."""
        while batch := self.cursor.fetchmany(_BATCH):
            yield batch
