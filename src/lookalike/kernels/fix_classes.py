"""Fix the classes of a rounded solution, and assign single rows to the nearest class."""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import Cells, join_cost, raise_to_join
from lookalike.kernels.lower_bound import Pool, largest
from lookalike.kernels.types import Codes, Counts, Flags, Reals


class RoundedClasses(NamedTuple):
    """The classes fixed so far, and the rows that are left; changed in place.

    ``values``, ``ceilings``: the value of one row of each sequence, and its ceiling.
    ``cover``: for each sequence, the class that takes its further rows at the ceiling; -1 if none
    does.
    ``left``: the number of rows of each sequence that are not in a class yet.
    ``pool``: the groups in which classes are fixed.
    ``class_of``, ``sequence``, ``rows``: the entries of the classes.
    ``fixed``: the number of classes and of entries so far.
    """

    values: Reals
    ceilings: Reals
    cover: Codes
    left: Counts
    pool: Pool
    class_of: Codes
    sequence: Codes
    rows: Counts
    fixed: Counts


@compiled
def fix_classes(
    rounding: RoundedClasses, candidates: Codes, k: int, quota: int, most_excess: float
) -> int:
    """Make a class of the k rows of largest value in each candidate group, in order.

    A fixed class takes further rows at its cost, so this cost is a ceiling for the values of all
    sequences that its group covers. Returns the number of rows that were fixed.

    ``candidates``: the groups to try, the one with the greatest share first.
    ``quota``: the number of rows to fix.
    ``most_excess``: by how much the cost of a row may exceed its value, on average over the class.
    """
    values, ceilings, cover, left, pool, class_of, sequence, entry_rows, fixed = rounding
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    classes, entries = fixed
    begun = classes
    for group in candidates:
        if (classes - begun) * k >= quota:
            break
        cost = pool.costs[group]
        number, rows, total = largest(values, left, pool, group, k, chosen, taken)
        if rows < k or k * cost - total > most_excess * k:
            continue
        for one in range(number):
            class_of[entries], sequence[entries] = classes, chosen[one]
            entry_rows[entries] = taken[one]
            left[chosen[one]] -= taken[one]
            entries += 1
        for member in pool.members[pool.offsets[group] : pool.offsets[group + 1]]:
            if cost < ceilings[member]:
                ceilings[member], cover[member] = cost, classes
        classes += 1
    fixed[0], fixed[1] = classes, entries
    return int((classes - begun) * k)


class OpenClasses(NamedTuple):
    """Classes that rows can join; updated as they do.

    ``first``, ``levels``, ``sizes``, ``costs``: a member of each class, its levels (one row per
    class), its number of rows, and the cost of one of them.
    ``by_zone``, ``begin``: the classes zone by zone, and where each zone begins; a row can join a
    class of its zone only.
    """

    first: Codes
    levels: Codes
    sizes: Counts
    costs: Counts
    by_zone: Codes
    begin: Counts


@compiled
def join_nearest(
    cells: Cells, classes: OpenClasses, zones: Codes, sequences: Codes, most_added: int, stop: Flags
) -> Codes:
    """Assign rows one by one to the class whose cost they raise least; return the classes.

    ``zones``: the zone of each sequence.
    ``sequences``: the sequence of each row, the hardest to place first.
    ``most_added``: a row that raises the cost by more than this joins no class: it gets -1.
    ``stop``: set by another thread to stop before the next row.
    """
    first, levels, sizes, costs, by_zone, begin = classes
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
            there = join_cost(cells, first[one], levels[one], sequence, levels[one], limit)
            more = (sizes[one] + 1) * there - sizes[one] * costs[one]
            if there < limit and more < best_more:
                best, best_more, best_cost = one, more, there
        if best >= 0:
            raise_to_join(cells, first[best], levels[best], sequence, levels[best])
            sizes[best] += 1
            costs[best] = best_cost
            joined[place] = best
    return joined
