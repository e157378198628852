"""The linear relaxation of the problem, and the duals in whole units that it leads to."""

import numpy as np

from lookalike.cells.closed import Groups, OutOfTime
from lookalike.cells.columns import Columns, columns_of_rows
from lookalike.cells.linear import Program
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.columns import Reals, lower_values, pick_largest
from lookalike.kernels.grouping import Counts

TOLERANCE = 1e-6


def price_rows(
    groups: Groups,
    counts: Counts,
    k: int,
    allowance: int,
    first: Columns,
    unit: int,
    deadline: float,
) -> tuple[Reals, float]:
    """Solve the linear relaxation by adding columns as they are missed.

    Columns of k rows are enough: of more rows the k most valuable decide. In each group the k
    rows of largest value are the column that is missed most, if any is.

    Parameters
    ----------
    groups
        All closed groups.
    counts
        The number of rows of each sequence.
    k, allowance
        The least size of a class, and how many rows may be suppressed.
    first
        Columns to begin with, of which a solution can be made.
    unit
        The smallest difference of two costs.
    deadline
        When to stop with the values that were reached; they need not be feasible then.

    Returns
    -------
    values
        What a row of each sequence costs, in units.
    price
        What suppressing a row costs on top.
    """
    program = Program(counts, np.inf, allowance, unit)
    program.add(first)
    known: set[bytes] = set()
    values, price = np.zeros(len(counts)), 0.0
    tolerance = TOLERANCE * max(1.0, float(groups.costs.max(initial=0)) / unit / 1000)
    try:
        while program.relax(deadline):
            values, price = program.duals()
            rows = pick_largest(groups.start, groups.members, counts, values, k)
            excess = values[rows].sum(axis=1) - k * groups.costs / unit
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


def round_duals(
    groups: Groups, counts: Counts, k: int, fine_costs: Counts, most: int, values: Reals
) -> Counts:
    """Round values down to whole units, and lower them to where they prove a bound exactly.

    Parameters
    ----------
    groups
        All closed groups.
    counts
        The number of rows of each sequence.
    k
        The least size of a class.
    fine_costs
        What a row costs in each group, in the units of the values.
    most
        What a value may be at most.
    values
        The values, almost feasible.
    """
    whole = np.minimum(np.floor(values).astype(np.int64), most)
    return lower_values(fine_costs, groups.start, groups.members, counts, whole, k)


def price_simply(groups: Groups, sequences: int, fine_costs: Counts, suppressed: int) -> Counts:
    """Value each row at the cheapest group that covers it: feasible, and quickly found."""
    values = np.full(sequences, suppressed, dtype=np.int64)
    np.minimum.at(values, groups.members, np.repeat(fine_costs, np.diff(groups.start)))
    return values
