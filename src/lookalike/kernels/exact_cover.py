"""List the classes that a better release could have, and look for a release made of them.

Only the verifier uses this file. It works differently from the search on purpose: row by row, in
whole numbers, without linear programs.
"""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Flags

TOO_LARGE = -1
"""The budget was too small for an answer."""
NO_COVER = 0
"""No choice of columns exists."""
FOUND = 1
"""A choice of columns exists."""


@compiled
def list_classes(
    shown: Codes, costs: Counts, counts: Counts, values: Counts, k: int, gap: int, budget: int
) -> tuple[Codes, Counts, int]:
    """List the multisets of k … 2k - 1 rows whose cost exceeds their values by at most a gap.

    Rows are added by descending value. A further row can only raise the cost of a class, and no
    later row has a greater value. So a branch ends if the rows so far, with the fewest or the
    most that may follow, exceed the gap.

    ``shown``: the code of each sequence, by sequence, attribute and level.
    ``costs``: the least cost of a cell at each level or above, by sequence, attribute and level.
    ``counts``, ``values``: the number of rows of each sequence, and the value of one row, in
    descending order.
    ``gap``: by how much the cost of a class may exceed the values of its rows.

    Returns
    -------
    rows
        The sequence of each row, one row per class, filled up with -1.
    excess
        By how much the cost of each class exceeds its values.
    steps
        The steps taken; more than the budget if the list is incomplete.
    """
    sequences, attributes, top = shown.shape
    most = 2 * k - 1
    rows = np.full((64, most), -1, dtype=np.int32)
    excess = np.empty(64, dtype=np.int64)
    found = steps = 0
    chosen = np.zeros(most + 1, dtype=np.int32)
    levels = np.zeros((most + 1, attributes), dtype=np.int32)
    worth = np.zeros(most + 1, dtype=np.int64)
    for first in range(sequences):
        depth = 0
        chosen[0] = first
        while depth >= 0:
            steps += 1
            if steps > budget:
                return rows[:found].copy(), excess[:found].copy(), steps
            one = chosen[depth]
            # `chosen` never falls along a branch: the rows of one sequence are adjacent, and no
            # multiset occurs twice.
            alike = 0
            while alike <= depth and chosen[depth - alike] == one:
                alike += 1
            fits = one < sequences and alike <= counts[one] and (depth > 0 or one == first)
            if fits:
                cost = np.int64(0)
                for attribute in range(attributes):
                    level = levels[depth - 1, attribute] if depth else 0
                    while (
                        level < top
                        and shown[one, attribute, level] != shown[first, attribute, level]
                    ):
                        level += 1
                    if level == top:
                        fits = False
                        break
                    levels[depth, attribute] = level
                    cost += costs[first, attribute, level]
            if fits:
                worth[depth] = values[one] + (worth[depth - 1] if depth else 0)
                size = depth + 1
                # No later value is greater, so each further row adds `further` at least: as few
                # rows as k needs if that is a loss, else as many as fit.
                fewest, further = max(0, k - size), cost - values[one]
                more = fewest if further >= 0 else most - size
                fits = size * cost - worth[depth] + more * further <= gap
                if fits and size >= k and size * cost - worth[depth] <= gap:
                    if found == len(excess):
                        rows = np.concatenate((rows, np.full_like(rows, -1)))
                        excess = np.append(excess, np.empty_like(excess))
                    rows[found, :size] = chosen[:size]
                    excess[found] = size * cost - worth[depth]
                    found += 1
                    steps += 16 * size  # for its memory: each row of a listed class counts as 16
                fits = fits and size < most
            if fits:
                depth += 1
                chosen[depth] = one
            elif depth == 0:
                depth = -1
            elif one >= sequences:
                depth -= 1
                chosen[depth] += 1
            else:
                chosen[depth] += 1
    return rows[:found].copy(), excess[:found].copy(), steps


class CoverColumns(NamedTuple):
    """The columns that may cover the rows.

    ``start``, ``members``, ``numbers``: where the entries of each column begin, the sequence of
    each entry, and its number of rows.
    ``excess``, ``sizes``: by how much each column exceeds the values of its rows, and its number of
    rows.
    ``spare``: for each column, 1 if it is a suppressed row, 0 if it is a class.
    """

    start: Counts
    members: Codes
    numbers: Counts
    excess: Counts
    sizes: Counts
    spare: Codes


