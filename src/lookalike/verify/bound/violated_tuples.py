"""Search for a generalized tuple whose rows have values that sum to more than their cost.

A tuple is a vector of levels and a group of rows that are equal there. A vector whose least cost is
at least the largest value cannot be violated: k values then sum to at most k times the cost. The
same argument prunes the search. If only some attributes have a level yet, the rows that are equal
in these attributes contain every group that follows. Their k largest values sum to at least as much
as those of any such group, and each group costs at least the chosen levels plus the least levels of
the other attributes. If that is not violated, nothing that follows is violated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lookalike.kernels import sum_largest
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Lattice, Vector
from lookalike.verify.bound.cost_units import CostUnits


class Violated(NamedTuple):
    """A generalized tuple whose rows have values above their cost, in units."""

    vector: Vector
    cost: int
    largest: int


def find_violated(units: CostUnits, values: Counts, levels: Lattice, k: int) -> Violated | None:
    """Find a tuple with k rows whose values sum to more than k times its cost, if there is one.

    Attributes get their levels one after the other, the ones with the fewest levels first.

    Parameters
    ----------
    units
        The cost of cells.
    values
        The value of a row of each sequence.
    levels
        The vectors of levels that tuples may have.
    k
        The least number of rows of a class.
    """
    fewest = np.argsort(np.subtract(levels.top, levels.bottom), kind="stable")
    walk = _Walk(units, values, levels, k, tuple(int(attribute) for attribute in fewest))
    falling = np.argsort(-values, kind="stable").astype(np.int32)
    root = np.zeros(len(falling), dtype=np.int32)
    return next(walk.descend((), falling, root, root.astype(np.int64)), None)


@dataclass(frozen=True, eq=False)
class _Walk:
    """A walk over vectors of levels, attribute by attribute."""

    units: CostUnits
    values: Counts
    levels: Lattice
    k: int
    order: tuple[int, ...]

    def descend(
        self, chosen: Vector, sequences: Codes, group_of: Codes, costs: Counts
    ) -> Iterator[Violated]:
        """Yield the violated tuples that follow from some chosen levels.

        Parameters
        ----------
        chosen
            The levels of the first attributes, in the walk's order.
        sequences
            The remaining sequences, sorted by descending value.
        group_of
            The group of each sequence; sequences of a group are equal at these levels.
        costs
            The cost of each sequence at these levels.
        """
        values, counts = self.values[sequences], self.units.frequency.counts[sequences]
        groups = int(group_of.max(initial=-1)) + 1
        sums, taken = sum_largest(group_of, counts, values, groups, self.k)
        paid = np.zeros(groups, dtype=np.int64)
        paid[group_of] = costs + self._least_of_rest(len(chosen))
        wrong = (taken == self.k) & (sums > self.k * paid)
        if not wrong.any():
            return
        if len(chosen) == len(self.order):
            one = int(np.flatnonzero(wrong)[0])
            yield Violated(self._in_order(chosen), int(paid[one]), int(sums[one]))
            return
        left = wrong[group_of]
        sequences, group_of, costs = sequences[left], group_of[left], costs[left]
        attribute = self.order[len(chosen)]
        codes = self.units.frequency.codes[attribute, sequences]
        for level in range(self.levels.bottom[attribute], self.levels.top[attribute] + 1):
            finer = self._divide(group_of, groups, codes, attribute, level)
            more = self.units.of_codes(attribute, level)[codes]
            yield from self.descend((*chosen, level), sequences, finer, costs + more)

    def _divide(
        self, group_of: Codes, groups: int, codes: Codes, attribute: int, level: int
    ) -> Codes:
        """Divide groups by the value of an attribute at a level."""
        hierarchy = self.units.frequency.hierarchies[attribute]
        shown = np.stack([group_of, hierarchy.levels[level][codes]])
        ones = np.ones(len(codes), dtype=np.int64)
        return group_equal(shown, [groups, hierarchy.size(level)], ones)[0]

    def _least_of_rest(self, chosen: int) -> int:
        """Return the least cost of the attributes that have no level yet."""
        return sum(
            int(self.units.steps[attribute]) * self.levels.bottom[attribute]
            for attribute in self.order[chosen:]
        )

    def _in_order(self, chosen: Vector) -> Vector:
        """Return levels in the order of the attributes."""
        return tuple(level for _, level in sorted(zip(self.order, chosen, strict=True)))
