"""List level vectors by rising cost, lazily."""

import heapq
from collections.abc import Iterator

from lookalike.model.lattice import Lattice, Vector
from lookalike.search.cells.costs import Costs


def vectors_by_cost(lattice: Lattice, costs: Costs) -> Iterator[tuple[int, Vector]]:
    """Yield the vectors of a lattice with the least cost of a tuple there, cheapest first.

    The lattice is never listed as a whole: each vector is reached only from the vector below it
    in its last raised attribute, so it occurs once.
    """
    waiting = [(costs.of_vector(lattice.bottom), lattice.bottom, 0)]
    while waiting:
        cost, vector, last = heapq.heappop(waiting)
        yield cost, vector
        for attribute in range(last, len(vector)):
            level = vector[attribute]
            if level < lattice.top[attribute]:
                step = costs.steps[attribute, level + 1] - costs.steps[attribute, level]
                above = (*vector[:attribute], level + 1, *vector[attribute + 1 :])
                heapq.heappush(waiting, (cost + int(step), above, attribute))
