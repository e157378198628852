"""Bound how many rows of a class can be kept in parts that satisfy a protection.

Parts of a class that satisfy a protection satisfy it together, because protections are preserved
when classes are united. So the rows that any division of a class can keep are at most the
largest number of its rows that satisfy the protection as one class. Each function returns an upper
bound of that number. Classes are laid out as in :mod:`lookalike.kernels.class_values`.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Reals

MOST_TURNS = 40
"""How often a bound is sharpened; every bound on the way is valid."""


@compiled
def keep_below_shares(starts: Counts, values: Codes, counts: Counts, caps: Reals) -> Reals:
    """Bound the rows of each class if no value may have more than its greatest share.

    n rows of which value s has at most a share aₛ are at most Σ min(cₛ, aₛ · n). The bound begins
    with all rows and is put into this sum again and again.

    Parameters
    ----------
    starts, values, counts
        The values of each class.
    caps
        The greatest share of each value.

    Examples
    --------
    >>> keep_below_shares(np.array([0, 2]), np.array([0, 1]), np.array([9, 1]), np.full(2, 0.5))
    array([2.])
    """
    kept = np.zeros(len(starts) - 1)
    for one in range(len(kept)):
        first, last = starts[one], starts[one + 1]
        rows = float(counts[first:last].sum())
        for _ in range(MOST_TURNS):
            total = 0.0
            for place in range(first, last):
                total += min(float(counts[place]), caps[values[place]] * rows)
            total = np.floor(total + 1e-6)  # rounding must not lower an upper bound
            if total >= rows:
                break
            rows = total
        kept[one] = rows
    return kept


@compiled
def keep_near(starts: Counts, values: Codes, counts: Counts, shares: Reals, t: float) -> Reals:
    """Bound the rows of each class if half the L1 distance from the table may be at most t.

    n rows lack Σ max(0, qₛ · n − cₛ) rows of the table's distribution, which must be at most t · n.
    The difference is convex in n, so its tangent at a number of rows that lacks too much
    vanishes at a smaller number that is still no smaller than the largest one allowed.

    Parameters
    ----------
    starts, values, counts
        The values of each class.
    shares
        The share of each value in the table.

    Examples
    --------
    >>> shares = np.array([0.5, 0.5])
    >>> keep_near(np.array([0, 2]), np.array([0, 1]), np.array([9, 1]), shares, 0.25)
    array([4.])
    """
    kept = np.zeros(len(starts) - 1)
    for one in range(len(kept)):
        first, last = starts[one], starts[one + 1]
        rows = float(counts[first:last].sum())
        for _ in range(MOST_TURNS):
            missing, known = 1.0, 0.0
            for place in range(first, last):
                share = shares[values[place]]
                if share * rows <= counts[place]:
                    missing -= share
                else:
                    known += counts[place]
            lacking = missing * rows - known
            if lacking <= t * rows + 1e-6 or missing <= t:
                break
            rows = np.floor(known / (missing - t) + 1e-6)
        kept[one] = rows
    return kept


@compiled
def keep_diverse(starts: Counts, counts: Counts, least: float) -> Reals:
    """Bound the rows of each class if its entropy must be at least `least`, in nats.

    Of all choices of n rows, the one in which every value has at most m rows, m as small as
    possible, has the greatest entropy; and the entropy falls with m. So m is found by halving.

    Examples
    --------
    >>> keep_diverse(np.array([0, 2]), np.array([9, 1]), np.log(2))
    array([2.])
    """
    kept = np.zeros(len(starts) - 1)
    for one in range(len(kept)):
        some = counts[starts[one] : starts[one + 1]]
        low, high = 0, int(some.max()) if len(some) else 0
        if high and capped_entropy(some, high) >= least:
            low = high
        while low < high - 1:
            middle = (low + high) // 2
            if capped_entropy(some, middle) >= least:
                low = middle
            else:
                high = middle
        rows = 0
        for count in some:
            rows += min(count, high)
        if low:
            kept[one] = rows - (1 if low < high else 0)
    return kept


@compiled
def capped_entropy(counts: Counts, cap: int) -> float:
    """Return the entropy of counts that are cut to a number, in nats; a little more than exact."""
    rows, weighted = 0, 0.0
    for count in counts:
        cut = min(count, cap)
        rows += cut
        weighted += cut * np.log(cut)
    entropy: float = np.log(rows) - weighted / rows + 1e-9
    return entropy


@compiled
def keep_recursive(starts: Counts, counts: Counts, c: float, before: int) -> Reals:
    """Bound the rows of each class if r₁ < c · (the counts after the `before` largest).

    If the most frequent value has m rows, every value has at most m, so m must be below c times
    the sum of the counts, cut to m, after the largest ones. The sum is concave in m, so the
    greatest such m is found by halving.

    Examples
    --------
    >>> keep_recursive(np.array([0, 2]), np.array([9, 1]), 3.0, 1)
    array([3.])
    """
    kept = np.zeros(len(starts) - 1)
    for one in range(len(kept)):
        some = np.sort(counts[starts[one] : starts[one + 1]])
        tail = some[: max(0, len(some) - before)]
        low, high = 0, (int(some[-1]) if len(some) else 0) + 1
        while low < high - 1:
            middle = (low + high) // 2
            total = 0
            for count in tail:
                total += min(count, middle)
            if middle < c * total:
                low = middle
            else:
                high = middle
        rows = 0
        for count in some:
            rows += min(count, low)
        kept[one] = rows
    return kept
