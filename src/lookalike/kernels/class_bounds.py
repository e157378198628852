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
LENIENCE = 1e-6
"""Added to a bound before it is rounded down, so that rounding never lowers it below the truth."""


@compiled
def keep_below_shares(starts: Counts, values: Codes, counts: Counts, caps: Reals) -> Reals:
    """Bound the rows of each class if no value may have more than its greatest share.

    n rows of which value s has at most a share aₛ are at most f(n) = Σ min(cₛ, ⌊aₛ · n⌋). f never
    falls, so if n rows can be kept and n ≤ m, then n ≤ f(n) ≤ f(m). The bound begins with all rows
    and is put into f again and again. Without ⌊⌋, f is concave, so its tangent at a number of rows
    above f meets the number of rows at a smaller one that is still no smaller than any allowed;
    a step takes the better of the two.

    ``starts``, ``values``, ``counts``: the values of each class.
    ``caps``: the greatest share of each value.

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
            total, known, slope = 0.0, 0.0, 0.0
            for place in range(first, last):
                most = caps[values[place]] * rows
                if most < counts[place]:
                    total += np.floor(most + LENIENCE)
                    slope += caps[values[place]]
                else:
                    total += counts[place]
                    known += counts[place]
            if total >= rows:
                break
            if known + slope * rows < rows:
                total = min(total, np.floor(known / (1 - slope) + LENIENCE))
            rows = total
        kept[one] = rows
    return kept


@compiled
def keep_near_on_tree(
    starts: Counts, values: Codes, counts: Counts, nodes: Codes, shares: Reals, most: float
) -> Reals:
    """Bound the rows of each class if at most a share `most` of them may move through a tree.

    On a level, n rows of which a node with share Q of the table has at most the c rows of the class
    lack at least Σ max(0, Q · n − c) rows, and as many move. Over all levels that must be at
    most `most` · n. The difference is convex in n, so its tangent at a number of rows that lacks
    too much vanishes at a smaller number that is still no smaller than the largest one allowed.

    ``starts``, ``values``, ``counts``: the values of each class.
    ``nodes``, ``shares``: the node of each value and the share of each node in the table, for each
    level below the top; see :func:`lookalike.kernels.class_distances.measure_tree_distances`.

    Examples
    --------
    >>> nodes, shares = np.array([[0, 1]], dtype=np.int32), np.array([[0.5, 0.5]])
    >>> starts, values, counts = np.array([0, 2]), np.array([0, 1]), np.array([9, 1])
    >>> keep_near_on_tree(starts, values, counts, nodes, shares, 0.25)
    array([4.])
    """
    kept = np.zeros(len(starts) - 1)
    held = np.zeros(shares.shape[1], dtype=np.int64)
    reached = np.empty((2, nodes.size))  # the rows and the share of each node of the class
    for one in range(len(kept)):
        first, last = starts[one], starts[one + 1]
        found = 0
        for level in range(len(nodes)):
            for place in range(first, last):
                held[nodes[level, values[place]]] += counts[place]
            for place in range(first, last):
                node = nodes[level, values[place]]
                if held[node]:
                    reached[0, found], reached[1, found] = held[node], shares[level, node]
                    held[node] = 0
                    found += 1
        rows = float(counts[first:last].sum())
        for _ in range(MOST_TURNS):
            missing, known = float(len(nodes)), 0.0
            for place in range(found):
                if reached[1, place] * rows <= reached[0, place]:
                    missing -= reached[1, place]
                else:
                    known += reached[0, place]
            if missing <= most or missing * rows - known <= most * rows + LENIENCE:
                break
            rows = np.floor(known / (missing - most) + LENIENCE)
        kept[one] = rows
    return kept


@compiled
def keep_near_on_line(
    starts: Counts,
    values: Codes,
    counts: Counts,
    below: Reals,
    steps: Counts,
    totals: Reals,
    most: float,
) -> Reals:
    """Bound the rows of each class if Σ |P − Q| over cumulated shares may be at most `most`.

    Let C of the N rows of a class have the values up to some value, and let F be the share of the
    table up to it. Of n rows of the class, those up to it number at most C and at least
    n − (N − C). So they differ from F · n by at least max(0, F · n − C, (1 − F) · n − (N − C)),
    and the sum of that over the values must be at most `most` · n. The difference is convex in
    n, and a tangent bounds n as in :func:`keep_near_on_tree`.

    Between two consecutive values of the class C is constant and F grows, so the second case holds
    for the last values of this part, and the third for the first ones. They do not overlap,
    because C ∕ n ≥ 1 − (N − C) ∕ n.

    ``starts``, ``values``, ``counts``: the values of each class, in their order.
    ``below``, ``steps``, ``totals``: the cumulated shares of the table; see
    :func:`lookalike.kernels.class_distances.measure_line_distances`.

    Examples
    --------
    >>> starts, values, counts = np.array([0, 2]), np.array([0, 1]), np.array([9, 1])
    >>> below, steps, totals = np.array([0.5, 1.0]), np.array([0, 1, 2]), np.array([0.0, 0.5, 1.5])
    >>> keep_near_on_line(starts, values, counts, below, steps, totals, 0.25)
    array([4.])
    """
    kept = np.zeros(len(starts) - 1)
    for one in range(len(kept)):
        first, last = starts[one], starts[one + 1]
        whole = counts[first:last].sum()
        rows = float(whole)
        for _ in range(MOST_TURNS if whole else 0):
            # the values before the first one of the class, of which it has no rows
            slope, known, reached = totals[values[first]], 0.0, 0
            for place in range(first, last):
                here = values[place]
                after = values[place + 1] if place + 1 < last else len(below)
                reached += counts[place]
                part = below[here:after]
                many = here + np.searchsorted(part, 1 - (whole - reached) / rows)
                few = here + np.searchsorted(part, reached / rows, side="right")
                slope += steps[many] - steps[here] - (totals[many] - totals[here])
                slope += totals[after] - totals[few]
                known += (steps[many] - steps[here]) * (whole - reached)
                known += (steps[after] - steps[few]) * reached
            if slope <= most or slope * rows - known <= most * rows + LENIENCE:
                break
            rows = np.floor(known / (slope - most) + LENIENCE)
            if rows <= 0:
                break
        kept[one] = max(rows, 0.0)
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
