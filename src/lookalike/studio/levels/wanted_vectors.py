"""WantedVectors: which vectors a page shows as wanted: those that keep much and lose few rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Counts
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Vector
from lookalike.search.lattice.decide import DecidedLattice
from lookalike.search.lattice.objectives import Judged, Objective, make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.studio.editing.form_fields import Given, read_whole
from lookalike.studio.levels.level_work import AskedLevels

LOSSES = {"": "any", "0": "0 %", "0.001": "0.1 %", "0.01": "1 %", "0.02": "2 %", "0.05": "5 %"}
"""The most rows that may be lost, as a share, and their names."""
MOST_WANTED = 20
"""The most vectors that are listed across all heights."""
WANTED_SECONDS = 0.15
"""How long vectors are evaluated for that list."""

MeasuredVector = tuple[Vector, Judged, float]
"""A vector, what must be suppressed there, and its precision."""


@dataclass(frozen=True, eq=False)
class WantedVectors:
    """The vectors whose precision is at least ``kept`` and that lose at most ``lost`` of the rows.

    ``lost`` is None if the rows that are lost do not matter.
    """

    rollups: RollUps
    asked: AskedLevels
    kept: Decimal
    lost: Decimal | None

    @property
    def is_choice(self) -> bool:
        """Whether some vectors may not be wanted."""
        return self.kept > 0 or self.lost is not None

    @property
    def allowance(self) -> int:
        """The most rows that may be lost."""
        rows = self.rollups.frequency.rows
        return rows if self.lost is None else int(self.lost * rows)

    @cached_property
    def _precision(self) -> Objective:
        """The objective that measures the precision."""
        frequency = self.rollups.frequency
        weights = self.asked.options.weights_of(frequency)
        return make_objective("precision", self.rollups, weights, frequency.rows)

    def measure(self, vector: Vector) -> MeasuredVector:
        """Return what must be suppressed at a vector, and its precision."""
        judged = self._precision.judge(vector)
        return vector, judged, self._precision.measured(judged.cost)

    def has(self, measured: MeasuredVector) -> bool:
        """Return whether a vector that was measured is wanted."""
        _, judged, precision = measured
        lost = self.rollups.frequency.rows - judged.released
        return precision >= float(self.kept) - _ROUNDING and lost <= self.allowance

    def list_best(self, few: DecidedLattice) -> tuple[list[MeasuredVector], bool]:
        """List the wanted vectors of the highest precision, and whether these are certainly they.

        ``few``: the vectors at which at most :attr:`allowance` rows are outliers. The levels alone
        bound the precision from above, so the search ends where no vector can exceed those found.
        """
        found, deadline = list[MeasuredVector](), deadline_after(WANTED_SECONDS)
        for vector, bound in self._order(few):
            if len(found) == MOST_WANTED and bound <= found[-1][2]:
                break
            if is_over(deadline):
                return found, False
            measured = self.measure(vector)
            if self.has(measured):
                found = sorted([*found, measured], key=lambda one: -one[2])[:MOST_WANTED]
        return found, True

    def _order(self, few: DecidedLattice) -> Iterator[tuple[Vector, float]]:
        """Yield the vectors that may be wanted with a bound on their precision, highest first."""
        weights = [*map(float, self.asked.options.weights_of(self.rollups.frequency))]
        heights = self.rollups.frequency.heights
        places: Counts = np.argwhere(~few.failing)
        loss = np.zeros(len(places))
        for column, axis in enumerate(few.axes):
            loss += (places[:, column] + few.lattice.bottom[axis]) * (
                weights[axis] / max(1, heights[axis])
            )
        fixed = sum(
            weights[place] * level / max(1, heights[place])
            for place, level in enumerate(few.lattice.bottom)
            if place not in few.axes
        )
        bounds = 1 - (loss + fixed) / (sum(weights) or 1.0)
        order = np.argsort(-bounds, kind="stable")
        for place in order[bounds[order] >= float(self.kept) - _ROUNDING]:
            yield few.vectors_at(places[place : place + 1])[0], float(bounds[place]) + _ROUNDING


_ROUNDING = 1e-9
"""By how much a bound may be wrong, because it is not an exact fraction."""


def read_wanted(query: Given, rollups: RollUps, asked: AskedLevels) -> WantedVectors:
    """Return the vectors that an address asks for: ``kept`` in percent, and ``lost`` as a share."""
    kept, lost = read_whole(query.get("kept") or "0", "kept", 100), query.get("lost", "")
    if lost not in LOSSES:
        raise InvalidInput(f"lost must be one of {', '.join(filter(None, LOSSES))}, or empty")
    return WantedVectors(rollups, asked, Decimal(kept) / 100, Decimal(lost) if lost else None)
