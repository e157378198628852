"""Records of persons: number what each person has, list what may be known, find who is rare.

The records of person p are the entries from ``starts[p]`` up to ``starts[p + 1]``. Their codes are
sorted within each person (:func:`sort_records`), so that equal records are neighbours.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, find_slot, make_slots, mix
from lookalike.kernels.types import Codes, Counts, Flags

MOST_INSERTED = 32
"""So few records are sorted fastest by inserting one after the other."""
LARGEST_COMBINATION = 3
"""The most records that are combined."""
LAST_PERSON = 2**32 - 1
"""The part of a cell that holds the last person who has a combination; above it is their number."""
ONE_MORE = 2**32
PART_BITS = 44
"""The part of a combination is read from its hash above so many bits."""


@compiled
def sort_records(starts: Counts, codes: Codes, most: int) -> tuple[Counts, Codes]:
    """Sort the codes within each person, and keep so many equal ones at most.

    Returns: where the codes of each person begin; and the codes.

    Examples
    --------
    >>> codes = np.array([7, 4, 4, 4, 1], dtype=np.int32)
    >>> [one.tolist() for one in sort_records(np.array([0, 4, 5]), codes, 2)]
    [[0, 3, 4], [4, 4, 7, 1]]
    """
    ordered, begins, found = codes.copy(), np.zeros(len(starts), dtype=np.int64), 0
    for person in range(len(starts) - 1):
        begin, end = starts[person], starts[person + 1]
        if end - begin > MOST_INSERTED:
            ordered[begin:end].sort()
        else:
            for record in range(begin + 1, end):
                code, place = ordered[record], record
                while place > begin and ordered[place - 1] > code:
                    ordered[place] = ordered[place - 1]
                    place -= 1
                ordered[place] = code
        begins[person] = found
        for record in range(begin, end):
            code = ordered[record]
            if found < begins[person] + most or ordered[found - most] != code:
                ordered[found] = code
                found += 1
    begins[len(starts) - 1] = found
    return begins, ordered[:found].copy()


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
def list_known(
    own: Codes,
    starts: Counts,
    codes: Codes,
    keys: Counts,
    is_key: Flags,
    table_of: Codes,
    kept: Flags,
    part: Counts,
    most: int,
    direct: int,
    lines: Codes,
) -> tuple[Counts, Codes, Codes]:
    """List the different combinations of records of each person who is kept, and number them.

    A combination is a path in a tree, from what is known of the person anyway over one record
    after the other. Each node is the node before it and one code; a record that belongs to the
    same row of another table as an earlier one has a second node that says so.

    Parameters
    ----------
    own
        A number of what is known of each person anyway.
    starts
        Where the records of each person begin in `codes`, one line a table.
    codes
        The records of all tables; those of a table of which several are combined are sorted.
    keys
        The key of each record, or the one that it refers to; -1 for none. Empty if nobody knows
        records that refer to others.
    is_key
        For each table, whether others refer to it. These come last: a record to which one of a
        combination refers is known already.
    table_of
        The table of each record of a combination; those of one table are neighbours.
    kept
        The persons whose combinations are listed.
    part
        Two masks, and what the hashes of the first record and of all records must be under them:
        other combinations are not listed.
    most
        The most combinations, and nodes, that memory can hold.
    direct
        How many combinations can be told apart, if each has a cell; 0 for a hash table.
    lines
        Receives the records of each combination, one line a record, if it has lines.

    Returns
    -------
    tuple of arrays
        Where the combinations of each person begin; their numbers; and how many persons have each.
        Empty if there are more than `most`.

    Examples
    --------
    >>> starts, codes = np.array([[0, 2, 3]]), np.array([4, 7, 4], dtype=np.int32)
    >>> one, part = np.zeros(1, dtype=np.int32), np.zeros(4, dtype=np.int64)
    >>> plain, both = np.zeros(1, dtype=np.bool_), np.ones(2, dtype=np.bool_)
    >>> lines = np.empty((1, 9), dtype=np.int32)
    >>> rest = (part[:0], plain, one, both, part, 9, 8, lines)
    >>> listed = list_known(one.repeat(2), starts, codes, *rest)
    >>> listed[0].tolist(), listed[2][listed[1]].tolist(), lines[0, :3].tolist()
    ([0, 2, 3], [2, 1, 2], [4, 7, 4])
    """
    width, refers, found, nodes = len(table_of), len(keys) > 0, 0, 0
    roots, last_code = np.int64(own.max()) + 1, np.int64(codes.max()) if len(codes) else 0
    domain = last_code + 1 + (width if refers else 0)
    # a node is below 2³², a code and with it the domain below 2³¹, so that a key fits in 63 bits
    key_of = np.full(0 if direct else count_cells(most), EMPTY, dtype=np.int64)
    having = np.full(direct if direct else len(key_of), LAST_PERSON, dtype=np.int64)
    begins, known = np.zeros(len(own) + 1, dtype=np.int64), np.empty(most, dtype=np.int32)
    node, at = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64)
    chosen, mixed = np.empty(width, dtype=np.int64), np.empty(width + 1, dtype=np.uint64)
    for person in range(len(own)):
        begins[person] = found
        place = 0 if kept[person] else -1
        node[0], mixed[0] = own[person], mix(np.uint64(0), np.uint64(own[person]))
        at[0] = starts[table_of[0], person]
        while place >= 0:
            table, here, so_far, deeper = table_of[place], node[place], mixed[place], False
            last, first = place == width - 1, at[place]
            for record in range(at[place], starts[table, person + 1]):
                code, same, taken = np.int64(codes[record]), 0, False
                if not refers and record > first and codes[record] == codes[record - 1]:
                    continue
                for before in range(place if refers else 0):
                    taken = taken or chosen[before] == record
                    if same == 0 and keys[record] >= 0 and keys[chosen[before]] == keys[record]:
                        same = before + 1
                if taken or (same > 0 and is_key[table]):
                    continue
                all_mixed = mix(so_far, np.uint64(code))
                if place == 0 and _read_bits(all_mixed) & part[0] != part[1]:
                    continue
                if last and part[2] > 0 and _read_bits(~all_mixed) & part[2] != part[3]:
                    continue
                if nodes + 2 > most or found == most:
                    return begins[:0], known[:0], known[:0]
                key = here * domain + code
                cell = key if direct else _find_cell(key_of, key)
                nodes += 0 if direct else _enter(key_of, cell, key)
                if same > 0:
                    key = (roots + cell) * domain + last_code + same
                    cell = _find_cell(key_of, key)
                    nodes += _enter(key_of, cell, key)
                if last:
                    if having[cell] & LAST_PERSON != person:
                        having[cell] = (having[cell] & ~LAST_PERSON) + ONE_MORE + person
                        known[found] = cell
                        chosen[place] = record
                        for line in range(len(lines)):
                            lines[line, found] = codes[chosen[line]]
                        found += 1
                    continue
                deeper, at[place], chosen[place] = True, record + 1, record
                place += 1
                node[place], mixed[place] = key if direct else roots + cell, all_mixed
                at[place] = starts[table_of[place], person]
                if table_of[place] == table:
                    at[place] = record + 1
                    # records that look alike may belong to different rows: each order is a path
                    while refers and not is_key[table] and at[place] > starts[table, person]:
                        if codes[at[place] - 1] != codes[record]:
                            break
                        at[place] -= 1
                break
            if not deeper:
                place -= 1
    begins[len(own)] = found
    return begins, known[:found].copy(), (having >> 32).astype(np.int32)


@compiled
def count_cells(most: int) -> int:
    """Return how many cells a table of so many nodes has: they take less than three quarters.

    Examples
    --------
    >>> count_cells(95), count_cells(96)
    (128, 256)
    """
    cells = 4
    while 3 * cells <= 4 * most:
        cells *= 2
    return cells


@compiled
def _find_cell(key_of: Counts, key: np.int64) -> np.int64:
    """Return the cell of a key: the one that holds it, or the empty one where it belongs."""
    cell = np.int64(mix(np.uint64(0), np.uint64(key)) & np.uint64(len(key_of) - 1))
    while key_of[cell] != EMPTY and key_of[cell] != key:
        cell = np.int64((cell + 1) & (len(key_of) - 1))
    return cell


@compiled
def _enter(key_of: Counts, cell: np.int64, key: np.int64) -> int:
    """Write a key to its cell if that is empty; return how many keys are new."""
    is_new = key_of[cell] == EMPTY
    key_of[cell] = key
    return 1 if is_new else 0


@compiled
def _read_bits(mixed: np.uint64) -> np.int64:
    """Return the bits of a hash that tell parts from each other."""
    return np.int64(mixed >> np.uint64(PART_BITS))


@compiled
def drop_unsupported(
    begins: Counts,
    known: Codes,
    support: Codes,
    counted: Flags,
    pair_of: Codes,
    with_value: Counts,
    distinct: Counts,
    least: Counts,
    kept: Flags,
    k: int,
    enough: int,
) -> int:
    """Leave out persons until at least k have everything that may be known of each who is left.

    These must also have enough different values of each protected column.

    What is left is the greatest set of persons among whom that holds: whoever is left out has
    something that fewer than k of any such set have.

    Parameters
    ----------
    begins, known
        Where the things that may be known of each person begin, and what they are.
    support
        How many of the persons that are counted have each of these things; it is changed.
    counted
        These persons; it is changed.
    pair_of
        For each protected column and thing, the number of the pair of the thing and the person's
        value.
    with_value
        For each column, how many of the persons have each pair; it is changed.
    distinct
        For each column, how many values the persons with each thing have; it is changed.
    least
        For each column, how many they must have.
    kept
        The persons that are left; it is changed.
    enough
        No more are left out when more than so many were.

    Returns
    -------
    int
        How many persons were left out.
    """
    dropped, changed = 0, True
    while changed:
        changed = False
        for person in range(len(kept)):
            begin, end = begins[person], begins[person + 1] if counted[person] else begins[person]
            for entry in range(begin, end if kept[person] else begin):
                rare = support[known[entry]] < k
                for column in range(len(least)):
                    rare = rare or distinct[column, known[entry]] < least[column]
                if rare:
                    kept[person] = False
                    dropped += 1
                    break
            if dropped > enough:
                return dropped
            if kept[person] or not counted[person]:
                continue
            counted[person], changed = False, True
            for entry in range(begin, end):
                support[known[entry]] -= 1
                for column in range(len(least)):
                    pair = pair_of[column, entry]
                    with_value[column, pair] -= 1
                    if with_value[column, pair] == 0:
                        distinct[column, known[entry]] -= 1
    return dropped


@compiled
def cover_rare(person_of: Codes, records: Codes, kinds: int) -> tuple[Codes, Codes, Codes]:
    """Choose records of each person so that each rare combination loses one of them.

    The record in most of a person's combinations is chosen first, then that in most of the others.

    Parameters
    ----------
    person_of
        The person of each rare combination, in the order of persons.
    records
        The records of each combination, one line a record, equal ones side by side.
    kinds
        The number of different records.

    Returns
    -------
    tuple of arrays
        Persons, a record of each, and how many equal ones may stay.

    Examples
    --------
    >>> pairs = np.array([[0, 0, 3], [1, 2, 3]], dtype=np.int32)
    >>> chosen = cover_rare(np.array([4, 4, 6], dtype=np.int32), pairs, 4)
    >>> [one.tolist() for one in chosen]
    [[4, 6], [0, 3], [0, 1]]
    """
    size, entries = records.shape
    chosen, found = np.empty((3, entries), dtype=np.int32), 0
    often, covered = np.zeros(kinds, dtype=np.int64), np.zeros(entries, dtype=np.bool_)
    begin = 0
    while begin < entries:
        end = begin
        while end < entries and person_of[end] == person_of[begin]:
            end += 1
        while True:
            best = -1
            for entry in range(begin, end):
                for place in range(size if covered[entry] else 0, size):
                    record = records[place, entry]
                    if place == 0 or record != records[place - 1, entry]:
                        often[record] += 1
                        if best < 0 or often[record] > often[best]:
                            best = record
            if best < 0:
                break
            fewest = size
            for entry in range(begin, end):
                often[records[:, entry]] = 0
                equal = np.sum(records[:, entry] == best)
                if equal and not covered[entry]:
                    covered[entry], fewest = True, min(fewest, equal)
            chosen[0, found], chosen[1, found], chosen[2, found] = (
                person_of[begin],
                best,
                fewest - 1,
            )
            found += 1
        begin = end
    return chosen[0, :found], chosen[1, :found], chosen[2, :found]
