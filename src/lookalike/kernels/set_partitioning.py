"""Columns of the set partitioning problem: multisets of rows that may become one class."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Reals

PER_ROW = 16
"""A row of a column that is listed counts as so many steps, for the memory it takes."""


@compiled
def pick_largest(start: Counts, members: Codes, counts: Counts, values: Reals, k: int) -> Codes:
    """Pick, in each group, the k rows of largest value; one line a group.

    Examples
    --------
    >>> start, members = np.array([0, 2, 5]), np.array([0, 1, 0, 1, 2], dtype=np.int32)
    >>> counts, values = np.array([2, 1, 1]), np.array([3.0, 5.0, 4.0])
    >>> pick_largest(start, members, counts, values, 3).tolist()
    [[1, 0, 0], [1, 2, 0]]
    """
    picked = np.empty((len(start) - 1, k), dtype=np.int32)
    for group in range(len(start) - 1):
        _pick(members[start[group] : start[group + 1]], counts, values, picked[group])
    return picked


@compiled
def _pick(covered: Codes, counts: Counts, values: Reals | Counts, best: Codes) -> None:
    """Write down the rows of largest value of one group, as many as there is room for."""
    k, filled = len(best), 0
    for sequence in covered:
        for _ in range(min(counts[sequence], k)):
            if filled < k:
                filled += 1
            elif values[sequence] <= values[best[k - 1]]:
                break
            rank = filled - 1
            while rank > 0 and values[best[rank - 1]] < values[sequence]:
                best[rank] = best[rank - 1]
                rank -= 1
            best[rank] = sequence


@compiled
def lower_values(
    costs: Counts, start: Counts, members: Codes, counts: Counts, values: Counts, k: int
) -> Counts:
    """Lower values until, in every group, the k largest sum to at most k times its cost.

    Lowering one never breaks what holds already, so one pass is enough.
    """
    values = values.copy()
    best = np.empty(k, dtype=np.int32)
    for group in range(len(costs)):
        while True:
            _pick(members[start[group] : start[group + 1]], counts, values, best)
            excess = -k * costs[group]
            for rank in range(k):
                excess += values[best[rank]]
            if excess <= 0:
                break
            for rank in range(k):
                if rank == 0 or best[rank] != best[rank - 1]:
                    values[best[rank]] -= (excess + k - 1) // k
    return values


@compiled
def list_class_columns(
    ancestors: Codes,
    bottom: Codes,
    levels: Codes,
    costs: Counts,
    start: Counts,
    members: Codes,
    counts: Counts,
    values: Counts,
    k: int,
    gap: int,
    budget: int,
) -> tuple[Codes, Codes, int]:
    """List the multisets of k … 2k - 1 rows whose join is a group and that cost little more.

    That is, whose costs exceed their values by at most `gap`. Rows are taken in the order of
    that excess, so a branch ends as soon as the next rows in order exceed it. Of identical
    rows the first are taken first.

    Parameters
    ----------
    ancestors, bottom
        What sequences show at each level, and the least vector.
    levels, costs, start, members
        The groups: their vectors (one line each), costs, and the sequences they cover.
    counts, values
        The number of rows and the value of each sequence.
    k
        The least number of rows.
    gap
        How much more a column may cost than its values.
    budget
        How many steps to take at most.

    Returns
    -------
    group_of
        The group of each column.
    rows
        One line a column: a sequence for each row, then -1.
    steps
        The steps taken; more than the budget if the list is not complete.
    """
    most = 2 * k - 1
    group_of = np.empty(64, dtype=np.int32)
    rows = np.full((64, most), -1, dtype=np.int32)
    found = steps = 0
    for group in range(len(costs)):
        covered = members[start[group] : start[group + 1]]
        covered = covered[np.argsort(values[covered])[::-1]]
        length = 0
        for sequence in covered:
            length += min(counts[sequence], most)
        one = np.empty(length, dtype=np.int32)
        total = np.zeros(length + 1, dtype=np.int64)
        after = np.empty(length, dtype=np.int64)
        place = 0
        for sequence in covered:
            end = place + min(counts[sequence], most)
            while place < end:
                one[place], after[place] = sequence, end
                total[place + 1] = total[place] + costs[group] - values[sequence]
                place += 1
        for size in range(k, min(most, length) + 1):
            chosen = np.zeros(size, dtype=np.int64)
            spent = np.zeros(size + 1, dtype=np.int64)
            depth = 0
            while depth >= 0:
                steps += 1
                if steps > budget:
                    return group_of[:found].copy(), rows[:found].copy(), steps
                place = chosen[depth]
                end = place + size - depth
                if end > length or spent[depth] + total[end] - total[place] > gap:
                    depth -= 1
                    if depth >= 0:
                        chosen[depth] = after[chosen[depth]]
                    continue
                spent[depth + 1] = spent[depth] + total[place + 1] - total[place]
                if depth < size - 1:
                    depth += 1
                    chosen[depth] = place + 1
                    continue
                is_join = True
                for attribute in range(len(bottom)):
                    level = levels[group, attribute]
                    if level > bottom[attribute]:
                        below = ancestors[attribute, level - 1]
                        alike = 1
                        while alike < size and below[one[chosen[alike]]] == below[one[chosen[0]]]:
                            alike += 1
                        if alike == size:
                            is_join = False
                            break
                if is_join:
                    if found == len(group_of):
                        group_of = np.append(group_of, np.empty_like(group_of))
                        rows = np.concatenate((rows, np.full_like(rows, -1)))
                    group_of[found] = group
                    for rank in range(size):
                        rows[found, rank] = one[chosen[rank]]
                    found += 1
                    steps += PER_ROW * size
                chosen[depth] = after[place]
    return group_of[:found].copy(), rows[:found].copy(), steps


@compiled
def find_triples(
    taken: Codes, shares: Reals, counts: Counts, least: float, most: int
) -> tuple[Codes, Reals]:
    """Find triples of sequences of which a fractional solution takes more pairs than there are.

    Of three rows one class at most holds two. In general, over three sequences the columns
    hold no more than half of the rows as pairs: Σ ⌊rows in the column ∕ 2⌋ ≤ ⌊rows ∕ 2⌋. One
    pair of sequences alone never exceeds that, so one of the three is with both others.

    Parameters
    ----------
    taken
        One line a column, one column a sequence: the rows that are in it.
    shares
        How often each column is taken.
    counts
        The number of rows of each sequence.
    least
        By how much the solution must exceed the limit.
    most
        How many triples to return at most.

    Returns
    -------
    triples
        One line a triple.
    excess
        By how much each is exceeded.
    """
    columns, sequences = taken.shape
    together = np.zeros((sequences, sequences), dtype=np.float64)
    for column in range(columns):
        within = np.flatnonzero(taken[column])
        for one in within:
            for other in within:
                together[one, other] += shares[column]
    triples = np.empty((most, 3), dtype=np.int32)
    excess = np.empty(most, dtype=np.float64)
    found = 0
    for a in range(sequences):
        near = np.flatnonzero(together[a])
        for b in near:
            for c in near:
                once = b < c and a != b and a != c and (a < b or together[b, c] == 0)
                limit = (counts[a] + counts[b] + counts[c]) // 2
                if not once or together[a, b] + together[a, c] + together[b, c] <= limit + least:
                    continue
                pairs = 0.0
                for column in range(columns):
                    rows = taken[column, a] + taken[column, b] + taken[column, c]
                    pairs += rows // 2 * shares[column]
                if pairs > limit + least and found < most:
                    triples[found, 0], triples[found, 1], triples[found, 2] = a, b, c
                    excess[found] = pairs - limit
                    found += 1
    return triples[:found].copy(), excess[:found].copy()
