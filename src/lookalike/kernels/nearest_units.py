"""Find the nearest units, which are sets of rows that stay together, and group them.

The cheapest group is formed first.
"""

import heapq
from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import UNREACHED, Cells, join_cost, raise_to_join
from lookalike.kernels.types import Codes, Counts, Flags

MOST_STARTS = 6
"""The number of joins with near units from which a group is grown, to keep the cheapest."""


class RowSets(NamedTuple):
    """Units: sets of rows that stay together, such as sequences or groups of sequences.

    ``shown``: one sequence of each unit.
    ``levels``: the levels at which all rows of a unit are equal, one row per unit.
    ``rows``: the number of free rows of each unit; lowered as they are taken.
    ``lends``: 1 for a unit that needs no group and lends rows to others, else 0.
    ``zones``: the zone of each unit; units of different zones are never compared.
    """

    shown: Codes
    levels: Codes
    rows: Counts
    lends: Codes
    zones: Codes
    cells: Cells


class Growth(NamedTuple):
    """What is known while groups grow; changed in place.

    ``target``: the least number of rows of a group.
    ``members``: the units of the group that grows, and in the second row those of the cheapest one.
    ``group_of``: the group of each unit; -1 if it is in none.
    ``marks``: 1 for each unit of the group that grows, else 0.
    """

    target: int
    members: Codes
    group_of: Codes
    marks: Codes


@compiled
def find_nearest(
    units: RowSets,
    order: Counts,
    window: int,
    wanted: Flags,
    near: Codes,
    distances: Counts,
    stop: Flags,
) -> None:
    """Compare units that are close in an order, and keep the nearest units of each.

    ``order``: the units in an order that puts similar ones together, zone by zone.
    ``window``: the number of following units that each unit is compared with.
    ``wanted``: the units whose nearest ones matter.
    ``near``, ``distances``: the nearest units so far, nearest first, and the cost of a row at the
    join with each, one row per unit; updated.
    ``stop``: set by another thread to end before the next unit.
    """
    for place in range(len(order)):
        if stop[0]:
            return
        one = order[place]
        for other in order[place + 1 : place + 1 + window]:
            if units.zones[one] != units.zones[other]:
                break
            if not (wanted[one] or wanted[other]):
                continue
            limit = max(distances[one, -1], distances[other, -1])
            cost = join_units(units, one, units.levels[one], other, limit)
            if cost < limit:
                _insert(near[one], distances[one], other, cost)
                _insert(near[other], distances[other], one, cost)


@compiled
def find_nearest_of(units: RowSets, chosen: Codes, near: Codes, distances: Counts) -> None:
    """Compare a few chosen units with all others of their zone, and keep the nearest of each.

    The parameters are those of :func:`find_nearest`, with one row per chosen unit.
    """
    for place in range(len(chosen)):
        one = chosen[place]
        for other in range(len(units.rows)):
            if other == one or units.zones[one] != units.zones[other]:
                continue
            limit = distances[place, -1]
            cost = join_units(units, one, units.levels[one], other, limit)
            if cost < limit:
                _insert(near[place], distances[place], other, cost)


@compiled
def join_units(units: RowSets, one: int, levels: Codes, other: int, limit: int) -> int:
    """Return the cost of a row at the join of one unit, at given levels, with another unit."""
    first, second = units.shown[one], units.shown[other]
    return join_cost(units.cells, first, levels, second, units.levels[other], limit)


@compiled
def _insert(near: Codes, distances: Counts, unit: int, cost: int) -> None:
    """Insert a unit among the nearest, unless it is there already or too far away."""
    place = len(near) - 1
    if cost >= distances[place]:
        return
    for known in range(len(near)):
        if near[known] == unit:
            return
        if distances[known] > cost:
            break
    while place > 0 and distances[place - 1] > cost:
        near[place], distances[place] = near[place - 1], distances[place - 1]
        place -= 1
    near[place], distances[place] = unit, cost


@compiled
def form_groups(
    units: RowSets, near: Codes, target: int, stop: Flags
) -> tuple[Codes, Codes, Codes, Counts]:
    """Form the cheapest group of near units repeatedly, until none is left.

    Taking units makes other groups more expensive, never cheaper. So the cost of a group is
    computed again only when it is next in the queue.

    ``units``: the units; lent rows are subtracted from their free rows.
    ``near``: the near units, nearest first and filled up with -1, one row per unit.
    ``target``: the least number of rows of a group.
    ``stop``: set by another thread to end before the next group.

    Returns
    -------
    group_of
        The group of each unit; -1 if it is in none.
    borrower, lender, lent
        The groups that borrow rows, the unit that lends them, and their number.
    """
    group_of = np.full(len(near), -1, dtype=np.int32)
    members = np.empty((2, 2 * target), dtype=np.int32)  # at 2 target rows it takes no more
    growth = Growth(target, members, group_of, np.zeros(len(near), dtype=np.int32))
    borrower, lender, lent = [np.int32(0)][:0], [np.int32(0)][:0], [np.int64(0)][:0]
    queue = [  # -1 is below every cost, so each group is grown before the first one is formed
        (np.int64(-1), np.int32(unit))
        for unit in range(len(near))
        if units.rows[unit] and not units.lends[unit]
    ]
    groups = 0
    while len(queue) and not stop[0]:
        expected, unit = heapq.heappop(queue)
        if group_of[unit] >= 0:
            continue
        cost, number = _grow_best(units, growth, int(unit), near[unit], int(expected))
        if number and cost > expected:
            heapq.heappush(queue, (np.int64(cost), unit))
        if number == 0 or cost > expected:
            continue
        number = _take_covered(units, growth, near[unit], cost, number)
        excess = -target
        for member in members[1, :number]:
            excess += units.rows[member]
        for member in members[1, :number]:
            if not units.lends[member]:
                group_of[member] = groups
                continue
            kept = max(min(units.rows[member], excess), 0)
            excess -= kept
            borrower.append(np.int32(groups))
            lender.append(np.int32(member))
            lent.append(np.int64(units.rows[member] - kept))
            units.rows[member] = kept
        groups += 1
    return group_of, np.array(borrower), np.array(lender), np.array(lent)


