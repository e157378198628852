"""Walk over the level vectors, attribute by attribute, to groups whose values reach their cost."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.tight_groups import divide_tight, keep_joins
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import stop_if_over
from lookalike.model.lattice import Vector
from lookalike.search.cells.parallel import map_in_order
from lookalike.search.cells.problem import Problem

MANY_SEQUENCES = 1000
"""With fewer sequences, threads cost more than they save."""


@dataclass(frozen=True, eq=False)
class PartialGroups:
    """Groups of sequences that are alike in some attributes.

    Parameters
    ----------
    vector
        The levels of these attributes.
    rows
        The sequences, by falling value.
    group_of
        The group of each.
    paid
        What a row of each group costs in these attributes.
    """

    vector: Vector
    rows: Codes
    group_of: Codes
    paid: Counts


def walk_vectors(
    problem: Problem, values: Reals, heads: int, margin: float, deadline: float = math.inf
) -> Iterator[PartialGroups]:
    """Find the groups of k rows or more whose largest values average to about their cost.

    Attributes get their levels one after the other, those with the fewest levels first, and
    groups that cannot be of that kind any more are left behind on the way. Only groups that
    are the join of their members are given, vector by vector.

    Parameters
    ----------
    problem
        The problem.
    values
        The value of one row of each sequence.
    heads
        How many of the largest values are averaged, at most k.
    margin
        How far the average may lie below the cost.
    deadline
        When to stop with `OutOfTime`.
    """
    way = _Way(problem, values, heads, margin, deadline)
    many = len(values) >= MANY_SEQUENCES
    for parts in map_in_order(way.finish, way.begin()) if many else map(way.finish, way.begin()):
        yield from parts


class _Way:
    """What a walk takes along."""

    def __init__(
        self, problem: Problem, values: Reals, heads: int, margin: float, deadline: float
    ) -> None:
        self.problem, self.values, self.heads = problem, values, heads
        self.margin, self.deadline = margin, deadline
        lattice, costs = problem.lattice, problem.costs
        levels = np.subtract(lattice.top, lattice.bottom)
        self.order = np.lexsort((-costs.sizes[:, 0], levels)).tolist()
        least = [int(costs.steps[place, lattice.bottom[place]]) for place in self.order]
        self.rest = [sum(least[depth + 1 :]) for depth in range(len(least))]

    def begin(self) -> Iterator[PartialGroups]:
        """Give the parts that the walk is divided into, to be finished side by side."""
        rows = np.argsort(-self.values, kind="stable").astype(np.int32)
        whole = PartialGroups((), rows, np.zeros(len(rows), np.int32), np.zeros(1, np.int64))
        for part in self._divide(whole):
            yield from self._divide(part) if len(self.order) > 1 else (part,)

    def finish(self, part: PartialGroups) -> list[PartialGroups]:
        """Give the remaining attributes their levels."""
        found, waiting = [], [part]
        while waiting:
            part = waiting.pop()
            if len(part.vector) == len(self.order):
                found += self._keep_joins(part)
            else:
                waiting += reversed(list(self._divide(part)))
        return found

    def _keep_joins(self, part: PartialGroups) -> list[PartialGroups]:
        """Keep the groups that are the join of their members, if there are any."""
        problem = self.problem
        levels = np.empty(len(self.order), dtype=np.int32)
        levels[self.order] = part.vector
        rows, group_of, paid = keep_joins(
            part.rows, part.group_of, part.paid, problem.costs.ancestors, levels, problem.bottom
        )
        return [PartialGroups(part.vector, rows, group_of, paid)] if len(rows) else []

    def _divide(self, part: PartialGroups) -> Iterator[PartialGroups]:
        """Give one attribute more each of its levels."""
        stop_if_over(self.deadline)
        depth = len(part.vector)
        attribute = self.order[depth]
        costs, lattice = self.problem.costs, self.problem.lattice
        nothing = np.empty(0, dtype=np.int32)
        for level in range(lattice.bottom[attribute], lattice.top[attribute] + 1):
            raised = level > lattice.bottom[attribute]
            rows, group_of, paid = divide_tight(
                part.rows,
                part.group_of,
                part.paid,
                costs.ancestors[attribute, level],
                costs.ancestors[attribute, level - 1] if raised else nothing,
                costs.of_codes(attribute, level),
                self.rest[depth],
                self.problem.counts,
                self.values,
                self.problem.k,
                self.heads,
                self.margin,
            )
            if len(rows):
                yield PartialGroups((*part.vector, level), rows, group_of, paid)
