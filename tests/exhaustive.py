"""Evaluate every vector of a small lattice row by row, straight from the definitions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from lookalike.errors import UnknownValue
from lookalike.hierarchy import Hierarchy
from lookalike.model.lattice import Vector
from lookalike.model.requirement import Requirement

from .brute import Row, list_vectors, show, show_columns
from .invented import Invented

Protected = tuple[tuple[int, ...], int]
"""The positions of a quasi-identifier's attributes, and its k."""


def suppress_small(rows: Sequence[Row], protected: Sequence[Protected]) -> set[int]:
    """Suppress rows one by one until every remaining sequence occurs at least k times."""
    left = set(range(len(rows)))
    counters = [Counter(_over(row, places) for row in rows) for places, _ in protected]
    while small := [
        position
        for position in left
        for (places, k), counter in zip(protected, counters, strict=True)
        if counter[_over(rows[position], places)] < k
    ]:
        left.remove(small[0])
        for (places, _), counter in zip(protected, counters, strict=True):
            counter[_over(rows[small[0]], places)] -= 1
    return set(range(len(rows))) - left


def _over(row: Row, places: Sequence[int]) -> Row:
    return tuple(row[place] for place in places)


@dataclass(frozen=True)
class Exhaustive:
    """The lattice of an invented table under a requirement."""

    invented: Invented
    protected: tuple[Protected, ...]
    k: int

    @classmethod
    def of(cls, invented: Invented, requirement: Requirement) -> "Exhaustive":
        """Make the lattice of a table, with the attributes that are protected together."""
        names = list(invented.hierarchies)
        protected = tuple(
            (tuple(names.index(attribute) for attribute in one.attributes), one.k)
            for one in requirement.protected(names)
        )
        return cls(invented, protected, requirement.k)

    @cached_property
    def heights(self) -> Vector:
        """The height of each hierarchy."""
        return tuple(rule.height for rule in self.invented.rules)

    @cached_property
    def vectors(self) -> list[Vector]:
        """Every vector."""
        return list_vectors(self.heights)

    def rows(self, vector: Vector) -> list[Row]:
        """Generalize all rows."""
        shown = [self._shown[attribute][level] for attribute, level in enumerate(vector)]
        return list(zip(*shown, strict=True))

    def gone(self, vector: Vector) -> set[int]:
        """Return the rows that must be suppressed at a vector."""
        if vector not in self._gone:
            self._gone[vector] = suppress_small(self.rows(vector), self.protected)
        return self._gone[vector]

    def suppressed(self, vector: Vector) -> int:
        """Count the rows that must be suppressed at a vector."""
        return len(self.gone(vector))

    def within(self, allowance: int, vectors: Sequence[Vector] | None = None) -> list[Vector]:
        """List the vectors, of all or of some, that suppress no more than allowed."""
        chosen = self.vectors if vectors is None else vectors
        return [vector for vector in chosen if self.suppressed(vector) <= allowance]

    def sizes(self, vector: Vector) -> list[int]:
        """Return the sizes of the classes that are released at a vector."""
        gone = self.gone(vector)
        rows = enumerate(self.rows(vector))
        return list(Counter(row for position, row in rows if position not in gone).values())

    def measure(self, name: str, vector: Vector, weights: Sequence[Decimal] = ()) -> float:
        """Measure a vector, by the name of the objective."""
        if name == "precision":
            return float(1 - self._height_lost(vector, weights))
        if name == "discernibility":
            every = len(self.invented.rows)
            return sum(size**2 for size in self.sizes(vector)) + self.suppressed(vector) * every
        if name == "average-class-size":
            sizes = self.sizes(vector)
            return sum(sizes) / len(sizes) / self.k if sizes else math.inf
        if name == "loss" and weights:
            scales = [float(weight) for weight in weights]
            every = len(self.invented.rows) * sum(scales)
            return self._cells_lost(name, vector, scales) / every
        most = sum(sum(self._lost(name, i, height)) for i, height in enumerate(self.heights))
        every = most if name == "entropy" else len(self.invented.rows) * len(self.heights)
        return self._cells_lost(name, vector) / every if every else 0.0

    @cached_property
    def _gone(self) -> dict[Vector, set[int]]:
        return {}

    @cached_property
    def _columns(self) -> list[tuple[str | None, ...]]:
        return list(zip(*self.invented.rows, strict=True))

    @cached_property
    def _shown(self) -> list[list[list[str | None]]]:
        """What is shown, by attribute, level and row."""
        return show_columns(self.invented.rules, self.invented.rows)

    @cached_property
    def _unknown(self) -> list[list[bool]]:
        """Which cells have a value that the hierarchy does not know, by attribute and row."""
        return [
            [_is_unknown(rule, value) for value in column]
            for rule, column in zip(self.invented.rules, self._columns, strict=True)
        ]

    @cached_property
    def _lost_before(self) -> dict[tuple[str, int, int], list[float]]:
        return {}

    def _height_lost(self, vector: Vector, weights: Sequence[Decimal]) -> Fraction:
        """Return the share of the weighted heights that the cells climb."""
        scales = [Fraction(weight) for weight in weights] or [Fraction(1)] * len(vector)
        every, gone = len(self.invented.rows), self.gone(vector)
        lost = Fraction(0)
        for attribute, level in enumerate(vector):
            if height := self.heights[attribute]:
                full = len(gone | {n for n in range(every) if self._unknown[attribute][n]})
                climbed = full + Fraction(level, height) * (every - full)
                lost += scales[attribute] * climbed
        return lost / (every * sum(scales))

    def _cells_lost(self, name: str, vector: Vector, scales: Sequence[float] = ()) -> float:
        """Add up the loss of all cells; a cell of a suppressed row loses as much as at the top."""
        gone = self.gone(vector)
        lost = 0.0
        for attribute, level in enumerate(vector):
            shown = self._lost(name, attribute, level)
            hidden = self._lost(name, attribute, self.heights[attribute])
            lost += (scales[attribute] if scales else 1) * sum(
                most if position in gone else some
                for position, (some, most) in enumerate(zip(shown, hidden, strict=True))
            )
        return lost

    def _lost(self, name: str, attribute: int, level: int) -> list[float]:
        """Return the loss of each row's cell at a level."""
        key = name, attribute, level
        if key not in self._lost_before:
            lost = self._leaves_lost if name == "loss" else self._bits_lost
            self._lost_before[key] = lost(attribute, level)
        return self._lost_before[key]

    def _leaves_lost(self, attribute: int, level: int) -> list[float]:
        """Return (leaves under the value − 1) ∕ (leaves − 1)."""
        rule = self.invented.rules[attribute]
        leaves = {show(rule, value, 0): value for value in self._columns[attribute]}
        leaves |= {value: value for value in rule.domain()}
        if len(leaves) == 1:
            return [float(unknown) for _, unknown in self._cells(attribute, level)]
        under = Counter(show(rule, value, level) for value in leaves.values())
        return [
            1.0 if unknown else (under[label] - 1) / (len(leaves) - 1)
            for label, unknown in self._cells(attribute, level)
        ]

    def _bits_lost(self, attribute: int, level: int) -> list[float]:
        """Return log₂(n(g) ∕ n(v)) for the value v of each row, shown as g."""
        if not self.heights[attribute]:
            return [0.0] * len(self.invented.rows)
        ground, labels = self._shown[attribute][0], self._shown[attribute][level]
        rows_ground, rows_shown = Counter(ground), Counter(labels)
        every = len(self.invented.rows)
        return [
            math.log2((every if unknown else rows_shown[label]) / rows_ground[value])
            for value, (label, unknown) in zip(ground, self._cells(attribute, level), strict=True)
        ]

    def _cells(self, attribute: int, level: int) -> list[tuple[str | None, bool]]:
        """Return for each row the value shown, and whether its private value is unknown."""
        shown, unknown = self._shown[attribute][level], self._unknown[attribute]
        return list(zip(shown, unknown, strict=True))


def _is_unknown(rule: Hierarchy, value: str | None) -> bool:
    """Return whether a rule cannot generalize a value."""
    try:
        return value is not None and not rule.ancestors(value)
    except UnknownValue:
        return True


class ExhaustivelyJudged(Exhaustive):
    """The lattice of a table that knows more than its quasi-identifier, under a requirement."""

    table: Any
    requirement: Requirement

    @classmethod
    def judging(cls, table: Any, requirement: Requirement) -> Self:
        """Make the lattice of a table under a requirement."""
        plain = Exhaustive.of(table.invented, requirement)
        made = cls(plain.invented, plain.protected, plain.k)
        object.__setattr__(made, "table", table)
        object.__setattr__(made, "requirement", requirement)
        return made


def minimal_of(vectors: Sequence[Vector]) -> set[Vector]:
    """Return the vectors above no other one."""
    return {
        one
        for one in vectors
        if not any(
            other != one and all(low <= high for low, high in zip(other, one, strict=True))
            for other in vectors
        )
    }
