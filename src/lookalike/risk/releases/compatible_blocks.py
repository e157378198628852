"""Find which nodes of two releases are compatible, as blocks instead of pairs.

The *pattern* of a node is the level of each of its values. Nodes of one pattern are compared with
nodes of another at the higher of both levels, column by column; compatible nodes are equal there.
Nodes that are equal there form a *block*: each of its nodes on the left is compatible with each on
the right. The program stores which nodes are in which block and never lists the pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.compatible_blocks import join_patterns
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.label_levels import LabelLevels


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which nodes are in which block; two nodes share at most one block.

    Parameters
    ----------
    left, left_block
        The nodes of the left release that are in a block, and the number of the block.
    right, right_block
        The same for the right release.
    number
        The number of blocks.
    """

    left: Codes
    left_block: Codes
    right: Codes
    right_block: Codes
    number: int


def find_blocks(left: Nodes, right: Nodes, columns: Sequence[LabelLevels]) -> Blocks:
    """Find the blocks of compatible nodes of two releases."""
    our_levels, our_starts, ours = _divide(left, columns)
    their_levels, their_starts, theirs = _divide(right, columns)
    lifts, offsets = _stack(columns)
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


def _divide(nodes: Nodes, columns: Sequence[LabelLevels]) -> tuple[Codes, Counts, Codes]:
    """Sort nodes by their pattern, the level of each column."""
    levels = np.zeros((len(columns), len(nodes)), dtype=np.int32)
    for line, column in enumerate(columns):
        levels[line] = column.levels[nodes.entries[line]]
    patterns, place = np.unique(levels, axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable").astype(np.int32)
    starts = np.searchsorted(place[order], np.arange(patterns.shape[1] + 1))
    return np.ascontiguousarray(patterns.T), starts.astype(np.int64), order


def _stack(columns: Sequence[LabelLevels]) -> tuple[Codes, Counts]:
    """Concatenate the lifts of all columns; return them and where each level begins."""
    highest = max((len(column.sizes) for column in columns), default=0)
    offsets = np.zeros((len(columns), highest), dtype=np.int64)
    parts, end = [np.zeros(0, dtype=np.int32)], 0
    for line, column in enumerate(columns):
        steps, entries = column.lifts.shape
        offsets[line, :steps] = end + entries * np.arange(steps)
        parts.append(column.lifts.ravel())
        end += steps * entries
    return np.concatenate(parts), offsets
