"""Count the loss of each cell at each level in whole units, so that ties are exact ties."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

EXACT_IN_64_BITS = 1 << 62
"""The cost of all rows together must stay below this, so that sums are exact."""


@dataclass(frozen=True, eq=False)
class Costs:
    """The loss of cells by Prec (Achieving, Definition 5), in whole units.

    ``scale``: the cost of a suppressed cell of weight 1, in units.
    ``ancestors``: the code of each sequence, by attribute, level and sequence. Above the top of a
    hierarchy its top is repeated.
    ``sizes``: the number of codes, by attribute and level.
    ``steps``: the cost of a cell that is not suppressed, by attribute and level.
    ``whole``: the cost of a row if every attribute were fully suppressed; Prec is relative to it.
    ``suppressed``: the cost of a suppressed row; an attribute of height 0 loses nothing.
    ``hidden``: whether a cell below the top is written as the suppressed value, so that it costs as
    much as at the top, by attribute, level and sequence; ``None`` if no cell is.
    """

    scale: int
    ancestors: Codes
    sizes: Counts
    steps: Counts
    whole: int
    suppressed: int
    hidden: Flags | None

    def of_vector(self, vector: Vector) -> int:
        """Return the least cost of a tuple at a vector."""
        return int(sum(self.steps[attribute, level] for attribute, level in enumerate(vector)))

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell at a level, for each code of that level."""
        costs = np.full(self.sizes[attribute, level], self.steps[attribute, level])
        if self.hidden is not None:
            shown = self.ancestors[attribute, level]
            costs[shown[self.hidden[attribute, level]]] = self.steps[attribute, -1]
        return costs

    def of_tuples(self, levels: Codes, sequences: Codes) -> Counts:
        """Return the cost of rows that show sequences at given levels, one column per row."""
        places = np.arange(len(self.steps))[:, None]
        costs = self.steps[places, levels]
        if self.hidden is not None:
            hidden = self.hidden[places, levels, sequences]
            costs = np.where(hidden, self.steps[:, -1:], costs)
        total: Counts = costs.sum(axis=0)
        return total

    def precision(self, cost: int, rows: int) -> float:
        """Return the Prec of a release with a given cost."""
        return float(1 - Fraction(int(cost), rows * self.whole))


def count_units(frequency: FrequencyList, weights: Sequence[Decimal]) -> int:
    """Return the least scale at which the costs of all cells are whole numbers."""
    weighed = [Fraction(weight) for weight in weights]
    parts = [
        weight / height for weight, height in zip(weighed, frequency.heights, strict=True) if height
    ]
    return math.lcm(1, *(part.denominator for part in (*parts, *weighed)))


def count_whole(frequency: FrequencyList, weights: Sequence[Decimal], most: int) -> int:
    """Return the cost of a row if every attribute were fully suppressed, in units."""
    whole = int(sum(map(Fraction, weights)) * count_units(frequency, weights))
    if whole > most:
        raise InvalidInput(
            "weights: costs are counted in whole units, and these weights over hierarchies of "
            f"heights {', '.join(map(str, frequency.heights))} need {whole:,} units a row, more "
            f"than the {most:,} that stay exact; round the weights to fewer digits, bring the "
            "largest and the smallest closer together, or give the hierarchies fewer levels"
        )
    return whole


def cost_cells(frequency: FrequencyList, weights: Sequence[Decimal], fineness: int = 1) -> Costs:
    """Return the cost of the cells of every sequence at every level."""
    count_whole(frequency, weights, EXACT_IN_64_BITS // (fineness * frequency.rows))
    weighed = [Fraction(weight) for weight in weights]
    scale = fineness * count_units(frequency, weights)
    levels = max(frequency.heights) + 1
    shape = (len(frequency.hierarchies), levels, len(frequency))
    ancestors, hidden = np.empty(shape, dtype=np.int32), np.zeros(shape, dtype=np.bool_)
    steps, sizes = np.zeros(shape[:2], dtype=np.int64), np.ones(shape[:2], dtype=np.int64)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        full = int(weighed[attribute] * scale) if hierarchy.height else 0
        for level in range(levels):
            reached = min(level, hierarchy.height)
            codes = hierarchy.lift_ground(reached, frequency.codes[attribute])
            steps[attribute, level] = full * reached // max(hierarchy.height, 1)
            sizes[attribute, level] = hierarchy.size(reached)
            ancestors[attribute, level] = codes
            if level < hierarchy.height:
                hidden[attribute, level] = hierarchy.hidden[level][codes]
    return Costs(
        scale=scale,
        ancestors=ancestors,
        sizes=sizes,
        steps=steps,
        whole=int(sum(weighed) * scale),
        suppressed=int(steps[:, -1].sum()),
        hidden=hidden if hidden.any() else None,
    )
