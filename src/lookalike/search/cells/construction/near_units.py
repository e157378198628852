"""Find the near units of each unit, by sorting the units in several orders."""

import math
from collections.abc import Iterator

import numpy as np

from lookalike.kernels.joins import UNREACHED
from lookalike.kernels.nearest_units import RowSets, find_nearest, find_nearest_of
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import stopping_at

NEAREST = 80
"""The number of near units kept for each unit."""
ORDERS = 8
"""The number of orders in which near units are searched."""
WINDOW = 100
"""The number of following units in an order that each unit is compared with."""
NEAR_SEED = 20061114
"""Seed of the orders in which the near units of chosen ones are searched: always the same."""


def find_near_units(
    units: RowSets, generator: np.random.Generator, deadline: float
) -> tuple[Codes, Counts]:
    """Find the nearest units of every unit among those that are close in one of several orders.

    A unit that is not alone in its zone has at least one near unit, unless the time is over.

    Returns: the near units, nearest first and filled up with -1, one row per unit.
    """
    near = np.full((len(units.rows), NEAREST), -1, dtype=np.int32)
    distances = np.full(near.shape, UNREACHED, dtype=np.int64)
    with stopping_at(deadline) as stop:
        for order in _orders(units, generator):
            if stop[0]:
                break
            find_nearest(units, order, WINDOW, near, distances, stop)
    return near, distances


def find_near_of(units: RowSets, chosen: Codes) -> tuple[Codes, Counts]:
    """Find the nearest units of some chosen units; among all units, if few are chosen.

    Returns: as for :func:`find_near_units`, one row per chosen unit.
    """
    if len(chosen) > ORDERS * WINDOW:
        near, distances = find_near_units(units, np.random.default_rng(NEAR_SEED), math.inf)
        return near[chosen], distances[chosen]
    near = np.full((len(chosen), NEAREST), -1, dtype=np.int32)
    distances = np.full(near.shape, UNREACHED, dtype=np.int64)
    find_nearest_of(units, chosen, near, distances)
    return near, distances


def _orders(units: RowSets, generator: np.random.Generator) -> Iterator[Counts]:
    """Yield several orders of the units in which similar units are close to each other.

    Each order sorts the units by one attribute and level, ties by another, and so on. Units that
    differ at a level cost at least the next level together, so expensive levels tend to come
    first, the upper levels of an attribute before the lower.
    """
    ancestors = units.ancestors[units.shown]
    steps = [
        (attribute, level)
        for attribute, prices in enumerate(units.prices)
        for level in range(len(prices) - 2, -1, -1)
        if prices[level] < prices[level + 1]
    ]
    for _ in range(ORDERS):
        draws: list[float] = []
        for attribute, level in steps:
            draw = float(units.prices[attribute, level + 1] * generator.random())
            above = (attribute, level + 1) in steps
            draws.append(min(draw, draws[-1]) if above else draw)
        ranked = sorted(range(len(steps)), key=lambda place: (draws[place], -place))
        keys = [ancestors[:, *steps[place]] for place in ranked]
        yield np.lexsort((*keys, units.zones))
