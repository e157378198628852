"""Leave out the answers of each class that too few of its rows share, one column or several.

Rows come class after class. A value of a column is left out of all rows of a class, or of none. So
to leave out one more value merges sets of rows that are shown alike, and divides none: what a
column satisfied beside others, it satisfies from then on.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Flags

WITHHELD = 0
"""The code of a value that is left out; those of the values follow it."""


@compiled
def leave_out_rare(codes: Codes, starts: Codes, k: int, known: int) -> None:
    """Leave values out until any so many columns, as shown, have k rows or none in each class.

    The column of a class that keeps much in large sets is settled first. Every other column then
    gives up what is rare beside it, so that each pair, or three, of columns is compared once.

    ``codes``: the value of each column and row, from 1; changed in place.
    ``starts``: the first row of each class, and the end of the last.
    ``known``: how many columns are known together, from 1 to 3.

    Examples
    --------
    >>> codes = np.array([[1, 1, 1, 2, 2], [1, 2, 1, 2, 2]], dtype=np.int32)
    >>> leave_out_rare(codes, np.array([0, 5], dtype=np.int32), 2, 2)
    >>> codes.tolist()
    [[1, 1, 1, 2, 2], [0, 0, 0, 0, 0]]
    """
    columns, size = len(codes), codes.max() + 1 if codes.size else 1
    tally, rows_of = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    rare = np.zeros(size, dtype=np.bool_)
    for number in range(len(starts) - 1):
        block = codes[:, starts[number] : starts[number + 1]]
        rows = block.shape[1]
        whole, ends = np.arange(rows), np.array([0, rows])
        for column in range(columns):
            _settle(block[column], whole, ends, k, tally, rows_of, rare)
        settled = np.zeros(columns, dtype=np.bool_)
        chosen = np.empty(columns, dtype=np.int32)
        for place in range(columns if known > 1 else 0):
            chosen[place] = best = _choose_next(block, settled, tally)
            if best < 0:
                break
            settled[best] = True
            for beside in range(max(1, place) if known > 2 else 1):
                other = chosen[beside] if known > 2 else best
                keys = block[best].astype(np.int64) * size + block[other]
                order = np.argsort(keys)
                ends = _find_ends(keys[order])
                for column in range(columns):
                    if not settled[column]:
                        _settle(block[column], order, ends, k, tally, rows_of, rare)


@compiled
def _choose_next(block: Codes, settled: Flags, tally: Codes) -> int:
    """Return the column of a class to settle next; -1 if none keeps a cell.

    Other columns keep few values beside a set of few rows: so the rows of the smallest set of a
    column count, times the cells that it keeps.
    """
    best, most = -1, 0
    for column in range(len(block)):
        if settled[column]:
            continue
        for value in block[column]:
            tally[value] += 1
        smallest, kept = block.shape[1], block.shape[1] - tally[WITHHELD]
        for value in block[column]:
            smallest = min(smallest, tally[value])
        for value in block[column]:
            tally[value] = 0
        if smallest * kept > most:
            best, most = column, smallest * kept
    return best


@compiled
def _find_ends(keys: Counts) -> Counts:
    """Return where each run of equal keys begins, and the end of the last."""
    inner = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    return np.concatenate((np.array([0]), inner, np.array([len(keys)])))


@compiled
def _settle(
    line: Codes, order: Counts, ends: Counts, k: int, tally: Codes, rows_of: Codes, rare: Flags
) -> None:
    """Leave out values of a column until each set of rows has k rows or none of what is shown.

    A value that is rare in some set stays so whatever else is left out: all of them go at once.
    Then a set may have too few rows without a value: it gives up its value with the fewest rows.

    ``order``, ``ends``: the rows set by set, and where each set begins.
    ``tally``, ``rows_of``, ``rare``: zero for every value, before and after.
    """
    for value in line:
        rows_of[value] += 1
    while _mark_rare(line, order, ends, k, tally, rare) or _mark_least(
        line, order, ends, k, rows_of, rare
    ):
        for place in range(len(line)):
            if rare[line[place]]:
                rows_of[line[place]] = 0
                line[place] = WITHHELD
        rare[:] = False
    for value in line:
        rows_of[value] = 0
    rows_of[WITHHELD] = 0


@compiled
def _mark_rare(line: Codes, order: Counts, ends: Counts, k: int, tally: Codes, rare: Flags) -> bool:
    """Mark the values that a set of rows has, but fewer than k times."""
    found = False
    for number in range(len(ends) - 1):
        members = order[ends[number] : ends[number + 1]]
        for row in members:
            tally[line[row]] += 1
        for row in members:
            value = line[row]
            if value != WITHHELD and 0 < tally[value] < k:
                rare[value] = found = True
        for row in members:
            tally[line[row]] = 0
    return found


@compiled
def _mark_least(
    line: Codes, order: Counts, ends: Counts, k: int, rows_of: Codes, rare: Flags
) -> bool:
    """Mark a value of a set that has too few rows without one: that with the fewest rows."""
    for number in range(len(ends) - 1):
        left_out, least = 0, WITHHELD
        for row in order[ends[number] : ends[number + 1]]:
            value = line[row]
            left_out += value == WITHHELD
            if value != WITHHELD and (
                least == WITHHELD or (rows_of[value], value) < (rows_of[least], least)
            ):
                least = value
        if 0 < left_out < k:
            rare[least] = True
            return True
    return False
