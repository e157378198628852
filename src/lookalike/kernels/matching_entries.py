"""Add up the counts of the entries of another list that equal each sequence of a list."""

import math
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import KEY_LIMIT, chain_lifts, group_equal
from lookalike.kernels.hash_table import find_slot, make_slots
from lookalike.kernels.types import Codes, Counts

DIRECT_KEYS = 2
"""How many keys per entry are possible, at most, for an array of totals by key."""
CHUNK_ENTRIES = 1024
"""The number of entries that are packed together, so that their keys stay in the cache."""


def count_matching(
    codes: Codes, sizes: Sequence[int], entries: Codes, lifts: Sequence[Codes], counts: Counts
) -> Counts:
    """Add up, for each sequence, the counts of the entries that are equal after lifting.

    The codes are packed into keys as in :func:`lookalike.kernels.group_sequences`. With few
    possible keys an array holds the totals, with many a hash table of the sequences' keys.

    ``codes``: the codes of the sequences, one row per attribute.
    ``sizes``: the number of codes of each attribute.
    ``entries``: the codes of the entries, one row per attribute; they are codes of another domain.
    ``lifts``: for each attribute, the code among those of the sequences that an entry's code stands
    for.
    ``counts``: the count of each entry.

    Examples
    --------
    >>> codes, entries = np.array([[0, 1]], np.int32), np.array([[0, 1, 2, 2]], np.int32)
    >>> lift = np.array([1, 2, 0], dtype=np.int32)
    >>> count_matching(codes, [3], entries, [lift], np.array([5, 6, 7, 8])).tolist()
    [15, 5]
    """
    room = math.prod(sizes)
    if room >= KEY_LIMIT:
        return _count_together(codes, sizes, entries, lifts, counts)
    keys = np.zeros(codes.shape[1], dtype=np.int64)
    for line, size in zip(codes, sizes, strict=True):
        keys = keys * size + line
    direct = room <= DIRECT_KEYS * len(counts)
    slots, totals = make_slots(1), np.zeros(room if direct else len(keys), dtype=np.int64)
    if not direct:
        slots = _fill_slots(keys)
    radixes = np.array(sizes)
    _add_entries(entries, *chain_lifts(lifts), radixes, counts, keys, slots, totals, direct)
    return totals[keys] if direct else _spread(keys, slots, totals)


def _count_together(
    codes: Codes, sizes: Sequence[int], entries: Codes, lifts: Sequence[Codes], counts: Counts
) -> Counts:
    """Group sequences and entries together, because their keys do not fit in 64 bits."""
    lifted = np.array([lift[line] for lift, line in zip(lifts, entries, strict=True)])
    together = np.concatenate([codes, lifted.astype(np.int32)], axis=1)
    none = np.zeros(codes.shape[1], dtype=np.int64)
    class_of, _, totals = group_equal(together, sizes, np.concatenate([none, counts]))
    found: Counts = totals[class_of[: codes.shape[1]]]
    return found


@compiled
def _fill_slots(keys: Counts) -> Codes:
    """Make a hash table of keys; of equal ones it holds the first."""
    slots = make_slots(len(keys))
    for position in range(len(keys)):
        slot = find_slot(slots, keys, keys[position])
        if slots[slot] < 0:
            slots[slot] = position
    return slots


@compiled
def _add_entries(
    entries: Codes,
    table: Codes,
    ends: Counts,
    radixes: Counts,
    counts: Counts,
    keys: Counts,
    slots: Codes,
    totals: Counts,
    direct: bool,
) -> None:
    """Add the counts of entries to the totals of their keys, or of the first equal sequence.

    The lifts of all attributes stand in one table, one after the other.
    """
    packed = np.empty(CHUNK_ENTRIES, dtype=np.int64)
    for start in range(0, len(counts), CHUNK_ENTRIES):
        many = min(CHUNK_ENTRIES, len(counts) - start)
        packed[:many] = 0
        for place in range(len(radixes)):
            radix, line = radixes[place], entries[place, start : start + many]
            lift = table[ends[place - 1] if place else 0 : ends[place]]
            for position in range(many):
                packed[position] = packed[position] * radix + lift[line[position]]
        for position in range(many):
            if direct:
                totals[packed[position]] += counts[start + position]
            else:
                found = slots[find_slot(slots, keys, packed[position])]
                if found >= 0:
                    totals[found] += counts[start + position]


@compiled
def _spread(keys: Counts, slots: Codes, totals: Counts) -> Counts:
    """Give every sequence the total of the first one with the same key."""
    found = np.empty(len(keys), dtype=np.int64)
    for position in range(len(keys)):
        found[position] = totals[slots[find_slot(slots, keys, keys[position])]]
    return found
