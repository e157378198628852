"""Hash table with open addressing that the compiled loops share.

The table is an array of slots, at most half full, whose length is a power of two. A slot holds
the number of an entry, or ``EMPTY``; the caller keeps the entries. To look a key up, mix it into
a hash, start at :func:`first_slot`, and go on to :func:`next_slot` while the slot holds another
entry. :func:`find_slot` does so for keys of one 64-bit word; a caller with longer keys compares
them itself. Entries are numbered in the order of their first appearance, so no result depends on
the hash.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts

EMPTY = -1
"""The content of a slot that holds no entry."""


@compiled
def make_slots(entries: int) -> Codes:
    """Return the empty slots of a table for a given number of entries.

    Examples
    --------
    >>> len(make_slots(3)), len(make_slots(4)), make_slots(1).tolist()
    (8, 8, [-1, -1, -1, -1])
    """
    capacity = 4
    while capacity < 2 * entries:
        capacity *= 2
    return np.full(capacity, EMPTY, dtype=np.int32)


@compiled
def mix(mixed: np.uint64, word: np.uint64) -> np.uint64:
    """Mix one 64-bit word into a hash; the hash of nothing is 0."""
    # 2^64 divided by the golden ratio, and odd: multiples spread evenly (Fibonacci hashing)
    mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def first_slot(mixed: np.uint64, slots: Codes) -> np.int64:
    """Return the slot where the search for a hash begins."""
    return np.int64(mixed & np.uint64(len(slots) - 1))


@compiled
def next_slot(slot: np.int64, slots: Codes) -> np.int64:
    """Return the slot to try after one that holds another entry."""
    return np.int64((slot + 1) & (len(slots) - 1))


@compiled
def find_slot(slots: Codes, keys: Counts, key: int) -> np.int64:
    """Return the slot of a key: the one that holds it, or the empty one where it belongs.

    Examples
    --------
    >>> slots, keys = make_slots(4), np.array([17, 5], dtype=np.int64)
    >>> slots[find_slot(slots, keys, 17)] = 0
    >>> int(slots[find_slot(slots, keys, 17)]), int(slots[find_slot(slots, keys, 5)])
    (0, -1)
    """
    slot = first_slot(mix(np.uint64(0), np.uint64(key)), slots)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = next_slot(slot, slots)
    return slot
