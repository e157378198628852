"""Find_vector, Samarati's binary search on heights (Figure 10), and her other two searches.

They follow the paper literally, for demonstration and comparison. The methods use faster searches
that give the same answers. Each search reports its steps to an observer, if there is one.
"""

from collections.abc import Callable

from lookalike.model.lattice import Lattice, Vector, keep_minimal
from lookalike.search.lattice.steps import Observe, SearchStep, ignore_step

Satisfies = Callable[[Vector], bool]
"""Returns whether the generalization at a vector suppresses no more rows than allowed."""


def find_vector(
    lattice: Lattice, satisfies: Satisfies, observe: Observe = ignore_step, lowest: int = 0
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
    lattice: Lattice, satisfies: Satisfies, observe: Observe = ignore_step
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
    lattice: Lattice, satisfies: Satisfies, observe: Observe = ignore_step
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
