"""Compute what the cells of a release cost, as integers, to check a bound and Prec exactly."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import duckdb
import numpy as np

from lookalike.hierarchy.released_values import NOWHERE, read_attribute
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.tables.connection import Connection
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.proof import Proof
from lookalike.verify.recount import Finding
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import recognize


@dataclass(frozen=True, eq=False)
class CostUnits:
    """The cost of cells, in whole units.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    weights
        The weight of each attribute.
    scale
        The cost of a suppressed cell of weight 1, in units.
    """

    frequency: FrequencyList
    weights: Sequence[Decimal]
    scale: int

    @cached_property
    def steps(self) -> tuple[Fraction, ...]:
        """The cost of one level of each attribute; 0 for an attribute of height 0."""
        return tuple(
            Fraction(weight) * self.scale / height if height else Fraction(0)
            for weight, height in zip(self.weights, self.frequency.heights, strict=True)
        )

    @property
    def whole(self) -> bool:
        """Whether all costs are whole numbers."""
        return all(step.denominator == 1 for step in self.steps)

    @cached_property
    def step(self) -> int:
        """The least difference between the costs of two releases; 0 if nothing has a cost."""
        return math.gcd(*(int(step) for step in self.steps))

    @cached_property
    def suppressed(self) -> int:
        """The cost of a suppressed row."""
        return sum(self.full(attribute) for attribute in range(len(self.steps)))

    def full(self, attribute: int) -> int:
        """Return the cost of a suppressed cell of an attribute."""
        return int(self.steps[attribute]) * self.frequency.heights[attribute]

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell at a level, for every value of the ground domain.

        A value that the hierarchy suppresses at this level has the cost of the top.
        """
        hierarchy = self.frequency.hierarchies[attribute]
        hidden = hierarchy.hidden[level][hierarchy.levels[level]]
        shown = int(self.steps[attribute]) * level
        return np.where(hidden, self.full(attribute), shown).astype(np.int64)

    def precision(self, cost: int) -> float:
        """Return the Prec of a release of a given cost."""
        whole = sum(Fraction(weight) for weight in self.weights) * self.scale
        return float(1 - Fraction(cost) / (self.frequency.rows * whole))


def check_released_cost(
    units: CostUnits,
    proof: Proof,
    claims: CertificateClaims,
    release: duckdb.DuckDBPyRelation,
    kinds: Mapping[str, Any],
    connection: Connection,
) -> Finding:
    """Check the cost of the released cells, computed from the levels of their values."""
    claim = f"the release has a precision of {claims.precision:.6f}"
    cost = released = 0
    for attribute, name in enumerate(proof.attributes):
        levels, rows = _read_levels(units, proof, attribute, release, kinds[name], connection)
        if NOWHERE in levels:
            return Finding(claim, False, f"{name} has values that no allowed level has")
        step, released = int(units.steps[attribute]), sum(rows)
        cost += sum(level * step * number for level, number in zip(levels, rows, strict=True))
    cost += units.suppressed * (units.frequency.rows - released)
    holds = proof.cost == cost and proof.precision == units.precision(cost) == claims.precision
    found = f"its cells cost {cost:,} units, a precision of {units.precision(cost):.6f}"
    return Finding(claim, holds, found)


def _read_levels(
    units: CostUnits,
    proof: Proof,
    attribute: int,
    release: duckdb.DuckDBPyRelation,
    kind: Any,
    connection: Connection,
) -> tuple[list[int], list[int]]:
    """Return the level of each distinct value of a released column, and its number of rows.

    The level is the lowest allowed level with this value; a suppressed value has the full height.
    """
    hierarchy = units.frequency.hierarchies[attribute]
    low, high, height = proof.bottom[attribute], proof.top[attribute], hierarchy.height
    columns = [
        [labels[code] for code in codes.tolist()]
        for labels, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    paths = list(zip(*columns, strict=True))
    shown, rows = count_column_values(release, hierarchy.column, "the release")
    read = read_attribute(
        hierarchy.column,
        [path[low : high + 1] for path in paths],
        recognize(shown, paths, range(low, high + 1), kind, connection),
        hierarchy.suppressed,
    )
    places = read.levels[read.released].tolist()
    found = {NOWHERE: NOWHERE, high - low + 1: height}
    return [found.get(place, place + low) for place in places], rows
