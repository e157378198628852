"""Solve linear and integer programs over columns of rows with HiGHS."""

import math
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lookalike.errors import InternalError
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.clock import OutOfTime
from lookalike.search.cells.exact.columns import Columns

if TYPE_CHECKING:
    from highspy import Highs

PATIENCE = 0.1
"""The greatest number of seconds until a keyboard interrupt is noticed."""


class Program:
    """The program: choose columns that take every row once, at least cost.

    The program has a constraint for each sequence, one for the number of classes, one for the
    number of suppressed rows, and one for each cut. Costs are in units of the smallest possible
    difference.
    """

    def __init__(self, counts: Counts, most_classes: float, allowance: int, unit: int) -> None:
        import highspy

        self.highs: Highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        self.highs.setOptionValue("mip_abs_gap", 0.9)  # costs are whole: within 1 is optimal
        self.highs.setOptionValue("mip_allow_restart", False)
        self.stop = threading.Event()
        self.highs.cbMipInterrupt += lambda event: event.interrupt() if self.stop.is_set() else None
        self.unit = unit
        self.lines = len(counts)
        exactly = [(count, count) for count in counts.tolist()]
        for limits in (*exactly, (-math.inf, most_classes), (-math.inf, allowance)):
            self.highs.addRow(*limits, 0, np.zeros(0, dtype=np.int32), np.zeros(0))

    def add(self, columns: Columns) -> None:
        """Add columns; none may be added after a cut."""
        lines = self.lines + np.where(columns.is_class, 0, 1)
        indices = np.insert(columns.sequence, columns.start[1:], lines).astype(np.int32)
        values = np.insert(columns.number, columns.start[1:], 1).astype(np.float64)
        number = len(columns)
        self.highs.addCols(
            number,
            columns.costs / self.unit,
            np.zeros(number),
            np.full(number, math.inf),
            len(indices),
            (columns.start[:-1] + np.arange(number)).astype(np.int32),
            indices,
            values,
        )

    def cut(self, factors: Reals, most: int) -> None:
        """Add a constraint: the sum of the columns times their factors is at most `most`."""
        found = np.flatnonzero(factors).astype(np.int32)
        self.highs.addRow(-math.inf, most, len(found), found, factors[found])

    def drop(self, columns: Counts) -> None:
        """Remove columns."""
        self.highs.deleteCols(len(columns), columns.astype(np.int32))

    def relax(self, deadline: float) -> bool:
        """Solve the linear relaxation; return whether it has a solution."""
        self._give_time(deadline)
        self.highs.run()
        status = self._status()
        if status == "Time limit reached":
            raise OutOfTime("the time is up")
        return status == "Optimal"

    def solve(self, allowed: Flags, deadline: float) -> None:
        """Solve the program in whole numbers with the allowed columns, until the deadline."""
        import highspy

        columns = np.arange(len(allowed), dtype=np.int32)
        kinds = np.full(len(allowed), highspy.HighsVarType.kInteger)
        most = np.where(allowed, math.inf, 0.0)
        self.highs.changeColsIntegrality(len(allowed), columns, kinds)
        self.highs.changeColsBounds(len(allowed), columns, np.zeros(len(allowed)), most)
        self._give_time(deadline)
        self._run_interruptibly()

    @property
    def objective(self) -> float:
        """The cost of the solution, in units."""
        return float(self.highs.getInfo().objective_function_value)

    @property
    def bound(self) -> float:
        """The lower bound of the cost of a solution in whole numbers, in units."""
        if self._status() == "Infeasible":
            return math.inf
        return float(self.highs.getInfo().mip_dual_bound)

    def shares(self) -> Reals:
        """Return how often each column is taken."""
        return np.array(self.highs.getSolution().col_value)

    def reduced_costs(self) -> Reals:
        """Return the reduced cost of each column: its cost less the values of its rows."""
        return np.array(self.highs.getSolution().col_dual)

    def duals(self) -> tuple[Reals, float]:
        """Return the value of a row of each sequence, and the price of suppressing a row."""
        duals = np.array(self.highs.getSolution().row_dual)
        return duals[: self.lines], max(0.0, -float(duals[self.lines + 1]))

    def _give_time(self, deadline: float) -> None:
        """Set the time limit; HiGHS counts the time of earlier runs too."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime("the time is up")
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + left)

    def _status(self) -> str:
        """Return how the solver ended."""
        status = self.highs.modelStatusToString(self.highs.getModelStatus())
        if status not in ("Optimal", "Infeasible", "Time limit reached"):
            raise InternalError(f"the solver of linear programs ended with {status!r}")
        return status

    def _run_interruptibly(self) -> None:
        """Run the solver in another thread, so that this one can notice keyboard interrupts."""
        solver = threading.Thread(target=self._run_and_clean_up, daemon=True)
        solver.start()
        try:
            while solver.is_alive():
                solver.join(PATIENCE)
        except BaseException:
            self.stop.set()
            solver.join()
            raise

    def _run_and_clean_up(self) -> None:
        """Run the solver, and end the threads that it started."""
        self.highs.run()
        self.highs.resetGlobalScheduler(True)


def is_whole(shares: Reals) -> bool:
    """Return whether all numbers are whole, except for rounding."""
    return bool(np.all(np.abs(shares - np.round(shares)) < 1e-6))


def spread_picks(picks: Codes, excess: Reals, most_uses: int, most: int) -> Sequence[int]:
    """Choose rows of sequences by descending excess; no sequence may occur in too many."""
    uses: dict[int, int] = {}
    chosen: list[int] = []
    for line in np.argsort(-excess, kind="stable").tolist():
        members = set(picks[line].tolist())
        if all(uses.get(member, 0) < most_uses for member in members):
            chosen.append(line)
            uses.update({member: uses.get(member, 0) + 1 for member in members})
        if len(chosen) == most:
            break
    return chosen
