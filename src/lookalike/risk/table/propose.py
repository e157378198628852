"""Propose quasi-identifiers: find the minimal sets of columns that single out rows of a table.

A quasi-identifier is a set of attributes by which a person can be identified (Model, Definition 2).
The table shows which sets of its columns single out rows, those that differ from every other row.
Which of these columns other people know, only the holder can say; so the result is a proposal.

A row that is unique over some columns is unique over more columns too. So only minimal sets matter,
and a set is counted only if all its subsets are still of interest. A column that does not divide
the classes of the others any further does not help in any larger set either.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any, Unpack

from lookalike.errors import InvalidInput
from lookalike.json_result import JsonResult
from lookalike.model.progress import Announce
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.risk.table.uniqueness import Subset, Uniqueness, check_at_least_one, expose
from lookalike.tables.count import count
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.source import ReadingOptions
from lookalike.tables.table import column_names

LEAST_SHARE = 0.05
"""By default, a set must single out this share of the rows."""
SIZE = 3
"""By default, sets have at most so many columns."""
MOST_VALUES_READ = 500_000_000
"""The search stops after reading so many values of distinct rows."""


@dataclass(frozen=True)
class Proposal(JsonResult):
    """The minimal sets of columns that single out rows of a table.

    Parameters
    ----------
    columns
        All columns of the table.
    rows
        The number of rows.
    k
        Classes with fewer rows are small.
    share
        The share of the rows, and at least one row, that a set must single out.
    size
        The largest number of columns of a set.
    quasi_identifiers
        The minimal sets that single out this share; the smallest sets first, and among these the
        ones with the most unique rows.
    keys
        The minimal sets over which all rows differ.
    counted
        The number of sets that were counted.
    not_counted
        The number of sets that were still to be counted when the search stopped early; larger
        sets that contain them were not considered.
    """

    json_names = (
        "rows columns k share size quasi_identifiers unique_keys=keys.attributes linkable "
        "counted not_counted complete"
    )

    columns: tuple[str, ...]
    rows: int
    k: int
    share: float
    size: int
    quasi_identifiers: tuple[Uniqueness, ...]
    keys: tuple[Uniqueness, ...]
    counted: int
    not_counted: int

    @property
    def complete(self) -> bool:
        """Whether all sets of at most `size` columns were considered."""
        return self.not_counted == 0

    @property
    def linkable(self) -> tuple[str, ...]:
        """The columns of the quasi-identifiers, in the order of the table."""
        named = {name for one in self.quasi_identifiers for name in one.attributes}
        return tuple(name for name in self.columns if name in named)


@name_options
def propose_quasi_identifiers(
    table: Any,
    *,
    share: float | Decimal = LEAST_SHARE,
    size: int = SIZE,
    k: int = 5,
    announce: Announce = lambda _: None,
    **source: Unpack[ReadingOptions],
) -> Proposal:
    """Find the minimal sets of columns that single out rows of a table.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    share
        The share of the rows that a set must single out, from 0 to 1; 0 means one row, as in
        Model's Definition 2.
    size
        The largest number of columns of a set.
    k
        Classes with fewer rows are small.
    announce
        Callback that receives the name of each step.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`; for a frame
        ``missing`` and ``trim``.

    Returns
    -------
    Proposal
        The sets with their counts; it contains no value of the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"name": list("ABCD"), "sex": list("ffmm"), "zip": list("1222")})
    >>> found = propose_quasi_identifiers(people, share=0.5)
    >>> [one.attributes for one in found.quasi_identifiers], found.keys[0].attributes
    ([('name',), ('sex', 'zip')], ('name',))
    """
    if not 0 <= share <= 1:
        raise InvalidInput(f"share must be between 0 and 1, not {share}")
    check_at_least_one(size=size, k=k)
    frame = read_table(table, source)
    columns = column_names(frame)
    announce("counting")
    sequences = list_sequences(count(frame, columns))
    rows = int(sequences.counts.sum())
    least = max(1, math.ceil(Decimal(str(share)) * rows))
    walk = _Walk(sequences, columns, k, least, announce)
    walk.run(min(size, len(columns)))
    return Proposal(
        columns=tuple(columns),
        rows=rows,
        k=k,
        share=float(share),
        size=size,
        quasi_identifiers=tuple(walk.ordered(walk.singling_out)),
        keys=tuple(walk.ordered(walk.keys)),
        counted=walk.counted,
        not_counted=walk.not_counted,
    )


class _Walk:
    """Counts sets of columns, smaller sets first."""

    def __init__(
        self, sequences: Sequences, names: Sequence[str], k: int, least: int, announce: Announce
    ) -> None:
        self.sequences, self.names, self.k, self.least = sequences, names, k, least
        self.announce = announce
        self.singling_out: dict[Subset, Uniqueness] = {}
        self.keys: dict[Subset, Uniqueness] = {}
        self.counted = self.not_counted = 0
        self.work = 0

    def run(self, size: int) -> None:
        """Count sets up to a size, until the limit of work is reached.

        The empty set singles out no row, not even in a table with one row.
        """
        classes: dict[Subset, int] = {(): int(self.sequences.counts.sum() > 1)}
        for number in range(1, size + 1):
            candidates = list(_extend(classes, len(self.names), number))
            below, classes = classes, {}
            for place, subset in enumerate(candidates):
                if self.work > MOST_VALUES_READ:
                    self.not_counted = len(candidates) - place
                    return
                found = self.count(subset)
                divides = all(below[part] < found.classes for part in _parts(subset))
                if divides and self.consider(subset, found):
                    classes[subset] = found.classes

    def count(self, subset: Subset) -> Uniqueness:
        """Count the classes over a set of columns."""
        self.counted += 1
        self.work += len(self.sequences) * len(subset)
        self.announce(f"set {self.counted:,}")
        sizes = self.sequences.project(subset)[1].counts
        return expose([self.names[column] for column in subset], sizes, self.k)

    def consider(self, subset: Subset, found: Uniqueness) -> bool:
        """Keep a set that singles out enough rows; return whether to extend it."""
        within = any(set(one) <= set(subset) for one in self.singling_out)
        if found.unique_rows >= self.least and not within:
            self.singling_out[subset] = found
        if found.rows and found.unique_rows == found.rows:
            self.keys[subset] = found
            return False
        return True

    def ordered(self, found: dict[Subset, Uniqueness]) -> Iterator[Uniqueness]:
        """Yield sets, the smallest first, and among these the ones with the most unique rows."""
        keys = sorted(found, key=lambda one: (len(one), -found[one].unique_rows, one))
        yield from (found[one] for one in keys)


def _extend(classes: dict[Subset, int], columns: int, size: int) -> Iterator[Subset]:
    """Yield the sets of a size all of whose subsets are of interest."""
    for subset in classes:
        for column in range(subset[-1] + 1 if subset else 0, columns):
            larger = (*subset, column)
            if len(larger) == size and all(part in classes for part in _parts(larger)):
                yield larger


def _parts(subset: Subset) -> Iterator[Subset]:
    """Yield the subsets with one column fewer."""
    return combinations(subset, len(subset) - 1)
