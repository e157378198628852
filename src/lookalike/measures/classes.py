"""Measures of the sizes of the classes, which are the rows that a release makes alike."""

import numpy as np

from lookalike.kernels.grouping import Counts


def average_class(sizes: Counts, k: int) -> float:
    """Return released rows ∕ classes ∕ k: 1 is the smallest that k allows.

    Examples
    --------
    >>> average_class(np.array([2, 4]), 2)
    1.5
    """
    return float(sizes.mean() / k) if len(sizes) else 0.0


def discernibility(sizes: Counts, rows: int, suppressed: int) -> int:
    """Return Σ size² over the classes; a suppressed row costs as much as the whole table.

    Parameters
    ----------
    sizes
        The sizes of the classes that are not suppressed.
    rows
        The number of eligible rows.
    suppressed
        The number of suppressed rows.

    Examples
    --------
    >>> discernibility(np.array([2, 4]), 8, 2)
    36
    """
    return int(np.sum(sizes.astype(object) ** 2)) + suppressed * rows
