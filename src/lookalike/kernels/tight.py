"""Find the groups of sequences, alike at a vector, whose members are priced at what they cost."""

import numpy as np
import numpy.typing as npt

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import Counts, Integers

Values = npt.NDArray[np.float64]


@compiled
def find_tight(
    keys: Counts, counts: Counts, values: Values, k: int, costs: Counts, margin: float
) -> tuple[Integers, Integers, Values]:
    """Group equal keys and find the groups whose k largest values average to about their cost.

    Sequences come by falling value, so the first k rows of a group are its largest. A group
    can be tight only if its first value reaches its cost, less the margin; no other is built.

    Parameters
    ----------
    keys
        The key of each sequence, by falling value.
    counts
        The number of rows of each.
    values
        The value of a row of each, falling.
    k
        How many rows a group must have.
    costs
        What a row of each sequence's group costs, or one number for all.
    margin
        How far the average may lie below the cost.

    Returns
    -------
    group_of
        For each sequence, its group, or -1 if that is not tight.
    first
        For each tight group, its first sequence.
    slack
        For each tight group, its cost less the average of its k largest values.
    """
    many = len(costs) > 1
    hard = 0
    while hard < len(keys) and values[hard] >= costs[hard if many else 0] - margin:
        hard += 1
    if many:
        hard = len(keys)
    capacity = 16
    while capacity < 2 * hard:
        capacity *= 2
    slots = np.full(capacity, -1, dtype=np.int32)
    group_of = np.full(len(keys), -1, dtype=np.int32)
    first = np.empty(hard, dtype=np.int32)
    taken = np.zeros(hard, dtype=np.int64)
    sums = np.zeros(hard, dtype=np.float64)
    groups = 0
    for place in range(len(keys)):
        key = keys[place]
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        slot = np.int64(mixed & np.uint64(capacity - 1))
        while slots[slot] >= 0 and keys[first[slots[slot]]] != key:
            slot = (slot + 1) & (capacity - 1)
        if slots[slot] < 0:
            if place >= hard:
                continue
            slots[slot] = groups
            first[groups] = place
            groups += 1
        group = slots[slot]
        group_of[place] = group
        rows = min(counts[place], k - taken[group])
        taken[group] += rows
        sums[group] += rows * values[place]
    number = np.full(groups, -1, dtype=np.int32)
    kept = 0
    slack = np.empty(groups, dtype=np.float64)
    for group in range(groups):
        cost = costs[first[group] if many else 0]
        rest = cost - sums[group] / k
        if taken[group] == k and rest <= margin:
            number[group] = kept
            first[kept] = first[group]
            slack[kept] = rest
            kept += 1
    for place in range(len(keys)):
        if group_of[place] >= 0:
            group_of[place] = number[group_of[place]]
    return group_of, first[:kept].copy(), slack[:kept].copy()


@compiled
def gather(
    group_of: Integers, first: Integers, order: Integers, below: Integers
) -> tuple[Integers, Integers]:
    """List the members of each group that is the join of its members.

    It is their join if they differ, in each raised attribute, one level below.

    Parameters
    ----------
    group_of
        For each sequence, by falling value, its group or -1.
    first
        For each group, its first sequence, by falling value.
    order
        The sequences by falling value.
    below
        One line a raised attribute: what every sequence shows one level below.

    Returns
    -------
    sizes
        For each group the number of its members; 0 if it is not their join.
    members
        The members of the groups that are joins, group by group, by falling value.
    """
    differ = np.zeros((len(first), len(below)), dtype=np.bool_)
    sizes = np.zeros(len(first), dtype=np.int32)
    for place in range(len(group_of)):
        group = group_of[place]
        if group >= 0:
            sizes[group] += 1
            for attribute in range(len(below)):
                if below[attribute, order[place]] != below[attribute, order[first[group]]]:
                    differ[group, attribute] = True
    total = 0
    begin = np.empty(len(first), dtype=np.int64)
    for group in range(len(first)):
        for attribute in range(len(below)):
            if not differ[group, attribute]:
                sizes[group] = 0
        begin[group] = total
        total += sizes[group]
    members = np.empty(total, dtype=np.int32)
    for place in range(len(group_of)):
        group = group_of[place]
        if group >= 0 and sizes[group]:
            members[begin[group]] = order[place]
            begin[group] += 1
    return sizes, members
