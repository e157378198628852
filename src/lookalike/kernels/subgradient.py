"""Raise the values of rows up to the limits of their groups, by a subgradient method."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Reals


@compiled
def largest(
    values: Reals,
    counts: Counts,
    members: Codes,
    begin: int,
    end: int,
    k: int,
    chosen: Codes,
    taken: Counts,
) -> tuple[int, int, float]:
    """Choose the k rows of largest value among the members of a group.

    The function fills `chosen`, the chosen members by descending value, and `taken`, the number
    of rows of each.

    Returns
    -------
    number
        The number of chosen members.
    rows
        The number of their rows, at most k.
    total
        The sum of the values of these rows.
    """
    number = 0
    rows = 0
    for entry in range(begin, end):
        member = members[entry]
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
    total = 0.0
    for place in range(number):
        total += values[chosen[place]] * taken[place]
    return number, rows, total


@compiled
def measure_slack(
    values: Reals, counts: Counts, offsets: Counts, members: Codes, costs: Reals, k: int
) -> Reals:
    """Return the cost of each group less the average of its k largest values.

    The slack of a group with fewer than k rows is infinite.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    slack = np.empty(len(costs), dtype=np.float64)
    for group in range(len(costs)):
        _, rows, total = largest(
            values, counts, members, offsets[group], offsets[group + 1], k, chosen, taken
        )
        slack[group] = costs[group] - total / k if rows == k else np.inf
    return slack


@compiled
def climb(
    values: Reals,
    ceilings: Reals,
    counts: Counts,
    offsets: Counts,
    members: Codes,
    costs: Reals,
    active: Codes,
    k: int,
    step: float,
    passes: int,
) -> Reals:
    """Raise all values by a step and push them back within each group, repeatedly.

    This is an incremental subgradient method: a step along the gradient of the bound, then
    projections onto the constraints of the groups, one by one. The amount that a group pushed
    back, divided by the steps made, is the share of a class that a fractional optimum opens in
    the group. There are many parameters because compiled functions take arrays, not
    dataclasses.

    Parameters
    ----------
    values
        The value of a row of each sequence; changed in place.
    ceilings
        The greatest allowed value of each sequence.
    counts
        The number of rows of each sequence.
    offsets, members
        The members of each group.
    costs
        The cost of a row of each group.
    active
        The groups to consider.
    k
        The number of rows of a class.
    step
        The amount by which all values rise in each pass.
    passes
        The number of passes.

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
            number, rows, total = largest(
                values, counts, members, offsets[group], offsets[group + 1], k, chosen, taken
            )
            excess = total - k * costs[group]
            if rows < k or excess <= 0:
                continue
            norm = 0.0
            for one in range(number):
                norm += taken[one] * taken[one] / counts[chosen[one]]
            push = excess / norm
            shares[place] += push / (step * passes)
            for one in range(number):
                values[chosen[one]] -= push * taken[one] / counts[chosen[one]]
    return shares


@compiled
def push_down(
    values: Reals, counts: Counts, offsets: Counts, members: Codes, costs: Reals, k: int
) -> None:
    """Lower whole values until no group's k largest sum to more than k times its cost.

    Lowering a value never violates another group, so one pass over the groups is enough. The
    values are whole numbers that floating point holds exactly.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    for group in range(len(costs)):
        while True:
            number, rows, total = largest(
                values, counts, members, offsets[group], offsets[group + 1], k, chosen, taken
            )
            if rows < k or total <= k * costs[group]:
                break
            lower = np.ceil((total - k * costs[group]) / k)
            for place in range(number):
                values[chosen[place]] -= lower
