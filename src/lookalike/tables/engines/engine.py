"""Engine: what the steps of the flow need of a table, whatever holds its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Vector
from lookalike.model.stored_list import SequenceStore
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.connection import Connection
from lookalike.tables.counted import Counted
from lookalike.tables.dominant import DominantValues, Dominated
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.row_tags import RowTags
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import Frame, Table

if TYPE_CHECKING:
    from lookalike.tables.engines.spark_files import Store

Column = Any
"""An Arrow array or chunked array; pyarrow has no types."""

DrawnKeys = Sequence[tuple[Sequence[str], int]]
"""Keys, of one column or several, whose values are drawn if their hash leaves this remainder."""

FATE = "lookalike fate"
"""The column in which an engine adds the fate of each private row, where a query finds it."""


class StoredSequences(SequenceStore, Protocol):
    """The distinct sequences of a table as codes, which the engine keeps."""

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

    def group(self, frame: Any, attributes: Sequence[str], tag: str | None) -> Counted:
        """Count how often each sequence of values occurs; rows with different tags apart."""

    def group_within(
        self, frame: Any, attributes: Sequence[str], most: int, hashed: Sequence[str] = ()
    ) -> Counted | StoredEntries:
        """Count how often each sequence occurs; keep the sequences if there are more than `most`.

        Those of a frame in memory are there already.

        ``hashed``: columns of whose hashes some bits are counted in the same pass.
        """

    def count_distinct(
        self, frame: Any, columns: Sequence[str], at_once: int
    ) -> dict[str, tuple[int, int]]:
        """Return for each column how many distinct values it has, and how many rows have one.

        ``at_once``: how many columns a query counts, each of which needs memory for its values.
        """

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
        self, frame: Any, columns: Sequence[str], keys: DrawnKeys, one_in: int, most: int
    ) -> pa.Table:
        """Fetch about one in so many rows, and all rows of one in so many values of each key.

        At most `most` rows are fetched, which are then a part of these.

        Columns :func:`~lookalike.tables.engines.join_tables.drawn_of` say why a row is there; with
        ``one_in`` = 1, all rows are, and there are no such columns.
        """

    def tag_rows(self, frame: Any, tags: RowTags) -> Frame:
        """Add the tag of each row, and show earlier values where the tags say so."""

    def append_rows(self, frame: Any, rows: pa.Table) -> Frame:
        """Append rows, given as their values in some columns; they have none in the others."""

    def recode(self, plan: Plan, fates: Fates) -> tuple[Frame, Frame, Codes | None]:
        """Return the released rows: each private row as its fate shows it, or left out.

        Returns: also the private rows, and the fate of each in their order; or nothing if they
        have it in a column :data:`FATE`.
        """

    def write(self, frame: Any, path: Path, connection: Connection) -> pa.Schema:
        """Write the rows to a file, whose suffix chooses the format; return names and types.

        ``connection``: writes the rows that are not in DuckDB.
        """

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
