"""Problem: least distortion at the cell level, as numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Lattice, Vector
from lookalike.search.cells.classes import Classes, join_levels
from lookalike.search.cells.costs import Costs
from lookalike.search.cells.vectors_by_cost import vectors_by_cost

FORBIDDEN = 1 << 40
"""What a cell above the highest level that is allowed costs."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Divide rows into classes of at least k, each released as its join, at least cost.

    Parameters
    ----------
    counts
        The number of rows of each sequence.
    costs
        What cells cost.
    lattice
        The levels that are allowed.
    k
        How many rows a class must have.
    allowance
        How many rows may be suppressed.
    unit
        How many units the smallest difference of two costs is divided into.
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
        """The vectors that are allowed, with the least that a tuple there costs, by that."""
        return vectors_by_cost(self.lattice, self.costs)

    @cached_property
    def ancestors(self) -> Codes:
        """By sequence, attribute and level: the code that the sequence shows there."""
        return np.ascontiguousarray(self.costs.ancestors.transpose(2, 0, 1))

    @cached_property
    def steps(self) -> Counts:
        """By attribute and level: what a cell costs; too much above the highest level."""
        steps = self.costs.steps.copy()
        for attribute, top in enumerate(self.lattice.top):
            steps[attribute, top + 1 :] = FORBIDDEN
        return steps

    @cached_property
    def step(self) -> int:
        """The least by which the costs of two releases can differ."""
        return max(1, int(np.gcd.reduce(self.costs.steps, axis=None)))

    def round_up(self, cost: int) -> int:
        """Return the least cost of a release that is no less than some units."""
        return max(0, -(-cost // self.step) * self.step)

    @property
    def bottom(self) -> Codes:
        """The lowest levels."""
        return np.array(self.lattice.bottom, dtype=np.int32)

    def describe(self, cost: int, bound: int) -> str:
        """Say how far a search is that has found a cost, and knows that none is below a bound."""
        best, possible = (self.costs.precision(found, self.rows) for found in (cost, bound))
        return f"best {best:.4f}, bound {possible:.4f}, gap {possible - best:.4f}"

    def join(self, classes: Classes) -> Codes:
        """Return the levels of each class's join, one column a class; none is below the lowest."""
        levels: Codes = np.maximum(join_levels(self.costs.ancestors, classes), self.bottom[:, None])
        return levels

    def row_costs(self, classes: Classes) -> Counts:
        """Return the cost of one row of each class at the class's join."""
        return self.costs.of_tuples(self.join(classes), classes.first_sequences())

    def total_cost(self, classes: Classes, rows_suppressed: int = 0) -> int:
        """Return the cost of a release that consists of classes and of suppressed rows."""
        released = int(self.row_costs(classes) @ classes.sizes())
        return released + rows_suppressed * self.costs.suppressed

    def step_costs(self, levels: Codes) -> Counts:
        """Return what a row costs at the levels of each column, hidden cells aside."""
        total: Counts = self.steps[np.arange(len(levels))[:, None], levels].sum(axis=0)
        return total
