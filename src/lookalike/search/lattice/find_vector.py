"""Find_vector, Samarati's binary search on heights (Figure 10), and her other two searches.

They follow the paper literally, for demonstration and comparison. The methods use faster searches
that give the same answers. Each search reports its steps to an observer, if there is one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lookalike.model.lattice import Lattice, Vector, keep_minimal

Satisfies = Callable[[Vector], bool]
"""Returns whether the generalization at a vector suppresses no more rows than allowed."""


@dataclass(frozen=True)
class Evaluated:
    """A vector that was evaluated.

    ``outliers``: the number of rows that must be suppressed at it.
    ``satisfies``: whether that number is at most MaxSup.
    """

    vector: Vector
    outliers: int
    satisfies: bool


@dataclass(frozen=True)
class SearchStep:
    """One turn of a search.

    ``between``: the part of the lattice that the turn searches.
    ``low``, ``high``: the least and the greatest height at which the lowest solution of that part
    may be, counted from the bottom of the part.
    ``tried``: the height whose vectors were evaluated, counted from the bottom of the part; None if
    the turn follows a strategy, or if the ends of the part decide it.
    ``evaluated``: the vectors that were evaluated, in order.
    """

    between: Lattice
    low: int
    high: int
    tried: int | None
    found: Vector | None
    evaluated: tuple[Evaluated, ...] = ()

    @property
    def low_height(self) -> int:
        """The height `low`, counted from the bottom of the whole lattice."""
        return self.low + sum(self.between.bottom)

    @property
    def high_height(self) -> int:
        """The height `high`, counted from the bottom of the whole lattice."""
        return self.high + sum(self.between.bottom)

    @property
    def tried_height(self) -> int | None:
        """The height `tried`, counted from the bottom of the whole lattice."""
        return None if self.tried is None else self.tried + sum(self.between.bottom)

    @property
    def new_ends(self) -> tuple[int, int]:
        """How many evaluated vectors are within MaxSup, and how many not, without the bottom."""
        inner = [one.satisfies for one in self.evaluated if one.vector != self.between.bottom]
        return sum(inner), len(inner) - sum(inner)


Observe = Callable[[SearchStep], None]
"""Callback that receives each step of a search; it does not influence the search."""


def find_vector(
    lattice: Lattice, satisfies: Satisfies, observe: Observe = lambda _: None, lowest: int = 0
) -> Vector:
    """Return a k-minimal vector of least height (Samarati, Figure 10, Theorem 5.3).

    The vectors of a height are tried in order, so the first vector of least height is found.
    """
    low, high, solution = lowest, lattice.height, lattice.top
    while low < high:
        middle = (low + high) // 2
        reached = next((v for v in lattice.at_height(middle) if satisfies(v)), None)
        observe(SearchStep(lattice, low, high, middle, reached))
        if reached is not None:
            solution, high = reached, middle
        else:
            low = middle + 1
    return solution


def find_all_by_strategies(
    lattice: Lattice, satisfies: Satisfies, observe: Observe = lambda _: None
) -> set[Vector]:
    """Follow every strategy up to its locally minimal vector (Samarati, Theorem 5.1).

    Every k-minimal vector is locally minimal in some strategy, but not vice versa: vectors that
    are not minimal are discarded at the end.
    """
    local = set()
    for path in lattice.strategies():
        reached = next(v for v in path if satisfies(v))
        observe(SearchStep(lattice, 0, lattice.height, None, reached))
        local.add(reached)
    return keep_minimal(local)


def find_all_by_halving(
    lattice: Lattice, satisfies: Satisfies, observe: Observe = lambda _: None
) -> set[Vector]:
    """Find all k-minimal vectors by halving between vectors (Samarati, end of section 6).

    "A binary search from the maximal to the minimal element … considering all the vectors at
    a given height and starting a new binary search for each of them as new high or low
    element depending on whether it evaluates true or false on satisfies."
    """
    minimal: set[Vector] = set()
    seen: set[tuple[Vector, Vector]] = set()
    pairs = [(lattice.bottom, lattice.top)]
    while pairs:
        low, high = pairs.pop()
        if (low, high) in seen:
            continue
        seen.add((low, high))
        between = Lattice(low, high)
        tried, found = None, None
        if satisfies(low):
            found = low
        elif between.height <= 1:
            found = high
        else:
            tried = between.height // 2
            middle = between.at_height(tried)
            pairs += [(low, v) if satisfies(v) else (v, high) for v in middle]
        if found is not None:
            minimal.add(found)
        observe(SearchStep(between, 0, between.height, tried, found))
    return keep_minimal(minimal)
