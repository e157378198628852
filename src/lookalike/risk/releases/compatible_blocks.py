"""Blocks: which nodes of two releases are compatible, without a list of the pairs.

Nodes whose values are at the same levels, a pattern, are compared with those of another pattern
at the higher of both levels, attribute by attribute. There, compatible is equal. So whatever is
equal there is a *block*: each of its nodes on the left is compatible with each on the right.
Pairs of nodes are never listed, only which nodes are in which block.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.blocks import join_patterns
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.label_levels import LabelLevels


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which nodes are in which block; two nodes are together in one block at most.

    Parameters
    ----------
    left, left_block
        The nodes on the left that are in a block, and the block.
    right, right_block
        The same on the right.
    number
        How many blocks there are.
    """

    left: Codes
    left_block: Codes
    right: Codes
    right_block: Codes
    number: int


def find_blocks(left: Nodes, right: Nodes, ladders: Sequence[LabelLevels]) -> Blocks:
    """Find the blocks of compatible nodes of two releases."""
    our_levels, our_starts, ours = _divide(left, ladders)
    their_levels, their_starts, theirs = _divide(right, ladders)
    lifts, offsets = _stack(ladders)
    one, two, number = join_patterns(
        left.entries[:, ours],
        our_starts,
        our_levels,
        right.entries[:, theirs],
        their_starts,
        their_levels,
        lifts,
        offsets,
    )
    return Blocks(ours[one[0]], one[1], theirs[two[0]], two[1], number)


def _divide(nodes: Nodes, ladders: Sequence[LabelLevels]) -> tuple[Codes, Counts, Codes]:
    """Divide nodes by their pattern, the level of each column.

    Returns
    -------
    patterns
        By pattern and column: the level.
    starts
        Where each pattern begins in `order`, and the end.
    order
        The nodes, those of a pattern together.
    """
    levels = np.zeros((len(ladders), len(nodes)), dtype=np.int32)
    for line, ladder in enumerate(ladders):
        levels[line] = ladder.levels[nodes.entries[line]]
    patterns, place = np.unique(levels, axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable").astype(np.int32)
    starts = np.searchsorted(place[order], np.arange(patterns.shape[1] + 1))
    return np.ascontiguousarray(patterns.T), starts.astype(np.int64), order


def _stack(ladders: Sequence[LabelLevels]) -> tuple[Codes, Counts]:
    """Put the lifts of all ladders one after the other; return where each level begins."""
    highest = max((len(ladder.sizes) for ladder in ladders), default=0)
    offsets = np.zeros((len(ladders), highest), dtype=np.int64)
    parts, end = [np.zeros(0, dtype=np.int32)], 0
    for line, ladder in enumerate(ladders):
        steps, entries = ladder.lifts.shape
        offsets[line, :steps] = end + entries * np.arange(steps)
        parts.append(ladder.lifts.ravel())
        end += steps * entries
    return np.concatenate(parts), offsets
