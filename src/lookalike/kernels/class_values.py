"""Count the values of a column in each class, and measure each class by its own counts.

The entries of all classes stand in one array: those of class c begin at ``starts[c]`` and end
before ``starts[c + 1]`` (:class:`lookalike.model.protections.class_values.ClassValues`). A class
without rows has the figure nan.
"""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts, Flags, Reals

DENSE_CELLS = 8
"""Up to so many cells per entry, a table of classes by values is quicker than sorting."""


@compiled
def gather_entries(
    class_of: Codes, values: Codes, counts: Counts, chosen: Flags, domain: int
) -> tuple[Counts, Codes, Counts]:
    """Sort entries by class and value, and add up those that agree in both.

    Two counting sorts, first by value and then by class, cost one step per entry, class and
    value.

    ``class_of``, ``values``, ``counts``: the class, the value and the rows of each entry.
    ``chosen``: marks the classes that are counted.
    ``domain``: the number of values.

    Examples
    --------
    >>> class_of, values = np.array([[1, 0, 1, 1], [2, 0, 0, 2]], dtype=np.int32)
    >>> merged = gather_entries(class_of, values, np.array([1, 5, 2, 3]), np.ones(2, np.bool_), 3)
    >>> [found.tolist() for found in merged]
    [[0, 1, 3], [0, 0, 2], [5, 2, 4]]
    """
    number, classes = np.cumsum(chosen) - 1, int(np.count_nonzero(chosen))
    counted = np.empty(len(values), dtype=np.int64)
    many = 0
    for position in range(len(values)):
        if chosen[class_of[position]] and counts[position] > 0:
            counted[many] = position
            many += 1
    counted = counted[:many]
    by_value = order_by(values[counted], np.arange(many), domain)
    order = order_by(number[class_of[counted]], by_value, classes)
    starts = np.zeros(classes + 1, dtype=np.int64)
    merged_values = np.empty(many, dtype=np.int32)
    merged_counts = np.empty(many, dtype=np.int64)
    entries, last = 0, -1
    for place in order:
        position = counted[place]
        one, value = number[class_of[position]], values[position]
        if one == last and value == merged_values[entries - 1]:
            merged_counts[entries - 1] += counts[position]
        else:
            merged_values[entries] = value
            merged_counts[entries] = counts[position]
            entries, last = entries + 1, one
            starts[one + 1] += 1
    return np.cumsum(starts), merged_values[:entries].copy(), merged_counts[:entries].copy()


@compiled
def gather_dense(
    class_of: Codes, values: Codes, counts: Counts, chosen: Flags, domain: int
) -> tuple[Counts, Codes, Counts]:
    """Add up entries in a table of classes by values; as :func:`gather_entries`."""
    # each chosen class has a line of the table, and all others share the one after them
    classes = np.count_nonzero(chosen)
    line_of = np.full(len(chosen), classes * domain)
    line_of[chosen] = np.arange(classes) * domain
    table = np.zeros((classes + 1) * domain, dtype=np.int64)
    for position in range(len(values)):
        table[line_of[class_of[position]] + values[position]] += counts[position]
    filled = 0
    for cell in range(classes * domain):
        filled += 1 if table[cell] else 0
    starts = np.zeros(classes + 1, dtype=np.int64)
    merged_values = np.empty(filled, dtype=np.int32)
    merged_counts = np.empty(filled, dtype=np.int64)
    entries = 0
    for one in range(classes):
        for value in range(domain):
            rows = table[one * domain + value]
            if rows:
                merged_values[entries] = value
                merged_counts[entries] = rows
                entries += 1
        starts[one + 1] = entries
    return starts, merged_values, merged_counts


@compiled
def order_by(keys: Codes, order: Counts, many: int) -> Counts:
    """Return an order sorted by keys below `many`; equal keys keep their order."""
    places = np.zeros(many + 1, dtype=np.int64)
    for key in keys:
        places[key + 1] += 1
    places = np.cumsum(places)
    ordered = np.empty_like(order)
    for position in order:
        key = keys[position]
        ordered[places[key]] = position
        places[key] += 1
    return ordered


@compiled
def measure_entropies(starts: Counts, counts: Counts) -> Reals:
    """Return the entropy of each class, in nats: ln n − Σ r ln r ∕ n for n rows.

    Examples
    --------
    >>> measure_entropies(np.array([0, 2]), np.array([3, 3])).round(4).tolist()
    [0.6931]
    """
    figures = np.full(len(starts) - 1, np.nan)
    for one in range(len(figures)):
        rows, weighted = 0, 0.0
        for entry in range(starts[one], starts[one + 1]):
            rows += counts[entry]
            weighted += counts[entry] * np.log(counts[entry])
        if rows > 0:
            figures[one] = np.log(rows) - weighted / rows
    return figures


@compiled
def measure_shares(starts: Counts, counts: Counts) -> Reals:
    """Return the share of the most frequent value of each class.

    Examples
    --------
    >>> measure_shares(np.array([0, 2, 3]), np.array([1, 3, 5])).tolist()
    [0.75, 1.0]
    """
    figures = np.full(len(starts) - 1, np.nan)
    for one in range(len(figures)):
        rows, largest = 0, 0
        for entry in range(starts[one], starts[one + 1]):
            rows += counts[entry]
            largest = max(largest, counts[entry])
        if rows > 0:
            figures[one] = largest / rows
    return figures


@compiled
def measure_tails(starts: Counts, counts: Counts, skipped: int) -> Reals:
    """Return the largest count of each class, divided by its tail.

    The tail is the sum of the counts without the `skipped` largest ones, at least one. A class
    without a tail has the figure infinity.

    Examples
    --------
    >>> measure_tails(np.array([0, 3, 4]), np.array([2, 6, 1, 5]), 1).tolist()
    [2.0, inf]
    """
    figures = np.full(len(starts) - 1, np.nan)
    largest = np.zeros(skipped, dtype=np.int64)
    for one in range(len(figures)):
        largest[:] = 0
        tail = 0
        for entry in range(starts[one], starts[one + 1]):
            left = counts[entry]
            for place in range(skipped):
                if left > largest[place]:
                    largest[place], left = left, largest[place]
            tail += left
        if largest[0] > 0:
            figures[one] = largest[0] / tail if tail > 0 else np.inf
    return figures
