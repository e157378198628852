"""Number the classes of sequences, or add up those that are smaller than k.

A lattice search asks for that at every vector.
"""

import math
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import chain_lifts, group_keys, pack_sequences
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

    ``codes``, ``lifts``, ``sizes``: the sequences and how to lift them; see
    :func:`lookalike.kernels.group_sequences`.
    ``counts``: the number of rows of each sequence; it may be cut to k (:func:`cut_counts`).
    ``k``: the size at which a class is large enough.

    Examples
    --------
    >>> codes = np.array([[0, 1, 0]], dtype=np.int32)
    >>> sum_small_classes(codes, [np.arange(2, dtype=np.int32)], (2,), np.array([5, 1, 2]), 3)
    1
    """
    room = math.prod(sizes)
    if room * counts.itemsize > min(DIRECT_BYTES * len(counts), MOST_DIRECT_BYTES):
        hashed = group_keys(pack_sequences(codes, lifts, sizes, counts), counts)[2]
        return int(hashed[hashed < k].sum())
    radixes = np.array(sizes, dtype=np.int32)
    totals = np.zeros(room, dtype=counts.dtype)
    limit = counts.dtype.type(k)  # of the same type: numba adds mixed signs as real numbers
    return int(_sum_small_direct(codes, *chain_lifts(lifts), radixes, counts, limit, totals))


def number_classes(
    codes: Codes, lifts: Sequence[Codes], sizes: Sequence[int], counts: Counts
) -> tuple[Codes, Counts]:
    """Number the classes of sequences in the order of their first appearance; count their rows.

    The numbers are those of :func:`lookalike.kernels.group_sequences`. With few possible keys an
    array holds the number of each key, with many a hash table.

    Examples
    --------
    >>> codes = np.array([[1, 0, 1]], dtype=np.int32)
    >>> number_classes(codes, [np.arange(2, dtype=np.int32)], (2,), np.array([5, 1, 2]))
    (array([0, 1, 0], dtype=int32), array([7, 1]))
    """
    room = math.prod(sizes)
    if room * NUMBER_BYTES > min(DIRECT_BYTES * len(counts), MOST_DIRECT_BYTES):
        class_of, _, totals = group_keys(pack_sequences(codes, lifts, sizes, counts), counts)
        return class_of, totals
    radixes, numbers = np.array(sizes, dtype=np.int32), np.full(room, -1, dtype=np.int32)
    return _number_direct(codes, *chain_lifts(lifts), radixes, counts, numbers)


@compiled
def _number_direct(
    codes: Codes, table: Codes, ends: Counts, radixes: Codes, counts: Counts, numbers: Codes
) -> tuple[Codes, Counts]:
    """Number classes with an array of numbers by key, as :func:`_sum_small_direct` counts rows.

    The keys are packed in the loop, as there: a shared function made both 20 % slower.
    """
    class_of = np.empty(len(counts), dtype=np.int32)
    totals = np.zeros(min(len(counts), len(numbers)), dtype=np.int64)
    keys = np.empty(CHUNK, dtype=np.int32)
    classes = 0
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
            if numbers[key] < 0:
                numbers[key] = classes
                classes += 1
            class_of[start + position] = numbers[key]
            totals[numbers[key]] += counts[start + position]
    return class_of, totals[:classes].copy()


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
