"""Cluster the most similar rows into classes; for large k, also clusters of clusters.

Sequences are reduced to the lowest allowed levels first, and restored afterwards.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.joins import UNREACHED, Cells
from lookalike.kernels.nearest_units import (
    RowSets,
    find_nearest,
    find_nearest_of,
    form_groups,
    join_leftovers,
)
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import is_over, stopping_at
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.search.cells.classes import (
    Classes,
    cut_large,
    gather_small,
    join_levels,
    merge_entries,
)
from lookalike.search.cells.costs import Costs

STEP = 16
"""The number of units that are grouped at once; for larger k, groups are grouped again."""
SEED = 19980818
"""Seed of the random orders, which are the same in every run."""
NEAREST = 80
"""The number of near units kept for each unit."""
ORDERS = 8
"""The number of orders in which near units are searched."""
WINDOW = 100
"""The number of following units in an order that each unit is compared with."""
EVERY = slice(None)
"""The choice of all units."""
NEAR_SEED = 20061114
"""Seed of the orders in which the near units of chosen ones are searched: always the same."""
NOBODY, NOTHING = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
"""No lending sequences, and what they lend."""


@dataclass(frozen=True, eq=False)
class GroundSequences:
    """The sequences at the lowest allowed levels, and the costs of their cells.

    ``counts``: the number of rows of each sequence.
    ``zones``: the zone of each sequence. Sequences of a zone are equal at the highest allowed
    levels; only they can be in one class.
    ``suppressed``: the cost of a suppressed row.
    """

    counts: Counts
    zones: Codes
    cells: Cells
    suppressed: int

    def units(self, classes: Classes, lenders: Codes = NOBODY, lent: Counts = NOTHING) -> RowSets:
        """Return classes and sequences that lend rows as units."""
        ancestors, _, bottom = self.cells
        shown = np.full(len(classes), len(self.counts), dtype=np.int32)
        np.minimum.at(shown, classes.class_of, classes.sequence)
        shown = np.concatenate([shown, lenders])
        joins = np.ascontiguousarray(join_levels(ancestors.transpose(1, 2, 0), classes).T)
        return RowSets(
            shown=shown,
            levels=np.maximum(np.pad(joins, ((0, len(lenders)), (0, 0))), bottom),
            rows=np.concatenate([classes.sizes(), lent]),
            lends=np.repeat(np.array([0, 1], dtype=np.int32), [len(classes), len(lenders)]),
            zones=self.zones[shown],
            cells=self.cells,
        )


def lay_out_ground(
    frequency: FrequencyList, costs: Costs, lattice: Lattice
) -> tuple[Codes, GroundSequences]:
    """Reduce sequences to the bottom of a lattice."""
    everywhere = range(len(frequency.hierarchies))
    lower = frequency.class_of(lattice.bottom, everywhere)
    first = np.unique(lower, return_index=True)[1]
    return lower, GroundSequences(
        counts=np.bincount(lower, frequency.counts).astype(np.int64),
        zones=frequency.class_of(lattice.top, everywhere)[first],
        cells=Cells(costs.numbered[first], costs.prices, np.array(lattice.bottom, np.int32)),
        suppressed=costs.suppressed,
    )


def split_into_sequences(classes: Classes, lower: Codes, counts: Counts) -> Classes:
    """Return classes of ground sequences as classes of the sequences of the frequency list."""
    total = np.bincount(lower, counts).astype(np.int64)
    rest = total - np.bincount(classes.sequence, classes.counts, minlength=len(total))
    sequence = np.concatenate([classes.sequence, np.arange(len(total))])
    order = np.argsort(sequence, kind="stable")
    ends = np.cumsum(np.concatenate([classes.counts, rest.astype(np.int64)])[order])
    parts = np.argsort(lower, kind="stable")
    part_ends = np.cumsum(counts[parts])
    # Entries and parts list the same rows, ground sequence by ground sequence: between two stops
    # lie rows of one entry and of one part.
    stops = np.union1d(ends, part_ends)
    stops = stops[stops > 0]
    entry = order[np.searchsorted(ends, stops)]
    kept = entry < len(classes.counts)
    return Classes(
        class_of=classes.class_of[entry[kept]],
        sequence=parts[np.searchsorted(part_ends, stops)][kept].astype(np.int32),
        counts=np.diff(stops, prepend=0)[kept],
    )


def cluster_rows(
    ground: GroundSequences, k: int, deadline: float = math.inf
) -> tuple[Classes, Codes]:
    """Group the rows of the most similar sequences into classes of at least k.

    A sequence with k rows is a class by itself, at no cost, and lends its rows above k. The
    others are grouped, in steps if k is large: clusters first, then clusters of clusters. The
    leftover rows of a zone, always fewer than k, join the class where that costs least. Every
    zone must have k rows, or none. At the deadline, rows without a class are merged into
    classes in the order of their sequences.
    """
    small = np.flatnonzero((ground.counts > 0) & (ground.counts < k)).astype(np.int32)
    groups = Classes(np.arange(len(small), dtype=np.int32), small, ground.counts[small])
    spare = np.maximum(ground.counts - k, 0)
    near = np.full((len(ground.counts), NEAREST), -1, dtype=np.int32)
    generator = np.random.default_rng(SEED)
    for target in _targets(k):
        growing = True
        while growing and (groups.sizes() < target).any() and not is_over(deadline):
            lenders = np.flatnonzero(spare).astype(np.int32)
            loose = groups.only(groups.sizes() < target)
            units = ground.units(loose, lenders, spare[lenders])
            found = find_near_units(units, generator, deadline)[0]
            if not near.any(where=near >= 0):
                near[units.shown] = np.where(found < 0, -1, units.shown[found])
            grown, spare = _group(groups, spare, units, found, target, deadline)
            growing = len(grown) < len(groups)
            groups = grown
    large = np.flatnonzero(ground.counts >= k)
    whole = groups.extended(len(groups) + np.arange(len(large)), large, k + spare[large])
    with stopping_at(deadline) as stop:
        number = join_leftovers(ground.units(whole), k, stop)
    classes = merge_entries(replace(whole, class_of=number[whole.class_of]))
    return cut_large(gather_small(classes, ground.zones, k), k), near


def _targets(k: int) -> list[int]:
    """Return the target sizes of the groups in each step; the last is k.

    Examples
    --------
    >>> _targets(5), _targets(100), _targets(1000)
    ([5], [7, 100], [4, 63, 1000])
    """
    targets = [k]
    while targets[0] > STEP:
        targets.insert(0, -(-targets[0] // STEP))
    return targets


def _group(
    groups: Classes, spare: Counts, units: RowSets, near: Codes, target: int, deadline: float
) -> tuple[Classes, Counts]:
    """Form groups of units, with rows that others lend; return also what these can still lend."""
    sizes = groups.sizes()
    with stopping_at(deadline) as stop:
        group_of, borrower, lender, lent = form_groups(units, near, target, stop)
    joined = np.flatnonzero(sizes < target)
    number = np.arange(len(sizes), dtype=np.int32)
    grouped = group_of[: len(joined)] >= 0
    number[joined[grouped]] = len(sizes) + group_of[: len(joined)][grouped]
    spare = spare.copy()
    np.subtract.at(spare, units.shown[lender], lent)
    merged = replace(groups, class_of=number[groups.class_of])
    return merge_entries(merged.extended(len(sizes) + borrower, units.shown[lender], lent)), spare


def find_near_units(
    units: RowSets,
    generator: np.random.Generator,
    deadline: float = math.inf,
    chosen: Codes | slice = EVERY,
) -> tuple[Codes, Counts]:
    """Find the nearest units of chosen units among those that are close in one of several orders.

    A unit that is not alone in its zone has at least one near unit, unless the time is over.

    Returns: the near units, nearest first and filled up with -1, one row per chosen unit.
    """
    wanted = np.zeros(len(units.rows), dtype=np.bool_)
    wanted[chosen] = True
    near = np.full((len(units.rows), NEAREST), -1, dtype=np.int32)
    distances = np.full(near.shape, UNREACHED, dtype=np.int64)
    with stopping_at(deadline) as stop:
        for order in _orders(units, generator):
            if stop[0]:
                break
            find_nearest(units, order, WINDOW, wanted, near, distances, stop)
    return near[chosen], distances[chosen]


def find_near_of(units: RowSets, chosen: Codes) -> tuple[Codes, Counts]:
    """Find the nearest units of some chosen units; among all units, if few are chosen.

    Returns: as for :func:`find_near_units`, one row per chosen unit.
    """
    if len(chosen) > ORDERS * WINDOW:
        return find_near_units(units, np.random.default_rng(NEAR_SEED), chosen=chosen)
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
    ancestors = units.cells.ancestors[units.shown]
    all_prices = units.cells.prices[ancestors].mean(axis=0)
    steps = [
        (attribute, level)
        for attribute, prices in enumerate(all_prices)
        for level in range(len(prices) - 2, -1, -1)
        if prices[level] < prices[level + 1]
    ]
    for _ in range(ORDERS):
        draws: list[float] = []
        for attribute, level in steps:
            draw = float(all_prices[attribute, level + 1] * generator.random())
            above = (attribute, level + 1) in steps
            draws.append(min(draw, draws[-1]) if above else draw)
        ranked = sorted(range(len(steps)), key=lambda place: (draws[place], -place))
        keys = [ancestors[:, *steps[place]] for place in ranked]
        yield np.lexsort((*keys, units.zones))
