"""Decide whether a vector is k-minimal (Samarati, Definition 4.3), and find one that is."""

import math

from lookalike.model.clock import OutOfTime, stop_if_over
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies

MOST_EVALUATED = 20_000
"""How many vectors below a vector are evaluated, before it stays unknown whether it is minimal."""


def is_minimal(
    frequency: Frequencies,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
    deadline: float = math.inf,
) -> bool | None:
    """Return whether a vector is k-minimal (Samarati, Definition 4.3).

    It is if it satisfies the requirement and no vector below it does, in the lattice or in the
    part of it that constraints leave. The answer is None if the deadline passes before, or if too
    many vectors would have to be evaluated.
    """
    if requirement.outliers(frequency, vector) > allowance:
        return False
    whole = lattice or Lattice.of_heights(frequency.heights)
    try:
        return _find_lower(frequency, vector, requirement, allowance, whole, deadline) is None
    except OutOfTime:
        return None


def minimal_below(
    frequency: Frequencies,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    deadline: float = math.inf,
) -> Vector | None:
    """Return a k-minimal vector at or below a vector that satisfies the requirement.

    The search moves down to the first lower vector that satisfies, until there is none. It
    returns None if the deadline passes before.
    """
    whole, here = Lattice.of_heights(frequency.heights), vector
    try:
        while lower := _find_lower(frequency, here, requirement, allowance, whole, deadline):
            here = lower
    except OutOfTime:
        return None
    return here


def _find_lower(
    frequency: Frequencies,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice,
    deadline: float,
) -> Vector | None:
    """Return a vector below another one that satisfies the requirement, if there is one.

    If the requirement is monotone, the number of outliers never grows upwards (Theorem 5.2), so it
    is enough to evaluate the vectors directly below. If it is not, all vectors below are
    evaluated, except those below a vector that suppresses too many rows for certain.
    """
    waiting = lattice.predecessors(vector)
    seen = set(waiting)
    while waiting:
        stop_if_over(deadline)
        lower = waiting.pop(0)
        certain, outliers = requirement.judge(frequency, lower, allowance)
        if certain > allowance:
            continue
        if outliers <= allowance:
            return lower
        further = [one for one in lattice.predecessors(lower) if one not in seen]
        seen.update(further)
        waiting += further
        if len(seen) > MOST_EVALUATED:
            raise OutOfTime
    return None
