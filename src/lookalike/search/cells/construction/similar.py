"""Classes of the most similar rows: clusters, and clusters of clusters, then improved."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.joins import UNREACHED
from lookalike.kernels.similar import Units, find_nearest, form_groups, join_leftovers
from lookalike.kernels.swaps import Board, exchange, set_up
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import is_over, stopping_at
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.search.cells.classes import Classes, join_levels
from lookalike.search.cells.costs import Costs
from lookalike.search.cells.sizes import cut_large, gather, tidy

NEAREST = 80
"""How many near units each one knows."""
ORDERS = 8
"""In how many orders near units are looked for."""
WINDOW = 100
"""With how many units that follow it in an order each one is compared."""
STEP = 16
"""How many units are grouped at once; where k is larger, groups are grouped again."""
PASSES = 40
"""How often the classes are improved at most; they are stable long before."""
ROOM = 1000
"""Room for further entries while rows move, beside a quarter of those that there are."""
SEED = 19980818
"""Of the orders, which are drawn at random, but the same ones each time."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The sequences at the least levels that are allowed, and what cells cost from there.

    Parameters
    ----------
    counts
        The rows of each sequence.
    zones
        Sequences may be alike only within a zone: there they are, at the greatest levels.
    ancestors
        By sequence, attribute and level: the code that the sequence shows there, negative if
        it is written as the suppressed value.
    prices
        By attribute and level: what a cell costs.
    suppressed
        What a suppressed row costs.
    bottom
        The least levels.
    """

    counts: Counts
    zones: Codes
    ancestors: Codes
    prices: Counts
    suppressed: int
    bottom: Codes

    def joins(self, classes: Classes) -> Codes:
        """Return the join of each class, one line a class."""
        levels = join_levels(self.ancestors.transpose(1, 2, 0), classes)
        return np.maximum(levels.T, self.bottom)


def lay_out(frequency: FrequencyList, costs: Costs, lattice: Lattice) -> tuple[Codes, Ground]:
    """Take the sequences at the bottom of a lattice.

    Returns
    -------
    lower
        For each sequence of the frequency list, the one that it is at the bottom.
    ground
        The sequences there.
    """
    everywhere = range(len(frequency.hierarchies))
    lower = frequency.class_of(lattice.bottom, everywhere)
    first = np.unique(lower, return_index=True)[1]
    ancestors = costs.ancestors
    if costs.hidden is not None:
        ancestors = np.where(costs.hidden, -1 - ancestors, ancestors)
    return lower, Ground(
        counts=np.bincount(lower, frequency.counts).astype(np.int64),
        zones=frequency.class_of(lattice.top, everywhere)[first],
        ancestors=np.ascontiguousarray(ancestors[:, :, first].transpose(2, 0, 1)),
        prices=costs.steps,
        suppressed=costs.suppressed,
        bottom=np.array(lattice.bottom, dtype=np.int32),
    )


@dataclass(frozen=True, eq=False)
class _Pool:
    """The groups so far, and how many rows of each sequence are left to lend."""

    groups: Classes
    spare: Counts


def cluster(ground: Ground, k: int, deadline: float = math.inf) -> tuple[Classes, Codes]:
    """Group the rows of the most similar sequences into classes of at least k.

    A sequence with k rows is a class by itself, at no cost, and lends what it has above k. The
    others are grouped, in steps if k is large: clusters first, and then clusters of clusters.
    Rows of a zone that are left over, always fewer than k, join the class where that costs
    least. Every zone must have k rows, or none. At the deadline the rows that are in no class
    yet are put together in the order of their sequences.

    Returns
    -------
    classes
        The classes.
    near
        For each sequence others that are near, nearest first; -1 after the last.
    """
    small = np.flatnonzero((ground.counts > 0) & (ground.counts < k)).astype(np.int32)
    groups = Classes(np.arange(len(small), dtype=np.int32), small, ground.counts[small])
    pool = _Pool(groups, np.maximum(ground.counts - k, 0))
    near = np.full((len(ground.counts), NEAREST), -1, dtype=np.int32)
    generator = np.random.default_rng(SEED)
    for target in _targets(k):
        growing = True
        while growing and (pool.groups.sizes() < target).any() and not is_over(deadline):
            units, found = _find_near(ground, pool, target, generator, deadline)
            if not near.any(where=near >= 0):
                near[units.shown] = np.where(found < 0, -1, units.shown[found])
            grown = _group(pool, units, found, target, deadline)
            growing = len(grown.groups) < len(pool.groups)
            pool = grown
    classes = _join_leftovers(ground, _with_lenders(ground, pool, k), k, deadline)
    return cut_large(gather(classes, ground.zones, k), k), near


def _targets(k: int) -> list[int]:
    """Return the sizes that groups reach one after the other, the last being k.

    Examples
    --------
    >>> _targets(5), _targets(100), _targets(1000)
    ([5], [7, 100], [4, 63, 1000])
    """
    targets = [k]
    while targets[0] > STEP:
        targets.insert(0, -(-targets[0] // STEP))
    return targets


def _units(ground: Ground, groups: Classes, rows: Counts, lenders: Codes) -> Units:
    """Return groups, and sequences that lend, as units."""
    first = np.unique(groups.class_of, return_index=True)[1]
    shown = np.concatenate([groups.sequence[first], lenders]).astype(np.int32)
    floors = np.broadcast_to(ground.bottom, (len(lenders), len(ground.bottom)))
    return Units(
        shown=shown,
        levels=np.vstack([ground.joins(groups), floors]).astype(np.int32),
        rows=np.concatenate([groups.sizes(), rows]),
        lends=np.repeat(np.array([0, 1], dtype=np.int32), [len(first), len(lenders)]),
        zones=ground.zones[shown],
        ancestors=ground.ancestors,
        prices=ground.prices,
    )


def _find_near(
    ground: Ground, pool: _Pool, target: int, generator: np.random.Generator, deadline: float
) -> tuple[Units, Codes]:
    """Find the nearest units of every group that is too small, and of those that lend."""
    lenders = np.flatnonzero(pool.spare).astype(np.int32)
    units = _units(
        ground, _choose(pool.groups, pool.groups.sizes() < target), pool.spare[lenders], lenders
    )
    near = np.full((len(units.rows), NEAREST), -1, dtype=np.int32)
    distances = np.full(near.shape, UNREACHED, dtype=np.int64)
    with stopping_at(deadline) as stop:
        for order in _orders(units, generator):
            if stop[0]:
                break
            find_nearest(units, order, WINDOW, near, distances, stop)
    return units, near


def _choose(classes: Classes, chosen: Flags) -> Classes:
    """Keep some classes, numbered anew in their order."""
    kept = chosen[classes.class_of]
    number = np.cumsum(chosen, dtype=np.int32) - 1
    return Classes(
        number[classes.class_of[kept]].astype(np.int32),
        classes.sequence[kept],
        classes.counts[kept],
    )


def _orders(units: Units, generator: np.random.Generator) -> Iterator[Counts]:
    """Order the units by what they show, several times, so that like ones come together.

    Each order divides the units by one attribute and level, the parts by another, and so on.
    Whoever is parted by a level costs at least a step above it, so dear levels tend to come
    first, the upper ones of an attribute before the lower.
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


