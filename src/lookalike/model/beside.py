"""Beside: columns beside the quasi-identifier whose values a requirement counts in each class.

A frequency list that holds such a column has a sequence for every combination of quasi-identifier
values and values of the column. So a class is still a number of whole sequences, and what the
rows of a class have in the column is known exactly.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts

SINGLE = 0
"""The code that all persons share who have one row each: they need not be distinguished."""


@dataclass(frozen=True, eq=False)
class Beside(Discreet):
    """A column beside the quasi-identifier.

    ``codes``: the code of its value in each sequence of the list.
    """

    column: str
    codes: Codes

    @property
    def size(self) -> int:
        """The number of codes."""
        return int(self.codes.max(initial=-1)) + 1

    def taken(self, chosen: npt.NDArray[np.integer[Any]]) -> Self:
        """Return the column for the chosen sequences."""
        return replace(self, codes=self.codes[chosen])


@dataclass(frozen=True, eq=False)
class Persons(Beside):
    """The column that says which rows belong to the same person.

    Persons with one row in the table have the code :data:`SINGLE`, so that their rows can be
    counted together.
    """

    most_rows: int = 1

    def count(self, class_of: Codes, counts: Counts, classes: int) -> Counts:
        """Count the distinct persons of each class."""
        single = self.codes == SINGLE
        persons = np.bincount(class_of[single], counts[single], classes).astype(np.int64)
        several = np.flatnonzero(~single & (counts > 0))
        pairs = np.stack([class_of[several], self.codes[several]])
        first = group_equal(pairs, [classes, self.size], counts[several])[1]
        return persons + np.bincount(class_of[several[first]], minlength=classes)

    def lacking(self, class_of: Codes, counts: Counts, sizes: Counts, k: int) -> Codes:
        """Return the classes of at least k rows that have fewer than k persons.

        A class with `most_rows` times k rows has k persons for certain, so few classes are counted.
        """
        doubtful = (sizes >= k) & (sizes <= (k - 1) * self.most_rows)
        number = np.cumsum(doubtful) - 1
        chosen = np.flatnonzero(doubtful[class_of])
        some = self.taken(chosen)
        persons = some.count(
            number[class_of[chosen]].astype(np.int32), counts[chosen], int(doubtful.sum())
        )
        return np.flatnonzero(doubtful)[persons < k].astype(np.int32)


def number_persons(column: str, positions: Codes, counts: Counts) -> Persons:
    """Number the persons who have several rows; all others share one code.

    Examples
    --------
    >>> ann, bob = 0, 1
    >>> visits = number_persons("person", np.array([ann, bob, ann]), np.array([1, 1, 1]))
    >>> visits.codes.tolist(), visits.count(np.zeros(3, dtype=np.int32), np.ones(3), 1).tolist()
    ([1, 0, 1], [2])
    """
    rows = np.bincount(positions, counts).astype(np.int64)
    numbers = np.where(rows > 1, np.cumsum(rows > 1), SINGLE).astype(np.int32)
    return Persons(column, numbers[positions], most_rows=int(rows.max(initial=1)))


@dataclass(frozen=True, eq=False)
class Sensitive(Beside):
    """A sensitive column with protections; its codes are in the order of its values.

    ``reference``: the number of rows with each code in the whole private table.
    ``levels``: the code of each value's ancestor at every level, if the column has a hierarchy.
    """

    reference: Counts
    levels: Codes
