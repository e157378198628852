"""Round a fractional solution: fix the classes that it opens most surely."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import join_cost, raise_to_join
from lookalike.kernels.subgradient import largest
from lookalike.kernels.types import Codes, Counts, Flags, Reals


@compiled
def fix_classes(
    values: Reals,
    ceilings: Reals,
    cover: Codes,
    left: Counts,
    offsets: Counts,
    members: Codes,
    costs: Reals,
    candidates: Codes,
    k: int,
    quota: int,
    dearest: float,
    entry_class: Codes,
    entry_sequence: Codes,
    entry_rows: Counts,
    classes: int,
    entries: int,
) -> tuple[int, int, int]:
    """Make classes of the k rows of largest value in each candidate group, in order.

    A fixed class takes further rows at its cost, so that is a ceiling for all that it covers.

    Parameters
    ----------
    values, ceilings
        The value of a row of each sequence, and what it may not exceed; the latter is lowered.
    cover
        For each sequence, the class that takes further rows of it at the ceiling; filled.
    left
        How many rows of each sequence are not in a class yet; lowered.
    offsets, members, costs
        The members of each group, and what a row of it costs.
    candidates
        The groups to try, the surest first.
    k
        How many rows a class has.
    quota
        How many rows to fix.
    dearest
        By how much a class may cost more than its rows' values, for each row.
    entry_class, entry_sequence, entry_rows
        The entries of the classes; filled.
    classes, entries
        How many there are.

    Returns
    -------
    classes, entries
        How many there are afterwards.
    fixed
        How many rows were fixed.
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    fixed = 0
    for place in range(len(candidates)):
        if fixed >= quota:
            break
        group = candidates[place]
        number, rows, total = largest(
            values, left, members, offsets[group], offsets[group + 1], k, chosen, taken
        )
        if rows < k or k * costs[group] - total > dearest * k:
            continue
        for one in range(number):
            entry_class[entries] = classes
            entry_sequence[entries] = chosen[one]
            entry_rows[entries] = taken[one]
            left[chosen[one]] -= taken[one]
            entries += 1
        for entry in range(offsets[group], offsets[group + 1]):
            if costs[group] < ceilings[members[entry]]:
                ceilings[members[entry]] = costs[group]
                cover[members[entry]] = classes
        classes += 1
        fixed += k
    return classes, entries, fixed


@compiled
def join_nearest(
    ancestors: Codes,
    steps: Counts,
    first: Codes,
    levels: Codes,
    sizes: Counts,
    costs: Counts,
    sequences: Codes,
    dearest: int,
    stop: Flags,
) -> Codes:
    """Put rows one by one into the class that they cost least more; return the classes.

    Parameters
    ----------
    ancestors
        By sequence, attribute and level: the code that the sequence shows there.
    steps
        By attribute and level: what a cell costs.
    first, levels, sizes, costs
        A member of each class, its levels (one line a class), its rows, and what each of
        them costs; changed as rows join.
    sequences
        The sequence of each row, the hardest to place first.
    dearest
        A row that costs more than that joins no class: it gets -1.
    stop
        Set from outside to stop before the next row.
    """
    joined = np.full(len(sequences), -1, dtype=np.int32)
    for place in range(len(sequences)):
        if stop[0]:
            break
        sequence = sequences[place]
        best, best_more, best_cost = -1, dearest + 1, 0
        for one in range(len(first)):
            limit = (best_more + sizes[one] * costs[one]) // (sizes[one] + 1) + 1
            there = join_cost(
                ancestors, steps, first[one], levels[one], sequence, levels[one], limit
            )
            more = (sizes[one] + 1) * there - sizes[one] * costs[one]
            if there < limit and more < best_more:
                best, best_more, best_cost = one, more, there
        if best >= 0:
            raise_to_join(ancestors, first[best], levels[best], sequence, levels[best])
            sizes[best] += 1
            costs[best] = best_cost
            joined[place] = best
    return joined
