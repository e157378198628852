"""Measures of the sizes of the equivalence classes: average size and discernibility."""

import numpy as np

from lookalike.kernels.types import Counts


def average_class(sizes: Counts, k: int) -> float:
    """Return released rows ∕ classes ∕ k; 1 is the minimum that k allows.

    Examples
    --------
    >>> average_class(np.array([2, 4]), 2)
    1.5
    """
    return float(sizes.mean() / k) if len(sizes) else 0.0


def discernibility(sizes: Counts, rows: int, left_out: int) -> int:
    """Return Σ size² over the classes plus the number of eligible rows for each row left out.

    Examples
    --------
    >>> discernibility(np.array([2, 4]), 8, 2)
    36
    """
    return int(np.sum(sizes.astype(object) ** 2)) + left_out * rows
