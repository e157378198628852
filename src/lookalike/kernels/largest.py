"""Add up the largest values of each class."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts


@compiled
def sum_largest(
    class_of: Codes, counts: Counts, values: Counts, classes: int, k: int
) -> tuple[Counts, Counts]:
    """Add up the k largest values among the rows of each class.

    Parameters
    ----------
    class_of
        The class of each sequence.
    counts
        The number of rows of each sequence.
    values
        The value of one row of each sequence, in descending order.
    classes
        The number of classes.
    k
        How many values to add up.

    Returns
    -------
    sums
        For each class, the sum of the k largest values, or of all if it has fewer rows.
    taken
        For each class, the number of values in the sum.

    Examples
    --------
    >>> class_of = np.array([0, 1, 0], dtype=np.int32)
    >>> counts, values = np.array([2, 1, 5]), np.array([7, 6, -1])
    >>> sums, taken = sum_largest(class_of, counts, values, 2, 3)
    >>> sums.tolist(), taken.tolist()
    ([13, 6], [3, 1])
    """
    sums = np.zeros(classes, dtype=np.int64)
    taken = np.zeros(classes, dtype=np.int64)
    for position in range(len(class_of)):
        one = class_of[position]
        rows = min(counts[position], k - taken[one])
        sums[one] += rows * values[position]
        taken[one] += rows
    return sums, taken
