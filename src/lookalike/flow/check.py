"""Check whether a table is k-anonymous over a quasi-identifier."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.tables.count import count_within
from lookalike.tables.read import read_table
from lookalike.tables.resources import Resources
from lookalike.tables.sequence_memory import sequences_that_fit


@dataclass(frozen=True)
class Checked:
    """The classes of a table over a quasi-identifier.

    Parameters
    ----------
    k
        The size of the smallest class, which is the largest k that the table satisfies; None for
        an empty table.
    rows
        The number of rows.
    classes
        The number of classes.
    unique_rows
        The number of rows that are alone in their class.
    holds
        Whether the table satisfies the k asked for.
    """

    k: int | None
    rows: int
    classes: int
    unique_rows: int
    holds: bool

    @property
    def unique_share(self) -> float:
        """The share of unique rows; 0 for a table without rows."""
        return self.unique_rows / self.rows if self.rows else 0.0


def check(
    table: Any,
    quasi_identifier: Sequence[str],
    k: int = 2,
    *,
    max_sequences: int | None = None,
    **source: Any,
) -> Checked:
    """Check whether a table satisfies k-anonymity (Achieving, Definition 2).

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    quasi_identifier
        The columns that could be linked with other data.
    k
        Minimum number of rows of each combination of their values; 1 always holds.
    max_sequences
        How many distinct sequences may come to memory; more are counted by DuckDB. Default: what
        fits in half of `memory`.
    **source
        For a path, further fields of :class:`~lookalike.tables.read.Source`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02138", "02139"], "sex": ["m", "m", "f"]})
    >>> check(people, ["zip", "sex"])
    Checked(k=1, rows=3, classes=2, unique_rows=1, holds=False)
    """
    if isinstance(quasi_identifier, str):
        raise InvalidInput("give the quasi-identifier as a list of column names")
    if k < 1:
        raise InvalidInput(f"k must be at least 1, not {k}")
    if max_sequences is not None and max_sequences < 1:
        raise InvalidInput(f"max_sequences must be at least 1, not {max_sequences}")
    resources = Resources(source.get("memory"))
    most = max_sequences or sequences_that_fit(len(quasi_identifier), resources)
    counted = count_within(read_table(table, source), quasi_identifier, most)
    sizes, classes = counted.count_sizes()
    smallest = int(sizes.min()) if len(sizes) else None
    return Checked(
        k=smallest,
        rows=int(sizes @ classes),
        classes=int(classes.sum()),
        unique_rows=int(classes[sizes == 1].sum()),
        holds=smallest is None or smallest >= k,
    )
