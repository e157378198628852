"""Group equal sequences of codes and add up their counts, or their largest values."""

import math
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Totals

KEY_LIMIT = 2**63
"""Keys are below this, in signed words of 64 bits."""
DIRECT_BYTES = 64
"""The maximum memory per sequence of an array that has a place for every possible key."""
MOST_DIRECT_BYTES = 2**31 - 1
"""The maximum memory of that array; its keys have 32 bits."""
HASHED_SEQUENCES = 1024
"""So few sequences are grouped as quickly with a hash table."""


def group_sequences(
    codes: Codes, lifts: Sequence[Codes], sizes: Sequence[int], counts: Counts
) -> tuple[Codes, Codes, Counts]:
    """Group the sequences that are equal after each code is lifted, and add up their counts.

    The codes of a sequence are packed into one 64-bit key, as digits of a number with mixed
    radix. If the product of the domain sizes does not fit, the keys packed so far are first
    renumbered 0 … n - 1, which leaves room for the next attribute.

    ``codes``: one row per attribute, one column per sequence.
    ``lifts``: for each attribute, the lifted code of every code.
    ``sizes``: for each attribute, the number of lifted codes.
    ``counts``: the number of table rows of each sequence.

    Returns
    -------
    class_of
        The class of each sequence; classes are numbered in the order of their first appearance.
    first
        For each class, the position of its first sequence.
    totals
        For each class, the sum of the counts of its sequences.

    Examples
    --------
    >>> codes = np.array([[0, 1, 0], [2, 2, 2]], dtype=np.int32)
    >>> lifts = [np.arange(2, dtype=np.int32), np.zeros(3, dtype=np.int32)]
    >>> class_of, first, totals = group_sequences(codes, lifts, (2, 1), np.array([5, 1, 2]))
    >>> class_of.tolist(), first.tolist(), totals.tolist()
    ([0, 1, 0], [0, 1], [7, 1])
    """
    keys = pack_sequences(codes, lifts, sizes, counts)
    room = math.prod(sizes)
    many = len(counts) > HASHED_SEQUENCES
    if many and fits_directly(room, np.dtype(np.int32).itemsize, len(counts)):
        return _group_directly(keys, counts, np.full(room, -1, dtype=np.int32))
    return group_keys(keys, counts)


def fits_directly(room: int, size: int, sequences: int) -> bool:
    """Return whether an array with a place of some bytes for every possible key is worthwhile."""
    return room * size <= min(DIRECT_BYTES * sequences, MOST_DIRECT_BYTES)


def group_equal(codes: Codes, sizes: Sequence[int], counts: Counts) -> tuple[Codes, Codes, Counts]:
    """Group the sequences that are equal, without lifting; see :func:`group_sequences`."""
    same = [np.arange(size, dtype=np.int32) for size in sizes]
    return group_sequences(codes, same, sizes, counts)


def group_at(
    ancestors: Codes, sizes: Counts, vector: Sequence[int], chosen: Codes, counts: Counts
) -> tuple[Codes, Codes, Counts]:
    """Group the chosen sequences that are equal at a vector; see :func:`group_sequences`.

    ``ancestors``: the code of each sequence, by attribute, level and sequence.
    ``sizes``: the number of codes, by attribute and level.
    ``counts``: the number of table rows of each of them.
    """
    levels = np.array(vector, dtype=np.int64)
    shown = sizes[np.arange(len(levels)), levels]
    if math.prod(shown.tolist()) < KEY_LIMIT:
        return group_keys(_pack_directly(ancestors, levels, shown, chosen), counts)
    codes = [ancestors[attribute, level, chosen] for attribute, level in enumerate(vector)]
    return group_equal(np.stack(codes), shown.tolist(), counts)


def chain_lifts(lifts: Sequence[Codes]) -> tuple[Codes, Counts]:
    """Put the lifts of all attributes into one table, one after the other; return their ends."""
    table = np.concatenate(lifts) if lifts else np.empty(0, dtype=np.int32)
    return table, np.cumsum([len(lift) for lift in lifts], dtype=np.int64)


def pack_sequences(
    codes: Codes, lifts: Sequence[Codes], sizes: Sequence[int], counts: Totals
) -> Counts:
    """Pack the lifted codes of each sequence into one number; see :func:`group_sequences`."""
    keys = np.zeros(len(counts), dtype=np.int64)
    room = 1
    for line, lift, size in zip(codes, lifts, sizes, strict=True):
        if room * size >= KEY_LIMIT:
            class_of, first, _ = group_keys(keys, counts)
            keys, room = class_of.astype(np.int64), len(first)
        if size > 1:
            _append_digit(keys, line, lift, size)
            room *= size
    return keys


