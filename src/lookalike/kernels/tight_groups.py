"""Find groups of sequences whose largest values reach their cost, attribute by attribute."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Reals

DIRECT_ROOM = 8
"""The greatest number of possible keys per sequence for an array by key."""


@compiled
def divide_tight(
    rows: Codes,
    group_of: Codes,
    paid: Counts,
    shown: Codes,
    below: Codes,
    prices: Counts,
    rest: int,
    counts: Counts,
    values: Reals,
    k: int,
    heads: int,
    margin: float,
) -> tuple[Codes, Codes, Counts]:
    """Divide groups by their codes of one more attribute, and keep those that can be tight.

    A group is *tight* if it has k rows and the average of its largest values is at least its
    cost less a margin. Its later parts have no larger values and cost no less, so a group that
    is not tight can be discarded. So can a group whose members are equal one level below: it
    is not the join of its members, and no part of it is. (:func:`keep_joins` discards the
    other groups that are not joins, when all attributes have a level.)

    There are many parameters because compiled functions take arrays, not dataclasses.

    Parameters
    ----------
    rows
        The remaining sequences, by descending value.
    group_of
        The group of each sequence.
    paid
        The cost of a row of each group in the attributes so far.
    shown
        The code of every sequence in the next attribute at its level.
    below
        The code of every sequence one level below; empty at the lowest level.
    prices
        The cost of a cell with each code at that level.
    rest
        The least cost of the attributes that follow.
    counts
        The number of rows of each sequence.
    values
        The value of one row of each sequence.
    k
        The least number of rows of a group.
    heads
        How many of the largest values to average, at most k.
    margin
        How far the average may be below the cost.

    Returns
    -------
    rows, group_of, paid
        The same for the groups that are kept.
    """
    size = len(prices)
    room = len(paid) * size
    direct = room <= DIRECT_ROOM * len(rows)
    slots = np.full(room, EMPTY, dtype=np.int32) if direct else make_slots(len(rows))
    own = np.full(len(rows), -1, dtype=np.int32)
    keys = np.empty(len(rows), dtype=np.int64)
    first = np.empty(len(rows), dtype=np.int32)
    costs = np.empty(len(rows), dtype=np.int64)
    taken = np.zeros(len(rows), dtype=np.int64)
    sums = np.zeros(len(rows), dtype=np.float64)
    differ = np.full(len(rows), len(below) == 0)
    groups = 0
    for place in range(len(rows)):
        row = rows[place]
        code = shown[row]
        key = np.int64(group_of[place]) * size + code
        slot = key if direct else find_slot(slots, keys, key)
        group = slots[slot]
        if group < 0:
            cost = paid[group_of[place]] + prices[code]
            if values[row] < cost + rest - margin:
                continue
            group = groups
            slots[slot] = group
            keys[group], first[group], costs[group] = key, row, cost
            groups += 1
        own[place] = group
        sums[group] += max(0, min(counts[row], heads - taken[group])) * values[row]
        taken[group] += min(counts[row], k - taken[group])
        if not differ[group] and below[row] != below[first[group]]:
            differ[group] = True
    number = np.full(groups, -1, dtype=np.int32)
    kept = 0
    for group in range(groups):
        tight = taken[group] == k and costs[group] + rest - sums[group] / heads <= margin
        if tight and differ[group]:
            number[group] = kept
            costs[kept] = costs[group]
            kept += 1
    left = 0
    for place in range(len(rows)):
        if own[place] >= 0 and number[own[place]] >= 0:
            first[left], own[left] = rows[place], number[own[place]]
            left += 1
    return first[:left].copy(), own[:left].copy(), costs[:kept].copy()


@compiled
def keep_joins(
    rows: Codes,
    group_of: Codes,
    paid: Counts,
    ancestors: Codes,
    levels: Codes,
    bottom: Codes,
) -> tuple[Codes, Codes, Counts]:
    """Keep the groups that are the join of their members.

    A group is, if in each raised attribute its members differ one level below.

    Parameters
    ----------
    rows, group_of, paid
        The sequences, the group of each, and the cost of a row of each group.
    ancestors
        The code of each sequence, by attribute, level and sequence.
    levels, bottom
        The level of each attribute, and the lowest allowed level.

    Returns
    -------
    rows, group_of, paid
        The same for the groups that are kept.
    """
    first = np.full(len(paid), -1, dtype=np.int32)
    differ = np.zeros((len(paid), len(levels)), dtype=np.bool_)
    for place in range(len(rows)):
        group = group_of[place]
        if first[group] < 0:
            first[group] = rows[place]
        for attribute in range(len(levels)):
            level = levels[attribute]
            if level == bottom[attribute]:
                differ[group, attribute] = True
            else:
                line = ancestors[attribute, level - 1]
                differ[group, attribute] |= line[rows[place]] != line[first[group]]
    number = np.full(len(paid), -1, dtype=np.int32)
    costs = paid.copy()
    kept = 0
    for group in range(len(paid)):
        if differ[group].all():
            number[group] = kept
            costs[kept] = paid[group]
            kept += 1
    own, left = np.empty(len(rows), dtype=np.int32), 0
    members = np.empty(len(rows), dtype=np.int32)
    for place in range(len(rows)):
        if number[group_of[place]] >= 0:
            members[left], own[left] = rows[place], number[group_of[place]]
            left += 1
    return members[:left].copy(), own[:left].copy(), costs[:kept].copy()
