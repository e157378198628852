"""Branch and bound: the vectors of least cost, proved, without laying out the lattice.

The lattice is divided into boxes, each all vectors between a bottom and a top. A box whose
top suppresses too much holds no solution (Samarati, Corollary 5.1). A box whose bound is
above the best cost found holds no better one. Any other is divided, the most promising
first, so that at any moment the least bound of the boxes left bounds the optimum.
"""

import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from lookalike.errors import Infeasible
from lookalike.model.clock import is_over
from lookalike.model.lattice import Lattice, Vector
from lookalike.search.lattice.cell_costs import Cost
from lookalike.search.lattice.objectives import Judged, Objective

ROUNDING = 1e-12
REPORT_EVERY = 0.1

Report = Callable[["Standing"], None]


@dataclass(frozen=True)
class Standing:
    """How far a search is.

    Parameters
    ----------
    best
        Every vector of the least cost found, in order.
    bound
        No vector costs less than this.
    evaluated
        The number of vectors that were looked at.
    proved
        Whether nothing better can exist and all that are as good were found.
    """

    best: tuple[Judged, ...]
    bound: Cost
    evaluated: int
    proved: bool = False


@dataclass(frozen=True, order=True)
class _Box:
    """All vectors between two, with the least that any of them can cost."""

    bound: Cost
    bottom: Vector
    top: Vector
    suppressed: int


def minimize(
    objective: Objective,
    lattice: Lattice,
    allowance: int,
    deadline: float = math.inf,
    report: Report = lambda _: None,
) -> Standing:
    """Find the vectors of least cost among those that suppress no more than allowed.

    Parameters
    ----------
    objective
        What is made least.
    lattice
        The vectors to choose from.
    allowance
        How many rows may be suppressed.
    deadline
        When to stop with what was found, and the bound.
    report
        Told from time to time how far the search is.

    Raises
    ------
    Infeasible
        If even the top of the lattice suppresses too much.
    """
    search = _Search(objective, lattice, allowance, deadline)
    reported = time.monotonic()
    while search.open and not is_over(deadline):
        now = time.monotonic()
        if now - reported > REPORT_EVERY:
            report(search.standing())
            reported = now
        search.divide(heapq.heappop(search.open))
    return search.standing()


class _Search:
    """The boxes that are left and the best vectors found."""

    def __init__(
        self, objective: Objective, lattice: Lattice, allowance: int, deadline: float
    ) -> None:
        self.objective = objective
        self.allowance = allowance
        self.deadline = deadline
        self.heights = [max(top, 1) for top in lattice.top]
        self.best: list[Judged] = []
        self.open: list[_Box] = []
        top = objective.judge(lattice.top)
        if top.suppressed > allowance:
            raise Infeasible(
                f"even the most general release that is allowed leaves {top.suppressed:,} rows "
                f"below k, more than the {allowance:,} that may be suppressed; loosen the "
                "constraints on levels, or allow more suppressed rows"
            )
        self.consider(top)
        self._descend(top, lattice)
        self.push(lattice.bottom, lattice.top, top.suppressed)

    def consider(self, judged: Judged) -> None:
        """Keep a vector if it is as good as the best."""
        if judged.suppressed > self.allowance:
            return
        if not self.best or judged.cost < self.best[0].cost - self.slack:
            self.best = [judged]
        elif judged.cost <= self.best[0].cost + self.slack and judged not in self.best:
            self.best.append(judged)

    @property
    def slack(self) -> float:
        """What two costs may differ by and be taken as equal; whole numbers must be equal."""
        cost = self.best[0].cost
        exact = isinstance(cost, int) or math.isinf(cost)
        return 0 if exact else ROUNDING * max(1.0, abs(cost))

    def push(self, bottom: Vector, top: Vector, suppressed: int) -> None:
        """Keep a box that may hold something as good as the best."""
        bound = self.objective.bound(bottom, suppressed)
        if bottom != top and bound <= self.best[0].cost + self.slack:
            heapq.heappush(self.open, _Box(bound, bottom, top, suppressed))

    def divide(self, box: _Box) -> None:
        """Split a box in two across the attribute with most of its height left."""
        if box.bound > self.best[0].cost + self.slack:
            self.open.clear()
            return
        self.objective.rollups.keep(box.bottom)
        left = [high - low for low, high in zip(box.bottom, box.top, strict=True)]
        shares = [levels / height for levels, height in zip(left, self.heights, strict=True)]
        attribute = shares.index(max(shares))
        middle = box.bottom[attribute] + (left[attribute] - 1) // 2
        lower = self.objective.judge(_with(box.top, attribute, middle))
        if lower.suppressed <= self.allowance:
            self.consider(lower)
            self.push(box.bottom, lower.vector, lower.suppressed)
        self.push(_with(box.bottom, attribute, middle + 1), box.top, box.suppressed)

    def standing(self) -> Standing:
        """Say how far the search is."""
        best = tuple(sorted(self.best, key=lambda judged: (sum(judged.vector), judged.vector)))
        cost = best[0].cost
        bound = min(self.open[0].bound, cost) if self.open else cost
        return Standing(best, bound, self.objective.rollups.evaluated, proved=not self.open)

    def _descend(self, top: Judged, lattice: Lattice) -> None:
        """Walk down from the top while that gets better, to begin with a good solution."""
        here = top
        while not is_over(self.deadline):
            below = self._judge_in_time(lattice.predecessors(here.vector))
            fitting = [judged for judged in below if judged.suppressed <= self.allowance]
            lowest = min(fitting, key=lambda judged: judged.cost, default=here)
            if lowest.cost >= here.cost:
                return
            self.consider(lowest)
            here = lowest

    def _judge_in_time(self, vectors: list[Vector]) -> list[Judged]:
        """Judge vectors, as many as time allows."""
        judged: list[Judged] = []
        for vector in vectors:
            if is_over(self.deadline):
                break
            judged.append(self.objective.judge(vector))
        return judged


def _with(vector: Vector, attribute: int, level: int) -> Vector:
    """Return the vector with one attribute at another level."""
    return (*vector[:attribute], level, *vector[attribute + 1 :])
