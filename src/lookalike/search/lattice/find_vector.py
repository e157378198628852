"""Find_vector, Samarati's binary search on heights (Figure 10), and her other two searches.

They are kept as the paper gives them, to be shown and compared with. The methods use quicker
searches that give the same answers. Each search tells an observer its steps, if there is one.
"""

from collections.abc import Callable

from lookalike.model.lattice import Lattice, Vector, dominates
from lookalike.search.lattice.steps import Observe, SearchStep, ignore_step

Satisfies = Callable[[Vector], bool]
"""Tells whether the generalization at a vector suppresses no more than allowed."""


def find_vector(
    lattice: Lattice, satisfies: Satisfies, observe: Observe = ignore_step, lowest: int = 0
) -> Vector:
    """Return a k-minimal vector of least height (Samarati, Figure 10, Theorem 5.3).

    The vectors of a height are tried in order, so the first of least height is found.

    Parameters
    ----------
    lattice
        VL, whose top is assumed to satisfy.
    satisfies
        The function *satisfies* of the figure, by whichever way.
    observe
        Told each turn of the loop.
    lowest
        A height below which no solution is known to lie; the figure begins at 0.
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
    """Walk every strategy up to its locally minimal vector (Samarati, Theorem 5.1).

    Each k-minimal vector is locally minimal in some strategy, but not the other way round:
    those that are not minimal are discarded in the end.
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
    """Search for all solutions by halving between vectors (Samarati, end of section 6).

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


def keep_minimal(vectors: set[Vector]) -> set[Vector]:
    """Discard the vectors that lie above another one."""
    return {v for v in vectors if not any(u != v and dominates(v, u) for u in vectors)}
