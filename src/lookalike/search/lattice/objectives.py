"""Objectives: the costs that a search minimizes, each with a lower bound for many vectors.

Every vector between a bottom and a top generalizes at least as much as the bottom and suppresses
at least the rows that the top suppresses (Samarati, Theorem 5.2). So a cost that grows with both
has a lower bound over all of these vectors, computed from the bottom and the top alone.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput, not_one_of
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Counts
from lookalike.model.cell_costs import count_lost_leaves
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.stored_list import Frequencies
from lookalike.search.lattice.rollup import ClassSuppression, RollUps, VectorCounts

OBJECTIVES = ("precision", "loss", "discernibility", "entropy", "average-class-size")
"""The objectives by name."""
Cost = int | float
CostTable = npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.object_]
"""The cost of a cell with each code of a level."""
Tables = Sequence[Sequence[CostTable]]
"""The cost tables of each attribute, level by level."""


@dataclass(frozen=True)
class Judged:
    """The cost of a vector, with minimal required suppression.

    ``suppressed``: the number of rows that must be suppressed.
    ``cost``: the cost in units of the objective, including complementary suppression.
    ``released``: the number of released rows, without blank rows.
    """

    vector: Vector
    suppressed: int
    cost: Cost
    released: int


class Objective(ABC):
    """A cost of vectors that a search minimizes."""

    rollups: VectorCounts

    def __init__(self, rollups: VectorCounts, allowance: int = 0) -> None:
        self.rollups = rollups
        self.allowance = allowance

    @abstractmethod
    def judge(self, vector: Vector) -> Judged:
        """Return the cost of a vector."""

    @abstractmethod
    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return a lower bound on the cost of vectors above `bottom` with so many outliers."""

    def measured(self, cost: Cost) -> float:
        """Return the value of the measure for a cost."""
        return float(cost)


class Height(Objective):
    """The number of generalization steps (Samarati's Absdist)."""

    def judge(self, vector: Vector) -> Judged:
        """Return the height of a vector."""
        suppressed = self.rollups.suppressed(vector)
        return Judged(vector, suppressed, sum(vector), self.rollups.rows - suppressed)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:  # noqa: ARG002
        """Return the height of the bottom."""
        return sum(bottom)


