"""Give: rows that groups of the same history give, so that nobody remains alone."""

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags


def give(sizes: Counts, part_of_group: Counts, remaining: Counts, k: int) -> Counts:
    """Say how many rows each group gives, so that none or at least k of every part remain.

    Parameters
    ----------
    sizes
        How many rows each group has: none, or at least k.
    part_of_group
        The part of each group.
    remaining
        How many rows of each part remain without a group.
    k
        How many must.
    """
    lacking = np.where((remaining > 0) & (remaining < k), k - remaining, 0)
    asked = np.flatnonzero((sizes > 0) & (lacking[part_of_group] > 0))
    asked = asked[np.lexsort((-sizes[asked], part_of_group[asked]))]
    edges = np.flatnonzero(np.diff(part_of_group[asked])) + 1
    given = np.zeros_like(sizes)
    for groups in np.split(asked, edges) if len(asked) else []:
        given[groups] = _take(sizes[groups], int(lacking[part_of_group[groups[0]]]), k)
    return given


def _take(sizes: Counts, lacking: int, k: int) -> Counts:
    """Take so many rows from the groups of a part, the largest first, and no more than needed.

    A group gives rows while k remain. If all together cannot spare enough, the smallest gives
    all of its rows, which are enough.

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


def draw(group: Codes, numbers: Counts) -> Flags:
    """Draw so many rows of each group at random."""
    drawn = np.zeros(len(group), dtype=np.bool_)
    rows = np.random.default_rng().permutation(np.flatnonzero(numbers[group]))
    rows = rows[np.argsort(group[rows], kind="stable")]
    members = group[rows]
    rank = np.arange(len(rows)) - np.searchsorted(members, members)
    drawn[rows] = rank < numbers[members]
    return drawn
