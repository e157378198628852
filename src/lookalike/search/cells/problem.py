"""State the problem of least distortion at the cell level in numbers."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.kernels.grouping import group_at
from lookalike.kernels.joins import Cells
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Lattice, Vector, raise_level
from lookalike.model.progress import describe_best
from lookalike.search.cells.classes import Classes, join_levels
from lookalike.search.cells.costs import Costs

FORBIDDEN = 1 << 40
"""The cost of a cell above the highest allowed level."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Divide rows into classes of at least k, each released as its join, at least total cost.

    ``counts``: the number of rows of each sequence.
    ``allowance``: the number of rows that may be suppressed.
    ``unit``: the number of units in the smallest difference of two costs.
    """

    counts: Counts
    costs: Costs
    lattice: Lattice
    k: int
    allowance: int
    unit: int

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    @property
    def vectors(self) -> Iterator[tuple[int, Vector]]:
        """The allowed vectors, each after the mean cost of a tuple there, cheapest first.

        The lattice is never listed as a whole: each vector is reached only from the vector below
        it in its last raised attribute, so it occurs once.
        """
        lattice, steps = self.lattice, self.costs.steps
        waiting = [(self.costs.of_vector(lattice.bottom), lattice.bottom, 0)]
        while waiting:
            cost, vector, last = heapq.heappop(waiting)
            yield cost, vector
            for attribute in range(last, len(vector)):
                level = vector[attribute]
                if level < lattice.top[attribute]:
                    more = int(steps[attribute, level + 1] - steps[attribute, level])
                    above = raise_level(vector, attribute)
                    heapq.heappush(waiting, (cost + more, above, attribute))

    @cached_property
    def zones(self) -> Codes:
        """The zone of each sequence: all that is equal to it at the highest levels."""
        costs, every = self.costs, np.arange(len(self.counts), dtype=np.int32)
        return group_at(costs.ancestors, costs.sizes, self.lattice.top, every, self.counts)[0]

    @cached_property
    def cells(self) -> Cells:
        """The codes and costs of cells; a level above the highest one costs ``FORBIDDEN``."""
        costs = self.costs
        prices = costs.prices.copy()
        for attribute, top in enumerate(self.lattice.top):
            above = costs.sizes[attribute, top + 1 :].sum()
            end = costs.starts[attribute, -1] + costs.sizes[attribute, -1]
            prices[end - above : end] = FORBIDDEN
        return Cells(costs.numbered, prices, self.bottom)

    @cached_property
    def step(self) -> int:
        """The least possible difference between the costs of two releases."""
        return max(1, int(np.gcd.reduce(self.costs.prices)))

    def round_up(self, cost: int) -> int:
        """Return the least possible cost of a release that is at least a given number of units."""
        return max(0, -(-cost // self.step) * self.step)

    @property
    def bottom(self) -> Codes:
        """The lowest allowed levels."""
        return np.array(self.lattice.bottom, dtype=np.int32)

    def describe(self, cost: int, bound: int) -> str:
        """Describe the progress of a search, given the best cost and the bound."""
        best, possible = (self.costs.measure(found, self.rows) for found in (cost, bound))
        return f"{describe_best(best, possible)}, gap {possible - best:.4f}"

    def join(self, classes: Classes) -> Codes:
        """Return the join of each class, no lower than the lowest levels, one column per class."""
        levels: Codes = np.maximum(join_levels(self.costs.ancestors, classes), self.bottom[:, None])
        return levels

    def row_costs(self, classes: Classes) -> Counts:
        """Return the cost of one row of each class at the class's join."""
        return self.costs.of_tuples(self.join(classes), classes.first_sequences())

    def total_cost(self, classes: Classes, rows_suppressed: int = 0) -> int:
        """Return the cost of a release that consists of classes and of suppressed rows."""
        released = int(self.row_costs(classes) @ classes.sizes())
        return released + rows_suppressed * self.costs.suppressed