class Separable(Objective):
    """A cost that is a sum over cells.

    A cell of a suppressed row costs as much as a cell at the top. The cost of a cell never falls
    from level to level. So no vector between a bottom and a top costs less than the cells of the
    bottom, plus the extra cost of the rows that are suppressed at the top. Complementary
    suppression only adds to that.

    ``tables``: the cost of a cell with each code, for each attribute and level.
    """

    rollups: RollUps

    def __init__(self, rollups: RollUps, tables: Tables, measured: Callable[[Cost], float]) -> None:
        super().__init__(rollups)
        self._measured = measured
        frequency = rollups.frequency
        self._tables = tables
        self._most = [[plain_cost(table.max(initial=0)) for table in levels] for levels in tables]
        self._full = sum(most[-1] for most in self._most)
        self._even = all(not len(t) or t.min() == t.max() for levels in tables for t in levels)
        self._totals: list[list[Cost]] = []
        for attribute, hierarchy in enumerate(frequency.hierarchies):
            rows = frequency.code_rows(attribute, 0)
            shown = zip(tables[attribute], hierarchy.levels, strict=True)
            self._totals.append([plain_cost(table[codes] @ rows) for table, codes in shown])

    def judge(self, vector: Vector) -> Judged:
        """Return the cost of a vector."""
        suppressed = gone = self.rollups.suppressed(vector)
        cells = _add_up(self._totals, vector)
        if self.rollups.requirement.needs_complement(suppressed):
            here = _decide(self.rollups, vector)
            gone, given = here.gone, here.given
            shown = zip(self._tables, vector, here.classes.codes, strict=True)
            spared = sum(plain_cost(tables[level][codes] @ given) for tables, level, codes in shown)
        elif self._even:
            spared = suppressed * _add_up(self._most, vector)
        else:
            listed, requirement = self.rollups.smallest(vector), self.rollups.requirement
            gone_rows = requirement.outlying_rows(listed, vector)
            outlying = zip(self._tables, vector, gone_rows, strict=True)
            spared = sum(plain_cost(tables[level] @ rows) for tables, level, rows in outlying)
        cost = cells + gone * self._full - spared
        return Judged(vector, suppressed, cost, self.rollups.frequency.rows - gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return a lower bound on the cost of vectors above `bottom` with so many outliers."""
        spared = suppressed * (self._full - _add_up(self._most, bottom)) if suppressed else 0
        return _add_up(self._totals, bottom) + spared

    def measured(self, cost: Cost) -> float:
        """Return the value of the measure for a cost."""
        return self._measured(cost)


class Discernibility(Objective):
    """Σ size² over the classes, plus the size of the table for each row left out."""

    rollups: RollUps

    def judge(self, vector: Vector) -> Judged:
        """Return the cost of a vector."""
        here = _decide(self.rollups, vector)
        left_out = 0 if here.is_blank else here.gone
        cost = _add_products(here.sizes, here.sizes) + left_out * here.classes.rows
        return Judged(vector, here.outliers, cost, here.classes.rows - here.gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return a lower bound on the cost of vectors above `bottom` with so many outliers.

        The class of a released row is at least as large as at the bottom and, with one
        quasi-identifier, at least k; a row that is suppressed at the top for k alone was in a
        smaller class. Blank rows are a union of classes of the bottom, except for fewer than k
        complementary rows.
        """
        sizes = self.rollups.below(bottom).classes(bottom)
        requirement, rows = self.rollups.requirement, self.rollups.frequency.rows
        single = not requirement.quasi_identifiers
        for_k = single and self.rollups.counts_rows
        least = requirement.k if single else 0
        alike = _add_products(sizes, np.maximum(sizes, least))
        largest = int(sizes.max())
        if requirement.suppressed_rows == "blank":
            few = suppressed < requirement.largest_k and self.allowance
            complementary = requirement.largest_k - max(1, suppressed) if few else 0
            return alike - complementary * max(0, 2 * largest - least)
        return alike + suppressed * (rows - (least if for_k else max(least, largest)))


class AverageClass(Objective):
    """Released rows ∕ classes ∕ k."""

    rollups: RollUps

    def judge(self, vector: Vector) -> Judged:
        """Return the cost of a vector; infinity if no row is released."""
        here = _decide(self.rollups, vector)
        k = self.rollups.requirement.k
        cost = float(here.sizes.mean() / k) if len(here.sizes) else math.inf
        return Judged(vector, here.outliers, cost, here.classes.rows - here.gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:  # noqa: ARG002
        """Return a lower bound on the cost of vectors above `bottom`, which has most classes.

        Blank rows are a class as well, but then they contain a whole class of the bottom.
        """
        requirement = self.rollups.requirement
        classes = len(self.rollups.below(bottom).classes(bottom))
        left_out = 0 if requirement.suppressed_rows == "blank" else self.allowance
        return (self.rollups.frequency.rows - left_out) / classes / requirement.k


def make_objective(
    name: str, rollups: RollUps, weights: Sequence[Decimal], allowance: int
) -> Objective:
    """Return an objective by its name."""
    frequency = rollups.frequency
    if name == "precision":
        return _precision(rollups, weights)
    if name == "loss":
        cells = frequency.rows * float(sum(weights))
        return Separable(rollups, loss_tables(frequency, weights), lambda cost: cost / cells)
    if name == "entropy":
        return _entropy(rollups)
    if name == "discernibility":
        return Discernibility(rollups, allowance)
    if name == "average-class-size":
        return AverageClass(rollups, allowance)
    raise InvalidInput(not_one_of("objective", name, OBJECTIVES))


def _precision(rollups: RollUps, weights: Sequence[Decimal]) -> Separable:
    """Return the objective of greatest Prec, with an integer cost."""
    frequency = rollups.frequency
    unit = math.lcm(*(height for height in frequency.heights if height))
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights))
    whole = [int(Fraction(weight) * scale) * unit for weight in weights]
    worst = frequency.rows * sum(whole)
    tables = precision_tables(frequency, whole)
    return Separable(rollups, tables, lambda cost: float(1 - Fraction(cost) / worst))


