"""Number equal keys alike: keys of more than 64 bits, or columns of codes."""

import numpy as np

from lookalike.errors import InternalError
from lookalike.kernels.compiled import compiled
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.hash_table import first_slot, make_slots, mix, next_slot
from lookalike.kernels.types import Codes, Counts, Digests, Hashes

WORD = 8


def number_keys(keys: Digests) -> tuple[Codes, Codes]:
    """Number keys 0, 1, … in the order of their first appearance, equal keys alike.

    Returns
    -------
    number
        The number of each key.
    first
        For each number, the position of its first key.

    Examples
    --------
    >>> number, first = number_keys(np.array([b"ann.....", b"bob.....", b"ann....."]))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    if keys.ndim != 1 or keys.dtype.hasobject or not keys.itemsize or keys.itemsize % WORD:
        raise InternalError(f"keys of type {keys.dtype} are not whole words of 64 bits")
    words = np.ascontiguousarray(keys).view(np.uint64).reshape(len(keys), keys.itemsize // WORD)
    number, first = _number(words)
    return number, first


def number_columns(codes: Codes, counts: Counts) -> tuple[Codes, Counts]:
    """Number the columns of a matrix 0, 1, … in the order of appearance, equal columns alike.

    Returns
    -------
    number
        The number of each column.
    totals
        For each number, the sum of the counts of its columns.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [5, 5, 5]], dtype=np.int32)
    >>> number, totals = number_columns(codes, np.array([1, 1, 4]))
    >>> number.tolist(), totals.tolist()
    ([0, 0, 1], [2, 4])
    """
    sizes = [int(line.max(initial=0)) + 1 for line in codes]
    number, _, totals = group_equal(codes, sizes, counts)
    return number, totals


@compiled
def _same(words: Hashes, one: int, other: int) -> bool:
    """Return whether two keys are equal."""
    place = 0
    while place < words.shape[1] and words[one, place] == words[other, place]:
        place += 1
    return bool(place == words.shape[1])


@compiled
def _number(words: Hashes) -> tuple[Codes, Codes]:
    """Number equal keys alike with a hash table; each row of words is a key."""
    slots = make_slots(len(words))
    number = np.empty(len(words), dtype=np.int32)
    first = np.empty(len(words), dtype=np.int32)
    found = 0
    for position in range(len(words)):
        mixed = np.uint64(0)
        for word in words[position]:
            mixed = mix(mixed, word)
        slot = first_slot(mixed, slots)
        while slots[slot] >= 0 and not _same(words, first[slots[slot]], position):
            slot = next_slot(slot, slots)
        if slots[slot] < 0:
            slots[slot] = found
            first[found] = position
            found += 1
        number[position] = slots[slot]
    return number, first[:found].copy()