def _group(pool: _Pool, units: Units, near: Codes, target: int, deadline: float) -> _Pool:
    """Let units form groups, with what others lend."""
    groups, sizes = pool.groups, pool.groups.sizes()
    with stopping_at(deadline) as stop:
        group_of, borrower, lender, lent = form_groups(units, near, target, stop)
    joined = np.flatnonzero(sizes < target)
    number = np.arange(len(sizes))
    grouped = group_of[: len(joined)] >= 0
    number[joined[grouped]] = len(sizes) + group_of[: len(joined)][grouped]
    spare = pool.spare.copy()
    np.subtract.at(spare, units.shown[lender], lent)
    merged = Classes(
        np.concatenate([number[groups.class_of], len(sizes) + borrower]).astype(np.int32),
        np.concatenate([groups.sequence, units.shown[lender]]),
        np.concatenate([groups.counts, lent]),
    )
    return _Pool(tidy(merged), spare)


def _with_lenders(ground: Ground, pool: _Pool, k: int) -> Classes:
    """Return the groups, and each sequence with k rows as a class by itself."""
    lenders = np.flatnonzero(ground.counts >= k)
    groups = pool.groups
    return Classes(
        np.concatenate([groups.class_of, len(groups) + np.arange(len(lenders))]).astype(np.int32),
        np.concatenate([groups.sequence, lenders]).astype(np.int32),
        np.concatenate([groups.counts, k + pool.spare[lenders]]),
    )


