"""Keep: the share of an attribute that must be kept, as a condition on vectors.

What is kept does not rise or fall along the lattice: a higher level of the attribute itself keeps
less, and higher levels of the others suppress fewer rows, which keeps more. So it is a condition on
each solution. What no vector at a level of the attribute can keep rules that level out beforehand.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.errors import Infeasible
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Counts
from lookalike.model.cell_costs import count_lost_leaves
from lookalike.model.kept import mark_known, name_share
from lookalike.model.lattice import Lattice, Vector, set_level
from lookalike.search.lattice.rollup import RollUps


class Keep:
    """The shares that must be kept, and what vectors keep."""

    def __init__(self, rollups: RollUps, least: Sequence[Decimal]) -> None:
        self.rollups = rollups
        self.least = {place: Fraction(share) for place, share in enumerate(least) if share}
        self._lost = {place: count_lost_leaves(self._hierarchy(place)) for place in self.least}
        self._ground = {place: self._count_known(place) for place in self.least}
        self._most: dict[int, Fraction] = {}
        requirement = rollups.requirement
        self._falls = requirement.is_monotone and requirement.suppressed_rows == "drop"
        """Whether fewer rows are suppressed the higher a vector is."""

    def admits(self, vector: Vector) -> bool:
        """Return whether a release at a vector keeps what must be kept."""
        gone = self._count_gone(vector) if self.least else None
        return all(self._kept(one, vector[one], gone) >= least for one, least in self.least.items())

    def restrict(self, lattice: Lattice, allowance: int) -> Lattice:
        """Leave out the lowest and highest levels at which no vector keeps what must be kept."""
        bottom, top = list(lattice.bottom), list(lattice.top)
        for place, least in self.least.items():
            kept = dict(self._keep_at_most(place, lattice, allowance))
            levels = [level for level, share in kept.items() if share >= least]
            self._most[place] = max(kept.values(), default=Fraction(0))
            if levels:
                bottom[place], top[place] = levels[0], levels[-1]
            elif kept:
                raise Infeasible(
                    f"{self._describe(place)}; lower keep, lower k, allow more suppressed rows, or "
                    "give its hierarchy finer levels"
                )
        return Lattice(tuple(bottom), tuple(top))

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Add to the error of a search without a result what must be kept."""
        try:
            yield
        except Infeasible as error:
            if not self.least:
                raise
            asked = " and ".join(map(self._describe, self.least))
            raise Infeasible(f"{error}; {asked}") from None

    def _keep_at_most(
        self, place: int, lattice: Lattice, allowance: int
    ) -> Iterator[tuple[int, Fraction]]:
        """Yield the most that is kept at each level of an attribute, if enough rows are left.

        Where suppressed rows fall upwards (Samarati, Theorem 5.2), most is kept if every other
        attribute is at its top; otherwise, if no row is suppressed.
        """
        for level in range(lattice.bottom[place], lattice.top[place] + 1):
            vector = set_level(lattice.top, place, level)
            if not self._falls:
                yield level, self._kept(place, level, None)
            elif self.rollups.suppressed(vector) <= allowance:
                yield level, self._kept(place, level, self._count_gone(vector))

    def _describe(self, place: int) -> str:
        """State what must be kept of an attribute, and the most that can be."""
        name, least = self._hierarchy(place).column, name_share(self.least[place])
        return (
            f"keep asks for at least {least} of {name}, of which at most "
            f"{name_share(self._most[place])} can be kept, with every other attribute at its most "
            "general level"
        )

    def _kept(self, place: int, level: int, gone: Sequence[Counts] | None) -> Fraction:
        """Return what is kept of an attribute at a level if so many rows of each code are gone."""
        (lost, most), rows = self._lost[place], self._ground[place]
        cells = int(lost[level][self._hierarchy(place).levels[level]] @ rows)
        if gone is not None:
            known = mark_known(self._hierarchy(place), level)
            cells += int((int(lost[-1].max()) - lost[level]) @ (gone[place] * known))
        return 1 - Fraction(cells, most * int(rows.sum())) if rows.any() else Fraction(1)

    def _count_gone(self, vector: Vector) -> Sequence[Counts] | None:
        """Count the suppressed rows at a vector by their code, for each attribute."""
        rollups = self.rollups
        suppressed = rollups.suppressed(vector)
        if not suppressed:
            return None
        if not rollups.requirement.needs_complement(suppressed):
            return rollups.requirement.outlying_rows(rollups.smallest(vector), vector)
        here = rollups.decide(vector)
        sizes = [self._hierarchy(place).size(level) for place, level in enumerate(vector)]
        columns = zip(here.classes.codes, sizes, strict=True)
        return [np.bincount(codes, here.given, size).astype(np.int64) for codes, size in columns]

    def _count_known(self, place: int) -> Counts:
        """Count the rows with each ground value of an attribute; none for a missing value."""
        return self.rollups.frequency.code_rows(place, 0) * mark_known(self._hierarchy(place), 0)

    def _hierarchy(self, place: int) -> BoundHierarchy:
        return self.rollups.frequency.hierarchies[place]
