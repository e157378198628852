"""Blocks of compatible nodes: what is equal at the higher of two levels, column by column."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, first_slot, make_slots, mix, next_slot
from lookalike.kernels.types import Codes, Counts


@compiled
def join_patterns(
    left: Codes,
    left_starts: Counts,
    left_levels: Codes,
    right: Codes,
    right_starts: Counts,
    right_levels: Codes,
    lifts: Codes,
    offsets: Counts,
) -> tuple[Codes, Codes, int]:
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
        What each entry is at each level, one column and level after the other.
    offsets
        By column and level: where that begins.

    Returns
    -------
    ours, theirs
        Nodes, and in a second line the block of each; every block has nodes of both sides.
    number
        How many blocks there are.
    """
    ours, our_room = np.empty((2, 1024), np.int32), 0
    theirs, their_room = np.empty((2, 1024), np.int32), 0
    bases = np.empty(left.shape[0], np.int64)
    number = 0
    for one in range(len(left_starts) - 1):
        nodes = left_starts[one : one + 2]
        slots = make_slots(nodes[1] - nodes[0])
        block_of = np.empty(len(slots), np.int32)
        slot_of = np.empty(nodes[1] - nodes[0], np.int64)
        for two in range(len(right_starts) - 1):
            for column in range(len(bases)):
                level = max(left_levels[one, column], right_levels[two, column])
                bases[column] = offsets[column, level]
            _seat(left, nodes, slots, slot_of, bases, lifts)
            block_of[:] = -1
            before = number
            for node in range(right_starts[two], right_starts[two + 1]):
                slot = _find(right, node, slots, left, bases, lifts)
                if slots[slot] >= 0:
                    if block_of[slot] < 0:
                        block_of[slot] = number
                        number += 1
                    theirs = _put(theirs, their_room, node, block_of[slot])
                    their_room += 1
            if number > before:
                for place in range(len(slot_of)):
                    if block_of[slot_of[place]] >= 0:
                        ours = _put(ours, our_room, nodes[0] + place, block_of[slot_of[place]])
                        our_room += 1
    return ours[:, :our_room].copy(), theirs[:, :their_room].copy(), number


@compiled
def _seat(
    left: Codes,
    nodes: Counts,
    slots: Codes,
    slot_of: Counts,
    bases: Counts,
    lifts: Codes,
) -> None:
    """Give a slot to the nodes of a pattern, the same where they are equal."""
    slots[:] = EMPTY
    for node in range(nodes[0], nodes[1]):
        slot = _find(left, node, slots, left, bases, lifts)
        if slots[slot] < 0:
            slots[slot] = node
        slot_of[node - nodes[0]] = slot


@compiled
def _find(
    side: Codes, node: int, slots: Codes, left: Codes, bases: Counts, lifts: Codes
) -> np.int64:
    """Return the slot of the nodes that are equal to a node where columns begin at `bases`."""
    mixed = np.uint64(0)
    for column in range(len(bases)):
        code = lifts[bases[column] + side[column, node]]
        mixed = mix(mixed, np.uint64(code))
    slot = first_slot(mixed, slots)
    while slots[slot] >= 0 and not _alike(side, node, left, slots[slot], bases, lifts):
        slot = next_slot(slot, slots)
    return slot


@compiled
def _alike(one: Codes, node: int, two: Codes, other: int, bases: Counts, lifts: Codes) -> bool:
    """Tell whether two nodes are equal where columns begin at `bases`."""
    for column in range(len(bases)):
        base = bases[column]
        if lifts[base + one[column, node]] != lifts[base + two[column, other]]:
            return False
    return True


@compiled
def _put(found: Codes, place: int, node: int, block: int) -> Codes:
    """Write down that a node is in a block, with room for twice as many if there is none."""
    if place == found.shape[1]:
        longer = np.empty((2, 2 * place), np.int32)
        longer[:, :place] = found
        found = longer
    found[0, place], found[1, place] = node, block
    return found
