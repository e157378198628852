"""Dive: from values and a fractional solution to classes, a few percent of the rows at a time."""

import math

import numpy as np

from lookalike.kernels.fix_classes import fix_classes
from lookalike.kernels.subgradient import climb, measure_slack
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import stop_if_over
from lookalike.search.cells.bound.group_pool import Pool
from lookalike.search.cells.bound.row_values import Priced
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.problem import Problem

FIXED_SHARE = 0.02
"""The share of the rows that is fixed at a time."""
PASSES, STEP = 20, 0.1
DEAREST = 0.5
"""By how much a class may cost more than its rows' values when it is fixed, for each row."""


def round_solution(
    problem: Problem, priced: Priced, deadline: float = math.inf
) -> tuple[Classes, Counts]:
    """Fix the classes that a fractional solution opens most surely, and solve for the rest.

    A fixed class takes further rows at its cost; in the end those that found no class join
    the one that covers them most cheaply.

    Returns
    -------
    classes
        The classes.
    left
        How many rows of each sequence are covered by none.
    """
    values, pool = priced.values.copy(), priced.pool
    ceilings = np.full(len(values), np.inf)
    cover = np.full(len(values), -1, dtype=np.int32)
    left = problem.counts.copy()
    entries = _Entries(problem)
    quota = max(int(FIXED_SHARE * problem.rows), problem.k)
    while True:
        stop_if_over(deadline)
        candidates = _solve(problem, values, ceilings, left, pool)
        fixed = entries.fix(values, ceilings, cover, left, pool, candidates, problem, quota)
        if not fixed:
            break
    covered = np.flatnonzero((left > 0) & (cover >= 0)).astype(np.int32)
    classes = entries.with_joined(covered, cover, left)
    left[covered] = 0
    return classes, left


def _solve(problem: Problem, values: Reals, ceilings: Reals, left: Counts, pool: Pool) -> Codes:
    """Return the groups that a fractional solution opens for the rows left, the surest first."""
    step = STEP * problem.unit
    slack = measure_slack(values, left, pool.offsets, pool.members, pool.costs, problem.k)
    active = np.flatnonzero(slack < 12 * step).astype(np.int32)
    shares = climb(
        values,
        ceilings,
        left,
        pool.offsets,
        pool.members,
        pool.costs,
        active,
        problem.k,
        step,
        PASSES,
    )
    return active[np.argsort(-shares, kind="stable")]


class _Entries:
    """The entries of the classes that are fixed so far."""

    def __init__(self, problem: Problem) -> None:
        room = problem.rows + len(problem.counts)
        self._class = np.empty(room, dtype=np.int32)
        self._sequence = np.empty(room, dtype=np.int32)
        self._rows = np.empty(room, dtype=np.int64)
        self._classes = self._number = 0

    def fix(
        self,
        values: Reals,
        ceilings: Reals,
        cover: Codes,
        left: Counts,
        pool: Pool,
        candidates: Codes,
        problem: Problem,
        quota: int,
    ) -> int:
        """Fix classes; return how many rows are in them."""
        self._classes, self._number, fixed = fix_classes(
            values,
            ceilings,
            cover,
            left,
            pool.offsets,
            pool.members,
            pool.costs,
            candidates,
            problem.k,
            quota,
            DEAREST * problem.unit,
            self._class,
            self._sequence,
            self._rows,
            self._classes,
            self._number,
        )
        return int(fixed)

    def with_joined(self, covered: Codes, cover: Codes, left: Counts) -> Classes:
        """Return the classes, with the rows that join one that covers them."""
        number = self._number
        return Classes(
            np.concatenate([self._class[:number], cover[covered]]).astype(np.int32),
            np.concatenate([self._sequence[:number], covered]).astype(np.int32),
            np.concatenate([self._rows[:number], left[covered]]).astype(np.int64),
        )
