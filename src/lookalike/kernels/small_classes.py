"""Add up the classes that are smaller than k, or have too few distinct values of a column.

A lattice search asks for that at every vector.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import chain_lifts, group_keys, pack_sequences
from lookalike.kernels.hash_table import find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Totals

DIRECT_BYTES = 64
"""The maximum memory per sequence of an array of totals by key."""
MOST_DIRECT_BYTES = 2**31 - 1
"""The maximum memory of that array; its keys have 32 bits."""
BYTE_K = 127
"""The greatest k for which the sum of two numbers up to k fits in a byte.

numba adds bytes as words of 64 bits; without that, larger sums would overflow.
"""
NUMBER_BYTES = 4
"""The memory of the number of a class."""
CHUNK = 1024
"""The number of sequences that are packed together, so that their keys stay in the cache."""
Marks = npt.NDArray[np.uint64]
"""For each sequence a bit: that of its value of a column with at most 64 values."""
MOST_VALUES = 64
CLASS_BYTES = 16
"""The memory of a class: its rows and the marks of its values."""
BYTES_PER_SEQUENCE = 256
"""The maximum memory per sequence of an array of classes by key."""


def cut_counts(counts: Counts, k: int) -> Totals:
    """Return the counts cut to k, in bytes if two of them can be added in one.

    Examples
    --------
    >>> cut_counts(np.array([1, 1000, 3]), 5)
    array([1, 5, 3], dtype=uint8)
    """
    cut = np.minimum(counts, k)
    return cut.astype(np.uint8) if k <= BYTE_K else cut


def sum_small_classes(
    codes: Codes, lifts: Sequence[Codes], sizes: Sequence[int], counts: Totals, k: int
) -> int:
    """Add up the counts of the classes that are smaller than k.

    With few possible keys an array holds the totals, with many a hash table. The totals of the
    array stop at k, so that they need no more memory than the counts.

    Parameters
    ----------
    codes, lifts, sizes
        The sequences and how to lift them; see :func:`lookalike.kernels.group_sequences`.
    counts
        The number of rows of each sequence; it may be cut to k (:func:`cut_counts`).
    k
        The size at which a class is large enough.

    Examples
    --------
    >>> codes = np.array([[0, 1, 0]], dtype=np.int32)
    >>> sum_small_classes(codes, [np.arange(2, dtype=np.int32)], (2,), np.array([5, 1, 2]), 3)
    1
    """
    room = math.prod(sizes)
    if room * counts.itemsize > min(DIRECT_BYTES * len(counts), MOST_DIRECT_BYTES):
        return int(_sum_small_hashed(pack_sequences(codes, lifts, sizes, counts), counts, k))
    radixes = np.array(sizes, dtype=np.int32)
    totals = np.zeros(room, dtype=counts.dtype)
    limit = counts.dtype.type(k)  # of the same type: numba adds mixed signs as real numbers
    return int(_sum_small_direct(codes, *chain_lifts(lifts), radixes, counts, limit, totals))


def number_classes(
    codes: Codes, lifts: Sequence[Codes], sizes: Sequence[int], counts: Totals
) -> Codes:
    """Number the classes of sequences, in the order of their first appearance.

    The numbers are those of :func:`lookalike.kernels.group_sequences`. With few possible keys an
    array holds the number of each key, with many a hash table.

    Examples
    --------
    >>> codes = np.array([[1, 0, 1]], dtype=np.int32)
    >>> number_classes(codes, [np.arange(2, dtype=np.int32)], (2,), np.array([5, 1, 2]))
    array([0, 1, 0], dtype=int32)
    """
    room = math.prod(sizes)
    keys = pack_sequences(codes, lifts, sizes, counts)
    if room * NUMBER_BYTES > min(DIRECT_BYTES * len(counts), MOST_DIRECT_BYTES):
        return group_keys(keys, counts)[0]
    numbers: Codes = _number_direct(keys, np.full(room, -1, dtype=np.int32))
    return numbers


@compiled
def _number_direct(keys: Counts, numbers: Codes) -> Codes:
    """Number keys with an array of numbers by key."""
    class_of = np.empty(len(keys), dtype=np.int32)
    classes = 0
    for position in range(len(keys)):
        key = keys[position]
        if numbers[key] < 0:
            numbers[key] = classes
            classes += 1
        class_of[position] = numbers[key]
    return class_of


@compiled
def _sum_small_direct(
    codes: Codes,
    table: Codes,
    ends: Counts,
    radixes: Codes,
    counts: Totals,
    k: np.uint8 | np.int64,
    totals: Totals,
) -> int:
    """Add up the classes below k, with an array of totals by key.

    The lifts of all attributes stand in one table, one after the other.
    """
    keys = np.empty(CHUNK, dtype=np.int32)
    for start in range(0, len(counts), CHUNK):
        many = min(CHUNK, len(counts) - start)
        keys[:many] = 0
        for place in range(len(radixes)):
            radix, line = radixes[place], codes[place, start : start + many]
            lift = table[ends[place - 1] if place else 0 : ends[place]]
            if radix > 1:
                for position in range(many):
                    keys[position] = keys[position] * radix + lift[line[position]]
        for position in range(many):
            key = np.uint32(keys[position])  # unsigned: not tested for an index from the end
            totals[key] = min(totals[key] + counts[start + position], k)
    small = 0
    for total in totals:
        small += total if total < k else 0
    return small


@compiled
def _sum_small_hashed(keys: Counts, counts: Totals, k: int) -> int:
    """Add up the classes below k, with a hash table."""
    slots = make_slots(len(keys))
    key_of = np.empty(len(keys), dtype=np.int64)
    totals = np.zeros(len(keys), dtype=np.int64)
    classes = 0
    for position in range(len(keys)):
        slot = find_slot(slots, key_of, keys[position])
        if slots[slot] < 0:
            slots[slot] = classes
            key_of[classes] = keys[position]
            classes += 1
        totals[slots[slot]] += counts[position]
    small = 0
    for one in range(classes):
        if totals[one] < k:
            small += totals[one]
    return small


def mark_values(values: Codes) -> Marks | None:
    """Return the bit of each value; None if there are more values than bits."""
    if int(values.max(initial=0)) >= MOST_VALUES:
        return None
    marks: Marks = np.left_shift(np.uint64(1), values.astype(np.uint64))
    return marks


def can_mark(sizes: Sequence[int], sequences: int) -> bool:
    """Return whether the possible classes are few enough for an array."""
    room = math.prod(sizes) * CLASS_BYTES
    return room <= min(BYTES_PER_SEQUENCE * sequences, MOST_DIRECT_BYTES)


def sum_poor_classes(
    codes: Codes,
    lifts: Sequence[Codes],
    sizes: Sequence[int],
    counts: Counts,
    marks: Marks,
    least: tuple[int, int],
) -> int:
    """Add up the rows of classes with fewer than k rows or fewer than l distinct values.

    Parameters
    ----------
    codes, lifts, sizes
        The sequences and how to lift them; see :func:`lookalike.kernels.group_sequences`.
    marks
        The bit of each sequence's value.
    least
        k and l.

    Examples
    --------
    >>> codes, same = np.array([[0, 0, 1, 1]], dtype=np.int32), np.arange(2, dtype=np.int32)
    >>> marks = np.array([1, 2, 2, 2], dtype=np.uint64)
    >>> sum_poor_classes(codes, [same], (2,), np.array([3, 1, 2, 5]), marks, (2, 2))
    7
    """
    radixes = np.array(sizes, dtype=np.int32)
    return int(_sum_poor(codes, *chain_lifts(lifts), radixes, counts, marks, *least))


@compiled
def _sum_poor(
    codes: Codes,
    table: Codes,
    ends: Counts,
    radixes: Codes,
    counts: Counts,
    marks: Marks,
    k: int,
    least: int,
) -> int:
    """Count rows and mark values in arrays by key, as :func:`_sum_small_direct` counts rows.

    The keys are packed in the loop, as there: a shared function made both 20 % slower.
    """
    room = 1
    for radix in radixes:
        room *= radix
    rows = np.zeros(room, dtype=np.int64)
    seen = np.zeros(room, dtype=np.uint64)
    keys = np.empty(CHUNK, dtype=np.int32)
    for start in range(0, len(counts), CHUNK):
        many = min(CHUNK, len(counts) - start)
        keys[:many] = 0
        for place in range(len(radixes)):
            radix, line = radixes[place], codes[place, start : start + many]
            lift = table[ends[place - 1] if place else 0 : ends[place]]
            if radix > 1:
                for position in range(many):
                    keys[position] = keys[position] * radix + lift[line[position]]
        for position in range(many):
            key = np.uint32(keys[position])
            rows[key] += counts[start + position]
            seen[key] |= marks[start + position]
    poor = 0
    for one in range(room):
        if rows[one] and (rows[one] < k or not has_bits(seen[one], least)):
            poor += rows[one]
    return poor


@compiled
def has_bits(mark: np.uint64, least: int) -> bool:
    """Return whether at least so many bits are set."""
    found = 0
    left = np.uint64(mark)
    while left and found < least:
        left &= left - np.uint64(1)
        found += 1
    return found >= least
