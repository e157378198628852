"""Hold the rows of each class, adjust the sizes of classes, and release them as tuples."""

from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.joins import join_members
from lookalike.kernels.types import Codes, Counts, Flags, Levels
from lookalike.model.lattice import Vector
from lookalike.model.tuples import Tuples


@dataclass(frozen=True, eq=False)
class Classes:
    """A division of rows into classes, as entries of a class, a sequence and a number of rows.

    A sequence may have rows in several classes, and a class rows of several sequences.

    ``class_of``: the class of each entry; classes are numbered from 0 without a gap.
    ``counts``: the number of rows of each entry.
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

    def extended(self, class_of: Codes, sequence: Codes, counts: Counts) -> "Classes":
        """Return the classes with further entries."""
        return Classes(
            np.concatenate([self.class_of, class_of]).astype(np.int32),
            np.concatenate([self.sequence, sequence]).astype(np.int32),
            np.concatenate([self.counts, counts]),
        )

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
    first, totals = _add_up(counts, sequence, *levels)
    return Tuples(sequence[first].astype(np.int32), levels[:, first], totals)


def merge_entries(classes: Classes) -> Classes:
    """Renumber classes without a gap, and merge the entries of a class with the same sequence."""
    used = classes.counts > 0
    class_of, sequence = classes.class_of[used], classes.sequence[used]
    first, totals = _add_up(classes.counts[used], class_of, sequence)
    number = np.unique(class_of[first], return_inverse=True)[1].astype(np.int32)
    return Classes(number, sequence[first], totals)


def _add_up(counts: Counts, *keys: Codes) -> tuple[Counts, Counts]:
    """Return the first entry of each combination of keys, in their order, and its total count."""
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    first = np.flatnonzero(new)
    return order[first], np.add.reduceat(counts[order], first) if len(first) else counts


def gather_small(classes: Classes, zones: Codes, k: int) -> Classes:
    """Merge classes of fewer than k rows with neighbours in their zone, until each has k.

    The remainder of a zone joins another class of the zone. Each zone must have k rows.
    """
    sizes = classes.sizes()
    if (sizes >= k).all():
        return classes
    first = classes.first_sequences()
    zone_of = zones[first].tolist()
    number = np.arange(len(sizes), dtype=np.int32)
    homes = {zone_of[one]: one for one in np.flatnonzero(sizes >= k).tolist()}
    open_in: dict[int, tuple[int, int]] = {}
    small = np.flatnonzero(sizes < k)
    for one in small[np.argsort(first[small], kind="stable")].tolist():
        zone = zone_of[one]
        head, rows = open_in.pop(zone, (one, 0))
        number[one], rows = head, rows + int(sizes[one])
        if rows < k:
            open_in[zone] = head, rows
        else:
            homes[zone] = head
    for zone, (head, _) in open_in.items():
        number[number == head] = homes[zone]
    return merge_entries(replace(classes, class_of=number[classes.class_of]))


def cut_large(classes: Classes, k: int) -> Classes:
    """Cut k rows off every class of 2 k or more that is not of identical rows.

    The entries with the fewest rows are cut off first. A part never costs more than the whole.
    """
    while True:
        sizes = classes.sizes()
        large = (sizes >= 2 * k) & (np.bincount(classes.class_of, minlength=len(sizes)) > 1)
        if not large.any():
            return classes
        order = np.lexsort((classes.sequence, classes.counts, classes.class_of))
        class_of, counts = classes.class_of[order], classes.counts[order]
        before = np.cumsum(counts) - counts
        before -= before[np.searchsorted(class_of, class_of)]
        off = np.where(large[class_of], np.clip(k - before, 0, counts), 0)  # the first k rows
        sequence = classes.sequence[order]
        left = Classes(class_of, sequence, counts - off)
        classes = merge_entries(left.extended(class_of + len(sizes), sequence, off))