def _entropy(rollups: RollUps) -> Separable:
    """Return the objective of least entropy lost."""
    frequency = rollups.frequency
    tables = entropy_tables(frequency)
    ground = sum(
        float(np.log2(np.maximum(rows, 1)) @ rows)
        for attribute, height in enumerate(frequency.heights)
        if height
        for rows in [frequency.code_rows(attribute, 0)]
    )
    if isinstance(frequency, FrequencyList) and frequency.coarsened is not None:
        ground -= frequency.coarsened.lost_bits
    linkable = sum(1 for height in frequency.heights if height)
    everything = linkable * frequency.rows * math.log2(frequency.rows) - ground
    return Separable(
        rollups, tables, lambda cost: (cost - ground) / everything if everything else 0.0
    )


def _add_up(costs: Sequence[Sequence[Cost]], vector: Vector) -> Cost:
    """Add up the cost of each attribute at its level."""
    return sum([levels[level] for levels, level in zip(costs, vector, strict=True)])


def _add_products(sizes: Counts, others: Counts) -> int:
    """Return the sum of products of sizes, with Python integers where 64 bits are too few."""
    fits = float(sizes.sum()) * float(others.max(initial=0)) < 2**62
    return int(sizes @ others) if fits else int(sizes.astype(object) @ others.astype(object))


def _decide(rollups: RollUps, vector: Vector) -> ClassSuppression:
    """Return the classes at a vector and their suppressed rows, and count the evaluation."""
    rollups.evaluated += 1
    return rollups.decide(vector)


def plain_cost(cost: Any) -> Cost:
    """Return a cost as a Python number; Python integers cannot overflow."""
    return int(cost) if isinstance(cost, int | np.integer) else float(cost)


def precision_tables(frequency: Frequencies, weights: Sequence[int]) -> Tables:
    """Return w · level∕height for every cell, as Python integers where 64 bits are too few."""
    kind: npt.DTypeLike = np.int64 if frequency.rows * max(weights) < 2**63 else np.object_
    tables = []
    for bound, weight in zip(frequency.hierarchies, weights, strict=True):
        step, levels = weight // max(bound.height, 1), range(bound.height + 1)
        even = [np.full(bound.size(level), step * level, dtype=kind) for level in levels]
        tables.append(_charge_hidden(bound, even, step * bound.height))
    return tables


def loss_tables(frequency: Frequencies, weights: Sequence[Decimal]) -> Tables:
    """Return w · (leaves − 1) ∕ (all leaves − 1) for every cell; a suppressed one costs w."""
    tables = []
    for bound, weight in zip(frequency.hierarchies, weights, strict=True):
        lost, most = count_lost_leaves(bound)
        tables.append([float(weight) * (leaves / most) for leaves in lost])
    return tables


def entropy_tables(frequency: Frequencies) -> Tables:
    """Return log₂ n(g) for a cell that shows g.

    The entropy lost is log₂ n(g) − log₂ n(v) for the private value v; the sum of the second term
    is the same at every vector, so it is left out.
    """
    tables = []
    for attribute, bound in enumerate(frequency.hierarchies):
        rows = [frequency.code_rows(attribute, level) for level in range(bound.height + 1)]
        bits: list[CostTable] = [np.log2(np.maximum(shown, 1)) for shown in rows]
        most = math.log2(frequency.rows)
        tables.append(
            _charge_hidden(bound, bits, most) if bound.height else [np.zeros(len(rows[0]))]
        )
    return tables


def _charge_hidden(
    bound: BoundHierarchy, tables: Sequence[CostTable], full: Cost
) -> list[CostTable]:
    """Return the costs of each level, with the full cost for suppressed cells."""
    charged = [*tables]
    for level, hidden in enumerate(bound.hidden):
        if hidden.any():
            charged[level] = tables[level].copy()
            charged[level][hidden] = full
    return charged
