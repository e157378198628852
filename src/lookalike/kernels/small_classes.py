"""Add up the classes of sequences that are smaller than k: a search asks for it at every vector."""

import math
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import chain_lifts, fits_directly, group_keys, pack_sequences
from lookalike.kernels.types import Codes, Counts, Totals

BYTE_K = 127
"""The greatest k for which the sum of two numbers up to k fits in a byte.

numba adds bytes as words of 64 bits; without that, larger sums would overflow.
"""
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
    if not fits_directly(room, counts.itemsize, len(counts)):
        hashed = group_keys(pack_sequences(codes, lifts, sizes, counts), counts)[2]
        return int(hashed[hashed < k].sum())
    radixes = np.array(sizes, dtype=np.int32)
    totals = np.zeros(room, dtype=counts.dtype)
    limit = counts.dtype.type(k)  # of the same type: numba adds mixed signs as real numbers
    return int(_sum_small_direct(codes, *chain_lifts(lifts), radixes, counts, limit, totals))


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
