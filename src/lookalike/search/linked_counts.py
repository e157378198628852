"""LinkedCounts and LinkedCost: who is left out at a vector of linked tables, and what it costs."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from lookalike.kernels.types import Counts, Flags
from lookalike.model.combinations import NO_LIMIT
from lookalike.model.lattice import Vector, dominates
from lookalike.model.linked import CodedTable, LinkedTables
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.objectives import (
    Cost,
    Judged,
    Objective,
    Tables,
    loss_tables,
    plain_cost,
    precision_tables,
)


class LinkedCounts:
    """Counts the persons that are left out at the vectors of a lattice, each vector once.

    Some of what may be known decides most vectors, so :meth:`certain` counts until more persons
    than allowed are left out.
    """

    counts_rows = False

    def __init__(self, tables: LinkedTables, requirement: Requirement) -> None:
        self.tables = tables
        self.rows = tables.rows
        self.requirement = requirement
        self.evaluated = 0
        self._released: dict[Vector, npt.NDArray[np.uint8]] = {}
        self._certain: dict[Vector, int] = {}
        self._whole: list[Vector] = []  # at which everybody is released

    def released(self, vector: Vector) -> Flags:
        """Mark the persons who are released at a vector."""
        if vector not in self._released:
            self._count(vector, NO_LIMIT)
        return np.unpackbits(self._released[vector], count=self.rows).view(np.bool_)

    def suppressed(self, vector: Vector) -> int:
        """Count the persons who are left out at a vector."""
        return self.rows - int(self.released(vector).sum())

    def certain(self, vector: Vector, allowance: int) -> int:
        """Bound from below the persons who are left out at a vector and at every vector below."""
        if vector not in self._released and self._certain.get(vector, 0) <= allowance:
            self._count(vector, allowance)
        return self._certain[vector]

    def _count(self, vector: Vector, enough: int) -> None:
        """Count the persons who are left out at a vector, or more than enough of them."""
        if any(dominates(vector, below) for below in self._whole):
            kept = np.ones(self.rows, dtype=np.bool_)
        else:
            self.evaluated += vector not in self._certain
            kept = self.tables.mark_released(vector, self.requirement.k, enough)
        self._certain[vector] = gone = self.rows - int(kept.sum())
        if gone <= enough:
            self._released[vector] = np.packbits(kept)
        if gone == 0:
            self._whole.append(vector)

    def keep(self, vector: Vector) -> None:
        """Keep nothing: persons are counted from their rows at every vector."""

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows of its table with each code of an attribute at a level."""
        return self.tables.code_rows(attribute, level)

    def count_distinct(self, vector: Vector) -> int:
        """Count the different rows that each table releases at a vector, and add them up."""
        released = self.released(vector)
        divided = zip(self.tables.tables, self.tables.divide(vector), strict=True)
        shown = [
            table.number_rows(levels)[np.repeat(released, table.sizes)]
            for table, levels in divided
            if levels
        ]
        return sum(len(np.unique(rows)) for rows in shown)


