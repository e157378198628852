"""One step of the greedy: close the groups at a vector that have enough free rows."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import Counts, Integers


@compiled
def close_groups(
    keys: Counts, free: Integers, counts: Counts, k: int, class_of: Integers, classes: int
) -> int:
    """Make a class of every group of equal keys that has k rows; return how many classes there are.

    Parameters
    ----------
    keys
        The key at the vector of each free sequence.
    free
        The free sequences.
    counts
        The number of rows of every sequence.
    k
        How many rows a class must have.
    class_of
        For every sequence its class, or -1 while it is free; changed in place.
    classes
        The number of classes so far.
    """
    capacity = 16
    while capacity < 2 * len(keys):
        capacity *= 2
    slots = np.full(capacity, -1, dtype=np.int32)
    group_of = np.empty(len(keys), dtype=np.int32)
    first = np.empty(len(keys), dtype=np.int32)
    rows = np.zeros(len(keys), dtype=np.int64)
    groups = 0
    for place in range(len(keys)):
        key = keys[place]
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        slot = np.int64(mixed & np.uint64(capacity - 1))
        while slots[slot] >= 0 and keys[first[slots[slot]]] != key:
            slot = (slot + 1) & (capacity - 1)
        if slots[slot] < 0:
            slots[slot] = groups
            first[groups] = place
            groups += 1
        group_of[place] = slots[slot]
        rows[slots[slot]] += counts[free[place]]
    number = np.full(groups, -1, dtype=np.int32)
    for place in range(len(keys)):
        group = group_of[place]
        if rows[group] >= k:
            if number[group] < 0:
                number[group] = classes
                classes += 1
            class_of[free[place]] = number[group]
    return classes
