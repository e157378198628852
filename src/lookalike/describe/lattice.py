"""Describe which vectors of levels satisfy the requirement, within a limit of work.

Every vector of a small lattice is described. The vectors of a larger one are counted by height.
"""

from dataclasses import dataclass, replace

from lookalike.model.clock import WorkMeter
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.decide import MOST_DECIDED, Decided, DecidedLattice, decide_lattice
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

    Parameters
    ----------
    vector
        The level of each attribute.
    decided
        Whether it satisfies the requirement within the rows that may be suppressed.
    is_minimal
        Whether it satisfies the requirement and no vector below it does.
    """

    vector: Vector
    decided: Decided
    is_minimal: bool = False

    @property
    def height(self) -> int:
        """The sum of its levels."""
        return sum(self.vector)


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

    Parameters
    ----------
    attributes
        The attributes that the levels belong to.
    size
        The number of vectors within the bounds on levels.
    chosen
        The vector of the release; None at the cell level.
    nodes
        Every vector, if they are few enough to be drawn.
    heights
        The numbers of vectors at each height; empty if they could not be decided.
    minimal
        The k-minimal vectors that were found, by height.
    is_complete
        Whether every vector was decided, so that these are all.
    """

    attributes: tuple[str, ...]
    size: int
    chosen: Vector | None
    nodes: tuple[LatticeNode, ...] = ()
    heights: tuple[HeightCount, ...] = ()
    minimal: tuple[Vector, ...] = ()
    is_complete: bool = False


def walk_lattice(
    frequency: FrequencyList,
    requirement: Requirement,
    options: SearchOptions,
    chosen: Vector | None,
    allowance: int,
) -> LatticeFacts:
    """Decide which vectors satisfy the requirement.

    ``requirement``: the requirement. Only the vectors of a small lattice are evaluated if it is not
    monotone.
    """
    within, _ = options.lattice_of(frequency)
    bottom = tuple(map(max, within.bottom, frequency.vector))
    lattice = Lattice(bottom, within.top)
    known = LatticeFacts(frequency.attributes, lattice.size, chosen)
    most = MOST_DECIDED if requirement.is_monotone else MOST_DRAWN
    if lattice.size > most:
        return known
    rollups = RollUps(frequency, requirement, WorkMeter(LATTICE_WORK))
    return _describe(known, decide_lattice(rollups, lattice, allowance))


def find_allowance(plan: Plan) -> int:
    """Return how many rows the method could suppress, or would be allowed to."""
    given = plan.recoding.allowance
    return plan.requirement.allowance(plan.frequency.rows) if given is None else given


def _describe(known: LatticeFacts, decided: DecidedLattice) -> LatticeFacts:
    """Count the vectors by height, and list them if they are few."""
    is_drawn = decided.lattice.size <= MOST_DRAWN
    return replace(
        known,
        nodes=_list_nodes(decided) if is_drawn else (),
        heights=tuple(HeightCount(*one) for one in decided.count_by_height()),
        minimal=decided.minimal,
        is_complete=decided.is_complete,
    )


def _list_nodes(decided: DecidedLattice) -> tuple[LatticeNode, ...]:
    """List every vector with what was decided about it."""
    minimal = set(decided.minimal)
    return tuple(LatticeNode(one, decided.state(one), one in minimal) for one in decided.lattice)
