"""Measure how far the values of each class are from those of the whole table.

The arrays are those of :mod:`lookalike.kernels.class_values`. A class without rows has the figure
nan.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Reals


@compiled
def measure_gains(
    starts: Counts, values: Codes, counts: Counts, shares: Reals, limits: Reals
) -> Reals:
    """Return the greatest relative gain (p − q) ∕ q of a value of each class over the table.

    ``starts``, ``values``, ``counts``: the values of each class.
    ``shares``: the share q of each value in the table, above 0 for every value of a class.
    ``limits``: the greatest gain of each value. A class that exceeds one of them has the figure
    infinity.

    Examples
    --------
    >>> starts, counts = np.array([0, 1, 3]), np.array([5, 2, 2])
    >>> values, shares = np.array([0, 0, 1], dtype=np.int32), np.array([0.5, 0.5])
    >>> measure_gains(starts, values, counts, shares, np.array([np.inf, np.inf])).tolist()
    [1.0, 0.0]
    """
    figures = np.full(len(starts) - 1, np.nan)
    for one in range(len(figures)):
        rows = np.sum(counts[starts[one] : starts[one + 1]])
        greatest = 0.0
        for entry in range(starts[one], starts[one + 1]):
            share = shares[values[entry]]
            gain = (counts[entry] / rows - share) / share
            greatest = max(greatest, gain if gain <= limits[values[entry]] else np.inf)
        if rows > 0:
            figures[one] = greatest
    return figures


@compiled
def measure_log_ratios(
    starts: Counts, values: Codes, counts: Counts, shares: Reals, least: int
) -> Reals:
    """Return the greatest |ln(p ∕ q)| of each class over the values that it has.

    ``starts``, ``values``, ``counts``: the values of each class.
    ``shares``: the share q of each value in the table, above 0 for every value of a class.
    ``least``: a class with fewer values has the figure infinity.

    Examples
    --------
    >>> starts, counts = np.array([0, 1, 3]), np.array([5, 2, 2])
    >>> values, shares = np.array([0, 0, 1], dtype=np.int32), np.array([0.5, 0.5])
    >>> measure_log_ratios(starts, values, counts, shares, 2).tolist()
    [inf, 0.0]
    """
    figures = np.full(len(starts) - 1, np.nan)
    for one in range(len(figures)):
        rows = np.sum(counts[starts[one] : starts[one + 1]])
        greatest = 0.0 if starts[one + 1] - starts[one] >= least else np.inf
        if greatest == 0:
            for entry in range(starts[one], starts[one + 1]):
                ratio = counts[entry] / rows / shares[values[entry]]
                greatest = max(greatest, abs(np.log(ratio)))
        if rows > 0:
            figures[one] = greatest
    return figures


@compiled
def measure_tree_distances(
    starts: Counts, values: Codes, counts: Counts, nodes: Codes, shares: Reals
) -> Reals:
    """Return the share of each class that moves through the nodes of a tree.

    On each level, the surplus of the nodes at which the class has more than the table moves to
    other nodes: Σ max(0, P − Q). Only nodes of the class can have a surplus, so the others need
    no visit.

    ``starts``, ``values``, ``counts``: the values of each class.
    ``nodes``: for each level below the top, the node of each value.
    ``shares``: for each of these levels, the share Q of each node in the table.

    Returns
    -------
    figures
        For each class the sum over these levels.

    Examples
    --------
    >>> starts, counts = np.array([0, 1, 3]), np.array([5, 2, 2])
    >>> values, nodes = np.array([0, 0, 1], dtype=np.int32), np.array([[0, 1]], dtype=np.int32)
    >>> measure_tree_distances(starts, values, counts, nodes, np.array([[0.5, 0.5]])).tolist()
    [0.5, 0.0]
    """
    figures = np.full(len(starts) - 1, np.nan)
    held = np.zeros(shares.shape[1], dtype=np.int64)
    for one in range(len(figures)):
        entries = values[starts[one] : starts[one + 1]]
        many = counts[starts[one] : starts[one + 1]]
        rows = np.sum(many)
        moved = 0.0
        for level in range(len(nodes)):
            for entry in range(len(entries)):
                held[nodes[level, entries[entry]]] += many[entry]
            for value in entries:
                node = nodes[level, value]
                moved += max(0.0, held[node] / rows - shares[level, node]) if held[node] else 0.0
                held[node] = 0
        if rows > 0:
            figures[one] = moved
    return figures


@compiled
def measure_line_distances(
    starts: Counts, values: Codes, counts: Counts, below: Reals, steps: Counts, totals: Reals
) -> Reals:
    """Return Σ |P − Q| of each class over the cumulated shares of values on a line.

    Between two consecutive values of a class, P is constant and Q grows. So the sum has a part in
    which Q is below P and a part in which it is above. With Q cumulated once more, each part is a
    difference of two numbers, and no class visits all values.

    ``starts``, ``values``, ``counts``: the values of each class, in their order.
    ``below``: the share Q of the table up to each value.
    ``steps``: how many values of the table come before each value, and their number at the end.
    ``totals``: the sum of `below` over these values.

    Examples
    --------
    >>> starts, counts = np.array([0, 1, 3]), np.array([5, 2, 2])
    >>> values, below = np.array([0, 0, 1], dtype=np.int32), np.array([0.5, 1.0])
    >>> steps, totals = np.array([0, 1, 2]), np.array([0.0, 0.5, 1.5])
    >>> measure_line_distances(starts, values, counts, below, steps, totals).tolist()
    [0.5, 0.0]
    """
    figures = np.full(len(starts) - 1, np.nan)
    for one in range(len(figures)):
        rows = np.sum(counts[starts[one] : starts[one + 1]])
        reached, moved = 0, 0.0
        for entry in range(starts[one], starts[one + 1]):
            here = values[entry]
            after = values[entry + 1] if entry + 1 < starts[one + 1] else len(below)
            moved += totals[here] if reached == 0 else 0.0
            reached += counts[entry]
            share = reached / rows
            turn = here + np.searchsorted(below[here:after], share)
            moved += share * (steps[turn] - steps[here]) - (totals[turn] - totals[here])
            moved += totals[after] - totals[turn] - share * (steps[after] - steps[turn])
        if rows > 0:
            figures[one] = moved
    return figures
