"""The hash table that the kernels share, against a dictionary."""

import numpy as np
import pytest

from lookalike.kernels.hash_table import EMPTY, find_slot, first_slot, make_slots, mix


def number(keys):
    """Number keys as they first appear, and return the table."""
    slots, known = make_slots(len(keys)), np.empty(len(keys), dtype=np.int64)
    numbers, found = [], 0
    for key in keys.tolist():
        slot = find_slot(slots, known, key)
        if slots[slot] == EMPTY:
            slots[slot], known[found] = found, key
            found += 1
        numbers.append(int(slots[slot]))
    return numbers, slots


def number_plainly(keys):
    """The same with a dictionary."""
    known = {}
    return [known.setdefault(key, len(known)) for key in keys.tolist()]


def begin(key, slots):
    """Where the search for a key begins."""
    return first_slot(np.uint64(mix(np.uint64(0), np.uint64(key))), slots)


def colliding(number):
    """Keys that all belong to the first slot of a table with so many entries."""
    slots = make_slots(number)
    keys = [key for key in range(100_000) if begin(key, slots) == 0]
    return np.array(keys[:number], dtype=np.int64)


@pytest.mark.parametrize("entries", [0, 1, 2, 3, 64, 65, 1000])
def test_a_table_is_at_most_half_full(entries):
    slots = make_slots(entries)
    assert len(slots) >= max(1, 2 * entries)
    assert len(slots) & (len(slots) - 1) == 0
    assert (slots == EMPTY).all()


def test_equal_keys_get_the_same_number():
    keys = np.random.default_rng(1).integers(0, 2**62, 300)
    keys = np.concatenate([keys, keys[::-1], keys[:50]])
    numbers, _ = number(keys)
    assert numbers == number_plainly(keys)


def test_keys_with_the_same_first_slot_are_kept_apart():
    keys = colliding(16)
    assert len(keys) == 16
    numbers, slots = number(np.concatenate([keys, keys]))
    assert numbers == [*range(16), *range(16)]
    assert np.count_nonzero(slots >= 0) == 16


def test_the_search_goes_on_at_the_first_slot_after_the_last():
    slots = make_slots(8)
    last = len(slots) - 1
    at_last = [key for key in range(1000) if begin(key, slots) == last][:2]
    known = np.array(at_last, dtype=np.int64)
    slots[last] = 0
    assert find_slot(slots, known, at_last[0]) == last
    assert find_slot(slots, known, at_last[1]) == 0
