"""Propose: which sets of columns are minimal quasi-identifiers of a table.

A quasi-identifier is a set of attributes that finds somebody: there is a person whose values
of them point back to that person (Model, Definition 2). The table at hand tells which sets of
its columns can, by how many rows no other row equals. Which of them others know is for the
holder to say; so this is a proposal.

Who is unique over some columns is unique over more. So only minimal sets matter, and a set
is looked at only if all its parts are still of interest. A column that does not divide the
classes of the others any further is of no use to them in any larger set either.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.risk.table.uniqueness import Exposure, Subset, expose
from lookalike.tables.count import count
from lookalike.tables.read import read_table
from lookalike.tables.table import column_names

LEAST_SHARE = 0.05
SIZE = 3
MOST_VALUES_READ = 500_000_000
"""The search is cut when it has read so many values of distinct rows."""


@dataclass(frozen=True)
class Proposal:
    """The minimal quasi-identifiers of a table, by its rows.

    Parameters
    ----------
    columns
        All columns of the table.
    rows
        The number of rows.
    k
        A class with fewer rows counts as small.
    share
        A set of columns counts that singles out this share of the rows or more, one row at
        least.
    size
        How many columns a set has at most.
    quasi_identifiers
        The sets that do, and of which no part does; the most telling of each size first.
    keys
        The sets over which all rows differ, and of which no part does it.
    counted
        The number of sets that were counted.
    not_counted
        The number of sets of at most `size` columns that would have had to be counted, too, when
        the work was cut; of larger sets that follow from them nothing is known.
    """

    columns: tuple[str, ...]
    rows: int
    k: int
    share: float
    size: int
    quasi_identifiers: tuple[Exposure, ...]
    keys: tuple[Exposure, ...]
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


def propose_quasi_identifiers(
    table: Any,
    *,
    share: float | Decimal = LEAST_SHARE,
    size: int = SIZE,
    k: int = 5,
    announce: Announce = lambda _: None,
    **source: Any,
) -> Proposal:
    """Find the minimal sets of columns that single out rows of a table.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    share
        What share of the rows a set must single out, from 0 to 1; 0 asks for one row, as Model's
        Definition 2 does.
    size
        How many columns a set may have.
    k
        A class with fewer rows counts as small.
    announce
        Told how far it is.
    **source
        For a path, further fields of :class:`~lookalike.tables.read.Source`.

    Returns
    -------
    Proposal
        The sets, with figures; no value of the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"name": list("ABCD"), "sex": list("ffmm"), "zip": list("1222")})
    >>> found = propose_quasi_identifiers(people, share=0.5)
    >>> [one.attributes for one in found.quasi_identifiers], found.keys[0].attributes
    ([('name',), ('sex', 'zip')], ('name',))
    """
    if not 0 <= share <= 1:
        raise InvalidInput(f"share must lie between 0 and 1, and is {share}")
    for name, number in (("size", size), ("k", k)):
        if number < 1:
            raise InvalidInput(f"{name} must be at least 1, not {number}")
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
        quasi_identifiers=tuple(walk.ordered(walk.telling)),
        keys=tuple(walk.ordered(walk.keys)),
        counted=walk.counted,
        not_counted=walk.not_counted,
    )


class _Walk:
    """Goes through sets of columns, smaller ones first.

    Parameters
    ----------
    sequences
        The distinct rows of the table.
    names
        Its columns.
    k
        What counts as a small class.
    least
        How many rows a set must single out.
    announce
        Told how far it is.
    """

    def __init__(
        self, sequences: Sequences, names: Sequence[str], k: int, least: int, announce: Announce
    ) -> None:
        self.sequences, self.names, self.k, self.least = sequences, names, k, least
        self.announce = announce
        self.telling: dict[Subset, Exposure] = {}
        self.keys: dict[Subset, Exposure] = {}
        self.counted = self.not_counted = 0
        self.work = 0

    def run(self, size: int) -> None:
        """Count sets up to a size, as long as the work allows.

        Without any column nobody is singled out, not even in a table of one row.
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

    def count(self, subset: Subset) -> Exposure:
        """Count the classes over a set of columns."""
        self.counted += 1
        self.work += len(self.sequences) * len(subset)
        self.announce(f"set {self.counted:,}")
        sizes = self.sequences.project(subset)[1].counts
        return expose([self.names[column] for column in subset], sizes, self.k)

    def consider(self, subset: Subset, found: Exposure) -> bool:
        """Keep a set that singles out enough rows; return whether larger sets are of interest."""
        within = any(set(one) <= set(subset) for one in self.telling)
        if found.unique_rows >= self.least and not within:
            self.telling[subset] = found
        if found.rows and found.unique_rows == found.rows:
            self.keys[subset] = found
            return False
        return True

    def ordered(self, found: dict[Subset, Exposure]) -> Iterator[Exposure]:
        """Go through sets, small ones first, and the most telling first among equally small."""
        keys = sorted(found, key=lambda one: (len(one), -found[one].unique_rows, one))
        yield from (found[one] for one in keys)


def _extend(classes: dict[Subset, int], columns: int, size: int) -> Iterator[Subset]:
    """Go through the sets of a size all of whose parts are of interest."""
    for subset in classes:
        for column in range(subset[-1] + 1 if subset else 0, columns):
            larger = (*subset, column)
            if len(larger) == size and all(part in classes for part in _parts(larger)):
                yield larger


def _parts(subset: Subset) -> Iterator[Subset]:
    """Go through the sets with one column fewer."""
    return combinations(subset, len(subset) - 1)
