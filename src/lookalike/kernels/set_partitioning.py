"""The columns within groups: multisets of rows that may become one class."""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import Cells
from lookalike.kernels.lower_bound import Pool, largest
from lookalike.kernels.types import Codes, Counts, Reals

PER_ROW = 16
"""The number of steps that each row of a listed column counts as, for the memory it takes."""


class Groups(NamedTuple):
    """Closed groups: tuples that cover at least k rows and are the join of these rows.

    A class is released as the join of its rows. For any generalized tuple there is a closed one
    that covers the same rows and costs no more. So a proof needs to consider closed groups
    only.

    ``levels``: the level of each attribute, one row per group.
    ``pool``: what each group covers, and what it costs.
    """

    levels: Codes
    pool: Pool

    def take(self, groups: Counts) -> "Groups":
        """Return the chosen groups, in the given order."""
        return Groups(self.levels[groups], self.pool.take(groups))


@compiled
def pick_largest(pool: Pool, counts: Counts, values: Reals, k: int) -> Codes:
    """Pick the k rows of largest value in each group; the result has one row per group.

    Examples
    --------
    >>> start, members = np.array([0, 2, 5]), np.array([0, 1, 0, 1, 2], dtype=np.int32)
    >>> counts, values = np.array([2, 1, 1]), np.array([3.0, 5.0, 4.0])
    >>> pick_largest(Pool(start, members, np.zeros(2)), counts, values, 3).tolist()
    [[1, 0, 0], [1, 2, 0]]
    """
    chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
    picked = np.empty((len(pool.costs), k), dtype=np.int32)
    for group in range(len(picked)):
        number, _, _ = largest(values, counts, pool, group, k, chosen, taken)
        filled = 0
        for place in range(number):
            picked[group, filled : filled + taken[place]] = chosen[place]
            filled += taken[place]
    return picked


@compiled
def list_class_columns(
    cells: Cells, groups: Groups, counts: Counts, values: Counts, k: int, gap: int, budget: int
) -> tuple[Codes, Codes, int]:
    """List the columns of each group: multisets of k … 2k - 1 rows that cost little more.

    A column belongs to a group if the group is the join of its rows. It is listed if its cost
    exceeds the values of its rows by at most `gap`. Rows are added in the order of that excess,
    so a branch ends as soon as the next rows in order exceed the gap. Of identical rows the
    first are taken first, so no column is listed twice.

    ``counts``, ``values``: the number of rows and the value of each sequence.
    ``gap``: by how much the cost of a column may exceed its values.

    Returns
    -------
    group_of
        The group of each column.
    rows
        The sequence of each row, one row per column, filled up with -1.
    steps
        The steps taken; more than the budget if the list is incomplete.
    """
    (start, members, costs), bottom = groups.pool, cells.bottom
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
                # The next rows in order are the cheapest that can follow.
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
                    level = groups.levels[group, attribute]
                    if level > bottom[attribute]:
                        below = cells.ancestors[:, attribute, level - 1]
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
                chosen[depth] = after[place]  # behind the rows that are identical
    return group_of[:found].copy(), rows[:found].copy(), steps


@compiled
def list_triples(
    taken: Codes, shares: Reals, counts: Counts, least: float, most: int
) -> tuple[Codes, Reals]:
    """Find triples of sequences for which a fractional solution violates a cut.

    Of three rows, at most one class holds two. In general, the columns hold at most half of the
    rows of three sequences as pairs: Σ ⌊rows in the column ∕ 2⌋ ≤ ⌊rows ∕ 2⌋. A single pair of
    sequences never violates that, so one of the three shares columns with both others.

    ``taken``: the number of rows, one row per column, one column per sequence.
    ``shares``: how often the solution takes each column.
    ``least``: the least violation to report.
    ``most``: the greatest number of triples to return.

    Returns
    -------
    triples
        The triples, one per row.
    excess
        By how much each cut is violated.
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
                # Each triple once: from its first sequence, or from the one between two others
                # that share no column.
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
