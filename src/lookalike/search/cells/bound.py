"""Find values of rows that prove a lower bound of the cost of any release at the cell level.

The values are a solution of the dual problem: in every generalized tuple that covers at least k
rows, the k largest values sum to at most k times its cost. The sum of all values is then a bound
(:class:`~lookalike.model.proved_bound.Duals` gives the reason).
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from lookalike.kernels import lower_bound
from lookalike.kernels.types import Reals
from lookalike.model.clock import TooLarge
from lookalike.model.lattice import Vector
from lookalike.model.proved_bound import Duals
from lookalike.search.cells.budget import UNLIMITED, Budget
from lookalike.search.cells.problem import Problem

MOST_POOLED_MEMBERS = 100_000_000
"""The greatest number of members of groups to hold in memory."""
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""The number of items submitted per core before the first result is awaited."""


DIVIDED, MEMBER_WORK = 1.0, 0.3
"""The work of dividing a sequence by a level, and of a pass over a member of a group."""
MANY_SEQUENCES = 1000
"""The number of sequences from which on threads save time."""


ROUNDS = (
    (3.0, ((0.5, 10),)),
    (3.0, ((0.5, 10), (0.25, 20))),
    (2.0, ((0.25, 60), (0.1, 60))),
    (2.0, ((0.1, 100), (0.05, 100), (0.02, 100), (0.01, 100), (0.005, 60))),
)
"""For each round, the margin of the groups in the pool, and steps with the passes of each.

Margins and steps are in units of cost. Early rounds are short: values that rise too far, because
a group that limits them is not in the pool yet, would make the next pool large.
"""


Part = tuple[Vector, lower_bound.PartialGroups]
"""The levels of the first attributes of a walk, in the end of all attributes, and groups there."""


@dataclass(frozen=True, eq=False)
class RaisedValues:
    """Nearly optimal values, and the groups that limit them.

    ``values``: the value of one row of each sequence.
    ``pool``: the groups whose k largest values average about their cost.
    """

    values: Reals
    pool: lower_bound.Pool


def raise_values(problem: Problem, values: Reals, budget: Budget = UNLIMITED) -> RaisedValues:
    """Raise values towards the optimum, in rounds with finer and finer steps.

    Only groups near their limit can limit values. So each round begins with a search for these
    groups, and its passes consider only the nearest of them. If the budget does not reach for
    all rounds, the values are less than optimal; if it does not reach for one, `TooLarge` is
    raised.
    """
    values, pool = values.copy(), None
    with suppress(TooLarge):
        for margin, steps in ROUNDS:
            pool = find_pool(problem, values, margin * problem.unit, budget)
            for step, passes in steps:
                _climb_round(problem, values, pool, step * problem.unit, passes, budget)
    if pool is None:
        raise TooLarge("too many groups may hold the values back")
    return RaisedValues(values, pool)


