"""Grow the merge tree of a lottery: near classes first, from the quasi-identifier alone."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.near_units import find_near_of
from lookalike.search.cells.satisfy.merge_failing import rank_partners
from lookalike.search.cells.satisfy.rows_beside import RowsBeside

TREE_LEVELS = 4
"""The most levels of a tree above its classes."""
PAIRINGS = 2
"""How often nodes are paired for one level, so that a node has up to four children."""


def grow_tree(rows: RowsBeside, classes: Classes) -> Iterator[Codes]:
    """Yield, level by level, the parent of each node; the lowest nodes are the classes.

    Nodes are paired with near ones, the cheapest unions first, twice for each level. Costs follow
    from the quasi-identifier alone. A node without a partner is the only child of its parent.
    """
    for _ in range(TREE_LEVELS):
        number = np.arange(len(classes), dtype=np.int32)
        for _ in range(PAIRINGS):
            pair_of = _pair_nodes(rows, classes)
            number = pair_of[number]
            classes = replace(classes, class_of=pair_of[classes.class_of])
        if len(classes) == len(number):
            return
        yield number


def _pair_nodes(rows: RowsBeside, nodes: Classes) -> Codes:
    """Number the pairs of near nodes, and the nodes without a partner after them."""
    units = rows.units(nodes)
    everything = np.arange(len(nodes), dtype=np.int32)
    near, cost = rank_partners(units, everything, *find_near_of(units, everything))
    first, choice = np.nonzero(near >= 0)
    return _number_pairs(len(nodes), first, near[first, choice], cost[first, choice])


def _number_pairs(nodes: int, first: Counts, second: Codes, cost: Counts) -> Codes:
    """Number the cheapest pairs, in which each node takes part once, and then the other nodes."""
    pair_of, pairs = np.full(nodes, -1, dtype=np.int32), 0
    for place in np.lexsort((second, first, cost)).tolist():
        one, other = int(first[place]), int(second[place])
        if pair_of[one] < 0 and pair_of[other] < 0:
            pair_of[[one, other]] = pairs
            pairs += 1
    alone = pair_of < 0
    pair_of[alone] = pairs + np.arange(alone.sum())
    return pair_of
