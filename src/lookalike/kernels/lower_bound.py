"""The lower bound: find the groups that limit the values of rows, and raise these values."""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Flags, Reals

DIRECT_ROOM = 8
"""The greatest number of possible keys per sequence for an array by key."""


class Pool(NamedTuple):
    """Groups: generalized tuples that are the join of the sequences that they cover.

    ``offsets``: where the members of each group begin, and the end of the last.
    ``members``: the sequences that each group covers.
    ``costs``: the cost of a row that is released as the group's tuple.
    """

    offsets: Counts
    members: Codes
    costs: Counts

    def groups_of(self, sequences: int, rank: Reals) -> tuple[Counts, Codes]:
        """Return where the groups of each sequence begin, and these groups by rising rank."""
        group = np.repeat(np.arange(len(self.costs), dtype=np.int32), np.diff(self.offsets))
        order = np.lexsort((rank[group], self.members))
        begin = np.zeros(sequences + 1, dtype=np.int64)
        begin[1:] = np.cumsum(np.bincount(self.members, minlength=sequences))
        return begin, group[order]

    def count_members(self, groups: Codes) -> int:
        """Return the number of members of some groups together."""
        return int((self.offsets[groups + 1] - self.offsets[groups]).sum())

    def take(self, groups: Counts) -> "Pool":
        """Return the chosen groups, in the given order."""
        entries, offsets = gather_lists(self.offsets, groups)
        return Pool(offsets, self.members[entries], self.costs[groups])


def gather_lists(starts: Counts, chosen: Codes | Counts) -> tuple[Counts, Counts]:
    """Return the entries of chosen lists, one list after the other, and where each begins.

    Examples
    --------
    >>> entries, begins = gather_lists(np.array([0, 2, 5]), np.array([1, 0]))
    >>> entries.tolist(), begins.tolist()
    ([2, 3, 4, 0, 1], [0, 3, 5])
    """
    lengths = np.diff(starts)[chosen]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    return np.arange(begins[-1]) + np.repeat(starts[chosen] - begins[:-1], lengths), begins


PartialGroups = tuple[Codes, Codes, Counts]
"""Groups of sequences that are equal in the first attributes, at given levels: the sequences by
descending value, the group of each, and the cost of a row of each group in these attributes.
"""
Tightness = tuple[Counts, Reals, int, int, float]
"""When a group can hold values back: the number of rows of each sequence, the value of one of them,
k, how many of the largest values to average (at most k), and how far the average may be below the
cost of the group. A plain tuple, because the compiled code takes it up quickest.
"""


@compiled
def largest(
    values: Reals, counts: Counts, pool: Pool, group: int, k: int, chosen: Codes, taken: Counts
) -> tuple[int, int, float]:
    """Choose the k rows of largest value among the members of a group.

    The function fills `chosen`, the chosen members by descending value, and `taken`, the number
    of rows of each. There are k of them at most, and one more while it is inserted.

    Returns
    -------
    rows
        The number of their rows, at most k.
    total
        The sum of the values of these rows.
    """
    number = 0
    rows = 0
    for member in pool.members[pool.offsets[group] : pool.offsets[group + 1]]:
        if counts[member] == 0:
            continue
        value = values[member]
        if rows >= k and value <= values[chosen[number - 1]]:
            continue
        place = number
        while place > 0 and values[chosen[place - 1]] < value:
            chosen[place] = chosen[place - 1]
            taken[place] = taken[place - 1]
            place -= 1
        chosen[place] = member
        taken[place] = counts[member]
        number += 1
        rows += counts[member]
        while rows - taken[number - 1] >= k:
            number -= 1
            rows -= taken[number]
    if rows > k:
        taken[number - 1] -= rows - k
        rows = k
    total = values.dtype.type(0)  # exact for whole numbers
    for place in range(number):
        total += values[chosen[place]] * taken[place]
    return number, rows, total


@compiled
def measure_slack(values: Reals, counts: Counts, pool: Pool, k: int) -> Reals:
    """Return the cost of each group less the average of its k largest values.

    The slack of a group with fewer than k rows is infinite.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    slack = np.empty(len(pool.costs), dtype=np.float64)
    for group in range(len(pool.costs)):
        _, rows, total = largest(values, counts, pool, group, k, chosen, taken)
        slack[group] = pool.costs[group] - total / k if rows == k else np.inf
    return slack


@compiled
def climb(
    values: Reals,
    ceilings: Reals,
    counts: Counts,
    pool: Pool,
    active: Codes,
    k: int,
    step: float,
    passes: int,
) -> Reals:
    """Raise all values by a step and push them back within each group, repeatedly.

    This is an incremental subgradient method: a step along the gradient of the bound, then
    projections onto the constraints of the groups, one by one. The amount that a group pushed
    back, divided by the steps made, is the share of a class that a fractional optimum opens in
    the group.

    ``values``: the value of a row of each sequence; changed in place.
    ``ceilings``: the greatest allowed value of each sequence.
    ``active``: the groups to consider.
    ``step``: the amount by which all values rise in each pass.

    Returns
    -------
    shares
        For each active group, the number of classes that a fractional optimum opens there.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    shares = np.zeros(len(active), dtype=np.float64)
    for _ in range(passes):
        for sequence in range(len(values)):
            values[sequence] = min(values[sequence] + step, ceilings[sequence])
        for place in range(len(active)):
            group = active[place]
            number, rows, total = largest(values, counts, pool, group, k, chosen, taken)
            excess = total - k * pool.costs[group]
            if rows < k or excess <= 0:
                continue
            # Project onto the constraint: of all values within it, those at the least distance
            # in the norm that weighs each sequence by its rows.
            norm = 0.0
            for one in range(number):
                norm += taken[one] * taken[one] / counts[chosen[one]]
            push = excess / norm
            shares[place] += push / (step * passes)
            for one in range(number):
                values[chosen[one]] -= push * taken[one] / counts[chosen[one]]
    return shares