class LinkedCost(Objective):
    """Precision or loss, added up over the cells of all tables.

    All rows of a person who is left out cost as much as rows at the top. No vector above a bottom
    costs less than the cells of the bottom, plus what the persons with the fewest records cost
    more if they are left out.
    """

    rollups: LinkedCounts

    def __init__(self, counts: LinkedCounts, name: str, weights: Sequence[Decimal]) -> None:
        super().__init__(counts)
        self._name = name
        self._parts = _make_parts(counts.tables, name, weights)
        self._worst = sum(part.full * len(part.table.sequence_of) for part in self._parts)

    def judge(self, vector: Vector) -> Judged:
        """Return the cost of a vector."""
        released = self.rollups.released(vector)
        cost = sum(self._cost_tables(vector, released, self.rollups.tables))
        kept = int(released.sum())
        return Judged(vector, len(released) - kept, cost, kept)

    def bound(self, bottom: Vector, suppressed: int) -> Cost:
        """Return a lower bound on the cost of vectors above `bottom` with so many left out."""
        divided = zip(self._parts, self.rollups.tables.divide(bottom), strict=True)
        return sum(part.bound(levels, suppressed) for part, levels in divided)

    def measured(self, cost: Cost) -> float:
        """Return precision or loss for a cost."""
        lost = Fraction(cost) / Fraction(self._worst) if self._worst else Fraction(0)
        return float(1 - lost if self._name == "precision" else lost)

    def measure_tables(
        self, vector: Vector, released: Flags, shown: LinkedTables
    ) -> list[float | None]:
        """Return precision or loss of all tables, and of each; None for one without attributes.

        ``shown``: the tables with the rows of which those of some persons are released.
        """
        costs = self._cost_tables(vector, released, shown)
        measured: list[float | None] = [self.measured(sum(costs))]
        for part, cost in zip(self._parts, costs, strict=True):
            worst = part.full * len(part.table.sequence_of)
            lost = float(cost / worst) if worst else None
            measured.append(lost if lost is None or self._name == "loss" else 1 - lost)
        return measured

    def _cost_tables(self, vector: Vector, released: Flags, shown: LinkedTables) -> list[Cost]:
        """Return the cost of each table, if the rows of some persons are released."""
        divided = zip(self._parts, shown.divide(vector), shown.tables, strict=True)
        return [part.cost(levels, released, rows) for part, levels, rows in divided]


class _Part:
    """What the cells of one table cost."""

    def __init__(self, table: CodedTable, tables: Tables) -> None:
        self.table = table
        hierarchies = table.frequency.hierarchies
        # for each attribute and level, the cost of a cell with each ground value
        self._costs = [
            [cost[codes] for cost, codes in zip(costs, one.levels, strict=True)]
            for costs, one in zip(tables, hierarchies, strict=True)
        ]
        self.full: Cost = sum(plain_cost(costs[-1].max(initial=0)) for costs in tables)
        every = np.ones(len(table.starts) - 1, dtype=np.bool_)
        self._all = self._count(table.count_rows(every))
        self._fewest = np.concatenate([[0], np.cumsum(np.sort(table.sizes))])

    def cost(self, levels: Vector, released: Flags, shown: CodedTable) -> Cost:
        """Return the cost of its cells, if the rows that some persons show are released."""
        rows = shown.count_rows(released)
        gone = len(self.table.sequence_of) - int(rows.sum())
        return self._add(levels, self._count(rows)) + gone * self.full

    def bound(self, levels: Vector, suppressed: int) -> Cost:
        """Return a lower bound on that cost at a vector and all above it."""
        shown = zip(self._costs, levels, strict=True)
        most = sum(plain_cost(costs[level].max(initial=0)) for costs, level in shown)
        return self._add(levels, self._all) + int(self._fewest[suppressed]) * (self.full - most)

    def _add(self, levels: Vector, rows: Sequence[Counts]) -> Cost:
        """Add up the cost of cells, of which so many have each ground value."""
        cells = zip(self._costs, levels, rows, strict=True)
        return sum(plain_cost(costs[level] @ counted) for costs, level, counted in cells)

    def _count(self, rows: Counts) -> list[Counts]:
        """Count rows by their ground value, for each attribute; they are counted by sequence."""
        frequency = self.table.frequency
        lines = zip(frequency.codes, frequency.hierarchies, strict=True)
        return [np.bincount(line, rows, one.size(0)).astype(np.int64) for line, one in lines]


def _make_parts(tables: LinkedTables, name: str, weights: Sequence[Decimal]) -> list[_Part]:
    """Return what the cells of each table cost, in units that all tables share."""
    unit = math.lcm(*(height for height in tables.heights if height))
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights))
    parts, left = [], list(weights)
    for table in tables.tables:
        width = len(table.frequency.hierarchies)
        own, left = left[:width], left[width:]
        if name == "loss":
            costs = loss_tables(table.frequency, own)
        else:
            whole = [int(Fraction(weight) * scale) * unit for weight in own]
            costs = precision_tables(table.frequency, whole) if own else []
        parts.append(_Part(table, costs))
    return parts
