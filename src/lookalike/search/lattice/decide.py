"""Decide which vectors of a lattice satisfy the requirement, as many as the time allows.

The lattice is divided into boxes, the largest first, and the corners of each box are evaluated. If
the requirement is monotone (Samarati, Theorem 5.2), the answer for a vector that satisfies it holds
for every vector above, and the answer for a vector that fails holds for every vector below. If it
is not, only the rows that are suppressed for certain decide the vectors below.
"""

import heapq
import math
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Literal

import numpy as np

from lookalike.kernels.types import Counts, Flags
from lookalike.model.clock import OutOfTime, is_over
from lookalike.model.lattice import Lattice, Vector, order_by_height
from lookalike.search.lattice.rollup import RollUps

Decided = Literal["satisfies", "fails", "not decided"]
MOST_DECIDED = 1_000_000
"""The most vectors of a lattice that are decided."""
VECTORS_PER_WORK = 32
"""The vectors of a box that are marked in the time that one sequence is evaluated."""


@dataclass(frozen=True, eq=False)
class DecidedLattice:
    """The vectors that satisfy the requirement, those that fail, and those not decided.

    ``satisfying``, ``failing``: a mark for each vector that is decided, in an array with one axis
    for each attribute that has several levels (`axes`).
    """

    lattice: Lattice
    satisfying: Flags
    failing: Flags

    @cached_property
    def axes(self) -> list[int]:
        """The attributes with several levels; there may be more attributes than axes fit."""
        return _list_axes(self.lattice)

    @property
    def is_complete(self) -> bool:
        """Whether every vector is decided."""
        return self.undecided == 0

    @property
    def undecided(self) -> int:
        """The number of vectors that are not decided."""
        return int((~(self.satisfying | self.failing)).sum())

    def state(self, vector: Vector) -> Decided:
        """Return what is known of a vector."""
        place = self.place(vector)
        if self.satisfying[place]:
            return "satisfies"
        return "fails" if self.failing[place] else "not decided"

    @cached_property
    def heights(self) -> Counts:
        """The height of each vector."""
        steps = np.indices(self.failing.shape, dtype=np.int64, sparse=True)
        total = reduce(np.add, steps) + sum(self.lattice.bottom)
        return np.broadcast_to(total, self.failing.shape)

    def count_by_height(self) -> list[tuple[int, int, int, int]]:
        """Count the vectors at each height: those that satisfy, that fail, and not decided."""
        least = sum(self.lattice.bottom)
        undecided = ~(self.satisfying | self.failing)
        counts = [
            np.bincount(self.heights[marked] - least, minlength=self.lattice.height + 1).tolist()
            for marked in (self.satisfying, self.failing, undecided)
        ]
        return [(least + step, *three) for step, three in enumerate(zip(*counts, strict=True))]

    @cached_property
    def lowest(self) -> Flags:
        """Marks the k-minimal vectors: they satisfy the requirement, and all below them fail."""
        possible = ~self.failing
        for axis in range(possible.ndim):
            possible = np.logical_or.accumulate(possible, axis=axis)
        above = np.zeros_like(possible)
        for axis in range(possible.ndim):
            lower, upper = [slice(None)] * possible.ndim, [slice(None)] * possible.ndim
            lower[axis], upper[axis] = slice(None, -1), slice(1, None)
            above[tuple(upper)] |= possible[tuple(lower)]
        return self.satisfying & ~above

    @cached_property
    def minimal(self) -> tuple[Vector, ...]:
        """The vectors that are proved k-minimal, by height."""
        return tuple(order_by_height(self.vectors_at(np.argwhere(self.lowest))))

    def place(self, vector: Vector) -> tuple[int, ...]:
        """Return the place of a vector in the arrays."""
        return tuple(vector[axis] - self.lattice.bottom[axis] for axis in self.axes)

    def vectors_at(self, places: Counts) -> list[Vector]:
        """Return the vectors at some places of the arrays, one a row."""
        found = []
        for place in places.tolist():
            vector = [*self.lattice.bottom]
            for axis, steps in zip(self.axes, place, strict=True):
                vector[axis] += steps
            found.append(tuple(vector))
        return found


def decide_lattice(
    rollups: RollUps,
    lattice: Lattice,
    allowance: int,
    deadline: float = math.inf,
    before: DecidedLattice | None = None,
) -> DecidedLattice:
    """Decide the vectors of a lattice until the deadline, or until the roll-ups stop."""
    steps = [lattice.top[axis] - lattice.bottom[axis] + 1 for axis in _list_axes(lattice)]
    nothing = np.zeros(steps, np.bool_)
    begun = before or DecidedLattice(lattice, nothing, nothing)
    known = DecidedLattice(lattice, begun.satisfying.copy(), begun.failing.copy())
    deciding = _Deciding(rollups, allowance, known)
    boxes = [(-lattice.size, (0,) * len(steps), tuple(step - 1 for step in steps))]
    with suppress(OutOfTime):
        while boxes and not is_over(deadline):
            size, bottom, top = heapq.heappop(boxes)
            rollups.meter.spend(-size / VECTORS_PER_WORK)
            if deciding.is_open(bottom, top) and bottom != top:
                for part in _halve(bottom, top):
                    heapq.heappush(boxes, part)
    return known


class _Deciding:
    """Evaluates vectors and marks what follows from the answers."""

    def __init__(self, rollups: RollUps, allowance: int, known: DecidedLattice) -> None:
        self._rollups = rollups
        self._allowance = allowance
        self._known = known
        self._marked = known.satisfying | known.failing

    def is_open(self, bottom: Vector, top: Vector) -> bool:
        """Evaluate the corners of a box, and return whether some vector of it is not decided."""
        box = tuple(slice(low, high + 1) for low, high in zip(bottom, top, strict=True))
        for corner in (bottom, top):
            if self._marked[box].all():
                return False
            if not self._marked[corner]:
                self._consider(corner)
        return not self._marked[box].all()

    def _consider(self, place: Vector) -> None:
        """Evaluate a vector, and mark it and what it decides."""
        [vector] = self._known.vectors_at(np.array([place]))
        if self._rollups.certain(vector, self._allowance) > self._allowance:
            flags, box = self._known.failing, tuple(slice(None, level + 1) for level in place)
        elif self._rollups.requirement.is_monotone:
            flags, box = self._known.satisfying, tuple(slice(level, None) for level in place)
        else:
            fits = self._rollups.suppressed(vector) <= self._allowance
            box = tuple(slice(level, level + 1) for level in place)
            flags = self._known.satisfying if fits else self._known.failing
        # none of the vectors of the box was decided otherwise
        flags[box] = self._marked[box] = True


def _halve(bottom: Vector, top: Vector) -> list[tuple[int, Vector, Vector]]:
    """Divide a box along its longest axis; return each part after its negative size."""
    steps = [high - low for low, high in zip(bottom, top, strict=True)]
    axis = steps.index(max(steps))
    middle = bottom[axis] + steps[axis] // 2
    lower = bottom, (*top[:axis], middle, *top[axis + 1 :])
    upper = (*bottom[:axis], middle + 1, *bottom[axis + 1 :]), top
    return [(-Lattice(*part).size, *part) for part in (lower, upper)]


def _list_axes(lattice: Lattice) -> list[int]:
    """Return the attributes with several levels, or the first one."""
    free = [place for place, low in enumerate(lattice.bottom) if lattice.top[place] > low]
    return free or [0]
