"""Divide groups of sequences by one attribute more, and keep those priced at what they cost."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import DIRECT_ROOM
from lookalike.kernels.hash_table import EMPTY, find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Reals


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
    """Divide groups by what they show of an attribute; keep those that can still be tight.

    A group is tight if it has k rows and its largest values average to its cost, less a margin
    at most. What it is divided into later has no larger values and costs no less, so a group
    that is not tight needs no further look. Neither does one whose members are alike one level
    below: it is not the join of its members, and no part of it is that of its own.
    (:func:`keep_joins` finds the others that are not, once all attributes have a level.)

    Parameters
    ----------
    rows
        The sequences that are left, by falling value.
    group_of
        The group of each of them.
    paid
        What a row of each group costs in the attributes so far.
    shown
        What every sequence shows of the next attribute at a level.
    below
        What every sequence shows one level below; nothing at the lowest level.
    prices
        What a cell of each code costs at that level.
    rest
        What the attributes after it cost at the least.
    counts
        The number of rows of each sequence.
    values
        The value of a row of each.
    k
        How many rows a group must have.
    heads
        How many of the largest values are averaged, at most k.
    margin
        How far the average may lie below the cost.

    Returns
    -------
    rows, group_of, paid
        The same of the groups that are kept.
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

    They are if their members differ, in each raised attribute, one level below.

    Parameters
    ----------
    rows, group_of, paid
        The sequences, the group of each, and what a row of each group costs.
    ancestors
        By attribute, level and sequence: the code that the sequence shows there.
    levels, bottom
        The level of each attribute, and the lowest that is allowed.

    Returns
    -------
    rows, group_of, paid
        The same of the groups that are kept.
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
