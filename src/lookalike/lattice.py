"""Distance vectors and their order.

A vector holds the level of each attribute. Vectors ordered attribute by attribute form the
lattice VL of all generalizations at the attribute level (Samarati, section 3.2).
"""

import math
from collections.abc import Sequence

Vector = tuple[int, ...]


def dominates(upper: Sequence[int], lower: Sequence[int]) -> bool:
    """Tell whether `lower` ≤ `upper` in every attribute (Samarati, after Definition 3.2).

    Examples
    --------
    >>> dominates((1, 2), (0, 2)), dominates((1, 0), (0, 2))
    (True, False)
    """
    return all(low <= high for low, high in zip(lower, upper, strict=True))


def predecessors(vector: Vector) -> list[Vector]:
    """Return the vectors directly below: one attribute one level lower.

    Examples
    --------
    >>> predecessors((1, 0, 2))
    [(0, 0, 2), (1, 0, 1)]
    """
    return [
        (*vector[:attribute], level - 1, *vector[attribute + 1 :])
        for attribute, level in enumerate(vector)
        if level > 0
    ]


def raise_level(vector: Vector, attribute: int) -> Vector:
    """Return the vector with one attribute a level higher."""
    return (*vector[:attribute], vector[attribute] + 1, *vector[attribute + 1 :])


def count_generalizations(heights: Sequence[int]) -> int:
    """Count the generalizations at the attribute level: Π (|DGHᵢ| + 1) (Achieving, Equation 1).

    Examples
    --------
    >>> count_generalizations([2, 3])
    12
    """
    return math.prod(height + 1 for height in heights)
