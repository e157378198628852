"""Verify duals: look for a generalized tuple whose rows claim more than they pay.

A tuple is a vector of levels and a group of rows that are alike there. No vector needs a look
whose least cost is the largest value or more: k values are then at most k times the cost.
More is left out by the same reason. Let some attributes have a level and the others none yet:
the rows alike in the former contain every group that follows, so their k largest values sum
to no less, and every such group costs no less than the former's levels with the others' least.
Where that is in order already, so is everything that follows, and it is not looked at.
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
    """A generalized tuple whose rows claim more than it costs, in units."""

    vector: Vector
    cost: int
    largest: int


def find_violated(units: CostUnits, values: Counts, levels: Lattice, k: int) -> Violated | None:
    """Find a tuple with k rows whose values sum to more than k times its cost, if there is one.

    Attributes get their levels one after the other, those with the fewest levels first.

    Parameters
    ----------
    units
        What cells cost.
    values
        The value of a row of each sequence.
    levels
        The vectors of levels that tuples may have.
    k
        How many rows a tuple covers at least.
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
        """Go through the tuples that follow from some levels, and yield those violated.

        Parameters
        ----------
        chosen
            The levels of the first attributes, in the walk's order.
        sequences
            The sequences that are left, by falling value.
        group_of
            The group of each: those alike at these levels.
        costs
            What each pays at these levels.
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
        """Divide groups by what their rows show of an attribute at a level."""
        hierarchy = self.units.frequency.hierarchies[attribute]
        shown = np.stack([group_of, hierarchy.levels[level][codes]])
        ones = np.ones(len(codes), dtype=np.int64)
        return group_equal(shown, [groups, hierarchy.size(level)], ones)[0]

    def _least_of_rest(self, chosen: int) -> int:
        """Return what the attributes that have no level yet cost at the least."""
        return sum(
            int(self.units.steps[attribute]) * self.levels.bottom[attribute]
            for attribute in self.order[chosen:]
        )

    def _in_order(self, chosen: Vector) -> Vector:
        """Return levels in the order of the attributes."""
        return tuple(level for _, level in sorted(zip(self.order, chosen, strict=True)))
