"""Try every division of a few rows into classes, straight from the definitions."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product

from lookalike.hierarchy import SUPPRESSED
from lookalike.model.lattice import Lattice
from lookalike.model.proved_bound import Duals

from .brute import Row, show, show_columns
from .invented import Invented

Rows = tuple[int, ...]


@dataclass(frozen=True)
class Partitions:
    """The divisions of an invented table into classes of at least k rows, within level bounds."""

    invented: Invented
    k: int
    weights: tuple[Decimal, ...] = ()
    allowance: int = 0
    lattice: Lattice | None = None
    objective: str = "precision"
    _bounds: Lattice = field(init=False)

    def __post_init__(self) -> None:
        whole = Lattice.of_heights([rule.height for rule in self.invented.rules])
        object.__setattr__(self, "_bounds", self.lattice or whole)

    @cached_property
    def scales(self) -> list[Fraction]:
        """The weight of each attribute."""
        return [Fraction(w) for w in self.weights] or [Fraction(1)] * len(self.invented.rules)

    @cached_property
    def suppressed(self) -> Fraction:
        """The loss of a suppressed row; an attribute of height 0 loses nothing."""
        return sum(map(self._most, range(len(self.scales))), start=Fraction(0))

    def measure(self, lost: Fraction) -> Fraction:
        """Return the value of the objective for a release with a given loss."""
        mean = lost / (len(self.invented.rows) * sum(self.scales))
        return mean if self.objective == "loss" else 1 - mean

    def best(self) -> Fraction | None:
        """Return the best value of the objective of all releases; None if there is no release.

        The class of the first remaining row is chosen in all ways, then the rest. A class of 2 k
        rows or more can be divided, so it is never needed. Sets of rows are the bits of an
        integer, and losses are integer multiples of a small fraction.
        """
        number = len(self.invented.rows)
        scale = math.lcm(*(part.denominator for part in self._parts()))
        suppressed = int(self.suppressed * scale)
        classes = self._list_classes(scale)

        @cache
        def least(left: int, allowed: int) -> float:
            if not left:
                return 0
            first = (left & -left).bit_length() - 1
            rest = [
                lost + least(left ^ rows, allowed)
                for rows, lost in classes[first]
                if rows & left == rows
            ]
            if allowed:
                rest.append(suppressed + least(left & (left - 1), allowed - 1))
            return min(rest, default=math.inf)

        allowed = min(self.allowance, number - self.k)
        lost = least((1 << number) - 1, allowed) if allowed >= 0 else math.inf
        return None if lost == math.inf else self.measure(Fraction(int(lost), scale))

    def overcharged(self, duals: Duals) -> list[tuple[tuple[int, ...], Rows]]:
        """List the tuples, as vector and rows, whose k largest values exceed their cost."""
        values = self.value_rows(duals)
        found = []
        for vector in product(*(range(b, t + 1) for b, t in self._levels())):
            for cost, rows in self.tuples(vector):
                largest = sorted((values[row] for row in rows), reverse=True)[: self.k]
                if len(largest) == self.k and sum(largest) > self.k * cost * duals.scale:
                    found.append((vector, rows))
        return found

    def bound(self, duals: Duals) -> Fraction:
        """Return the bound on the objective that the values prove."""
        total = sum(self.value_rows(duals)) - self.allowance * duals.price
        return self.measure(Fraction(total, duals.scale))

    def value_rows(self, duals: Duals) -> list[int]:
        """Return the value of each row."""
        sequences = self.invented.frequency.sequences()
        known = dict(zip(sequences, duals.values.tolist(), strict=True))
        ground = [0] * len(self.invented.rules)
        return [known[self._show(row, ground)] for row in range(len(self.invented.rows))]

    def tuples(self, vector: Sequence[int]) -> Iterator[tuple[Fraction, Rows]]:
        """Yield the generalized tuples at a vector: the cost and the rows of each."""
        alike: dict[Row, list[int]] = defaultdict(list)
        for row in range(len(self.invented.rows)):
            alike[self._show(row, vector)].append(row)
        for shown, rows in alike.items():
            yield self._cost(shown, vector), tuple(rows)

    def _list_classes(self, scale: int) -> list[list[tuple[int, int]]]:
        """List all classes by their first row: their rows as bits, and their loss."""
        number = len(self.invented.rows)
        found: list[list[tuple[int, int]]] = [[] for _ in range(number)]
        for size in range(self.k, min(2 * self.k, number + 1)):
            for rows in combinations(range(number), size):
                lost = self._lost(rows)
                if lost is not None:
                    bits = sum(1 << row for row in rows)
                    found[rows[0]].append((bits, int(lost * size * scale)))
        return found

    def _parts(self) -> Iterator[Fraction]:
        """Yield fractions such that every loss is a sum of them."""
        for attribute, (scale, rule) in enumerate(
            zip(self.scales, self.invented.rules, strict=True)
        ):
            parts = len(self._leaves[attribute]) - 1 if self.objective == "loss" else rule.height
            yield from (scale, scale / max(1, parts))

    def _lost(self, rows: Rows) -> Fraction | None:
        """Return the loss of each row of a class; None if the level bounds forbid the class."""
        vector = []
        for attribute, (bottom, top) in enumerate(self._levels()):
            alike = [
                level
                for level in range(bottom, top + 1)
                if len({self._shown[attribute][level][row] for row in rows}) == 1
            ]
            if not alike:
                return None
            vector.append(alike[0])
        return self._cost(self._show(rows[0], vector), vector)

    def _cost(self, shown: Row, vector: Sequence[int]) -> Fraction:
        """Return the loss of a row that is released as a tuple at a vector."""
        cells = enumerate(zip(shown, vector, strict=True))
        return sum((self._cell(place, *cell) for place, cell in cells), start=Fraction(0))

    def _cell(self, attribute: int, text: str | None, level: int) -> Fraction:
        """Return the loss of a cell; one that is written as suppressed loses the most."""
        if text == SUPPRESSED:
            return self._most(attribute)
        scale, height = self.scales[attribute], self.invented.rules[attribute].height
        if self.objective == "precision":
            return scale * Fraction(level, max(1, height))
        leaves = self._leaves[attribute]
        covered = sum(1 for path in leaves.values() if path[level] == text)
        return scale * Fraction(covered - 1, max(1, len(leaves) - 1))

    def _most(self, attribute: int) -> Fraction:
        """Return the loss of a suppressed cell."""
        leaves, height = self._leaves[attribute], self.invented.rules[attribute].height
        only = len(leaves) == 1 and SUPPRESSED not in leaves
        loses = height > 0 and not (self.objective == "loss" and only)
        return self.scales[attribute] if loses else Fraction(0)

    @cached_property
    def _leaves(self) -> list[dict[str | None, list[str | None]]]:
        """What each ground value of the domain and of the table is shown as at every level."""
        columns = zip(*self.invented.rows, strict=True)
        return [
            {
                show(rule, value, 0): [show(rule, value, level) for level in range(rule.height + 1)]
                for value in (*rule.domain(), *column)
            }
            for rule, column in zip(self.invented.rules, columns, strict=True)
        ]

    def _show(self, row: int, vector: Sequence[int]) -> Row:
        return tuple(self._shown[attribute][level][row] for attribute, level in enumerate(vector))

    def _levels(self) -> Iterator[tuple[int, int]]:
        return zip(self._bounds.bottom, self._bounds.top, strict=True)

    @cached_property
    def _shown(self) -> list[list[list[str | None]]]:
        """What is shown, by attribute, level and row."""
        return show_columns(self.invented.rules, self.invented.rows)
