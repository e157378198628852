"""LatticeFacts and Frontier: which releases at the attribute level exist, and what they keep."""

from dataclasses import dataclass

from lookalike.model.lattice import Vector
from lookalike.search.lattice.decide import Decided


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


@dataclass(frozen=True)
class FrontierPoint:
    """What the best release at the attribute level keeps with some k."""

    k: int
    precision: float
    rows_suppressed: int


@dataclass(frozen=True)
class Frontier:
    """What is kept with other k, at the attribute level.

    Parameters
    ----------
    release
        The release itself.
    points
        The best releases at the attribute level, by k.
    impossible
        The k with which no release is possible.
    unfinished
        The k for which the search would have been longer than a report takes.
    """

    release: FrontierPoint
    points: tuple[FrontierPoint, ...]
    impossible: tuple[int, ...]
    unfinished: tuple[int, ...]
