"""Fix the classes of a rounded solution, and assign single rows to the nearest class."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import join_cost, raise_to_join
from lookalike.kernels.lower_bound import Pool, largest
from lookalike.kernels.types import Codes, Counts, Flags, Reals


@compiled
def fix_classes(
    values: Reals,
    ceilings: Reals,
    cover: Codes,
    left: Counts,
    pool: Pool,
    candidates: Codes,
    k: int,
    quota: int,
    most_excess: float,
    entry_class: Codes,
    entry_sequence: Codes,
    entry_rows: Counts,
    classes: int,
    entries: int,
) -> tuple[int, int, int]:
    """Make a class of the k rows of largest value in each candidate group, in order.

    A fixed class takes further rows at its cost, so this cost is a ceiling for the values of all
    sequences that its group covers.

    Parameters
    ----------
    values, ceilings
        The value of one row of each sequence, and its ceiling, which is lowered.
    cover
        For each sequence, the class that takes its further rows at the ceiling; filled in.
    left
        The number of rows of each sequence that are not in a class yet; lowered.
    candidates
        The groups to try, the one with the greatest share first.
    quota
        The number of rows to fix.
    most_excess
        By how much the cost of a row may exceed its value, on average over the class.
    entry_class, entry_sequence, entry_rows
        The entries of the classes; filled in.
    classes, entries
        The number of classes and of entries so far.

    Returns
    -------
    classes, entries
        The number of classes and of entries afterwards.
    fixed
        The number of rows that were fixed.
    """
    offsets, members, costs = pool
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    fixed = 0
    for place in range(len(candidates)):
        if fixed >= quota:
            break
        group = candidates[place]
        number, rows, total = largest(
            values, left, members, offsets[group], offsets[group + 1], k, chosen, taken
        )
        if rows < k or k * costs[group] - total > most_excess * k:
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
    by_zone: Codes,
    begin: Counts,
    zones: Codes,
    sequences: Codes,
    most_added: int,
    stop: Flags,
) -> Codes:
    """Assign rows one by one to the class whose cost they raise least; return the classes.

    Parameters
    ----------
    ancestors
        The code of each sequence, by sequence, attribute and level.
    first, levels, sizes, costs
        A member of each class, its levels (one row per class), its number of rows, and the
        cost of one of them; updated as rows join.
    by_zone, begin, zones
        The classes zone by zone, where each zone begins, and the zone of each sequence; a row can
        join a class of its zone only.
    sequences
        The sequence of each row, the hardest to place first.
    most_added
        A row that raises the cost by more than this joins no class: it gets -1.
    stop
        Set by another thread to stop before the next row.
    """
    joined = np.full(len(sequences), -1, dtype=np.int32)
    for place in range(len(sequences)):
        if stop[0]:
            break
        sequence = sequences[place]
        best, best_more, best_cost = -1, most_added + 1, 0
        zone = zones[sequence]
        for one in by_zone[begin[zone] : begin[zone + 1]]:
            # From this cost on, the row adds as much as to the best class, or more.
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
