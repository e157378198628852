"""Find all k-minimal vectors of a lattice of any size.

A vector is k-minimal if it suppresses no more rows than allowed and no vector below it does
(Samarati, Definition 4.3).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.model.clock import is_over
from lookalike.model.lattice import Lattice, Vector, order_by_height, set_level
from lookalike.model.recoding import check_found, check_most_general
from lookalike.search.lattice.rollup import VectorCounts


@dataclass(frozen=True)
class MinimalVectors:
    """The k-minimal vectors of a lattice.

    ``vectors``: the k-minimal vectors, by height and then in order.
    ``complete``: whether these are all k-minimal vectors; if not, the time limit was reached.
    ``lowest``: the lowest vector that is known to satisfy the requirement, minimal or not.
    """

    vectors: tuple[Vector, ...]
    evaluated: int
    complete: bool
    lowest: Vector


def find_minimal(
    rollups: VectorCounts,
    lattice: Lattice,
    allowance: int,
    deadline: float = math.inf,
    report: Callable[[int, int], None] = lambda _found, _evaluated: None,
) -> MinimalVectors:
    """Find every k-minimal vector.

    The lattice is divided into boxes. A box whose bottom satisfies the requirement has one minimal
    vector, its bottom; a part whose top cannot satisfy it has none. If the requirement is
    monotone, the answer for a vector also holds for all vectors above it, or for all below it
    (Theorem 5.2). If it is not, only the answer of its monotone part does, and boxes are divided
    down to single vectors.
    """
    known = _Known(rollups, allowance, len(lattice.top))
    if not known.may_satisfy(lattice.top):
        outliers = rollups.certain(lattice.top, allowance)
        check_most_general(outliers, allowance, rollups.requirement)
    if not rollups.requirement.registers:
        lattice = _below_least_upper_bound(lattice, rollups)
    boxes = [lattice]
    while boxes and not is_over(deadline):
        boxes += _divide(boxes.pop(), known)
        report(len(known.true), rollups.evaluated)
    found = order_by_height(_minimal_among(known.true.vectors()))
    certain = known.certain(found, lattice, deadline) if boxes else found
    lowest = found[0] if found else lattice.top
    check_found(bool(found) or known.satisfies(lowest), complete=not boxes)
    return MinimalVectors(tuple(certain), rollups.evaluated, not boxes, lowest)


def _below_least_upper_bound(lattice: Lattice, rollups: VectorCounts) -> Lattice:
    """Cut off the levels above the first one at which an attribute has a single value.

    No minimal vector lies above the least upper bound of the distances between rows
    (Samarati, section 5), which in each attribute is the first level with a single value. That is
    so for what is counted in the table alone: more people of a register match at a higher level.
    """
    top = list(lattice.top)
    for place, least in enumerate(lattice.bottom):
        while top[place] > least and _is_single(rollups, place, top[place] - 1):
            top[place] -= 1
    return Lattice(lattice.bottom, tuple(top))


def _is_single(rollups: VectorCounts, attribute: int, level: int) -> bool:
    """Return whether all rows have the same value of an attribute at a level."""
    return int(np.count_nonzero(rollups.code_rows(attribute, level))) == 1


def _divide(box: Lattice, known: "_Known") -> list[Lattice]:
    """Decide a box, or split it, the lower part last."""
    if known.true.some_below(box.bottom):
        return []
    if known.satisfies(box.bottom):
        known.true.add(box.bottom)
        return []
    if box.bottom == box.top:
        return []
    attribute = max(range(len(box.top)), key=lambda i: box.top[i] - box.bottom[i])
    middle = (box.bottom[attribute] + box.top[attribute]) // 2
    top = set_level(box.top, attribute, middle)
    upper = Lattice(set_level(box.bottom, attribute, middle + 1), box.top)
    return [upper, Lattice(box.bottom, top)] if known.may_satisfy(top) else [upper]


class _Known:
    """The vectors that are known to satisfy the requirement, and those known not to."""

    def __init__(self, rollups: VectorCounts, allowance: int, attributes: int) -> None:
        self.rollups = rollups
        self.allowance = allowance
        self.is_monotone = rollups.requirement.is_monotone
        self.true = _Vectors(attributes)
        self.false = _Vectors(attributes)

    def may_satisfy(self, vector: Vector) -> bool:
        """Return whether a vector or one below it may suppress no more rows than allowed."""
        if self.true.some_below(vector):
            return True
        if self.false.some_above(vector):
            return False
        answer = self.rollups.certain(vector, self.allowance) <= self.allowance
        if not answer:
            self.false.add(vector)
        return answer

    def satisfies(self, vector: Vector) -> bool:
        """Return whether a vector suppresses no more rows than allowed."""
        if not self.may_satisfy(vector):
            return False
        return self.is_monotone or self.rollups.suppressed(vector) <= self.allowance

    def certain(self, vectors: list[Vector], lattice: Lattice, deadline: float) -> list[Vector]:
        """Return the vectors that are proved minimal before the deadline.

        Without Theorem 5.2 all vectors below each would have to be evaluated, so none is.
        """
        proved: list[Vector] = []
        for vector in vectors:
            if is_over(deadline) or not self.is_monotone:
                break
            if not any(map(self.satisfies, lattice.predecessors(vector))):
                proved.append(vector)
        return proved


class _Vectors:
    """A growing set of vectors with fast tests of dominance."""

    def __init__(self, attributes: int) -> None:
        self._rows: npt.NDArray[np.int16] = np.empty((64, attributes), dtype=np.int16)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, vector: Vector) -> None:
        """Add a vector."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[self._count] = vector
        self._count += 1

    def some_below(self, vector: Vector) -> bool:
        """Return whether some vector of the set lies at or below a vector."""
        rows = self._rows[: self._count]
        return bool((rows <= np.array(vector, dtype=np.int16)).all(axis=1).any())

    def some_above(self, vector: Vector) -> bool:
        """Return whether some vector of the set lies at or above a vector."""
        rows = self._rows[: self._count]
        return bool((rows >= np.array(vector, dtype=np.int16)).all(axis=1).any())

    def vectors(self) -> list[Vector]:
        """Return the vectors."""
        return [tuple(row) for row in self._rows[: self._count].tolist()]


def _minimal_among(vectors: list[Vector]) -> list[Vector]:
    """Return the vectors that lie above no other one; fast for many vectors."""
    kept = _Vectors(len(vectors[0]) if vectors else 0)
    minimal = []
    for vector in sorted(set(vectors), key=sum):
        if not kept.some_below(vector):
            kept.add(vector)
            minimal.append(vector)
    return minimal
