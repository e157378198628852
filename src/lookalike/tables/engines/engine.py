"""Engine: what the steps of the flow need of a table, whatever holds its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Vector
from lookalike.model.stored_list import SequenceStore
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.connection import Connection
from lookalike.tables.dominant import DominantValues, Dominated
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.row_tags import RowTags
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame, Table

if TYPE_CHECKING:
    from lookalike.tables.engines.spark_files import Store

Column = Any
"""An Arrow array or chunked array; pyarrow has no types."""

FATE = "lookalike fate"
"""The column in which an engine adds the fate of each private row, where a query finds it."""


@dataclass(frozen=True, eq=False)
class Grouped(Discreet):
    """The entries of a table over some attributes, as its engine holds them.

    Parameters
    ----------
    columns
        For each attribute the value of every entry.
    counts
        The number of rows of each entry; an entry of a frame in memory is one row.
    keys
        The values by which rows can be joined with their entry again; nothing if an entry is a row.
    tags
        The tag of each entry, if rows with different tags are counted apart.
    """

    columns: tuple[Column, ...]
    counts: Counts
    keys: pa.Table | None
    tags: Codes | None


@dataclass(frozen=True, eq=False)
class Recoded(Discreet):
    """The released rows, and what is needed to find the fate of every private row.

    Parameters
    ----------
    rows
        The released rows, in the kind of frame that came in.
    source
        The private rows; with a column :data:`FATE` if `fate_of` is nothing.
    fate_of
        The fate of each private row in the order of `source`.
    """

    rows: Frame
    source: Frame
    fate_of: Codes | None


class StoredSequences(SequenceStore, Protocol):
    """The distinct sequences of a table as codes, which the engine keeps."""

    def count_sizes(self, vector: Vector) -> tuple[Counts, Counts]:
        """Return the sizes of classes that occur at a vector, and the number of classes of each."""

    def locate(self, frame: Any, vector: Vector) -> Frame:
        """Add to each row its position, and its code at a vector for each attribute."""


class StoredEntries(Protocol):
    """The distinct sequences of a table as values, which the engine keeps."""

    @property
    def sequences(self) -> int:
        """The number of distinct sequences."""

    def values(self) -> Sequence[tuple[Column, Counts]]:
        """Return for each attribute its distinct values, and the number of rows of each."""

    def code(self, levels: Sequence[Sequence[Codes]]) -> StoredSequences:
        """Replace the values by codes: for each attribute and level, that of each value."""


class Engine(Protocol):
    """What the steps of the flow need of a table, whatever holds its rows.

    Every method takes frames that the engine accepts (:meth:`takes`), and gives such frames back.
    A new engine is a file with one class, and one line in the registry
    :data:`lookalike.tables.engines.ENGINES`.
    """

    def takes(self, frame: Any) -> bool:
        """Return whether the engine holds frames of this kind."""

    def adopt(self, frame: Any) -> Frame:
        """Return the frame as the other methods expect it, for instance collected."""

    def columns(self, frame: Any) -> Sequence[str]:
        """Return the names of the columns as the engine knows them, in order."""

    def settle(self, frame: Any) -> Frame:
        """Write columns of mixed objects as text, so that 1 and "1", counted as one, are one."""

    def settle_numbers(self, frame: Any) -> Frame:
        """Read not-a-number as missing, and -0 as 0, so that what is counted as one is one."""

    def coarsen(self, frame: Any, columns: Mapping[str, NumberCoarsening]) -> Frame:
        """Round and cut the numbers of columns, exactly; refuse values that are no numbers."""

    def materialize(self, frame: Any, place: Path | StorageUrl | None = None) -> Frame:
        """Return rows that are the same, in the same order, each time they are fetched.

        An engine that keeps them in files does so in a private folder in this place. The frame
        that is returned holds that folder.
        """

    def group(self, frame: Any, attributes: Sequence[str], tag: str | None) -> Grouped:
        """Count how often each sequence of values occurs; rows with different tags apart."""

    def group_within(
        self, frame: Any, attributes: Sequence[str], most: int
    ) -> Grouped | StoredEntries:
        """Count how often each sequence occurs; keep the sequences if there are more than `most`.

        Those of a frame in memory are there already.
        """

    def count_distinct(
        self, frame: Any, columns: Sequence[str], *, exact: bool
    ) -> dict[str, tuple[int, int]]:
        """Return for each column how many distinct values it has, and how many rows have one."""

    def count_unique(self, frame: Any, columns: Sequence[str]) -> int:
        """Count the rows that no other row equals over some columns; missing is a value."""

    def list_dominant(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Dominated
    ) -> list[DominantValues]:
        """List for each column the values that have a share of the rows or persons of a class.

        ``class_of``: the class of each fate, `NOT_RELEASED` if its rows are not released.
        """

    def count_classes(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str], most: int
    ) -> tuple[Codes, tuple[Column, ...], Counts] | None:
        """Count the released rows of classes by the values of some columns.

        Returns: the class, the values and the number of rows of each combination; nothing if there
        are more than `most` of them.

        ``class_of``: the class of each fate, below 0 for rows that are not wanted.
        """

    def fetch(self, frame: Any, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, piece by piece and one at least, as Arrow tables."""

    def sample(
        self, frame: Any, columns: Sequence[str], keys: Sequence[Sequence[str]], one_in: int
    ) -> pa.Table:
        """Fetch about one in so many rows, and all rows of one in so many values of each key.

        A key is one column or several.

        Columns :func:`~lookalike.tables.engines.join_tables.drawn_of` say why a row is there; with
        ``one_in`` = 1, all rows are, and there are no such columns.
        """

    def tag_rows(self, frame: Any, tags: RowTags) -> Frame:
        """Add the tag of each row, and show earlier values where the tags say so."""

    def recode(self, plan: Plan, fates: Fates) -> Recoded:
        """Return the released rows: each private row as its fate shows it, or left out."""

    def write(self, frame: Any, path: Path) -> pa.Schema:
        """Write the rows to a file, whose suffix chooses the format; return names and types."""

    def open_store(self, frame: Any, url: StorageUrl) -> Store:
        """Open the file system of an address, to write the rows there as part files."""

    def to_relation(self, frame: Any, connection: Connection) -> duckdb.DuckDBPyRelation:
        """Hand the rows to DuckDB, for verification by SQL."""

    def collect(self, frame: Any) -> nw.DataFrame[Any]:
        """Return all rows as a frame in memory."""

    def like(self, frame: Any, rows: pa.Table) -> Any:
        """Return a small Arrow table as the kind of frame that the user works with."""

    def give_back(self, frame: Frame, table: Table) -> Any:
        """Return released rows as the kind of native frame that was given to :meth:`adopt`."""
