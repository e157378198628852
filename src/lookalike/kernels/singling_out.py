"""Find the entries that no other entry of their class equals in one more column, or in subsets.

A partition is a list of entries, class after class, and `starts`: the place where each class
begins, and the end of the last one. Code 0 is a missing value. What is found is a set of entries,
one bit each in words of 64 bits; `names` gives the number of each entry in the set.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Flags, Hashes

MISSING = 0
"""The code of a missing value; the codes of known values begin with 1."""


@compiled
def mark_alone(
    line: Codes, size: int, entries: Codes, starts: Codes, names: Codes, alone: Hashes
) -> None:
    """Mark the entries whose value no other entry of their class has.

    ``line``: the code of each entry in one column.
    ``size``: the number of codes of the column, with :data:`MISSING`.
    ``entries``, ``starts``: the partition.
    ``names``: the number of each entry in the set.
    ``alone``: the set; what is found is added.

    Examples
    --------
    >>> line, starts = np.array([1, 1, 2, 1], dtype=np.int32), np.array([0, 3, 4], dtype=np.int32)
    >>> entries, alone = np.arange(4, dtype=np.int32), np.zeros(1, dtype=np.uint64)
    >>> mark_alone(line, 3, entries, starts, entries, alone)
    >>> f"{int(alone[0]):04b}"
    '1100'
    """
    holder = np.full(size, -1, dtype=np.int32)
    seen_in = np.full(size, -1, dtype=np.int32)
    for number in range(len(starts) - 1):
        holder[MISSING], seen_in[MISSING] = -1, number
        for place in range(starts[number], starts[number + 1]):
            code = line[entries[place]]
            if seen_in[code] != number:
                seen_in[code] = number
                holder[code] = names[entries[place]]
                _add(holder[code], alone)
            elif holder[code] >= 0:
                _remove(holder[code], alone)
                holder[code] = -1


@compiled
def refine(
    line: Codes, size: int, entries: Codes, starts: Codes, names: Codes, alone: Hashes
) -> tuple[Codes, Codes]:
    """Divide the classes of a partition by one more column, and mark what is alone.

    Entries whose value is missing leave the partition, and so do entries that are alone in their
    new class: no further column joins them with another entry. The parameters are those of
    :func:`mark_alone`, which marks the same entries.

    Returns
    -------
    entries, starts
        The finer partition.
    """
    count = np.zeros(size, dtype=np.int32)
    goes_to = np.empty(size, dtype=np.int32)
    finer = np.empty(len(entries), dtype=np.int32)
    begins = np.empty(len(entries) // 2 + 1, dtype=np.int32)  # a class has two entries at least
    classes, end = 0, 0
    for number in range(len(starts) - 1):
        for entry in entries[starts[number] : starts[number + 1]]:
            count[line[entry]] += 1
        count[MISSING] = 0
        for entry in entries[starts[number] : starts[number + 1]]:
            code = line[entry]
            if count[code] > 1:
                goes_to[code] = begins[classes] = end
                classes += 1
                end += count[code]
                count[code] = -1
            if count[code] < 0:
                finer[goes_to[code]] = entry
                goes_to[code] += 1
            elif count[code] == 1:
                _add(names[entry], alone)
        for entry in entries[starts[number] : starts[number + 1]]:
            count[line[entry]] = 0
    begins[classes] = end
    return finer[:end].copy(), begins[: classes + 1].copy()


@compiled
def count_subsets(
    codes: Codes,
    sizes: Codes,
    partition: tuple[Codes, Codes],
    first: int,
    place_of: Counts,
    may_be_alone: Hashes,
    found: Hashes,
    best: Counts,
    ever: Hashes,
) -> None:
    """Find what each subset singles out that begins with a column, up to a number of columns.

    The columns of a subset are in falling order. Each subset comes after all subsets of it if
    the first columns are given in rising order. What a subset singles out is what its own subsets
    single out, and what is alone in its partition.

    ``sizes``: for each column the number of its codes, with :data:`MISSING`.
    ``partition``: the entries, and where the classes that the attacker knows begin.
    ``place_of``: by column and number of columns before it, what a column adds to the place of a
    subset in `found`; as many numbers as a subset has columns at most.
    ``may_be_alone``: the entries that count.
    ``found``: what each subset singles out, except the largest ones; at 0 what no column does.
    ``best``: for each number of columns the most rows, and the subset that singles them out. Of
    the largest subsets, those that cannot single out more are skipped.
    ``ever``: receives what any subset singles out.
    """
    size = place_of.shape[1]
    every = np.arange(codes.shape[1], dtype=np.int32)
    lines, names = [codes] * size, [every] * size
    entries, starts = [partition[0]] * size, [partition[1]] * size
    subset = np.full(size, -1, dtype=np.int64)
    subset[0], depth = first - 1, 0
    without = np.zeros((size + 1, size + 1), dtype=np.int64)
    while depth >= 0:
        subset[depth] += 1
        column = subset[depth]
        if column == (subset[depth - 1] if depth else first + 1):
            depth -= 1
            continue
        _place_without(without, depth, place_of[column])
        alone = _unite(found, without[depth + 1, : depth + 1])
        line, here = lines[depth][column], entries[depth]
        if depth < size - 1:
            finer = refine(line, sizes[column], here, starts[depth], names[depth], alone)
            _note(alone, may_be_alone, subset[: depth + 1], best[depth], ever)
            found[without[depth + 1, depth + 1]] = alone
            depth += 1
            lines[depth], names[depth], entries[depth] = (
                lines[depth - 1],
                names[depth - 1],
                finer[0],
            )
            if depth < size - 1:  # read often: the codes of a class side by side in memory
                lines[depth] = gather(lines[depth][:column], finer[0])
                names[depth], entries[depth] = names[depth][finer[0]], every[: len(finer[0])]
            subset[depth], starts[depth] = -1, finer[1]
            continue
        # A class with m different values has at most m entries that are alone.
        values = (sizes[column] - 1) * (len(starts[depth]) - 1)
        if _count(alone) + min(len(here), values) > best[depth, 0]:
            mark_alone(line, sizes[column], here, starts[depth], names[depth], alone)
            _note(alone, may_be_alone, subset, best[depth], ever)


@compiled
def _place_without(without: Counts, depth: int, place_of: Counts) -> None:
    """Place the first columns of a subset, with one more, as parts of smaller subsets.

    ``without[depth, left_out]`` is the place of the columns before `depth` without one of them;
    with ``left_out == depth``, of all of them.
    """
    without[depth + 1, :depth] = without[depth, :depth] + place_of[depth - 1]
    without[depth + 1, depth] = without[depth, depth]
    without[depth + 1, depth + 1] = without[depth, depth] + place_of[depth]


@compiled
def _unite(sets: Hashes, places: Counts) -> Hashes:
    """Return the union of some sets."""
    united: Hashes = sets[places[0]].copy()
    for place in places[1:]:
        united |= sets[place]
    return united


@compiled
def _note(alone: Hashes, may_be_alone: Hashes, subset: Counts, best: Counts, ever: Hashes) -> None:
    """Keep what a subset singles out if that is the most of its size."""
    alone &= may_be_alone
    ever |= alone
    rows = _count(alone)
    if rows > best[0]:
        best[0], best[1 : 1 + len(subset)] = rows, subset


@compiled
def _add(number: int, found: Hashes) -> None:
    """Add a number to a set."""
    found[number >> 6] |= np.uint64(1) << (np.uint64(number) & np.uint64(63))


@compiled
def _remove(number: int, found: Hashes) -> None:
    """Remove a number from a set."""
    found[number >> 6] &= ~(np.uint64(1) << (np.uint64(number) & np.uint64(63)))


@compiled
def _count(found: Hashes) -> int:
    """Count the members of a set."""
    members = 0
    for word in found:
        while word:
            word &= word - np.uint64(1)
            members += 1
    return members


@compiled
def gather(codes: Codes, entries: Codes) -> Codes:
    """Return some columns of a matrix, in the order that is asked for."""
    gathered = np.empty((len(codes), len(entries)), dtype=np.int32)
    for row in range(len(codes)):
        for place in range(len(entries)):
            gathered[row, place] = codes[row, entries[place]]
    return gathered


@compiled
def match_none(codes: Codes, asked: Codes, entries: Codes, starts: Counts) -> Flags:
    """Return which entries no other entry equals wherever their own value is known.

    ``codes``: one row per column, one place per entry.
    ``asked``: the entries to compare with all others.
    ``entries``, ``starts``: for each column, the entries by their code, and where each code begins.

    Examples
    --------
    >>> codes = np.array([[1, 1, 2], [1, 0, 0]], dtype=np.int32)
    >>> entries = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32)
    >>> starts = np.array([[0, 0, 2, 3], [0, 2, 3, 3]])
    >>> match_none(codes, np.arange(3, dtype=np.int32), entries, starts).tolist()
    [True, False, True]
    """
    alone = np.zeros(len(asked), dtype=np.bool_)
    for number in range(len(asked)):
        entry, rarest, fewest = asked[number], -1, len(codes[0]) + 1
        for column in range(len(codes)):
            code = codes[column, entry]
            if code != MISSING and starts[column, code + 1] - starts[column, code] < fewest:
                rarest, fewest = column, starts[column, code + 1] - starts[column, code]
        if rarest >= 0:
            begin = starts[rarest, codes[rarest, entry]]
            alone[number] = not _matches(codes, entry, entries[rarest, begin : begin + fewest])
    return alone


@compiled
def _matches(codes: Codes, entry: int, others: Codes) -> bool:
    """Return whether another entry equals one wherever its own value is known."""
    for other in others:
        column = 0
        while column < len(codes) and (
            codes[column, entry] == MISSING or codes[column, entry] == codes[column, other]
        ):
            column += 1
        if column == len(codes) and other != entry:
            return True
    return False
