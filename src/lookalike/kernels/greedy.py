"""One look at a vector: what is the cheapest group of each sequence, and which can be closed."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import Counts, Integers


@compiled
def look(
    keys: Counts,
    counts: Counts,
    costs: Counts,
    least: int,
    k: int,
    cheapest: Counts,
    class_of: Integers,
    classes: int,
) -> int:
    """Group equal keys; note the cheapest groups of k rows, and close those with k free rows.

    Only groups of a sequence that is free, or may get cheaper, are built.

    Parameters
    ----------
    keys
        The key of each sequence at the vector.
    counts
        The number of rows of each.
    costs
        What a row of each sequence's group costs, or one number for all.
    least
        The least of these.
    k
        How many rows a class must have.
    cheapest
        For each sequence, what the cheapest group of at least k rows costs; changed in place.
    class_of
        For each sequence its class, or -1 while it is free; changed in place.
    classes
        The number of classes so far.

    Returns
    -------
    classes
        The number of classes afterwards.
    """
    many = len(costs) > 1
    needy = 0
    for sequence in range(len(keys)):
        if class_of[sequence] < 0 or cheapest[sequence] > least:
            needy += 1
    if needy == 0:
        return classes
    capacity = 16
    while capacity < 2 * needy:
        capacity *= 2
    slots = np.full(capacity, -1, dtype=np.int32)
    first = np.empty(needy, dtype=np.int32)
    rows = np.zeros(needy, dtype=np.int64)
    free = np.zeros(needy, dtype=np.int64)
    group_of = np.full(len(keys), -1, dtype=np.int32)
    groups = 0
    for turn in range(2):
        for sequence in range(len(keys)):
            wants = class_of[sequence] < 0 or cheapest[sequence] > least
            if wants != (turn == 0):
                continue
            key = keys[sequence]
            mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(32)
            slot = np.int64(mixed & np.uint64(capacity - 1))
            while slots[slot] >= 0 and keys[first[slots[slot]]] != key:
                slot = (slot + 1) & (capacity - 1)
            if slots[slot] < 0:
                if turn == 1:
                    continue
                slots[slot] = groups
                first[groups] = sequence
                groups += 1
            group = slots[slot]
            group_of[sequence] = group
            rows[group] += counts[sequence]
            if class_of[sequence] < 0:
                free[group] += counts[sequence]
    number = np.full(groups, -1, dtype=np.int32)
    for sequence in range(len(keys)):
        group = group_of[sequence]
        if group < 0 or rows[group] < k:
            continue
        cheapest[sequence] = min(cheapest[sequence], costs[sequence if many else 0])
        if class_of[sequence] < 0 and free[group] >= k:
            if number[group] < 0:
                number[group] = classes
                classes += 1
            class_of[sequence] = number[group]
    return classes
