"""Find values of rows that prove a lower bound of the cost of any release.

The values are a solution of the dual problem: in every generalized tuple that covers at least k
rows, the k largest values sum to at most k times its cost. The sum of all values is then a bound
(:class:`~lookalike.model.duals.Duals` gives the reason).
"""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.subgradient import climb, measure_slack, push_down
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.model.duals import Duals
from lookalike.search.cells.bound.walk_vectors import PartialGroups, walk_vectors
from lookalike.search.cells.problem import Problem

MOST_POOLED_MEMBERS = 100_000_000
"""The greatest number of members of groups to hold in memory."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Groups: generalized tuples that are the join of the sequences that they cover.

    Parameters
    ----------
    offsets
        Where the members of each group begin, and the end of the last.
    members
        The sequences that each group covers.
    costs
        The cost of a row that is released as the group's tuple.
    """

    offsets: Counts
    members: Codes
    costs: Reals

    def __len__(self) -> int:
        return len(self.costs)

    def groups_of(self, sequences: int, rank: Reals) -> tuple[Counts, Codes]:
        """Return where the groups of each sequence begin, and these groups by rising rank."""
        group = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        order = np.lexsort((rank[group], self.members))
        begin = np.zeros(sequences + 1, dtype=np.int64)
        begin[1:] = np.cumsum(np.bincount(self.members, minlength=sequences))
        return begin, group[order]


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


@dataclass(frozen=True, eq=False)
class RaisedValues:
    """Nearly optimal values, and the groups that limit them.

    Parameters
    ----------
    values
        The value of one row of each sequence.
    pool
        The groups whose k largest values average about their cost.
    """

    values: Reals
    pool: Pool


def raise_values(problem: Problem, values: Reals, deadline: float = math.inf) -> RaisedValues:
    """Raise values towards the optimum, in rounds with finer and finer steps.

    Only groups near their limit can limit values. So each round begins with a search for these
    groups, and its passes consider only the nearest of them.
    """
    values = values.copy()
    ceilings = np.full(len(values), float(problem.costs.suppressed))
    for margin, steps in ROUNDS:
        pool = find_pool(problem, values, margin * problem.unit, deadline)
        for step, passes in steps:
            stop_if_over(deadline)
            _climb_round(problem, values, ceilings, pool, step * problem.unit, passes, deadline)
    return RaisedValues(values, pool)


def _climb_round(
    problem: Problem,
    values: Reals,
    ceilings: Reals,
    pool: Pool,
    step: float,
    passes: int,
    deadline: float,
) -> None:
    """Make the passes of one step; choose the nearest groups again after every ten passes."""
    for _ in range(passes // 10):
        stop_if_over(deadline)
        slack = measure_slack(
            values, problem.counts, pool.offsets, pool.members, pool.costs, problem.k
        )
        active = np.flatnonzero(slack < 12 * step).astype(np.int32)
        climb(
            values,
            ceilings,
            problem.counts,
            pool.offsets,
            pool.members,
            pool.costs,
            active,
            problem.k,
            step,
            10,
        )


def prove_values(problem: Problem, values: Reals, deadline: float = math.inf) -> Duals:
    """Turn values into whole numbers that satisfy the condition for every generalized tuple.

    Values are rounded down. One pass over all vectors finds every group that still violates the
    condition; lowering its values violates no other group. No value exceeds the cost of
    suppressing a row, so that the price of suppression is 0.
    """
    whole = np.floor(np.minimum(values, problem.costs.suppressed))
    pool = find_pool(problem, whole, 0.0, deadline)
    push_down(whole, problem.counts, pool.offsets, pool.members, pool.costs, problem.k)
    return Duals(problem.costs.scale, whole.astype(np.int64))


def find_pool(problem: Problem, values: Reals, margin: float, deadline: float = math.inf) -> Pool:
    """Find the groups whose k largest values average at least their cost less a margin.

    ``deadline``: when to stop with `OutOfTime`; it is also raised if the groups do not fit into
    memory.
    """
    found, members = [], 0
    for part in walk_vectors(problem, values, problem.k, margin, deadline):
        found.append(part)
        members += len(part.rows)
        if members > MOST_POOLED_MEMBERS:
            raise TooLarge("too many groups hold the values back")
    return _assemble(sorted(found, key=lambda part: int(part.paid[0])))


def _assemble(found: list[PartialGroups]) -> Pool:
    """Combine the groups of all vectors into one pool."""
    nothing = np.empty(0, dtype=np.int32)
    sizes = np.concatenate([nothing, *(np.bincount(part.group_of) for part in found)])
    members = [part.rows[np.argsort(part.group_of, kind="stable")] for part in found]
    return Pool(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.concatenate([nothing, *members]),
        costs=np.concatenate([nothing, *(part.paid for part in found)]).astype(np.float64),
    )
