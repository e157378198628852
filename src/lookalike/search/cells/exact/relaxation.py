"""The linear relaxation of the problem, and the duals in whole units that it leads to."""

import numpy as np

from lookalike.kernels.set_partitioning import lower_values, pick_largest
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime
from lookalike.search.cells.exact.column_program import Program
from lookalike.search.cells.exact.columns import Columns, columns_of_rows
from lookalike.search.cells.exact.enumerate_groups import Groups
from lookalike.search.cells.problem import Problem

TOLERANCE = 1e-6


def price_rows(
    problem: Problem, groups: Groups, first: Columns, deadline: float
) -> tuple[Reals, float]:
    """Solve the linear relaxation by adding columns as they are missed.

    Columns of k rows are enough: of more rows the k most valuable decide. In each group the k
    rows of largest value are the column that is missed most, if any is.

    Parameters
    ----------
    problem
        The problem.
    groups
        All closed groups.
    first
        Columns to begin with, of which a solution can be made.
    deadline
        When to stop with the values that were reached; they need not be feasible then.

    Returns
    -------
    values
        What a row of each sequence costs, in the least differences of two releases.
    price
        What suppressing a row costs on top.
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
            missed = _most_missed(rows, excess, tolerance)
            new = [line for line in missed if rows[line].tobytes() not in known]
            if not new:
                break
            known.update(rows[line].tobytes() for line in new)
            program.add(columns_of_rows(k * groups.costs[new], rows[new]))
    except OutOfTime:
        pass
    return values, price


def _most_missed(rows: Codes, excess: Reals, tolerance: float) -> list[int]:
    """Return for each sequence the line of greatest excess that it is in."""
    bad = np.flatnonzero(excess > tolerance)
    bad = bad[np.argsort(-excess[bad], kind="stable")]
    first = np.unique(rows[bad].ravel(), return_index=True)[1]
    found: list[int] = bad[np.unique(first // rows.shape[1])].tolist()
    return found


def round_duals(problem: Problem, groups: Groups, most: int, values: Reals) -> Counts:
    """Round values down to whole units, and lower them to where they prove a bound exactly.

    Parameters
    ----------
    problem
        The problem.
    groups
        All closed groups.
    most
        What a value may be at most.
    values
        The values, almost feasible.
    """
    whole = np.minimum(np.floor(values).astype(np.int64), most)
    return lower_values(
        groups.costs, groups.start, groups.members, problem.counts, whole, problem.k
    )