@compiled
def _grow_best(
    units: RowSets, growth: Growth, unit: int, near: Codes, enough: int
) -> tuple[int, int]:
    """Grow a group from a unit and each of several near units, and keep the cheapest.

    A group that costs no more than `enough` ends the search.

    Returns
    -------
    cost, number
        The cost of a row of the group, and its number of units; 0 units if no group has
        enough rows.
    """
    starts = np.empty((MOST_STARTS, units.levels.shape[1]), dtype=np.int32)
    least, most, tried = UNREACHED, 0, 0
    for start in near:
        if start < 0 or tried == MOST_STARTS or least <= enough:
            break
        if growth.group_of[start] >= 0 or units.rows[start] == 0:
            continue
        reached = starts[tried]
        reached[:] = units.levels[unit]
        _raise(units, unit, reached, start)
        known = False
        for before in range(tried):
            known |= bool(np.all(starts[before] == reached))
        if known:
            continue
        tried += 1
        growth.members[0, 0], growth.members[0, 1] = unit, start
        cost, number = _grow(units, growth, reached.copy(), near, least)
        if number:
            least, most = cost, number
            growth.members[1, :number] = growth.members[0, :number]
    return least, most


@compiled
def _raise(units: RowSets, one: int, levels: Codes, other: int) -> None:
    """Raise the levels of one unit to its join with another."""
    second = units.shown[other]
    raise_to_join(units.cells, units.shown[one], levels, second, units.levels[other])


@compiled
def _grow(
    units: RowSets, growth: Growth, reached: Codes, near: Codes, limit: int
) -> tuple[int, int]:
    """Add the near unit that costs a group least, repeatedly, until it has enough rows.

    The caller sets the first two members. The result has 0 members if the group reaches the
    limit of cost, or cannot be filled.
    """
    members, marks = growth.members[0], growth.marks
    unit, number = members[0], 2
    size = units.rows[unit] + units.rows[members[1]]
    cost = join_units(units, unit, reached, members[1], limit)
    marks[unit], marks[members[1]] = 1, 1
    while size < growth.target and cost < limit:
        best, cost = -1, limit
        for other in near:
            if other < 0:
                break
            if growth.group_of[other] >= 0 or marks[other] or units.rows[other] == 0:
                continue
            found = join_units(units, unit, reached, other, cost)
            if found < cost:
                best, cost = other, found
        if best >= 0:
            _raise(units, unit, reached, best)
            members[number], marks[best] = best, 1
            number += 1
            size += units.rows[best]
    for member in members[:number]:
        marks[member] = 0
    return (cost, number) if cost < limit else (limit, 0)


@compiled
def _take_covered(units: RowSets, growth: Growth, near: Codes, cost: int, number: int) -> int:
    """Add the near units that a group covers at no further cost.

    If these units and the group have twice the required rows, none is added, so that they can
    form a group of their own.
    """
    members = growth.members[1]
    unit, size, more = members[0], 0, number
    reached = units.levels[unit].copy()
    for member in members[:number]:
        _raise(units, unit, reached, member)
        size += units.rows[member]
    for other in near:
        if other < 0:
            break
        if growth.group_of[other] >= 0 or units.lends[other] or units.rows[other] == 0:
            continue
        if join_units(units, unit, reached, other, cost + 1) > cost or other in members[:number]:
            continue
        size += units.rows[other]
        if size >= 2 * growth.target:
            return number
        members[more] = other
        more += 1
    return more


@compiled
def join_leftovers(units: RowSets, k: int, stop: Flags) -> Codes:
    """Join each unit of fewer than k rows to the class where that costs least.

    A class that stays below 2 k rows is preferred to one that does not. A unit without a class
    to join is left unchanged, and so are all remaining units when another thread sets `stop`.

    Returns
    -------
    number
        The class that each unit joins; its own number if it joins none.
    """
    number = np.arange(len(units.rows)).astype(np.int32)
    is_class = units.rows >= k
    for unit in range(len(is_class)):
        if is_class[unit]:
            continue
        if stop[0]:
            break
        rows, best, least, fits = units.rows[unit], -1, UNREACHED, False
        for one in range(len(is_class)):
            if not is_class[one]:
                continue
            within = units.rows[one] + rows < 2 * k
            if units.zones[one] != units.zones[unit] or (fits and not within):
                continue
            before = join_units(units, one, units.levels[one], one, UNREACHED)
            after = join_units(units, one, units.levels[one], unit, UNREACHED)
            added = units.rows[one] * (after - before) + rows * after
            if added < least or (within and not fits):
                best, least, fits = one, added, within
        if best < 0:
            continue
        _raise(units, best, units.levels[best], unit)
        units.rows[best] += rows
        number[unit] = best
    return number
