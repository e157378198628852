"""Find blocks of compatible nodes: nodes that are equal at the higher of their levels."""

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

    ``left``, ``right``: the entries of the nodes, one row per column; nodes of a pattern are
    adjacent.
    ``left_starts``, ``right_starts``: where each pattern begins, and the end of the last.
    ``left_levels``, ``right_levels``: the level, by pattern and column.
    ``lifts``: the code of each entry at each level, for all columns and levels in sequence.
    ``offsets``: where the codes of each level begin in `lifts`, by column and level.

    Returns
    -------
    ours, theirs
        Nodes in row 0, and the block of each in row 1; every block has nodes of both sides.
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
    left: Codes, nodes: Counts, slots: Codes, slot_of: Counts, bases: Counts, lifts: Codes
) -> None:
    """Assign a slot to each node of a pattern, the same slot to equal nodes."""
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
    """Return the slot of the nodes that equal a node at the levels that begin at `bases`."""
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
    """Return whether two nodes are equal at the levels that begin at `bases`."""
    for column in range(len(bases)):
        base = bases[column]
        if lifts[base + one[column, node]] != lifts[base + two[column, other]]:
            return False
    return True


@compiled
def _put(found: Codes, place: int, node: int, block: int) -> Codes:
    """Append a node and its block; double the array if it is full."""
    if place == found.shape[1]:
        longer = np.empty((2, 2 * place), np.int32)
        longer[:, :place] = found
        found = longer
    found[0, place], found[1, place] = node, block
    return found
