"""Find the groups whose largest values reach their cost, by a walk over the level vectors."""

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from lookalike.kernels.tight_groups import divide_tight, keep_joins
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import stop_if_over
from lookalike.model.lattice import Vector
from lookalike.search.cells.problem import Problem

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""The number of items submitted per core before the first result is awaited."""


MANY_SEQUENCES = 1000
"""The number of sequences from which on threads save time."""


@dataclass(frozen=True, eq=False)
class PartialGroups:
    """Groups of sequences that are equal in the first attributes, at given levels.

    Parameters
    ----------
    vector
        The levels of these attributes.
    rows
        The sequences, by descending value.
    group_of
        The group of each sequence.
    paid
        The cost of a row of each group in these attributes.
    """

    vector: Vector
    rows: Codes
    group_of: Codes
    paid: Counts


def walk_vectors(
    problem: Problem, values: Reals, heads: int, margin: float, deadline: float = math.inf
) -> Iterator[PartialGroups]:
    """Yield the groups of k rows or more whose largest values average about their cost.

    Attributes get their levels one after the other, those with the fewest levels first. Groups
    that cannot qualify any more are discarded on the way. The result has only groups that are
    the join of their members, vector by vector.
    """
    way = _Way(problem, values, heads, margin, deadline)
    many = len(values) >= MANY_SEQUENCES
    for parts in map_in_order(way.finish, way.begin()) if many else map(way.finish, way.begin()):
        yield from parts


class _Way:
    """The inputs of a walk, and the order of its attributes."""

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
        """Yield the parts of the walk, which can be finished in parallel."""
        rows = np.argsort(-self.values, kind="stable").astype(np.int32)
        whole = PartialGroups((), rows, np.zeros(len(rows), np.int32), np.zeros(1, np.int64))
        for part in self._divide(whole):
            yield from self._divide(part) if len(self.order) > 1 else (part,)

    def finish(self, part: PartialGroups) -> list[PartialGroups]:
        """Assign levels to the remaining attributes."""
        found, waiting = [], [part]
        while waiting:
            part = waiting.pop()
            if len(part.vector) == len(self.order):
                found += self._keep_joins(part)
            else:
                waiting += reversed(list(self._divide(part)))
        return found

    def _keep_joins(self, part: PartialGroups) -> list[PartialGroups]:
        """Keep the groups that are the join of their members; return no part if there are none."""
        problem = self.problem
        levels = np.empty(len(self.order), dtype=np.int32)
        levels[self.order] = part.vector
        rows, group_of, paid = keep_joins(
            part.rows, part.group_of, part.paid, problem.costs.ancestors, levels, problem.bottom
        )
        return [PartialGroups(part.vector, rows, group_of, paid)] if len(rows) else []

    def _divide(self, part: PartialGroups) -> Iterator[PartialGroups]:
        """Assign each level to the next attribute, and yield the groups of each."""
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


def map_in_order(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function to each item, on all cores, and yield the results in order.

    Compiled kernels release Python's global lock, so threads are enough. Only a few items are
    submitted ahead of the results, so that an error or an interruption does not wait for many.

    Examples
    --------
    >>> list(map_in_order(abs, [-2, 1, -3]))
    [2, 1, 3]
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    left = iter(items)
    with ThreadPoolExecutor(cores) as threads:
        waiting: deque[Future[Result]] = deque()
        for item in islice(left, AHEAD * (cores or 1)):
            waiting.append(threads.submit(function, item))
        while waiting:
            yield waiting.popleft().result()
            for item in islice(left, 1):
                waiting.append(threads.submit(function, item))
