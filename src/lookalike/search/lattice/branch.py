"""Branch and bound: find the vectors of least cost, with a proof, without building the lattice.

The lattice is divided into boxes; a box is all vectors between a bottom and a top. A box whose
top suppresses too many rows contains no solution (Samarati, Corollary 5.1). A box whose lower
bound exceeds the best cost found contains no better one. Any other box is divided, the one of
least bound first, so the least bound of the open boxes is always a bound on the optimum.

A protection that a class can lose when it grows breaks Theorem 5.2: a vector may satisfy the
requirement although vectors above it do not. Then a box is discarded only for the rows that the
monotone part of the requirement suppresses at its top, and every vector of the other boxes is
evaluated in the end, as the top of a box of its own.
"""

import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from lookalike.model.clock import is_over
from lookalike.model.lattice import Lattice, Vector, set_level
from lookalike.model.recoding import check_found, check_most_general
from lookalike.search.lattice.objectives import Cost, Judged, Objective

ROUNDING = 1e-12
"""The relative difference up to which two floating-point costs count as equal."""
MANY_VECTORS = 64
"""The vectors of a box for which it pays to roll the frequency list up to its bottom."""
REPORT_EVERY = 0.1
"""Seconds between two progress reports."""

Report = Callable[["Standing"], None]
"""Callback that receives the state of the search from time to time."""
Admits = Callable[[Vector], bool]
"""Returns whether a vector satisfies a condition that may hold anywhere in the lattice."""


@dataclass(frozen=True)
class Standing:
    """The state of a search.

    ``best``: all vectors of the least cost found, in order.
    ``bound``: a lower bound on the cost of every vector.
    ``proved``: whether the best vectors are proved optimal and complete.
    """

    best: tuple[Judged, ...]
    bound: Cost
    evaluated: int
    proved: bool = False


@dataclass(frozen=True, order=True)
class _Box:
    """All vectors between two vectors, with a lower bound on their cost."""

    bound: Cost
    bottom: Vector
    top: Vector
    suppressed: int
    """Rows that every vector of the box suppresses at least."""


def minimize(
    objective: Objective,
    lattice: Lattice,
    allowance: int,
    deadline: float = math.inf,
    report: Report = lambda _: None,
    admits: Admits = lambda _: True,
) -> Standing:
    """Find the vectors of least cost among those that suppress no more rows than allowed.

    ``admits``: a further condition on each vector.
    """
    search = _Search(objective, lattice, allowance, deadline, admits)
    reported = time.monotonic()
    while search.open and not is_over(deadline):
        now = time.monotonic()
        if now - reported > REPORT_EVERY and search.best:
            report(search.standing())
            reported = now
        search.divide(heapq.heappop(search.open))
    check_found(bool(search.best), complete=not search.open)
    return search.standing()


class _Search:
    """The open boxes and the best vectors found."""

    def __init__(
        self,
        objective: Objective,
        lattice: Lattice,
        allowance: int,
        deadline: float,
        admits: Admits,
    ) -> None:
        self.objective = objective
        self.admits = admits
        self.allowance = allowance
        self.deadline = deadline
        self.heights = [max(top, 1) for top in lattice.top]
        self.best: list[Judged] = []
        self.open: list[_Box] = []
        certain = self.evaluate(lattice.top)
        check_most_general(certain, allowance, objective.rollups.requirement)
        if self.best:
            self._descend(self.best[0], lattice)
        self.push(lattice.bottom, lattice.top, certain)

    def evaluate(self, vector: Vector) -> int:
        """Consider a vector; return the rows that it and all vectors below it suppress at least."""
        rollups = self.objective.rollups
        if rollups.counts_rows:
            judged = self.objective.judge(vector)
            self.consider(judged)
            return judged.suppressed
        certain = rollups.certain(vector, self.allowance)
        if certain <= self.allowance:
            self.consider(self.objective.judge(vector))
        return certain

    def consider(self, judged: Judged) -> None:
        """Keep a vector if it is as good as the best."""
        if judged.suppressed > self.allowance or self.is_hopeless(judged.cost):
            return
        if not self.admits(judged.vector):
            return
        if not self.best or judged.cost < self.best[0].cost - self.slack:
            self.best = [judged]
        elif judged.cost <= self.best[0].cost + self.slack and judged not in self.best:
            self.best.append(judged)

    def is_hopeless(self, bound: Cost) -> bool:
        """Return whether a lower bound exceeds the best cost found."""
        return bool(self.best) and bound > self.best[0].cost + self.slack

    @property
    def slack(self) -> float:
        """The difference up to which two costs count as equal; 0 for integers."""
        cost = self.best[0].cost
        exact = isinstance(cost, int) or math.isinf(cost)
        return 0 if exact else ROUNDING * max(1.0, abs(cost))

    def push(self, bottom: Vector, top: Vector, suppressed: int) -> None:
        """Keep a box that may contain a vector as good as the best."""
        bound = self.objective.bound(bottom, suppressed)
        if bottom != top and not self.is_hopeless(bound):
            heapq.heappush(self.open, _Box(bound, bottom, top, suppressed))

    def divide(self, box: _Box) -> None:
        """Split a box in two along the attribute with the greatest relative height left."""
        if self.is_hopeless(box.bound):
            self.open.clear()
            return
        left = [high - low for low, high in zip(box.bottom, box.top, strict=True)]
        if math.prod([levels + 1 for levels in left]) >= MANY_VECTORS:
            self.objective.rollups.keep(box.bottom)
        shares = [levels / height for levels, height in zip(left, self.heights, strict=True)]
        attribute = shares.index(max(shares))
        middle = box.bottom[attribute] + (left[attribute] - 1) // 2
        lower = set_level(box.top, attribute, middle)
        certain = self.evaluate(lower)
        if certain <= self.allowance:
            self.push(box.bottom, lower, certain)
        self.push(set_level(box.bottom, attribute, middle + 1), box.top, box.suppressed)

    def standing(self) -> Standing:
        """Return the state of the search."""
        best = tuple(sorted(self.best, key=lambda judged: (sum(judged.vector), judged.vector)))
        cost = best[0].cost
        bound = min(self.open[0].bound, cost) if self.open else cost
        return Standing(best, bound, self.objective.rollups.evaluated, proved=not self.open)

    def _descend(self, top: Judged, lattice: Lattice) -> None:
        """Walk down from the top while the cost falls, to begin with a good solution."""
        here, rollups = top, self.objective.rollups
        while not is_over(self.deadline):
            lowest = here
            for vector in lattice.predecessors(here.vector):
                if is_over(self.deadline):
                    break
                if rollups.certain(vector, self.allowance) > self.allowance:
                    continue
                judged = self.objective.judge(vector)
                cheaper = judged.suppressed <= self.allowance and judged.cost < lowest.cost
                if cheaper and self.admits(vector):
                    lowest = judged
            if lowest is here:
                return
            self.consider(lowest)
            here = lowest
