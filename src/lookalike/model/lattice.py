"""Distance vectors, their order, and the lattice that they form.

A vector holds the level of each attribute. Vectors ordered attribute by attribute form the
lattice VL of all generalizations at the attribute level (Samarati, section 3.2), isomorphic
to the domain generalization hierarchy DGH of the tuple of domains (section 3.1). The lattice
is never laid out in memory.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from lookalike.errors import Infeasible

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All vectors between two: the whole lattice of a tuple of hierarchies, or a part of it.

    Parameters
    ----------
    bottom
        The least vector.
    top
        The greatest vector.

    Examples
    --------
    >>> lattice = Lattice.of_heights((1, 2))
    >>> lattice.size, lattice.height, list(lattice.at_height(1))
    (6, 3, [(0, 1), (1, 0)])
    """

    bottom: Vector
    top: Vector

    def __post_init__(self) -> None:
        if not dominates(self.top, self.bottom):
            raise Infeasible(
                f"no vector lies between {list(self.bottom)} and {list(self.top)}; the constraints "
                "on levels contradict each other"
            )

    @classmethod
    def of_heights(cls, heights: Sequence[int]) -> Self:
        """Return the lattice of all generalizations under hierarchies of these heights."""
        return cls((0,) * len(heights), tuple(heights))

    @property
    def size(self) -> int:
        """The number of vectors: Π (|DGHᵢ| + 1) for the whole lattice (Achieving, Equation 1)."""
        return math.prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def __contains__(self, vector: Vector) -> bool:
        return dominates(vector, self.bottom) and dominates(self.top, vector)

    def __iter__(self) -> Iterator[Vector]:
        """Go through all vectors, the last attribute fastest."""
        return itertools.product(*self._levels())

    @property
    def height(self) -> int:
        """The length of every path from the bottom to the top."""
        return sum(self.top) - sum(self.bottom)

    def at_height(self, height: int) -> Iterator[Vector]:
        """Go through the vectors whose levels add up to so many steps above the bottom.

        The height of a vector is the length of the paths to it (Samarati, section 5).
        """
        return _compositions(height + sum(self.bottom), self._levels())

    def count_strategies(self) -> int:
        """Count the paths from the bottom to the top: (Σ hᵢ)! ∕ Π hᵢ! (Samarati, section 5).

        Examples
        --------
        >>> Lattice.of_heights((1, 2)).count_strategies()
        3
        """
        steps = [high - low for low, high in zip(self.bottom, self.top, strict=True)]
        return math.factorial(sum(steps)) // math.prod(math.factorial(step) for step in steps)

    def count_generalizations(self, rows: int) -> int:
        """Count the generalizations of so many rows if each cell has a level of its own.

        That is Π (hᵢ + 1) ^ rows (Achieving, Equation 2), the size of the lattice for every row.

        Examples
        --------
        >>> Lattice.of_heights((1, 2)).count_generalizations(2)
        36
        """
        number: int = self.size**rows
        return number

    def strategies(self) -> Iterator[tuple[Vector, ...]]:
        """Go through the generalization strategies, the paths from the bottom to the top."""
        stack: list[tuple[Vector, ...]] = [(self.bottom,)]
        while stack:
            path = stack.pop()
            above = self.successors(path[-1])
            if not above:
                yield path
            stack += [(*path, vector) for vector in reversed(above)]

    def successors(self, vector: Vector) -> list[Vector]:
        """Return the vectors directly above: one attribute one level higher."""
        return [raise_level(vector, i) for i, top in enumerate(self.top) if vector[i] < top]

    def predecessors(self, vector: Vector) -> list[Vector]:
        """Return the vectors directly below: one attribute one level lower.

        Examples
        --------
        >>> Lattice.of_heights((2, 2, 2)).predecessors((1, 0, 2))
        [(0, 0, 2), (1, 0, 1)]
        """
        return [
            raise_level(vector, i, -1) for i, least in enumerate(self.bottom) if vector[i] > least
        ]

    def _levels(self) -> list[range]:
        """Return the levels that each attribute may take."""
        return [range(low, high + 1) for low, high in zip(self.bottom, self.top, strict=True)]


def dominates(upper: Sequence[int], lower: Sequence[int]) -> bool:
    """Tell whether `lower` ≤ `upper` in every attribute (Samarati, after Definition 3.2).

    Examples
    --------
    >>> dominates((1, 2), (0, 2)), dominates((1, 0), (0, 2))
    (True, False)
    """
    return all(low <= high for low, high in zip(lower, upper, strict=True))


def raise_level(vector: Vector, attribute: int, steps: int = 1) -> Vector:
    """Return the vector with one attribute some levels higher."""
    return (*vector[:attribute], vector[attribute] + steps, *vector[attribute + 1 :])


def _compositions(total: int, levels: Sequence[range]) -> Iterator[Vector]:
    """Go through the ways to take one level of each attribute that add up to a total."""
    if not levels:
        if total == 0:
            yield ()
        return
    first, *rest = levels
    least, most = sum(r[0] for r in rest), sum(r[-1] for r in rest)
    for level in range(max(first[0], total - most), min(first[-1], total - least) + 1):
        for tail in _compositions(total - level, rest):
            yield (level, *tail)
