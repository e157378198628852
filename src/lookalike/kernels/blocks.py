"""Blocks of compatible nodes: what is equal at the higher of two levels, column by column."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import Counts, Integers


@compiled
def join_patterns(
    left: Integers,
    left_starts: Counts,
    left_levels: Integers,
    right: Integers,
    right_starts: Counts,
    right_levels: Integers,
    lifts: Integers,
    offsets: Counts,
) -> tuple[Integers, Integers, Integers, Integers, int]:
    """Compare every pattern of one side with every pattern of the other.

    Parameters
    ----------
    left, right
        The entries of the nodes, one line a column, those of a pattern beside each other.
    left_starts, right_starts
        Where each pattern begins, and the end.
    left_levels, right_levels
        By pattern and column: the level.
    lifts
        What each entry is at each level, one ladder and level after the other.
    offsets
        By column and level: where that begins.

    Returns
    -------
    left_node, left_block, right_node, right_block
        Which nodes are in which block that has nodes of both sides.
    number
        How many blocks there are.
    """
    ours, our_blocks, our_room = np.empty(1024, np.int32), np.empty(1024, np.int32), 0
    theirs, their_blocks, their_room = np.empty(1024, np.int32), np.empty(1024, np.int32), 0
    number = 0
    columns = left.shape[0]
    bases = np.empty(columns, np.int64)
    for one in range(len(left_starts) - 1):
        first, last = left_starts[one], left_starts[one + 1]
        capacity = 4
        while capacity < 2 * (last - first):
            capacity *= 2
        slots = np.empty(capacity, np.int64)
        slot_of = np.empty(last - first, np.int64)
        block_of = np.empty(capacity, np.int32)
        for two in range(len(right_starts) - 1):
            for column in range(columns):
                level = max(left_levels[one, column], right_levels[two, column])
                bases[column] = offsets[column, level]
            slots[:] = -1
            block_of[:] = -1
            for node in range(first, last):
                slot = _find(left, node, slots, left, bases, lifts)
                if slots[slot] < 0:
                    slots[slot] = node
                slot_of[node - first] = slot
            found = number
            for node in range(right_starts[two], right_starts[two + 1]):
                slot = _find(right, node, slots, left, bases, lifts)
                if slots[slot] >= 0:
                    if block_of[slot] < 0:
                        block_of[slot] = number
                        number += 1
                    if their_room == len(theirs):
                        theirs, their_blocks = _double(theirs), _double(their_blocks)
                    theirs[their_room], their_blocks[their_room] = node, block_of[slot]
                    their_room += 1
            if number > found:
                for node in range(first, last):
                    block = block_of[slot_of[node - first]]
                    if block >= 0:
                        if our_room == len(ours):
                            ours, our_blocks = _double(ours), _double(our_blocks)
                        ours[our_room], our_blocks[our_room] = node, block
                        our_room += 1
    return (
        ours[:our_room].copy(),
        our_blocks[:our_room].copy(),
        theirs[:their_room].copy(),
        their_blocks[:their_room].copy(),
        number,
    )


@compiled
def _find(
    side: Integers, node: int, slots: Counts, left: Integers, bases: Counts, lifts: Integers
) -> int:
    """Return the slot of the nodes that are equal to a node where columns begin at `bases`."""
    mixed = np.uint64(0)
    for column in range(len(bases)):
        code = lifts[bases[column] + side[column, node]]
        mixed = (mixed ^ np.uint64(code + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    slot = np.int64(mixed & np.uint64(len(slots) - 1))
    while slots[slot] >= 0 and not _alike(side, node, left, slots[slot], bases, lifts):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@compiled
def _alike(
    one: Integers, node: int, two: Integers, other: int, bases: Counts, lifts: Integers
) -> bool:
    """Tell whether two nodes are equal where columns begin at `bases`."""
    for column in range(len(bases)):
        base = bases[column]
        if lifts[base + one[column, node]] != lifts[base + two[column, other]]:
            return False
    return True


@compiled
def _double(values: Integers) -> Integers:
    """Return the same values with room for twice as many."""
    longer = np.empty(2 * len(values), np.int32)
    longer[: len(values)] = values
    return longer
