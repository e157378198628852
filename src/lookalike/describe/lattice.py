"""Describe which vectors of levels satisfy the requirement, within a limit of work.

Every vector of a small lattice is described. The vectors of a larger one are counted by height.
"""

from dataclasses import dataclass, replace

from lookalike.model.clock import WorkMeter
from lookalike.model.lattice import Lattice, Vector
from lookalike.search.lattice.decide import MOST_DECIDED, Decided, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import SearchOptions
from lookalike.tables.plan import Plan

MOST_DRAWN = 300
"""The most vectors that are drawn one by one."""
LATTICE_WORK = 20_000_000
"""The sequences that are evaluated at most, about half a second: the same vectors everywhere."""


@dataclass(frozen=True)
class LatticeNode:
    """A vector of levels, and whether a release at it satisfies the requirement.

    ``vector``: the level of each attribute.
    ``decided``: whether it satisfies the requirement within the rows that may be suppressed.
    ``is_minimal``: whether it satisfies the requirement and no vector below it does.
    """

    vector: Vector
    decided: Decided
    is_minimal: bool = False


@dataclass(frozen=True)
class HeightCount:
    """The numbers of vectors at one height of the lattice."""

    height: int
    satisfying: int
    failing: int
    undecided: int


@dataclass(frozen=True)
class LatticeFacts:
    """The vectors of levels at which a release is possible.

    ``attributes``: the attributes that the levels belong to.
    ``size``: the number of vectors within the bounds on levels.
    ``chosen``: the vector of the release; None at the cell level.
    ``nodes``: every vector, if they are few enough to be drawn.
    ``heights``: the numbers of vectors at each height; empty if they could not be decided.
    ``minimal``: the k-minimal vectors that were found, by height.
    ``is_complete``: whether every vector was decided, so that these are all.
    """

    attributes: tuple[str, ...]
    size: int
    chosen: Vector | None
    nodes: tuple[LatticeNode, ...] = ()
    heights: tuple[HeightCount, ...] = ()
    minimal: tuple[Vector, ...] = ()
    is_complete: bool = False


def walk_lattice(plan: Plan, options: SearchOptions) -> LatticeFacts:
    """Decide which vectors satisfy the requirement.

    Only the vectors of a small lattice are evaluated if the requirement is not monotone.
    """
    frequency, requirement = plan.frequency, plan.requirement
    within, _ = options.lattice_of(frequency)
    lattice = Lattice(tuple(map(max, within.bottom, frequency.vector)), within.top)
    known = LatticeFacts(frequency.attributes, lattice.size, plan.recoding.vector)
    if lattice.size > (MOST_DECIDED if requirement.is_monotone else MOST_DRAWN):
        return known
    rollups = RollUps(frequency, requirement, WorkMeter(LATTICE_WORK))
    decided = decide_lattice(rollups, lattice, find_allowance(plan))
    minimal, drawn = decided.minimal, lattice if lattice.size <= MOST_DRAWN else ()
    return replace(
        known,
        nodes=tuple(LatticeNode(one, decided.state(one), one in minimal) for one in drawn),
        heights=tuple(HeightCount(*one) for one in decided.count_by_height()),
        minimal=minimal,
        is_complete=decided.is_complete,
    )


def find_allowance(plan: Plan) -> int:
    """Return how many rows the method could suppress, or would be allowed to."""
    given = plan.recoding.allowance
    return plan.requirement.allowance(plan.frequency.rows) if given is None else given