def sort_sequences(codes: Codes, sizes: Sequence[int]) -> Counts:
    """Return the order of different sequences, by the code of the first attribute first.

    Examples
    --------
    >>> sort_sequences(np.array([[1, 0, 1], [0, 2, 1]], dtype=np.int32), (2, 3)).tolist()
    [1, 0, 2]
    """
    if math.prod(sizes) >= KEY_LIMIT:
        return np.lexsort(codes[::-1])
    same = [np.arange(size, dtype=np.int32) for size in sizes]
    return np.argsort(pack_sequences(codes, same, sizes, codes[0]))


@compiled
def _pack_directly(ancestors: Codes, vector: Counts, sizes: Counts, chosen: Codes) -> Counts:
    """Pack the codes of sequences at a vector into keys; the caller ensures that they fit."""
    keys = np.zeros(len(chosen), dtype=np.int64)
    for attribute in range(len(vector)):
        if sizes[attribute] > 1:
            line = ancestors[attribute, vector[attribute]]
            for place in range(len(keys)):
                keys[place] = keys[place] * sizes[attribute] + line[chosen[place]]
    return keys


@compiled
def _append_digit(keys: Counts, codes: Codes, lift: Codes, radix: int) -> None:
    """Append the lifted code to every key, as one digit of the given radix."""
    for position in range(len(keys)):
        keys[position] = keys[position] * radix + lift[codes[position]]


@compiled
def group_keys(keys: Counts, counts: Totals) -> tuple[Codes, Codes, Counts]:
    """Number equal keys alike with a hash table, and add up their counts."""
    slots = make_slots(len(keys))
    class_of = np.empty(len(keys), dtype=np.int32)
    first = np.empty(len(keys), dtype=np.int32)
    key_of = np.empty(len(keys), dtype=np.int64)
    totals = np.zeros(len(keys), dtype=np.int64)
    classes = 0
    for position in range(len(keys)):
        slot = find_slot(slots, key_of, keys[position])
        if slots[slot] < 0:
            slots[slot] = classes
            first[classes], key_of[classes] = position, keys[position]
            classes += 1
        class_of[position] = slots[slot]
        totals[slots[slot]] += counts[position]
    return class_of, first[:classes].copy(), totals[:classes].copy()


@compiled
def _group_directly(keys: Counts, counts: Totals, numbers: Codes) -> tuple[Codes, Codes, Counts]:
    """Number equal keys alike with an array of numbers by key, and add up their counts.

    ``numbers``: -1 for every key.
    """
    most = min(len(keys), len(numbers))
    class_of = np.empty(len(keys), dtype=np.int32)
    first = np.empty(most, dtype=np.int32)
    totals = np.zeros(most, dtype=np.int64)
    classes = 0
    for position in range(len(keys)):
        key = np.uint64(keys[position])  # unsigned: not tested for an index from the end
        if numbers[key] < 0:
            numbers[key] = classes
            first[classes] = position
            classes += 1
        class_of[position] = numbers[key]
        totals[numbers[key]] += counts[position]
    return class_of, first[:classes].copy(), totals[:classes].copy()


def group_codes(lines: Sequence[Codes]) -> tuple[Codes, Codes, Counts]:
    """Group rows with equal codes, of which -1 stands for no value; see :func:`group_equal`."""
    codes = np.stack(lines) + np.int32(1)
    sizes = [int(line.max(initial=0)) + 1 for line in codes]
    return group_equal(codes, sizes, np.ones(codes.shape[1], dtype=np.int64))


@compiled
def sum_largest(
    class_of: Codes, counts: Counts, values: Counts, classes: int, k: int
) -> tuple[Counts, Counts]:
    """Add up the k largest values among the rows of each class.

    ``values``: the value of one row of each sequence, in descending order.

    Returns
    -------
    sums
        For each class, the sum of the k largest values, or of all if it has fewer rows.
    taken
        For each class, the number of values in the sum.

    Examples
    --------
    >>> class_of = np.array([0, 1, 0], dtype=np.int32)
    >>> counts, values = np.array([2, 1, 5]), np.array([7, 6, -1])
    >>> sums, taken = sum_largest(class_of, counts, values, 2, 3)
    >>> sums.tolist(), taken.tolist()
    ([13, 6], [3, 1])
    """
    sums = np.zeros(classes, dtype=np.int64)
    taken = np.zeros(classes, dtype=np.int64)
    for position in range(len(class_of)):
        one = class_of[position]
        rows = min(counts[position], k - taken[one])
        sums[one] += rows * values[position]
        taken[one] += rows
    return sums, taken