@compiled
def find_cover(
    listed: CoverColumns, counts: Counts, gap: int, allowance: int, price: int, budget: int
) -> int:
    """Look for columns that cover every row once and exceed their values by at most a gap.

    The search branches on the sequence with the fewest columns, over each of them in turn. A
    column that was tried is excluded from the later branches, so no choice occurs twice. Each
    remaining row costs at least its share of the cheapest column that it can be in; this bound
    ends most branches.

    ``gap``: by how much a choice of columns may exceed its values.
    ``allowance``, ``price``: the number of rows that may be suppressed, and what each unused one
    adds to the excess.
    ``budget``: the greatest number of entries to examine.

    Returns
    -------
    found
        ``FOUND``, ``NO_COVER`` or ``TOO_LARGE``.
    """
    excess, spare = listed.excess, listed.spare
    columns, left = len(excess), counts.copy()
    barred = np.zeros(columns, dtype=np.int64)
    depths = counts.sum() + 1  # every column covers a row
    taken = np.full(depths, -1, dtype=np.int64)
    pivot = np.full(depths, -1, dtype=np.int64)
    room = np.full(depths, gap, dtype=np.int64)
    unused = np.full(depths, allowance, dtype=np.int64)
    choices = np.empty(len(counts), dtype=np.int64)
    share = np.empty(len(counts), dtype=np.int64)
    fits = np.empty(columns, dtype=np.bool_)
    depth, steps, entering = 0, 0, True
    while depth >= 0:
        for column in range(columns):
            fits[column] = (
                not barred[column]
                and excess[column] <= room[depth]
                and spare[column] <= unused[depth]
            )
        if entering:
            steps += _survey(listed, fits, left, choices, share)
            if steps > budget:
                return TOO_LARGE
            least, pivot[depth] = _judge(left, choices, share)
            if pivot[depth] < 0 and price * unused[depth] <= room[depth]:
                return FOUND
            dead = pivot[depth] < 0 or choices[pivot[depth]] == 0 or least > room[depth]
            taken[depth] = columns if dead else -1
        elif taken[depth] < columns:
            _move(listed, left, taken[depth], 1)
            # Excluded from the later branches, until this depth is left; 0 is not barred, so
            # depths count from 1 here.
            barred[taken[depth]] = depth + 1
        column = taken[depth] + 1
        while column < columns and not (
            fits[column] and _takes(listed, left, column, pivot[depth])
        ):
            column += 1
        entering = column < columns
        taken[depth] = column
        if entering:
            _move(listed, left, column, -1)
            room[depth + 1] = room[depth] - excess[column]
            unused[depth + 1] = unused[depth] - spare[column]
            depth += 1
        else:
            barred[barred == depth + 1] = 0
            depth -= 1
    return NO_COVER


@compiled
def _survey(listed: CoverColumns, fits: Flags, left: Counts, choices: Counts, share: Counts) -> int:
    """Count the columns that rows of each sequence can be in, and find their least share.

    Columns that take more rows than remain are marked as not fitting. Returns the steps taken.
    """
    start, members, _, excess, sizes, _ = listed
    choices[:] = 0
    steps = len(left)
    for column in range(len(excess)):
        if not fits[column]:
            continue
        steps += start[column + 1] - start[column]
        fits[column] = _takes(listed, left, column, -1)
        if fits[column]:
            each = excess[column] // sizes[column]  # rounded down: shares add up to no more
            for entry in range(start[column], start[column + 1]):
                one = members[entry]
                if choices[one] == 0 or each < share[one]:
                    share[one] = each
                choices[one] += 1
    return steps


@compiled
def _judge(left: Counts, choices: Counts, share: Counts) -> tuple[int, int]:
    """Return the least cost of the remaining rows, and the sequence with the fewest columns."""
    least, fewest = 0, -1
    for one in range(len(left)):
        if left[one] > 0:
            least += left[one] * share[one] if choices[one] else 0
            if fewest < 0 or choices[one] < choices[fewest]:
                fewest = one
    return least, fewest


@compiled
def _takes(listed: CoverColumns, left: Counts, column: int, pivot: int) -> bool:
    """Return whether a column takes only remaining rows, and some of the pivot, if given."""
    has = pivot < 0
    for entry in range(listed.start[column], listed.start[column + 1]):
        has = has or listed.members[entry] == pivot
        if listed.numbers[entry] > left[listed.members[entry]]:
            return False
    return has


@compiled
def _move(listed: CoverColumns, left: Counts, column: int, sign: int) -> None:
    """Remove the rows of a column from the remaining rows, or put them back."""
    for entry in range(listed.start[column], listed.start[column + 1]):
        left[listed.members[entry]] += sign * listed.numbers[entry]
