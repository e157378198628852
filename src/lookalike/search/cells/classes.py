"""Hold the rows of each class, and release classes as generalized tuples."""

from dataclasses import dataclass

import numpy as np

from lookalike.kernels.joins import join_members
from lookalike.kernels.types import Codes, Counts, Flags, Levels
from lookalike.model.lattice import Vector
from lookalike.model.tuples import Tuples


@dataclass(frozen=True, eq=False)
class Classes:
    """A division of rows into classes, as entries of a class, a sequence and a number of rows.

    A sequence may have rows in several classes, and a class rows of several sequences.

    Parameters
    ----------
    class_of
        The class of each entry; classes are numbered from 0 without a gap.
    sequence
        The sequence of each entry.
    counts
        The number of rows of each entry.
    """

    class_of: Codes
    sequence: Codes
    counts: Counts

    def __len__(self) -> int:
        return int(self.class_of.max(initial=-1)) + 1

    def sizes(self) -> Counts:
        """Return the number of rows of each class."""
        return np.bincount(self.class_of, self.counts, minlength=len(self)).astype(np.int64)

    def first_sequences(self) -> Codes:
        """Return the sequence of the first entry of each class."""
        first = np.zeros(len(self), dtype=np.int32)
        first[self.class_of[::-1]] = self.sequence[::-1]
        return first

    def only(self, kept: Flags) -> "Classes":
        """Return the chosen classes, renumbered without a gap in the same order."""
        number = (np.cumsum(kept) - 1).astype(np.int32)
        entries = kept[self.class_of]
        return Classes(number[self.class_of[entries]], self.sequence[entries], self.counts[entries])


def join_levels(ancestors: Codes, classes: Classes) -> Codes:
    """Return the join of each class: the lowest levels at which its rows are equal.

    ``ancestors``: the code of each sequence, by attribute, level and sequence.
    Returns: the levels, one row per attribute, one column per class.
    """
    return join_members(ancestors, classes.class_of, classes.sequence, len(classes))


def release_classes(ancestors: Codes, classes: Classes, bottom: Vector | None = None) -> Tuples:
    """Release each class as its join; entries with the same sequence and levels become one tuple.

    ``ancestors``: the code of each sequence, by attribute, level and sequence.
    """
    levels = join_levels(ancestors, classes)[:, classes.class_of]
    if bottom is not None:
        levels = np.maximum(levels, np.array(bottom, dtype=np.int32)[:, None])
    return merge_tuples(classes.sequence, levels, classes.counts)


def merge_tuples(sequence: Codes, levels: Levels, counts: Counts) -> Tuples:
    """Return tuples in the order of their sequences; those with equal levels become one.

    ``levels``: the levels of each entry, one row per attribute.
    """
    order = np.lexsort((*levels[::-1], sequence))
    sequence, levels, counts = sequence[order], levels[:, order], counts[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (sequence[1:] != sequence[:-1]) | (levels[:, 1:] != levels[:, :-1]).any(axis=0)
    first = np.flatnonzero(new)
    return Tuples(
        sequence=sequence[first].astype(np.int32),
        levels=levels[:, first],
        counts=np.add.reduceat(counts, first) if len(first) else counts,
    )
