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
    """The cost of cells by an objective, in whole units.

    By precision, each level of a hierarchy costs the same. By loss, a cell costs the number of
    leaves under its label without one, divided by that of all leaves; it is rounded down to whole
    units, so that a least cost in units is one before rounding, too.

    ``frequency``: the frequency list of the private table.
    ``weights``: the weight of each attribute.
    ``scale``: the cost of a suppressed cell of weight 1, in units.
    """

    frequency: FrequencyList
    weights: Sequence[Decimal]
    scale: int
    objective: str = "precision"

    @property
    def whole(self) -> bool:
        """Whether a suppressed cell costs a whole number, and by precision every level."""
        parts = self.frequency.heights if self.objective == "precision" else [1] * len(self.weights)
        shares = zip(self.weights, parts, strict=True)
        return all(
            (Fraction(weight) * self.scale / max(part, 1)).denominator == 1
            for weight, part in shares
        )

    @cached_property
    def step(self) -> int:
        """The least difference between the costs of two releases; 0 if nothing has a cost."""
        return math.gcd(
            *(
                int(np.gcd.reduce(self.of_labels(attribute, level)))
                for attribute, height in enumerate(self.frequency.heights)
                for level in range(height + 1)
            )
        )

    @cached_property
    def suppressed(self) -> int:
        """The cost of a suppressed row."""
        return sum(self.full(attribute) for attribute in range(len(self.weights)))

    def full(self, attribute: int) -> int:
        """Return the cost of a suppressed cell of an attribute."""
        hierarchy = self.frequency.hierarchies[attribute]
        loses = hierarchy.height if self.objective == "precision" else hierarchy.most_lost
        return int(Fraction(self.weights[attribute]) * self.scale) if loses else 0

    def of_labels(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell with each label of a level.

        A value that the hierarchy suppresses at this level has the cost of the top.
        """
        hierarchy, full = self.frequency.hierarchies[attribute], self.full(attribute)
        if self.objective == "precision":
            shown = [full * level // max(hierarchy.height, 1)] * hierarchy.size(level)
        else:
            others = max(int(hierarchy.leaves[-1].sum()) - 1, 1)
            shown = [full * (leaves - 1) // others for leaves in hierarchy.leaves[level].tolist()]
        return np.where(hierarchy.hidden[level], full, np.array(shown, dtype=np.int64))

    def of_codes(self, attribute: int, level: int) -> Counts:
        """Return the cost of a cell at a level, for every value of the ground domain."""
        return self.of_labels(attribute, level)[self.frequency.hierarchies[attribute].levels[level]]

    def measure(self, cost: int | Fraction) -> float:
        """Return the value of the objective for a release of a given cost."""
        whole = sum(Fraction(weight) for weight in self.weights) * self.scale
        lost = Fraction(cost) / (self.frequency.rows * whole)
        return float(1 - lost if self.objective == "precision" else lost)


def check_released_cost(
    units: CostUnits,
    proof: Proof,
    claims: CertificateClaims,
    release: duckdb.DuckDBPyRelation,
    kinds: Mapping[str, Any],
    connection: Connection,
) -> Finding:
    """Check the cost of the released cells, computed from their labels."""
    by_loss = units.objective == "loss" and proof.loss is not None
    stated = proof.loss if by_loss else claims.precision
    claim = f"the release has a {units.objective} of {stated:.6f}"
    cost, unrounded, released = 0, Fraction(0), 0
    for attribute, hierarchy in enumerate(units.frequency.hierarchies):
        name, low, high = hierarchy.column, proof.bottom[attribute], proof.top[attribute]
        paths = list(zip(*hierarchy.list_texts(), strict=True))
        values, rows = count_column_values(release, name, "the release")
        texts = recognize(values, paths, range(low, high + 1), kinds[name], connection)
        allowed = [path[low : high + 1] for path in paths]
        read = read_attribute(name, allowed, texts, hierarchy.suppressed)
        places = read.levels[read.released].tolist()
        if NOWHERE in places:
            return Finding(claim, False, f"{name} has values that no allowed level has")
        released = sum(rows)
        for text, place, number in zip(texts, places, rows, strict=True):
            # The level is the lowest allowed one with this value; a suppressed one has none.
            level = None if place > high - low else place + low
            paid, before = _cost_label(units, attribute, level, text)
            cost, unrounded = cost + paid * number, unrounded + before * number
    gone = units.suppressed * (units.frequency.rows - released)
    cost, reached = cost + gone, units.measure(unrounded + gone)
    holds = proof.cost == cost and reached == stated and proof.precision == claims.precision
    return Finding(
        claim, holds, f"its cells cost {cost:,} units, a {units.objective} of {reached:.6f}"
    )


def _cost_label(
    units: CostUnits, attribute: int, level: int | None, label: str | None
) -> tuple[int, Fraction]:
    """Return what a cell with a label of a level costs, also before it is rounded down.

    A suppressed cell has no level.
    """
    hierarchy, full = units.frequency.hierarchies[attribute], units.full(attribute)
    if level is None:
        return full, Fraction(full)
    code = hierarchy.labels[level].index(label)
    paid = int(units.of_labels(attribute, level)[code])
    if units.objective == "precision":
        return paid, Fraction(paid)
    leaves, everything = int(hierarchy.leaves[level][code]), int(hierarchy.leaves[-1].sum())
    return paid, Fraction(full * (leaves - 1), max(everything - 1, 1))