@compiled
def push_down(values: Reals, counts: Counts, pool: Pool, k: int) -> None:
    """Lower whole values until no group's k largest sum to more than k times its cost.

    Lowering a value never violates another group, so one pass over the groups is enough. Values
    and costs are integers, or whole numbers that floating point holds exactly.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    for group in range(len(pool.costs)):
        while True:
            number, rows, total = largest(values, counts, pool, group, k, chosen, taken)
            if rows < k or total <= k * pool.costs[group]:
                break
            lower = -((k * pool.costs[group] - total) // k)
            for place in range(number):
                values[chosen[place]] -= lower


@compiled
def divide_tight(
    groups: PartialGroups, shown: Codes, below: Codes, prices: Counts, rest: int, limits: Tightness
) -> PartialGroups:
    """Divide groups by their codes of one more attribute, and keep those that can be tight.

    A group is *tight* if it has k rows and the average of its largest values is at least its
    cost less a margin. Its later parts have no larger values and cost no less, so a group that
    is not tight can be discarded. So can a group whose members are equal one level below: it
    is not the join of its members, and no part of it is. (:func:`keep_joins` discards the
    other groups that are not joins, when all attributes have a level.)

    ``shown``: the code of every sequence in the next attribute at its level.
    ``below``: the code of every sequence one level below; empty at the lowest level.
    ``prices``: the cost of a cell with each code at that level.
    ``rest``: the least cost of the attributes that follow.
    """
    rows, group_of, paid = groups
    counts, values, k, heads, margin = limits
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
    found = 0
    for place in range(len(rows)):
        row = rows[place]
        code = shown[row]
        key = np.int64(group_of[place]) * size + code
        slot = key if direct else find_slot(slots, keys, key)
        group = slots[slot]
        if group < 0:
            cost = paid[group_of[place]] + prices[code]
            if values[row] < cost + rest - margin:
                continue  # the first row of a group has its largest value, so no average reaches it
            group = found
            slots[slot] = group
            keys[group], first[group], costs[group] = key, row, cost
            found += 1
        own[place] = group
        sums[group] += max(0, min(counts[row], heads - taken[group])) * values[row]
        taken[group] += min(counts[row], k - taken[group])
        if not differ[group] and below[row] != below[first[group]]:
            differ[group] = True
    for group in range(found):
        tight = taken[group] == k and costs[group] + rest - sums[group] / heads <= margin
        differ[group] = differ[group] and tight
    return _keep(rows, own, costs, differ[:found])


@compiled
def _keep(rows: Codes, group_of: Codes, paid: Counts, wanted: Flags) -> PartialGroups:
    """Return the wanted groups; rows of group -1 are in none."""
    number = np.full(len(wanted), -1, dtype=np.int32)
    costs = np.empty(len(wanted), dtype=np.int64)
    kept = 0
    for group in range(len(wanted)):
        if wanted[group]:
            number[group], costs[kept] = kept, paid[group]
            kept += 1
    members, own = np.empty(len(rows), dtype=np.int32), np.empty(len(rows), dtype=np.int32)
    left = 0
    for place in range(len(rows)):
        if group_of[place] >= 0 and number[group_of[place]] >= 0:
            members[left], own[left] = rows[place], number[group_of[place]]
            left += 1
    return members[:left].copy(), own[:left].copy(), costs[:kept].copy()


@compiled
def keep_joins(
    groups: PartialGroups, ancestors: Codes, levels: Codes, bottom: Codes
) -> PartialGroups:
    """Keep the groups that are the join of their members.

    A group is, if in each raised attribute its members differ one level below.

    ``ancestors``: the code of each sequence, by attribute, level and sequence.
    ``levels``, ``bottom``: the level of each attribute, and the lowest allowed level.
    """
    rows, group_of, paid = groups
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
    joins = np.ones(len(paid), dtype=np.bool_)
    for group in range(len(paid)):
        # by hand: numba loads scipy's linear algebra with the code of `all`
        for attribute in range(len(levels)):
            joins[group] &= differ[group, attribute]
    return _keep(rows, group_of, paid, joins)
