"""Count the cost of each cell at each level in whole units, so that ties are exact ties."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts
from lookalike.model.cell_costs import cost_levels, count_lost_leaves
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

EXACT_IN_64_BITS = 1 << 62
"""The cost of all rows together must stay below this, so that sums are exact."""
UNITS = 1_000_000
"""About the cost of a fully suppressed row in units, so that values are fine enough."""
PARTS_OF_CELL = 12
"""By loss, costs differ as finely as labels do; a step of the search is this part of a cell."""


@dataclass(frozen=True, eq=False)
class Costs:
    """The cost of cells by an objective, in whole units (:mod:`lookalike.model.cell_costs`).

    ``scale``: the cost of a suppressed cell of weight 1, in units.
    ``ancestors``: the code of each sequence, by attribute, level and sequence. Above the top of a
    hierarchy its top is repeated.
    ``sizes``: the number of codes, by attribute and level.
    ``starts``: where the codes of an attribute and level begin in ``prices``.
    ``prices``: the cost of a cell with each code. It never falls from a level to the next.
    ``steps``: the mean cost of a cell, by attribute and level; by precision the cost of each cell
    that is not suppressed.
    ``whole``: the cost of a row if every attribute were fully suppressed; the measure is relative
    to it.
    ``suppressed``: the cost of a suppressed row; an attribute of height 0 loses nothing.
    """

    objective: str
    scale: int
    ancestors: Codes
    sizes: Counts
    starts: Counts
    prices: Counts
    steps: Counts
    whole: int
    suppressed: int

    @cached_property
    def numbered(self) -> Codes:
        """The place of each cell's cost in ``prices``, by sequence, attribute and level."""
        return np.ascontiguousarray(
            self.ancestors.transpose(2, 0, 1) + self.starts.astype(np.int32)
        )

    @cached_property
    def is_even(self) -> bool:
        """Whether all cells of an attribute cost the same at each level."""
        return all(
            (self.of_codes(attribute, level) == step).all()
            for (attribute, level), step in np.ndenumerate(self.steps)
        )

    def of_vector(self, vector: Vector) -> int:
        """Return the mean cost of a tuple at a vector."""
        return int(sum(self.steps[attribute, level] for attribute, level in enumerate(vector)))

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell at a level, for each code of that level."""
        start = self.starts[attribute, level]
        return self.prices[start : start + self.sizes[attribute, level]]

    def of_tuples(self, levels: Codes, sequences: Codes) -> Counts:
        """Return the cost of rows that show sequences at given levels, one column per row."""
        places = np.arange(len(self.steps))[:, None]
        codes = self.ancestors[places, levels, sequences] + self.starts[places, levels]
        total: Counts = self.prices[codes].sum(axis=0)
        return total

    def measure(self, cost: int, rows: int) -> float:
        """Return the value of the objective for a release with a given cost."""
        lost = Fraction(int(cost), rows * self.whole)
        return float(lost if self.objective == "loss" else 1 - lost)


def count_units(frequency: FrequencyList, weights: Sequence[Decimal], objective: str) -> int:
    """Return the least scale at which the costs of all cells are whole numbers."""
    weighed = [Fraction(weight) for weight in weights]
    if objective == "loss":
        parts = [count_lost_leaves(bound)[1] for bound in frequency.hierarchies]
    else:
        parts = [max(height, 1) for height in frequency.heights]
    shares = [weight / part for weight, part in zip(weighed, parts, strict=True)]
    return math.lcm(1, *(share.denominator for share in (*shares, *weighed)))


def choose_scale(
    frequency: FrequencyList, weights: Sequence[Decimal], objective: str, most: int
) -> tuple[int, int]:
    """Choose the cost of a suppressed cell of weight 1, and a step of the search, in units.

    By loss, the least scale may be too large, because it has every number of leaves as a factor.
    Then costs are rounded down to the finest units that fit.

    ``most``: the greatest cost of a row that stays exact.
    """
    total, scale = sum(map(Fraction, weights)), count_units(frequency, weights, objective)
    if objective == "loss" and total * scale > min(UNITS, most):
        scale = math.lcm(*(Fraction(weight).denominator for weight in weights))
    whole = int(total * scale)
    if whole > most:
        raise InvalidInput(
            "weights: costs are counted in whole units, and these weights over hierarchies of "
            f"heights {', '.join(map(str, frequency.heights))} need {whole:,} units a row, more "
            f"than the {most:,} that stay exact; round the weights to fewer digits, bring the "
            "largest and the smallest closer together, or give the hierarchies fewer levels"
        )
    unit = max(1, min(UNITS, most) // whole)
    scale *= unit
    return scale, max(1, scale // PARTS_OF_CELL) if objective == "loss" else unit


def cost_cells(
    frequency: FrequencyList, weights: Sequence[Decimal], scale: int, objective: str
) -> Costs:
    """Return the cost of the cells of every sequence at every level."""
    levels = max(frequency.heights) + 1
    shape = (len(frequency.hierarchies), levels)
    ancestors = np.empty((*shape, len(frequency)), dtype=np.int32)
    steps, sizes = np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=np.int64)
    prices, suppressed = [], 0
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        costs = cost_levels(hierarchy, int(Fraction(weights[attribute]) * scale), objective)
        suppressed += int(costs[-1].max())
        for level in range(levels):
            reached = min(level, hierarchy.height)
            sizes[attribute, level] = hierarchy.size(reached)
            ancestors[attribute, level] = hierarchy.lift_ground(reached, frequency.codes[attribute])
            prices.append(costs[reached])
            rows = frequency.code_rows(attribute, reached)
            steps[attribute, level] = _typical(costs[reached], rows, objective)
    return Costs(
        objective=objective,
        scale=scale,
        ancestors=ancestors,
        sizes=sizes,
        starts=np.cumsum(sizes).reshape(shape) - sizes,
        prices=np.concatenate(prices),
        steps=steps,
        whole=int(sum(map(Fraction, weights)) * scale),
        suppressed=suppressed,
    )


def cost_finely(frequency: FrequencyList, weights: Sequence[Decimal], objective: str) -> Costs:
    """Return the cost of cells for a search that proves nothing; by precision in least units."""
    most = EXACT_IN_64_BITS // frequency.rows
    scale, unit = choose_scale(frequency, weights, objective, most)
    if objective == "precision":
        scale //= unit
    return cost_cells(frequency, weights, scale, objective)


def _typical(costs: Counts, rows: Counts, objective: str) -> int:
    """Return the mean cost over the rows of a level, or what all cells cost that are shown."""
    return int(costs @ rows) // int(rows.sum()) if objective == "loss" else int(costs.min())
