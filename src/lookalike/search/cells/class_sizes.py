"""Adjust the sizes of classes: merge classes that are too small, cut those too large."""

from dataclasses import replace

import numpy as np

from lookalike.kernels.types import Codes
from lookalike.search.cells.classes import Classes


def merge_entries(classes: Classes) -> Classes:
    """Renumber classes without a gap, and merge the entries of a class with the same sequence."""
    order = np.lexsort((classes.sequence, classes.class_of))
    order = order[classes.counts[order] > 0]
    class_of, sequence = classes.class_of[order], classes.sequence[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (class_of[1:] != class_of[:-1]) | (sequence[1:] != sequence[:-1])
    first = np.flatnonzero(new)
    counts = classes.counts[order]
    return Classes(
        class_of=np.unique(class_of[first], return_inverse=True)[1].astype(np.int32),
        sequence=sequence[first],
        counts=np.add.reduceat(counts, first) if len(first) else counts,
    )


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
        off = np.where(large[class_of], np.clip(k - before, 0, counts), 0)
        cut = Classes(
            np.concatenate([class_of, class_of + len(sizes)]).astype(np.int32),
            np.tile(classes.sequence[order], 2),
            np.concatenate([counts - off, off]),
        )
        classes = merge_entries(cut)
