"""Objectives: what a search makes least, each with a bound that holds for many vectors at once.

Of the vectors between a bottom and a top, every one generalizes at least as much as the
bottom and suppresses at least what the top suppresses (Samarati, Theorem 5.2). So a cost
that grows with both has a lower bound over all of them, from the two corners alone.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.search.lattice.cell_costs import (
    Cost,
    CostTable,
    Tables,
    entropy_tables,
    loss_tables,
    precision_tables,
)
from lookalike.search.lattice.rollup import ClassSuppression, RollUps

OBJECTIVES = ("precision", "loss", "discernibility", "entropy", "average-class-size")


@dataclass(frozen=True)
class Judged:
    """What a vector costs, with minimal required suppression.

    Parameters
    ----------
    vector
        The levels.
    suppressed
        The rows that must be suppressed.
    cost
        What is made least, in units of the objective, complementary suppression included.
    released
        The rows that show something; those that are kept blank do not.
    """

    vector: Vector
    suppressed: int
    cost: Cost
    released: int


class Objective(ABC):
    """A cost of vectors that a search makes least."""

    def __init__(self, rollups: RollUps) -> None:
        self.rollups = rollups

    @abstractmethod
    def judge(self, vector: Vector) -> Judged:
        """Return what a vector costs."""

    @abstractmethod
    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return the least that any vector above `bottom` can cost if it suppresses so many."""

    def measured(self, cost: Cost) -> float:
        """Return the measure that a cost stands for."""
        return float(cost)


class Height(Objective):
    """The number of generalization steps (Samarati's Absdist)."""

    def judge(self, vector: Vector) -> Judged:
        """Return the height of a vector."""
        suppressed = self.rollups.suppressed(vector)
        return Judged(vector, suppressed, sum(vector), self.rollups.frequency.rows - suppressed)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:  # noqa: ARG002
        """Return the height of the bottom."""
        return sum(bottom)


