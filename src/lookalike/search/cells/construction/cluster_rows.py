"""Cluster the most similar rows into classes; for large k, also clusters of clusters."""

import math
from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.nearest_groups import form_groups, join_leftovers
from lookalike.kernels.nearest_units import RowSets
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import is_over, stopping_at
from lookalike.search.cells.class_sizes import cut_large, gather_small, merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.ground_sequences import GroundSequences
from lookalike.search.cells.construction.near_units import NEAREST, find_near_units

STEP = 16
"""The number of units that are grouped at once; for larger k, groups are grouped again."""
SEED = 19980818
"""Seed of the random orders, which are the same in every run."""


@dataclass(frozen=True, eq=False)
class _Pool:
    """The groups so far, and the number of rows that each sequence can still lend."""

    groups: Classes
    spare: Counts


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


def _units(ground: GroundSequences, groups: Classes, rows: Counts, lenders: Codes) -> RowSets:
    """Return groups and lending sequences as units."""
    shown = np.concatenate([groups.first_sequences(), lenders]).astype(np.int32)
    floors = np.broadcast_to(ground.bottom, (len(lenders), len(ground.bottom)))
    return RowSets(
        shown=shown,
        levels=np.vstack([ground.joins(groups), floors]).astype(np.int32),
        rows=np.concatenate([groups.sizes(), rows]),
        lends=np.repeat(np.array([0, 1], dtype=np.int32), [len(groups), len(lenders)]),
        zones=ground.zones[shown],
        ancestors=ground.ancestors,
        prices=ground.prices,
    )


def _find_near(
    ground: GroundSequences,
    pool: _Pool,
    target: int,
    generator: np.random.Generator,
    deadline: float,
) -> tuple[RowSets, Codes]:
    """Find the nearest units of every group that is too small, and of lending sequences."""
    lenders = np.flatnonzero(pool.spare).astype(np.int32)
    units = _units(
        ground, pool.groups.only(pool.groups.sizes() < target), pool.spare[lenders], lenders
    )
    return units, find_near_units(units, generator, deadline)[0]


def _group(pool: _Pool, units: RowSets, near: Codes, target: int, deadline: float) -> _Pool:
    """Form groups of units, with rows that others lend."""
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
    return _Pool(merge_entries(merged), spare)


def _with_lenders(ground: GroundSequences, pool: _Pool, k: int) -> Classes:
    """Return the groups as classes, and each sequence with k rows as a class by itself."""
    lenders = np.flatnonzero(ground.counts >= k)
    groups = pool.groups
    return Classes(
        np.concatenate([groups.class_of, len(groups) + np.arange(len(lenders))]).astype(np.int32),
        np.concatenate([groups.sequence, lenders]).astype(np.int32),
        np.concatenate([groups.counts, k + pool.spare[lenders]]),
    )


def _join_leftovers(ground: GroundSequences, classes: Classes, k: int, deadline: float) -> Classes:
    """Join groups of fewer than k rows to the classes where that costs least."""
    none = np.zeros(0, dtype=np.int32)
    units = _units(ground, classes, none.astype(np.int64), none)
    with stopping_at(deadline) as stop:
        number = join_leftovers(units, k, stop)
    return merge_entries(replace(classes, class_of=number[classes.class_of]))
