"""Records of persons: number what each person has, list what may be known, find who is rare.

The records of person p are the entries from ``starts[p]`` up to ``starts[p + 1]``. Their codes are
sorted within each person (:func:`sort_records`), so that equal records are neighbours.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import find_slot, make_slots
from lookalike.kernels.types import Codes, Counts, Flags

MOST_INSERTED = 32
"""So few records are sorted fastest by inserting one after the other."""
LARGEST_COMBINATION = 3
"""The most records that are combined."""


@compiled
def sort_records(starts: Counts, codes: Codes) -> Codes:
    """Sort the codes within each person.

    Examples
    --------
    >>> sort_records(np.array([0, 2, 3]), np.array([7, 4, 1], dtype=np.int32)).tolist()
    [4, 7, 1]
    """
    ordered = codes.copy()
    for person in range(len(starts) - 1):
        begin, end = starts[person], starts[person + 1]
        if end - begin > MOST_INSERTED:
            ordered[begin:end].sort()
            continue
        for record in range(begin + 1, end):
            code, place = ordered[record], record
            while place > begin and ordered[place - 1] > code:
                ordered[place] = ordered[place - 1]
                place -= 1
            ordered[place] = code
    return ordered


@compiled
def number_multisets(starts: Counts, codes: Codes, size: int) -> Codes:
    """Number what all records of each person are together, equal multisets alike.

    Each prefix of the sorted records is a node of a tree: the node before it, and one code.

    Parameters
    ----------
    starts, codes
        The records of each person, sorted.
    size
        The number of different codes.

    Examples
    --------
    >>> codes = np.array([4, 7, 4, 7, 4], dtype=np.int32)
    >>> number_multisets(np.array([0, 2, 4, 5, 5]), codes, 8).tolist()
    [2, 2, 1, 0]
    """
    slots, keys, nodes = make_slots(len(codes)), np.empty(len(codes), dtype=np.int64), 0
    number = np.empty(len(starts) - 1, dtype=np.int32)
    for person in range(len(starts) - 1):
        node = 0
        for record in range(starts[person], starts[person + 1]):
            key = node * size + codes[record]
            slot = find_slot(slots, keys, key)
            if slots[slot] < 0:
                keys[nodes] = key
                slots[slot] = nodes
                nodes += 1
            node = slots[slot] + 1
        number[person] = node
    return number


@compiled
def list_records(starts: Counts, codes: Codes, size: int, kept: Flags) -> tuple[Codes, Codes]:
    """List the different records of each person who is kept: the persons, and the codes.

    Parameters
    ----------
    starts, codes
        The records of each person, in any order.
    size
        The number of different codes.
    kept
        The persons whose records are listed.

    Examples
    --------
    >>> codes = np.array([7, 4, 7, 4, 7], dtype=np.int32)
    >>> kept = np.array([True, False, True])
    >>> [one.tolist() for one in list_records(np.array([0, 3, 4, 5]), codes, 8, kept)]
    [[0, 0, 2], [7, 4, 7]]
    """
    person_of, listed = np.empty_like(codes), np.empty_like(codes)
    last, found = np.full(size, -1, dtype=np.int64), 0
    for person in range(len(starts) - 1):
        for record in range(starts[person], starts[person + 1] if kept[person] else 0):
            if last[codes[record]] != person:
                last[codes[record]] = person
                person_of[found], listed[found] = person, codes[record]
                found += 1
    return person_of[:found], listed[:found]


@compiled
def combine_records(
    starts: Counts, codes: Codes, size: int, kept: Flags, combined: Codes, person_of: Codes
) -> int:
    """List the different combinations of two or three records of each person who is kept.

    Two records that are alike are combined with each other, too. Nothing is written if
    `person_of` is empty, so that a first call counts.

    Parameters
    ----------
    starts, codes
        The records of each person, sorted.
    size
        How many records a combination has, 2 or 3.
    kept
        The persons whose combinations are listed.
    combined
        Receives the codes of each combination, one line a record.
    person_of
        Receives the person of each combination.

    Returns
    -------
    int
        The number of combinations.
    """
    found, write = 0, len(person_of) > 0
    for person in range(len(starts) - 1):
        end = starts[person + 1]
        # a record that equals the one before it, at the same place of a combination, is skipped
        for i in range(starts[person], end if kept[person] else starts[person]):
            if i > starts[person] and codes[i] == codes[i - 1]:
                continue
            for j in range(i + 1, end):
                if j > i + 1 and codes[j] == codes[j - 1]:
                    continue
                for h in range(j + 1, end if size > 2 else j + 2):
                    if size > 2 and h > j + 1 and codes[h] == codes[h - 1]:
                        continue
                    if write:
                        person_of[found] = person
                        combined[0, found] = codes[i]
                        combined[1, found] = codes[j]
                        if size > 2:
                            combined[2, found] = codes[h]
                    found += 1
    return found


def combine_for_each(
    starts: Counts, codes: Codes, different: int, size: int, kept: Flags
) -> tuple[Codes, Codes]:
    """List the different combinations of one, two or three records of each person who is kept.

    Parameters
    ----------
    starts, codes
        The records of each person, sorted if several are combined.
    different
        The number of different codes.
    size
        How many records a combination has.
    kept
        The persons whose combinations are listed.

    Returns
    -------
    tuple of arrays
        The person of each combination, in the order of persons; and the codes, one line a record.
    """
    if size == 1:
        person_of, listed = list_records(starts, codes, different, kept)
        return person_of, listed.reshape(1, -1)
    none = np.empty(0, dtype=np.int32)
    found = combine_records(starts, codes, size, kept, none.reshape(0, 0), none)
    combined = np.empty((size, found), dtype=np.int32)
    person_of = np.empty(found, dtype=np.int32)
    combine_records(starts, codes, size, kept, combined, person_of)
    return person_of, combined


@compiled
def drop_unsupported(
    person_of: Codes,
    known: Codes,
    support: Counts,
    pair_of: Codes,
    with_value: Counts,
    distinct: Counts,
    least: Counts,
    kept: Flags,
    k: int,
) -> int:
    """Leave out persons until at least k have everything that may be known of each who is left.

    These must also have enough different values of each protected column.

    What is left is the greatest set of persons among whom that holds: whoever is left out has
    something that fewer than k of any such set have.

    Parameters
    ----------
    person_of, known
        For each thing that may be known of a person, that person and what it is.
    support
        How many of the persons that are kept have each of these things; it is changed.
    pair_of
        For each protected column and thing, the number of the pair of the thing and the person's
        value; -1 if values do not matter for it.
    with_value
        For each column, how many of the persons have each pair; it is changed.
    distinct
        For each column, how many values the persons with each thing have; it is changed.
    least
        For each column, how many they must have.
    kept
        The persons that are left; it is changed.

    Returns
    -------
    int
        How many persons were left out.
    """
    dropped, before = 0, -1
    leaving = np.zeros(len(kept), dtype=np.bool_)
    while dropped != before:
        before = dropped
        for entry in range(len(known)):
            person = person_of[entry]
            if not kept[person] or leaving[person]:
                continue
            rare = support[known[entry]] < k
            for column in range(len(least)):
                rare = rare or distinct[column, known[entry]] < least[column]
            if rare:
                leaving[person] = True
                dropped += 1
        for entry in range(len(known)):
            if leaving[person_of[entry]]:
                support[known[entry]] -= 1
                for column in range(len(least)):
                    pair = pair_of[column, entry]
                    if pair >= 0:
                        with_value[column, pair] -= 1
                        if with_value[column, pair] == 0:
                            distinct[column, known[entry]] -= 1
        kept &= ~leaving
        leaving[:] = False
    return dropped
