"""Add up the classes that are smaller than k or have too few distinct values of a column."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lookalike.kernels.compiled import compiled
from lookalike.kernels.small_classes import CHUNK, MOST_DIRECT_BYTES
from lookalike.kernels.types import Codes, Counts

Marks = npt.NDArray[np.uint64]
"""For each sequence a bit: that of its value of a column with at most 64 values."""
MOST_VALUES = 64
CLASS_BYTES = 16
"""The memory of a class: its rows and the marks of its values."""
BYTES_PER_SEQUENCE = 256
"""The maximum memory per sequence of an array of classes by key."""


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
    counts
        The number of rows of each sequence.
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
    table = np.concatenate([np.empty(0, dtype=np.int32), *lifts])
    ends = np.array([*itertools.accumulate(map(len, lifts))], dtype=np.int64)
    radixes = np.array(sizes, dtype=np.int32)
    return int(_sum_poor(codes, table, ends, radixes, counts, marks, *least))


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
    """Count rows and mark values in arrays by key, as `small_classes` counts rows.

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
