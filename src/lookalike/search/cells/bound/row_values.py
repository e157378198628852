"""Prices: a lower bound of what any release costs, from the values of its rows.

It is the dual of the problem: a value for each row, such that in every generalized tuple that
covers at least k rows the k largest values sum to at most k times its cost. The sum of all
values is then a bound (:class:`~lookalike.model.duals.Duals` says why).
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
"""For each round, the margin of the groups that are kept, and steps with how often each is made.

Margins and steps are in units of cost. Early rounds are short: what they raise too far, for
want of groups that were not near, would fill the next pool.
"""


@dataclass(frozen=True, eq=False)
class Priced:
    """Values that are nearly optimal, and the groups that hold them back.

    Parameters
    ----------
    values
        The value of one row of each sequence.
    pool
        The groups whose k largest values average to about their cost.
    """

    values: Reals
    pool: Pool


def raise_values(problem: Problem, values: Reals, deadline: float = math.inf) -> Priced:
    """Raise values towards the optimum, round by round with finer steps.

    Only groups near their limit can hold values back, so each round begins with a search for
    them, and between its passes the nearest are looked at alone.

    Parameters
    ----------
    problem
        The problem.
    values
        What to begin with, such as the simple bound.
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
    return Priced(values, pool)


def _climb_round(
    problem: Problem,
    values: Reals,
    ceilings: Reals,
    pool: Pool,
    step: float,
    passes: int,
    deadline: float,
) -> None:
    """Make the passes of one round, the groups that matter chosen anew now and then."""
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
    """Turn values into whole ones that hold for every generalized tuple.

    Reals are rounded down; every group that they still overcharge is found in one pass over
    all vectors that could have one, and lowering its values breaks no other. No value exceeds
    what suppressing a row costs, so that the price of that is 0.
    """
    whole = np.floor(np.minimum(values, problem.costs.suppressed))
    pool = find_pool(problem, whole, 0.0, deadline)
    push_down(whole, problem.counts, pool.offsets, pool.members, pool.costs, problem.k)
    return Duals(problem.costs.scale, whole.astype(np.int64))