def _climb_round(
    problem: Problem,
    values: Reals,
    pool: lower_bound.Pool,
    step: float,
    passes: int,
    budget: Budget,
) -> None:
    """Make the passes of one step; choose the nearest groups again after every ten passes."""
    ceilings = np.full(len(values), float(problem.costs.suppressed))
    for _ in range(passes // 10):
        slack = lower_bound.measure_slack(values, problem.counts, pool, problem.k)
        # Ten passes raise no average by more than ten steps, so all other groups stay satisfied.
        active = np.flatnonzero(slack < 12 * step).astype(np.int32)
        work = len(pool.members) + 10 * pool.count_members(active)
        budget.spend(MEMBER_WORK * work, "raising the bound")
        lower_bound.climb(values, ceilings, problem.counts, pool, active, problem.k, step, 10)


def prove_values(problem: Problem, values: Reals, budget: Budget = UNLIMITED) -> Duals:
    """Turn values into whole numbers that satisfy the condition for every generalized tuple.

    Values are rounded down. One pass over all vectors finds every group that still violates the
    condition; lowering its values violates no other group. No value exceeds the cost of
    suppressing a row, so that the price of suppression is 0.
    """
    whole = np.floor(np.minimum(values, problem.costs.suppressed))
    pool = find_pool(problem, whole, 0.0, budget)
    lower_bound.push_down(whole, problem.counts, pool, problem.k)
    return Duals(problem.costs.scale, whole.astype(np.int64))


def find_pool(
    problem: Problem, values: Reals, margin: float, budget: Budget = UNLIMITED
) -> lower_bound.Pool:
    """Find the groups whose k largest values average at least their cost less a margin.

    Raises `TooLarge` beyond the budget, and if the groups do not fit into memory.
    """
    found, members = [], 0
    for _, part in walk_vectors(problem, values, problem.k, margin, budget):
        found.append(part)
        members += len(part[0])
        if members > MOST_POOLED_MEMBERS:
            raise TooLarge("too many groups hold the values back")
    return pool_groups(sorted(found, key=lambda part: int(part[2][0])))


def pool_groups(parts: Sequence[lower_bound.PartialGroups]) -> lower_bound.Pool:
    """Put groups together, in the order of the parts."""
    nothing = np.empty(0, dtype=np.int32)
    sizes = np.concatenate([nothing, *(np.bincount(group_of) for _, group_of, _ in parts)])
    rows = [members[np.argsort(group_of, kind="stable")] for members, group_of, _ in parts]
    return lower_bound.Pool(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.concatenate([nothing, *rows]),
        costs=np.concatenate([nothing.astype(np.int64), *(paid for *_, paid in parts)]),
    )


def walk_vectors(
    problem: Problem, values: Reals, heads: int, margin: float, budget: Budget = UNLIMITED
) -> Iterator[Part]:
    """Yield the groups of k rows or more whose largest values average about their cost.

    Attributes get their levels one after the other, those with the fewest levels first. Groups
    that cannot qualify any more are discarded on the way. The result has only groups that are
    the join of their members, vector by vector.
    """
    way = _Way(problem, values, heads, margin, budget)
    many = len(values) >= MANY_SEQUENCES
    for parts in map_in_order(way.finish, way.begin()) if many else map(way.finish, way.begin()):
        yield from parts


class _Way:
    """The inputs of a walk: sequences by falling value, and the order of the attributes.

    Sequences lie in memory in the order in which all groups list them, so that a walk over many
    sequences reads it from the front to the back.
    """

    def __init__(
        self, problem: Problem, values: Reals, heads: int, margin: float, budget: Budget
    ) -> None:
        self.problem, self.budget = problem, budget
        lattice, costs = problem.lattice, problem.costs
        self.sequences = np.argsort(-values, kind="stable").astype(np.int32)
        counts, values = problem.counts[self.sequences], values[self.sequences]
        self.limits = counts, values, problem.k, heads, margin
        self.ancestors = costs.ancestors.take(self.sequences, axis=2)
        levels = np.subtract(lattice.top, lattice.bottom)
        self.order = np.lexsort((-costs.sizes[:, 0], levels)).tolist()
        least = [int(costs.of_codes(one, lattice.bottom[one]).min()) for one in self.order]
        self.rest = [sum(least[depth + 1 :]) for depth in range(len(least))]

    def begin(self) -> Iterator[Part]:
        """Yield the parts of the walk, which can be finished in parallel."""
        rows = np.arange(len(self.sequences), dtype=np.int32)
        whole = rows, np.zeros(len(rows), np.int32), np.zeros(1, np.int64)
        for part in self._divide((), whole):
            yield from self._divide(*part) if len(self.order) > 1 else (part,)

    def finish(self, part: Part) -> list[Part]:
        """Assign levels to the remaining attributes; keep the groups that are joins."""
        found, waiting = [], [part]
        while waiting:
            vector, groups = waiting.pop()
            if len(vector) < len(self.order):
                waiting += reversed(list(self._divide(vector, groups)))
                continue
            levels = np.empty(len(self.order), dtype=np.int32)
            levels[self.order] = vector
            bottom = self.problem.bottom
            rows, group_of, paid = lower_bound.keep_joins(groups, self.ancestors, levels, bottom)
            if len(rows):
                found.append((tuple(levels.tolist()), (self.sequences[rows], group_of, paid)))
        return found

    def _divide(self, vector: Vector, groups: lower_bound.PartialGroups) -> Iterator[Part]:
        """Assign each level to the next attribute, and yield the groups of each."""
        depth = len(vector)
        attribute = self.order[depth]
        lattice, ancestors = self.problem.lattice, self.ancestors[attribute]
        below = np.empty(0, dtype=np.int32)
        for level in range(lattice.bottom[attribute], lattice.top[attribute] + 1):
            self.budget.spend(DIVIDED * len(groups[0]), "looking for groups of k rows")
            prices = self.problem.costs.of_codes(attribute, level)
            rest, shown = self.rest[depth], ancestors[level]
            part = lower_bound.divide_tight(groups, shown, below, prices, rest, self.limits)
            below = shown
            if len(part[0]):
                yield (*vector, level), part


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
        try:
            while waiting:
                yield waiting.popleft().result()
                for item in islice(left, 1):
                    waiting.append(threads.submit(function, item))
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
