"""Lattice: the vectors of levels, their order, and the lattice that they form.

A vector holds the level of each attribute; Samarati calls it a distance vector. Vectors ordered
attribute by attribute form the lattice VL of all generalizations at the attribute level
(Samarati, section 3.2), isomorphic to the domain generalization hierarchy DGH of the tuple of
domains (section 3.1). The lattice is never built in memory.
"""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from lookalike.errors import Infeasible

Vector = tuple[int, ...]
"""The level of each attribute."""


@dataclass(frozen=True)
class Lattice:
    """All vectors between two vectors: a whole lattice, or a part of one.

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
                f"no vector lies between {list(self.bottom)} and {list(self.top)}: the constraints "
                "on levels contradict each other; loosen one of them"
            )

    @classmethod
    def of_heights(cls, heights: Sequence[int]) -> Self:
        """Return the whole lattice for hierarchies of these heights."""
        return cls((0,) * len(heights), tuple(heights))

    @property
    def size(self) -> int:
        """The number of vectors: Π (|DGHᵢ| + 1) for the whole lattice (Achieving, Equation 1)."""
        return math.prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def __contains__(self, vector: Vector) -> bool:
        return dominates(vector, self.bottom) and dominates(self.top, vector)

    def __iter__(self) -> Iterator[Vector]:
        """Iterate over all vectors, the last attribute fastest."""
        return itertools.product(*self._levels())

    @property
    def height(self) -> int:
        """The length of every path from the bottom to the top."""
        return sum(self.top) - sum(self.bottom)

    def at_height(self, height: int) -> Iterator[Vector]:
        """Iterate over the vectors that are so many steps above the bottom.

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
        """Count the generalizations of so many rows at the cell level.

        The number is Π (hᵢ + 1) ^ rows (Achieving, Equation 2): every row has the whole lattice.

        Examples
        --------
        >>> Lattice.of_heights((1, 2)).count_generalizations(2)
        36
        """
        number: int = self.size**rows
        return number

    def strategies(self) -> Iterator[tuple[Vector, ...]]:
        """Iterate over the generalization strategies, the paths from the bottom to the top."""
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
    """Return whether `lower` ≤ `upper` in every attribute (Samarati, after Definition 3.2).

    Examples
    --------
    >>> dominates((1, 2), (0, 2)), dominates((1, 0), (0, 2))
    (True, False)
    """
    return all(low <= high for low, high in zip(lower, upper, strict=True))


def set_level(vector: Vector, attribute: int, level: int) -> Vector:
    """Return the vector with one attribute at another level.

    Examples
    --------
    >>> set_level((0, 1, 2), 1, 3)
    (0, 3, 2)
    """
    return (*vector[:attribute], level, *vector[attribute + 1 :])


def raise_level(vector: Vector, attribute: int, steps: int = 1) -> Vector:
    """Return the vector with one attribute some levels higher."""
    return set_level(vector, attribute, vector[attribute] + steps)


def order_by_height(vectors: Iterable[Vector]) -> list[Vector]:
    """Sort vectors by height, then attribute by attribute.

    Examples
    --------
    >>> order_by_height([(2, 0), (0, 1), (1, 1)])
    [(0, 1), (1, 1), (2, 0)]
    """
    return sorted(vectors, key=lambda vector: (sum(vector), vector))


def keep_minimal(vectors: Collection[Vector]) -> set[Vector]:
    """Return the vectors that lie above no other one of them.

    Examples
    --------
    >>> sorted(keep_minimal([(0, 2), (1, 0), (1, 2)]))
    [(0, 2), (1, 0)]
    """
    return {v for v in vectors if not any(u != v and dominates(v, u) for u in vectors)}


def _compositions(total: int, levels: Sequence[range]) -> Iterator[Vector]:
    """Iterate over the choices of one level per attribute that add up to a total."""
    if not levels:
        if total == 0:
            yield ()
        return
    first, *rest = levels
    least, most = sum(r[0] for r in rest), sum(r[-1] for r in rest)
    for level in range(max(first[0], total - most), min(first[-1], total - least) + 1):
        for tail in _compositions(total - level, rest):
            yield (level, *tail)


def write_vector(vector: Vector | None) -> str | None:
    """Write a vector in the notation of the papers.

    Examples
    --------
    >>> write_vector((0, 2))
    '[0,2]'
    """
    return None if vector is None else "[" + ",".join(map(str, vector)) + "]"
