"""Closed groups, and the columns within them: multisets of rows that may become one class."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, first_slot, make_slots, mix, next_slot
from lookalike.kernels.types import Codes, Counts, Reals

PER_ROW = 16
"""The number of steps that each row of a listed column counts as, for the memory it takes."""


@compiled
def pick_largest(start: Counts, members: Codes, counts: Counts, values: Reals, k: int) -> Codes:
    """Pick the k rows of largest value in each group; the result has one row per group.

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
    """Fill `best` with the rows of largest value of one group."""
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

    Lowering a value never violates another group, so one pass over the groups is enough.
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
            # The rows of one sequence are adjacent in `best`, and its value is lowered once.
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
    """List the columns of each group: multisets of k … 2k - 1 rows that cost little more.

    A column belongs to a group if the group is the join of its rows. It is listed if its cost
    exceeds the values of its rows by at most `gap`. Rows are added in the order of that excess,
    so a branch ends as soon as the next rows in order exceed the gap. Of identical rows the
    first are taken first, so no column is listed twice.

    Parameters
    ----------
    ancestors, bottom
        The code of each sequence, by attribute, level and sequence, and the lowest levels.
    levels, costs, start, members
        The groups: their levels (one row each), costs, and the sequences that they cover.
    counts, values
        The number of rows and the value of each sequence.
    gap
        By how much the cost of a column may exceed its values.

    Returns
    -------
    group_of
        The group of each column.
    rows
        The sequence of each row, one row per column, filled up with -1.
    steps
        The steps taken; more than the budget if the list is incomplete.
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

    Parameters
    ----------
    taken
        The number of rows, one row per column, one column per sequence.
    shares
        How often the solution takes each column.
    least
        The least violation to report.
    most
        The greatest number of triples to return.

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


@compiled
def list_closed(
    ancestors: Codes, counts: Counts, vectors: Codes, bottom: Codes, k: int
) -> tuple[Codes, Counts, Codes]:
    """Find the groups at given vectors that have k rows and are the join of their members.

    Parameters
    ----------
    ancestors
        The code of each sequence, by attribute, level and sequence.

    Returns
    -------
    vector_of
        For each group, the row of its vector.
    start
        Where the members of each group begin, and the end of the last.
    members
        The sequences that the groups cover.
    """
    attributes, sequences = ancestors.shape[0], ancestors.shape[2]
    slots = make_slots(sequences)
    class_of = np.empty(sequences, dtype=np.int32)
    first = np.empty(sequences, dtype=np.int32)
    rows = np.empty(sequences, dtype=np.int64)
    size = np.empty(sequences, dtype=np.int64)
    place = np.empty(sequences, dtype=np.int64)
    differs = np.empty((sequences, attributes), dtype=np.bool_)
    vector_of = np.empty(1024, dtype=np.int32)
    start = np.zeros(1025, dtype=np.int64)
    members = np.empty(16384, dtype=np.int32)
    groups = 0
    for line in range(len(vectors)):
        vector = vectors[line]
        slots[:] = EMPTY
        classes = 0
        for sequence in range(sequences):
            mixed = np.uint64(0)
            for attribute in range(attributes):
                mixed = mix(mixed, np.uint64(ancestors[attribute, vector[attribute], sequence]))
            slot = first_slot(mixed, slots)
            while slots[slot] >= 0 and not _are_alike(
                ancestors, vector, first[slots[slot]], sequence
            ):
                slot = next_slot(slot, slots)
            if slots[slot] < 0:
                slots[slot] = classes
                first[classes] = sequence
                rows[classes] = size[classes] = 0
                for attribute in range(attributes):
                    differs[classes, attribute] = vector[attribute] == bottom[attribute]
                classes += 1
            one = slots[slot]
            class_of[sequence] = one
            rows[one] += counts[sequence]
            size[one] += 1
            for attribute in range(attributes):
                if not differs[one, attribute]:
                    below = ancestors[attribute, vector[attribute] - 1]
                    differs[one, attribute] = below[sequence] != below[first[one]]
        for one in range(classes):
            place[one] = -1
            if rows[one] < k or not differs[one].all():
                continue
            if groups + 1 >= len(vector_of):
                vector_of = np.append(vector_of, np.empty_like(vector_of))
                start = np.append(start, np.zeros_like(start))
            place[one] = start[groups]
            vector_of[groups] = line
            groups += 1
            start[groups] = place[one] + size[one]
        if start[groups] > len(members):
            members = np.append(members, np.empty(start[groups], dtype=np.int32))
        for sequence in range(sequences):
            one = class_of[sequence]
            if place[one] >= 0:
                members[place[one]] = sequence
                place[one] += 1
    return vector_of[:groups].copy(), start[: groups + 1].copy(), members[: start[groups]].copy()


@compiled
def _are_alike(ancestors: Codes, vector: Codes, one: int, other: int) -> bool:
    """Return whether two sequences show the same codes at a vector."""
    for attribute in range(len(vector)):
        line = ancestors[attribute, vector[attribute]]
        if line[one] != line[other]:
            return False
    return True
