"""ClassValues: how often each value of a sensitive column occurs in each class."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.class_values import DENSE_CELLS, gather_dense, gather_entries
from lookalike.kernels.types import Codes, Counts, Flags, Reals


@dataclass(frozen=True, eq=False)
class ClassValues(Discreet):
    """How often each value of a sensitive column occurs in each class.

    ``starts``: the first entry of each class, and the number of entries: those of class c are
    ``starts[c]:starts[c + 1]``.
    ``values``: the value of each entry, ascending within a class.
    ``counts``: the rows of each entry, at least 1.
    ``reference``: the rows of each value in all eligible rows.
    """

    starts: Counts
    values: Codes
    counts: Counts
    reference: Counts

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Counts:
        """The number of rows of each class."""
        before = np.concatenate([[0], np.cumsum(self.counts)])
        return np.diff(before[self.starts])

    @cached_property
    def shares(self) -> Reals:
        """The share of each value in all eligible rows."""
        return share_out(self.reference)


def share_out(reference: Counts) -> Reals:
    """Return the share of each value.

    Examples
    --------
    >>> share_out(np.array([3, 1])).tolist()
    [0.75, 0.25]
    """
    return reference / max(1, int(reference.sum()))


def count_values(
    class_of: Codes,
    values: Codes,
    counts: Counts,
    classes: int,
    reference: Counts,
    chosen: Flags | None = None,
) -> ClassValues:
    """Count the values of each class from entries in any order.

    ``class_of``: the class of each entry, numbered from 0.
    ``chosen``: marks the classes that are counted; by default all.

    Examples
    --------
    >>> class_of, values = np.array([[1, 0, 1], [1, 0, 1]], dtype=np.int32)
    >>> counted = count_values(class_of, values, np.array([2, 1, 3]), 2, np.array([1, 5]))
    >>> counted.starts.tolist(), counted.values.tolist(), counted.counts.tolist()
    ([0, 1, 2], [0, 1], [1, 5])
    """
    counted = np.ones(classes, dtype=np.bool_) if chosen is None else chosen
    few = int(np.count_nonzero(counted)) * len(reference) <= DENSE_CELLS * len(counts)
    gather = gather_dense if few else gather_entries
    merged = gather(class_of, values, counts, counted, len(reference))
    return ClassValues(*merged, reference=reference)
