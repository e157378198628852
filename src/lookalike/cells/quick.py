"""A release that is found quickly: cheapest groups first, leftovers where they cost least."""

import numpy as np

from lookalike.cells.classes import Classes
from lookalike.cells.closed import Groups
from lookalike.cells.columns import cost_classes, join_within
from lookalike.cells.costs import Costs
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Lattice, Vector


def split_at_top(ancestors: Codes, top: Vector) -> Codes:
    """Number the sequences that are alike at the top: only they can be in one class."""
    shown = np.array([codes[level] for codes, level in zip(ancestors, top, strict=True)])
    part_of: Codes = np.unique(shown, axis=1, return_inverse=True)[1].astype(np.int32).ravel()
    return part_of


def gather(part_of: Codes, counts: Counts, k: int) -> Classes:
    """Return the parts that have at least k rows as classes."""
    sizes = np.bincount(part_of, counts)
    number = np.cumsum(sizes >= k) - 1
    kept = np.flatnonzero((sizes[part_of] >= k) & (counts > 0)).astype(np.int32)
    return Classes(number[part_of[kept]].astype(np.int32), kept, counts[kept])


def close_cheapest(
    groups: Groups, counts: Counts, values: Counts, costs: Costs, lattice: Lattice, k: int
) -> Classes:
    """Close the groups with k rows left, the cheapest first, most valuable rows together.

    Rows that are left join the class that gets dearer least by them. What can be in no class
    of k rows stays without.
    """
    left = counts.copy()
    classes: list[Codes] = []
    for group in range(len(groups)):
        members = groups.members[groups.start[group] : groups.start[group + 1]]
        number = int(left[members].sum()) // k
        if number:
            members = members[np.argsort(-values[members], kind="stable")]
            rows = np.repeat(members, left[members])[: number * k]
            np.subtract.at(left, rows, 1)
            classes += np.split(rows, number)
    class_of = np.repeat(np.arange(len(classes), dtype=np.int32), k)
    sequence = np.concatenate([np.zeros(0, dtype=np.int32), *classes])
    closed = Classes(class_of, sequence, np.ones(len(sequence), dtype=np.int64))
    for row in np.repeat(np.arange(len(counts)), left).tolist():
        closed = _place(closed, row, costs, lattice)
    return closed


def _place(classes: Classes, row: int, costs: Costs, lattice: Lattice) -> Classes:
    """Put a row into the class that gets dearer least, if any may hold it."""
    each = np.arange(len(classes), dtype=np.int32)
    ones = np.ones(len(classes), dtype=np.int64)
    extended = Classes(
        np.concatenate([classes.class_of, each]),
        np.concatenate([classes.sequence, np.full(len(classes), row, dtype=np.int32)]),
        np.concatenate([classes.counts, ones]),
    )
    before = cost_classes(classes, costs, lattice) * classes.sizes()
    dearer = cost_classes(extended, costs, lattice) * extended.sizes() - before
    top = np.array(lattice.top)[:, None]
    allowed = np.flatnonzero((join_within(extended, costs, lattice) <= top).all(axis=0))
    if not len(allowed):
        return classes
    chosen = allowed[np.argmin(dearer[allowed])]
    return Classes(
        np.append(classes.class_of, each[chosen]),
        np.append(classes.sequence, np.int32(row)),
        np.append(classes.counts, 1),
    )
