"""Round a fractional solution to classes, a few percent of the rows at a time."""

import math

import numpy as np

from lookalike.kernels.fix_classes import fix_classes
from lookalike.kernels.subgradient import climb, measure_slack
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import stop_if_over
from lookalike.search.cells.bound.row_values import RaisedValues
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.problem import Problem

FIXED_SHARE = 0.02
"""The share of the rows that is fixed in each step."""
PASSES, STEP = 20, 0.1
"""Passes over the groups before each step, and by how many units they raise values."""
GREATEST_EXCESS = 0.5
"""By how many units a row of a fixed class may cost more than its value, on average."""


def round_solution(
    problem: Problem, raised: RaisedValues, deadline: float = math.inf
) -> tuple[Classes, Counts]:
    """Fix the classes of greatest share in a fractional solution, and solve for the rest again.

    A fixed class takes further rows at its cost. In the end, rows without a class join the
    cheapest class that covers them.
    """
    rounding = _Rounding(problem, raised)
    quota = max(int(FIXED_SHARE * problem.rows), problem.k)
    while True:
        stop_if_over(deadline)
        if not rounding.fix(rounding.solve(), quota):
            break
    return rounding.finish()


class _Rounding:
    """The classes fixed so far, and the rows that are left.

    Each sequence has a value, a ceiling that this may not exceed, and the class that takes its
    further rows at the ceiling, if any.
    """

    def __init__(self, problem: Problem, raised: RaisedValues) -> None:
        self.problem, self.pool = problem, raised.pool
        self.values = raised.values.copy()
        self.ceilings = np.full(len(self.values), np.inf)
        self.cover = np.full(len(self.values), -1, dtype=np.int32)
        self.left = problem.counts.copy()
        room = problem.rows + len(problem.counts)
        self.class_of = np.empty(room, dtype=np.int32)
        self.sequence = np.empty(room, dtype=np.int32)
        self.rows = np.empty(room, dtype=np.int64)
        self.classes = self.entries = 0

    def solve(self) -> Codes:
        """Return the groups of a fractional solution, greatest share first."""
        pool, k, step = self.pool, self.problem.k, STEP * self.problem.unit
        slack = measure_slack(self.values, self.left, pool.offsets, pool.members, pool.costs, k)
        active = np.flatnonzero(slack < 12 * step).astype(np.int32)
        shares = climb(
            self.values,
            self.ceilings,
            self.left,
            pool.offsets,
            pool.members,
            pool.costs,
            active,
            k,
            step,
            PASSES,
        )
        return active[np.argsort(-shares, kind="stable")]

    def fix(self, candidates: Codes, quota: int) -> int:
        """Fix classes in candidate groups, and return the number of their rows."""
        self.classes, self.entries, fixed = fix_classes(
            self.values,
            self.ceilings,
            self.cover,
            self.left,
            self.pool.offsets,
            self.pool.members,
            self.pool.costs,
            candidates,
            self.problem.k,
            quota,
            GREATEST_EXCESS * self.problem.unit,
            self.class_of,
            self.sequence,
            self.rows,
            self.classes,
            self.entries,
        )
        return int(fixed)

    def finish(self) -> tuple[Classes, Counts]:
        """Add the remaining rows that a class covers; return the classes and the other rows."""
        covered = np.flatnonzero((self.left > 0) & (self.cover >= 0)).astype(np.int32)
        classes = Classes(
            np.concatenate([self.class_of[: self.entries], self.cover[covered]]),
            np.concatenate([self.sequence[: self.entries], covered]),
            np.concatenate([self.rows[: self.entries], self.left[covered]]),
        )
        left = self.left.copy()
        left[covered] = 0
        return classes, left