def _join_leftovers(ground: Ground, classes: Classes, k: int, deadline: float) -> Classes:
    """Let groups of fewer than k rows join the classes where that costs least."""
    none = np.zeros(0, dtype=np.int32)
    units = _units(ground, classes, none.astype(np.int64), none)
    with stopping_at(deadline) as stop:
        number = join_leftovers(units, k, stop)
    return tidy(replace(classes, class_of=number[classes.class_of]))


def improve(
    ground: Ground, classes: Classes, near: Codes, k: int, deadline: float = math.inf
) -> Classes:
    """Move and swap rows between near classes while that lowers the total cost, in time."""
    board = lay_board(ground, classes)
    with stopping_at(deadline) as stop:
        exchange(board, near, k, PASSES, stop)
    return read_board(board)


def lay_board(ground: Ground, classes: Classes) -> Board:
    """Lay classes out, with what they cost, and with room for entries that are divided."""
    used, attributes = len(classes.counts), len(ground.bottom)
    entries = used + used // 4 + ROOM
    room = entries - used
    unused = np.concatenate([np.arange(used, entries), np.zeros(used), [room]]).astype(np.int32)
    board = Board(
        class_of=np.concatenate([classes.class_of, np.full(room, -1)]).astype(np.int32),
        sequence=np.concatenate([classes.sequence, np.zeros(room)]).astype(np.int32),
        rows=np.concatenate([classes.counts, np.zeros(room)]).astype(np.int64),
        follows=np.full(entries, -1, dtype=np.int32),
        rest_of=np.full(entries, -1, dtype=np.int32),
        rest=np.zeros((entries, attributes), dtype=np.int32),
        rest_cost=np.zeros(entries, dtype=np.int64),
        head=np.full(len(classes), -1, dtype=np.int32),
        sizes=np.zeros(len(classes), dtype=np.int64),
        levels=np.zeros((len(classes), attributes), dtype=np.int32),
        cost=np.zeros(len(classes), dtype=np.int64),
        where=np.full(len(ground.counts), -1, dtype=np.int32),
        unused=unused,
        bottom=ground.bottom,
        ancestors=ground.ancestors,
        prices=ground.prices,
    )
    set_up(board)
    return board


def read_board(board: Board) -> Classes:
    """Return the classes of a board."""
    used = board.class_of >= 0
    return tidy(Classes(board.class_of[used], board.sequence[used], board.rows[used]))


def take_apart(classes: Classes, lower: Codes, counts: Counts) -> Classes:
    """Return classes of sequences that were alike at the bottom as classes of these themselves.

    Parameters
    ----------
    classes
        The classes; rows that are in none stay in none.
    lower
        For each sequence, the one of the classes' sequences that it is at the bottom.
    counts
        The rows of each sequence.
    """
    total = np.bincount(lower, counts).astype(np.int64)
    rest = total - np.bincount(classes.sequence, classes.counts, minlength=len(total))
    sequence = np.concatenate([classes.sequence, np.arange(len(total))])
    order = np.argsort(sequence, kind="stable")
    ends = np.cumsum(np.concatenate([classes.counts, rest.astype(np.int64)])[order])
    parts = np.argsort(lower, kind="stable")
    part_ends = np.cumsum(counts[parts])
    stops = np.union1d(ends, part_ends)
    stops = stops[stops > 0]
    entry = order[np.searchsorted(ends, stops)]
    kept = entry < len(classes.counts)
    return Classes(
        class_of=classes.class_of[entry[kept]],
        sequence=parts[np.searchsorted(part_ends, stops)][kept].astype(np.int32),
        counts=np.diff(stops, prepend=0)[kept],
    )
