"""Companions: rows that are held back although they could be shown.

If 1 … k - 1 rows of equal history have to be held back, they would stand out. Further rows of the
same history, drawn at random, are held back with them until they are k.
"""

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags


def count_companions(sizes: Counts, part_of_group: Counts, remaining: Counts, k: int) -> Counts:
    """Return how many rows each group gives, so that 0 or at least k rows of each part remain.

    ``sizes``: number of rows of each group: 0 or at least k.
    """
    lacking = np.where((remaining > 0) & (remaining < k), k - remaining, 0)
    giving = np.flatnonzero((sizes > 0) & (lacking[part_of_group] > 0))
    giving = giving[np.lexsort((-sizes[giving], part_of_group[giving]))]
    edges = np.flatnonzero(np.diff(part_of_group[giving])) + 1
    given = np.zeros_like(sizes)
    for groups in np.split(giving, edges) if len(giving) else []:
        given[groups] = _take(sizes[groups], int(lacking[part_of_group[groups[0]]]), k)
    return given


def _take(sizes: Counts, lacking: int, k: int) -> Counts:
    """Return how many rows each group of a part gives, the largest groups first.

    A group gives rows while k remain in it. If all groups together cannot spare enough rows, the
    smallest group gives all of its rows, which are at least k.

    Examples
    --------
    >>> _take(np.array([7, 6, 5]), 3, 5).tolist(), _take(np.array([6, 5]), 3, 5).tolist()
    ([2, 1, 0], [0, 5])
    """
    spare = sizes - k
    if spare.sum() < lacking:
        return np.where(np.arange(len(sizes)) == len(sizes) - 1, sizes, 0)
    taken: Counts = np.clip(lacking - (np.cumsum(spare) - spare), 0, spare)
    return taken


def draw_rows(group: Codes, numbers: Counts) -> Flags:
    """Draw the given number of rows of each group at random, from the system's entropy."""
    drawn = np.zeros(len(group), dtype=np.bool_)
    rows = np.random.default_rng().permutation(np.flatnonzero(numbers[group]))
    rows = rows[np.argsort(group[rows], kind="stable")]
    members = group[rows]
    rank = np.arange(len(rows)) - np.searchsorted(members, members)
    drawn[rows] = rank < numbers[members]
    return drawn
