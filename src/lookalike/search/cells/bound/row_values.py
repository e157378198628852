"""Find values of rows that prove a lower bound of the cost of any release.

The values are a solution of the dual problem: in every generalized tuple that covers at least k
rows, the k largest values sum to at most k times its cost. The sum of all values is then a bound
(:class:`~lookalike.model.duals.Duals` gives the reason).
"""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.subgradient import climb, measure_slack, push_down
from lookalike.kernels.types import Reals
from lookalike.model.clock import stop_if_over
from lookalike.model.duals import Duals
from lookalike.search.cells.bound.group_pool import Pool, find_pool
from lookalike.search.cells.problem import Problem

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

    Parameters
    ----------
    problem
        The problem.
    values
        The values to start from, such as the simple bound.
    deadline
        When to stop with `OutOfTime`.
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
