"""Measures of the sizes of the classes, which are the rows that a release makes alike."""

import numpy as np

from lookalike.kernels.types import Counts


def average_class(sizes: Counts, k: int) -> float:
    """Return released rows ∕ classes ∕ k: 1 is the smallest that k allows.

    Examples
    --------
    >>> average_class(np.array([2, 4]), 2)
    1.5
    """
    return float(sizes.mean() / k) if len(sizes) else 0.0


def discernibility(sizes: Counts, rows: int, left_out: int) -> int:
    """Return Σ size² over the classes; a row that is left out costs as much as the whole table.

    Parameters
    ----------
    sizes
        The sizes of the classes of the release; blank rows are one of them.
    rows
        The number of eligible rows.
    left_out
        The number of rows that are not in the release.

    Examples
    --------
    >>> discernibility(np.array([2, 4]), 8, 2)
    36
    """
    return int(np.sum(sizes.astype(object) ** 2)) + left_out * rows
