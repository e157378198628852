"""Solve the linear relaxation of the problem, and round its duals to whole units."""

import numpy as np

from lookalike.kernels.set_partitioning import lower_values, pick_largest
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime
from lookalike.search.cells.exact.column_program import Program
from lookalike.search.cells.exact.columns import Columns, columns_of_rows
from lookalike.search.cells.exact.enumerate_groups import Groups
from lookalike.search.cells.problem import Problem

TOLERANCE = 1e-6
"""The greatest violation of a dual constraint that counts as rounding."""


def price_rows(
    problem: Problem, groups: Groups, first: Columns, deadline: float
) -> tuple[Reals, float]:
    """Solve the linear relaxation by column generation.

    Columns of k rows are enough, because the k largest values of a class decide. In each group
    the k rows of largest value are the most violated column, if any is violated.

    Parameters
    ----------
    problem
        The problem.
    groups
        All closed groups.
    first
        Columns to start with, which contain a solution.
    deadline
        When to stop with the values reached so far, which may not be feasible.

    Returns
    -------
    values
        The value of a row of each sequence, in units of the least difference of two releases.
    price
        The additional price of suppressing a row.
    """
    counts, k, costs = problem.counts, problem.k, groups.costs / problem.step
    program = Program(counts, np.inf, problem.allowance, problem.step)
    program.add(first)
    known: set[bytes] = set()
    values, price = np.zeros(len(counts)), 0.0
    tolerance = TOLERANCE * max(1.0, float(costs.max(initial=0)) / 1000)
    try:
        while program.relax(deadline):
            values, price = program.duals()
            rows = pick_largest(groups.start, groups.members, counts, values, k)
            excess = values[rows].sum(axis=1) - k * costs
            violated = _most_violated(rows, excess, tolerance)
            new = [line for line in violated if rows[line].tobytes() not in known]
            if not new:
                break
            known.update(rows[line].tobytes() for line in new)
            program.add(columns_of_rows(k * groups.costs[new], rows[new]))
    except OutOfTime:
        pass
    return values, price


def _most_violated(rows: Codes, excess: Reals, tolerance: float) -> list[int]:
    """Return, for each sequence, the line of greatest excess among those that contain it."""
    bad = np.flatnonzero(excess > tolerance)
    bad = bad[np.argsort(-excess[bad], kind="stable")]
    first = np.unique(rows[bad].ravel(), return_index=True)[1]
    found: list[int] = bad[np.unique(first // rows.shape[1])].tolist()
    return found


def round_duals(problem: Problem, groups: Groups, most: int, values: Reals) -> Counts:
    """Round values down to whole units, and lower them until they prove a bound exactly.

    Parameters
    ----------
    problem
        The problem.
    groups
        All closed groups.
    most
        The greatest allowed value.
    values
        The values, feasible except for rounding.
    """
    whole = np.minimum(np.floor(values).astype(np.int64), most)
    return lower_values(
        groups.costs, groups.start, groups.members, problem.counts, whole, problem.k
    )
