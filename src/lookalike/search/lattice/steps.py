"""Steps: the turns of Samarati's searches, as an observer receives them."""

from collections.abc import Callable
from dataclasses import dataclass

from lookalike.model.lattice import Lattice, Vector


@dataclass(frozen=True)
class Evaluated:
    """A vector that was evaluated.

    Parameters
    ----------
    vector
        The level of each attribute.
    outliers
        The number of rows that must be suppressed at it.
    satisfies
        Whether that number is at most MaxSup.
    """

    vector: Vector
    outliers: int
    satisfies: bool


@dataclass(frozen=True)
class SearchStep:
    """One turn of a search.

    Parameters
    ----------
    between
        The part of the lattice that the turn searches.
    low, high
        The least and the greatest height at which the lowest solution of that part may be,
        counted from the bottom of the part.
    tried
        The height whose vectors were evaluated, counted from the bottom of the part; None if
        the turn follows a strategy, or if the ends of the part decide it.
    found
        The vector that the turn found, if any.
    evaluated
        The vectors that were evaluated, in order.
    """

    between: Lattice
    low: int
    high: int
    tried: int | None
    found: Vector | None
    evaluated: tuple[Evaluated, ...] = ()

    @property
    def low_height(self) -> int:
        """The height `low`, counted from the bottom of the whole lattice."""
        return self.low + sum(self.between.bottom)

    @property
    def high_height(self) -> int:
        """The height `high`, counted from the bottom of the whole lattice."""
        return self.high + sum(self.between.bottom)

    @property
    def tried_height(self) -> int | None:
        """The height `tried`, counted from the bottom of the whole lattice."""
        return None if self.tried is None else self.tried + sum(self.between.bottom)

    @property
    def new_ends(self) -> tuple[int, int]:
        """How many evaluated vectors are within MaxSup, and how many not, without the bottom."""
        inner = [one.satisfies for one in self.evaluated if one.vector != self.between.bottom]
        return sum(inner), len(inner) - sum(inner)


Observe = Callable[[SearchStep], None]
"""Callback that receives each step of a search; it does not influence the search."""


def ignore_step(_step: SearchStep) -> None:
    """Ignore a step."""
