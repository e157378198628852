"""Find the nearest units, which are sets of rows that stay together."""

from typing import NamedTuple

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import join_cost
from lookalike.kernels.types import Codes, Counts, Flags


class RowSets(NamedTuple):
    """Units: sets of rows that stay together, such as sequences or groups of sequences.

    Parameters
    ----------
    shown
        One sequence of each unit.
    levels
        The levels at which all rows of a unit are equal, one row per unit.
    rows
        The number of free rows of each unit; lowered as they are taken.
    lends
        1 for a unit that needs no group and lends rows to others, else 0.
    zones
        The zone of each unit; units of different zones are never compared.
    ancestors, prices
        As for :func:`~lookalike.kernels.joins.join_cost`.
    """

    shown: Codes
    levels: Codes
    rows: Counts
    lends: Codes
    zones: Codes
    ancestors: Codes
    prices: Counts


@compiled
def find_nearest(
    units: RowSets, order: Counts, window: int, near: Codes, distances: Counts, stop: Flags
) -> None:
    """Compare units that are close in an order, and keep the nearest units of each.

    Parameters
    ----------
    units
        The units.
    order
        The units in an order that puts similar ones together, zone by zone.
    window
        The number of following units that each unit is compared with.
    near, distances
        The nearest units so far, nearest first, and the cost of a row at the join with each,
        one row per unit; updated.
    stop
        Set by another thread to end before the next unit.
    """
    for place in range(len(order)):
        if stop[0]:
            return
        one = order[place]
        for other in order[place + 1 : place + 1 + window]:
            if units.zones[one] != units.zones[other]:
                break
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
    return join_cost(
        units.ancestors,
        units.prices,
        units.shown[one],
        levels,
        units.shown[other],
        units.levels[other],
        limit,
    )


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