class Separable(Objective):
    """A cost that adds up over cells: a table for each attribute and level gives a cell's.

    A cell of a suppressed row costs as much as at the top. With a cell's cost never falling
    from level to level, no vector between a bottom and a top costs less than the bottom's
    cells, plus what the rows suppressed at the top cost more than they could at the bottom.
    Complementary suppression only adds to that.

    Parameters
    ----------
    rollups
        The frequency list.
    tables
        For each attribute, for each level, the cost of a cell with each code there.
    measured
        The measure that a cost stands for.
    """

    def __init__(self, rollups: RollUps, tables: Tables, measured: Callable[[Cost], float]) -> None:
        super().__init__(rollups)
        self._measured = measured
        frequency = rollups.frequency
        self._tables = tables
        self._most = [[_plain(table.max(initial=0)) for table in levels] for levels in tables]
        self._full = sum(most[-1] for most in self._most)
        self._even = all(_is_even(table) for levels in tables for table in levels)
        self._totals = [
            [_over_rows(frequency, attribute, level, table) for level, table in enumerate(levels)]
            for attribute, levels in enumerate(tables)
        ]

    def judge(self, vector: Vector) -> Judged:
        """Return what a vector costs."""
        suppressed = gone = self.rollups.suppressed(vector)
        cells = sum(totals[level] for totals, level in zip(self._totals, vector, strict=True))
        if self.rollups.requirement.needs_complement(suppressed):
            fate = _decide(self.rollups, vector)
            gone, spared = fate.gone, self._cells_of(fate.classes, fate.given)
        elif self._even:
            spared = suppressed * self._most_of(vector)
        else:
            spared = self._cells_of_outliers(vector)
        cost = _plain(cells + gone * self._full - spared)
        return Judged(vector, suppressed, cost, self.rollups.frequency.rows - gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return the least that any vector above `bottom` can cost if it suppresses so many."""
        cells = sum(totals[level] for totals, level in zip(self._totals, bottom, strict=True))
        return _plain(cells + suppressed * (self._full - self._most_of(bottom)))

    def measured(self, cost: Cost) -> float:
        """Return the measure that a cost stands for."""
        return self._measured(cost)

    def _most_of(self, vector: Vector) -> Cost:
        """Return the most that the cells of one row cost at a vector."""
        return _plain(sum(most[level] for most, level in zip(self._most, vector, strict=True)))

    def _cells_of_outliers(self, vector: Vector) -> Cost:
        """Add up what the cells of the outliers would cost at a vector."""
        base = self.rollups.below(vector)
        gone = np.flatnonzero(self.rollups.requirement.outlying(base, vector))
        cost: Cost = 0
        for attribute, level in enumerate(vector):
            lift = base.hierarchies[attribute].lift(base.vector[attribute], level)
            cells = self._tables[attribute][level][lift[base.codes[attribute, gone]]]
            cost += _plain(cells @ base.counts[gone])
        return cost

    def _cells_of(self, classes: FrequencyList, rows: Counts) -> Cost:
        """Add up what the cells of some rows of classes cost."""
        shown = zip(self._tables, classes.vector, classes.codes, strict=True)
        cost: Cost = 0
        for tables, level, codes in shown:
            cost += _plain(tables[level][codes] @ rows)
        return cost


class Discernibility(Objective):
    """Σ size² over the classes, blank rows being one, and the whole table for each row left out.

    Parameters
    ----------
    rollups
        The frequency list.
    allowance
        How many rows may be suppressed.
    """

    def __init__(self, rollups: RollUps, allowance: int) -> None:
        super().__init__(rollups)
        self._allowance = allowance

    def judge(self, vector: Vector) -> Judged:
        """Return what a vector costs."""
        fate = _decide(self.rollups, vector)
        left_out = 0 if fate.is_blank else fate.gone
        cost = _add_products(fate.sizes, fate.sizes) + left_out * fate.classes.rows
        return Judged(vector, fate.outliers, cost, fate.classes.rows - fate.gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return the least that any vector above `bottom` can cost if it suppresses so many.

        A released row's class is at least as large as at the bottom, and, under one
        quasi-identifier, at least k; a row suppressed at the top was in a smaller one. Blank
        rows are classes of the bottom put together, but for fewer than k complementary ones.
        """
        sizes = self.rollups.below(bottom).classes(bottom)
        requirement, rows = self.rollups.requirement, self.rollups.frequency.rows
        single = not requirement.quasi_identifiers
        least = requirement.k if single else 0
        alike = _add_products(sizes, np.maximum(sizes, least))
        largest = int(sizes.max())
        if requirement.suppressed_rows == "blank":
            return alike - self._complementary(suppressed) * max(0, 2 * largest - least)
        return alike + suppressed * (rows - (least if single else largest))

    def _complementary(self, suppressed: int) -> int:
        """Return how many rows classes may have to give, each but a part of its own."""
        k = self.rollups.requirement.largest_k
        return k - max(1, suppressed) if suppressed < k and self._allowance else 0


class AverageClass(Objective):
    """Released rows ∕ classes ∕ k.

    Parameters
    ----------
    rollups
        The frequency list.
    allowance
        How many rows may be suppressed.
    """

    def __init__(self, rollups: RollUps, allowance: int) -> None:
        super().__init__(rollups)
        self._allowance = allowance

    def judge(self, vector: Vector) -> Judged:
        """Return what a vector costs; where nothing is released, without end."""
        fate = _decide(self.rollups, vector)
        k = self.rollups.requirement.k
        cost = float(fate.sizes.mean() / k) if len(fate.sizes) else math.inf
        return Judged(vector, fate.outliers, cost, fate.classes.rows - fate.gone)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:  # noqa: ARG002
        """Return the least that any vector above `bottom` can cost: its classes are no more.

        Blank rows are a class, too, but then a class of the bottom is among them whole.
        """
        requirement = self.rollups.requirement
        classes = len(self.rollups.below(bottom).classes(bottom))
        left_out = 0 if requirement.suppressed_rows == "blank" else self._allowance
        return (self.rollups.frequency.rows - left_out) / classes / requirement.k


def make_objective(
    name: str, rollups: RollUps, weights: Sequence[Decimal], allowance: int
) -> Objective:
    """Return the objective of a name, one of :data:`OBJECTIVES`.

    Parameters
    ----------
    name
        Which measure is to be made best.
    rollups
        The frequency list.
    weights
        Of the attributes, for precision.
    allowance
        How many rows may be suppressed.
    """
    frequency = rollups.frequency
    if name == "precision":
        return _precision(rollups, weights)
    if name == "loss":
        cells = frequency.rows * len(frequency.hierarchies)
        return Separable(rollups, loss_tables(frequency), lambda cost: cost / cells)
    if name == "entropy":
        return _entropy(rollups)
    if name == "discernibility":
        return Discernibility(rollups, allowance)
    if name == "average-class-size":
        return AverageClass(rollups, allowance)
    raise InvalidInput(f"{name!r} is not an objective; they are {', '.join(OBJECTIVES)}")


def _precision(rollups: RollUps, weights: Sequence[Decimal]) -> Separable:
    """Return the objective of greatest Prec, its cost in whole units."""
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
    told = sum(
        float(np.log2(np.bincount(codes, weights=frequency.counts))[codes] @ frequency.counts)
        for codes, height in zip(frequency.codes, frequency.heights, strict=True)
        if height
    )
    linkable = sum(1 for height in frequency.heights if height)
    everything = linkable * frequency.rows * math.log2(frequency.rows) - told
    return Separable(
        rollups, tables, lambda cost: (cost - told) / everything if everything else 0.0
    )


def _add_products(sizes: Counts, others: Counts) -> int:
    """Add up products of sizes, in integers without limit where 64 bits are too few."""
    fits = float(sizes.sum()) * float(others.max(initial=0)) < 2**62
    return int(sizes @ others) if fits else int(sizes.astype(object) @ others.astype(object))


def _decide(rollups: RollUps, vector: Vector) -> ClassSuppression:
    """Return what becomes of the classes at a vector."""
    rollups.evaluated += 1
    return rollups.decide(vector)


def _over_rows(frequency: FrequencyList, attribute: int, level: int, table: CostTable) -> Cost:
    """Add up what the cells of an attribute cost at a level, over all rows."""
    shown = frequency.hierarchies[attribute].levels[level][frequency.codes[attribute]]
    return _plain(table[shown] @ frequency.counts)


def _is_even(table: CostTable) -> bool:
    """Tell whether every cell costs the same."""
    return len(table) == 0 or bool(table.min() == table.max())


def _plain(cost: Any) -> Cost:
    """Return a number of Python's own, whose integers have no limit."""
    return int(cost) if isinstance(cost, int | np.integer) else float(cost)
