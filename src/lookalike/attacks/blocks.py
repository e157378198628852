"""Blocks: which nodes of two releases are compatible, without a list of the pairs.

Nodes whose values are at the same levels, a pattern, are compared with those of another pattern
at the higher of both levels, attribute by attribute. There, compatible is equal. So whatever is
equal there is a *block*: each of its nodes on the left is compatible with each on the right.
Pairs of nodes are never listed, only which nodes are in which block.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.attacks.ladder import Ladder
from lookalike.attacks.nodes import Nodes
from lookalike.hierarchy.bound import Codes
from lookalike.kernels import group_sequences


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


def find_blocks(left: Nodes, right: Nodes, ladders: Sequence[Ladder]) -> Blocks:
    """Find the blocks of compatible nodes of two releases."""
    ours, theirs = _divide(left, ladders), _divide(right, ladders)
    found: list[tuple[Codes, Codes, Codes, Codes]] = []
    number = 0
    for pattern, nodes in ours:
        for other, opposite in theirs:
            block_of = _compare(left, nodes, right, opposite, ladders, np.maximum(pattern, other))
            shared, one, two = _match(block_of[: len(nodes)], block_of[len(nodes) :])
            in_one, in_two = one >= 0, two >= 0
            blocks = one[in_one] + np.int32(number), two[in_two] + np.int32(number)
            found.append((nodes[in_one], blocks[0], opposite[in_two], blocks[1]))
            number += shared
    none = np.zeros(0, dtype=np.int32)
    ends = [np.concatenate([none, *(part[place] for part in found)]) for place in range(4)]
    return Blocks(ends[0], ends[1], ends[2], ends[3], number)


def _divide(nodes: Nodes, ladders: Sequence[Ladder]) -> list[tuple[Codes, Codes]]:
    """Divide nodes by their pattern: the level of each column."""
    levels = np.zeros((len(ladders), len(nodes)), dtype=np.int32)
    for line, ladder in enumerate(ladders):
        levels[line] = ladder.levels[nodes.entries[line]]
    patterns, place = np.unique(levels, axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable").astype(np.int32)
    starts = np.searchsorted(place[order], np.arange(patterns.shape[1]))
    return list(zip(patterns.T, np.split(order, starts)[1:], strict=True))


def _compare(
    left: Nodes,
    ours: Codes,
    right: Nodes,
    theirs: Codes,
    ladders: Sequence[Ladder],
    levels: Codes,
) -> Codes:
    """Number what nodes of both sides are at some levels, alike where they are equal."""
    entries = np.concatenate([left.entries[:, ours], right.entries[:, theirs]], axis=1)
    lifts = [ladder.lifts[level] for ladder, level in zip(ladders, levels, strict=True)]
    sizes = [ladder.sizes[level] for ladder, level in zip(ladders, levels, strict=True)]
    return group_sequences(entries, lifts, sizes, np.ones(entries.shape[1], dtype=np.int64))[0]


def _match(ours: Codes, theirs: Codes) -> tuple[int, Codes, Codes]:
    """Renumber the groups that occur on both sides; -1 marks the others."""
    size = max(ours.max(initial=-1), theirs.max(initial=-1)) + 1
    both = np.zeros((2, size), dtype=bool)
    both[0, ours], both[1, theirs] = True, True
    shared = both.all(axis=0)
    renumbered = np.where(shared, np.cumsum(shared) - 1, -1).astype(np.int32)
    return int(shared.sum()), renumbered[ours], renumbered[theirs]
