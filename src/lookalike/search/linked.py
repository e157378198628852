"""Search the levels of several tables whose rows belong to the same persons.

The levels of all tables form one lattice, and whole persons are left out, so the searches of one
table are used as they are (:mod:`lookalike.search.lattice`); only the counting and the cost differ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from lookalike.errors import Infeasible
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts, Flags
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Lattice, Vector, raise_level
from lookalike.model.linked import CodedTable, LinkedTables
from lookalike.model.recoding import Optimality
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.constraints import restrict
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import (
    Cost,
    Height,
    Judged,
    Objective,
    Tables,
    loss_tables,
    plain_cost,
    precision_tables,
)
from lookalike.search.lattice.preferences import LEAST_HEIGHT, Candidate, measure_by, preferred
from lookalike.search.methods.samarati import MinimalCandidates, require_minimal
from lookalike.search.options import SearchOptions

LINKED_METHODS = ("mingen", "samarati", "datafly")
"""The methods that take linked tables."""
LINKED_OBJECTIVES = ("precision", "loss")
"""The objectives of linked tables."""


@dataclass(frozen=True, eq=False)
class LinkedRecoding(Discreet):
    """The levels of all tables, and who is released.

    Parameters
    ----------
    vector
        The level of each attribute of all tables.
    released
        Marks the persons who are released.
    allowance
        The number of persons that could be left out.
    optimality
        How close the recoding is to the optimum; None for a method that does not optimize.
    k_minimal
        Whether no vector below leaves out so few persons; None if the time was over.
    in_time
        Whether the search was finished in time.
    """

    vector: Vector
    released: Flags
    allowance: int
    optimality: Optimality | None
    k_minimal: bool | None
    in_time: bool


class LinkedCounts:
    """Counts the persons that are left out at the vectors of a lattice, each vector once.

    A record that fewer than k persons show decides most vectors, so :meth:`certain` first counts
    what an attacker learns from single records.
    """

    counts_rows = False

    def __init__(self, tables: LinkedTables, requirement: Requirement) -> None:
        self.tables = tables
        self.rows = tables.rows
        self.requirement = requirement
        self.evaluated = 0
        self._released: dict[Vector, npt.NDArray[np.uint8]] = {}
        self._single: dict[Vector, int] = {}

    def released(self, vector: Vector) -> Flags:
        """Mark the persons who are released at a vector."""
        if vector not in self._released:
            self.evaluated += 1
            kept = self.tables.mark_released(vector, self.requirement.k)
            self._released[vector] = np.packbits(kept)
        packed = self._released[vector]
        return np.unpackbits(packed, count=self.rows).astype(np.bool_)

    def suppressed(self, vector: Vector) -> int:
        """Count the persons who are left out at a vector."""
        return self.rows - int(self.released(vector).sum())

    def certain(self, vector: Vector, allowance: int) -> int:
        """Bound from below the persons who are left out at a vector and at every vector below."""
        if vector not in self._released:
            if vector not in self._single:
                kept = self.tables.mark_released(vector, self.requirement.k, most=1)
                self._single[vector] = self.rows - int(kept.sum())
            if self._single[vector] > allowance:
                return self._single[vector]
        return self.suppressed(vector)

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
        divided = zip(self._parts, self.rollups.tables.divide(vector), strict=True)
        cost = sum(part.cost(levels, released) for part, levels in divided)
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

    def measure_tables(self, vector: Vector) -> list[float | None]:
        """Return precision or loss of each table; None for a table without attributes."""
        released = self.rollups.released(vector)
        measured: list[float | None] = []
        for part, levels in zip(self._parts, self.rollups.tables.divide(vector), strict=True):
            worst = part.full * len(part.table.sequence_of)
            lost = float(part.cost(levels, released) / worst) if worst else None
            measured.append(lost if lost is None or self._name == "loss" else 1 - lost)
        return measured


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
        self._all = self._count(np.ones(len(table.starts) - 1, dtype=np.bool_))
        self._fewest = np.concatenate([[0], np.cumsum(np.sort(table.sizes))])

    def cost(self, levels: Vector, released: Flags) -> Cost:
        """Return the cost of its cells, if some persons are left out."""
        gone = int(self.table.sizes[~released].sum())
        return self._add(levels, self._count(released)) + gone * self.full

    def bound(self, levels: Vector, suppressed: int) -> Cost:
        """Return a lower bound on that cost at a vector and all above it."""
        shown = zip(self._costs, levels, strict=True)
        most = sum(plain_cost(costs[level].max(initial=0)) for costs, level in shown)
        return self._add(levels, self._all) + int(self._fewest[suppressed]) * (self.full - most)

    def _add(self, levels: Vector, rows: Sequence[Counts]) -> Cost:
        """Add up the cost of cells, of which so many have each ground value."""
        cells = zip(self._costs, levels, rows, strict=True)
        return sum(plain_cost(costs[level] @ counted) for costs, level, counted in cells)

    def _count(self, persons: Flags) -> list[Counts]:
        """Count the rows of some persons by their ground value, for each attribute."""
        frequency, rows = self.table.frequency, self.table.count_rows(persons)
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


class _LinkedSearch:
    """A search of the levels of linked tables: what is counted, how many may be left out, when."""

    def __init__(
        self,
        tables: LinkedTables,
        requirement: Requirement,
        options: SearchOptions,
        most: int = 0,
    ) -> None:
        if tables.rows < requirement.k:
            raise Infeasible(
                f"there are {tables.rows:,} persons, fewer than k = {requirement.k}: no release "
                "of them is possible; lower k or collect more persons"
            )
        self.options = options
        self.deadline = deadline_after(options.time_limit)
        whole = Lattice.of_heights(tables.heights)
        self.lattice, _ = restrict(whole, tables.attributes, options.constraints)
        self.counts = LinkedCounts(tables, requirement)
        self.allowance = requirement.allowance(tables.rows, default=most)
        self.weights = options.weights or (Decimal(1),) * len(tables.hierarchies)
        _refuse_impossible(self.counts, self.lattice, self.allowance)

    def minimize(self, objective: Objective, name: str) -> tuple[Vector, Optimality]:
        """Return the vector of least cost, or the preferred one of several that release persons."""
        standing = minimize(
            objective,
            self.lattice,
            self.allowance,
            self.deadline,
            lambda now: self.options.announce(f"{now.evaluated:,} vectors counted"),
        )
        releasing = [one.vector for one in standing.best if one.released]
        known = Optimality(
            objective=name,
            reached=objective.measured(standing.best[0].cost),
            bound=objective.measured(standing.bound),
            proved=standing.proved,
            evaluated=standing.evaluated,
        )
        best = releasing or [standing.best[0].vector]
        return self.prefer(self.measure(best))[0].vector if self.options.prefer else best[0], known

    def list_minimal(self) -> MinimalCandidates:
        """Return all k-minimal vectors, and the preferred ones; the lowest found if none is."""
        found = find_minimal(
            self.counts,
            self.lattice,
            self.allowance,
            self.deadline,
            lambda count, evaluated: self.options.announce(
                f"{count:,} found, {evaluated:,} vectors counted"
            ),
        )
        measured = self.measure(found.vectors or (found.lowest,))
        return MinimalCandidates(
            self.lattice,
            found.evaluated,
            found.complete and len(measured) == len(found.vectors),
            tuple(measured) if found.vectors else (),
            tuple(self.prefer(measured)),
        )

    def generalize(self) -> tuple[Vector, bool]:
        """Raise the attribute with the most distinct values until few persons are left out.

        The first one in a tie (Achieving, Figure 8). An attribute with a single value cannot help.
        Returns: the vector, the top at the time limit; whether it was found in time.
        """
        here, counts = self.lattice.bottom, self.counts
        while counts.certain(here, self.allowance) > self.allowance:
            if is_over(self.deadline):
                return self.lattice.top, False
            shown = [counts.code_rows(place, level) for place, level in enumerate(here)]
            distinct = [int(np.count_nonzero(rows)) for rows in shown]
            place = distinct.index(max(distinct))
            here = raise_level(here, place)
        return here, True

    def measure(self, vectors: Sequence[Vector]) -> list[Candidate]:
        """Return the measures of vectors."""
        precision = LinkedCost(self.counts, "precision", self.weights)
        heights = self.counts.tables.heights
        return measure_by(precision, vectors, heights, self.weights, self.deadline)

    def prefer(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the preferred of several candidates."""
        return preferred(candidates, self.options.prefer or LEAST_HEIGHT)


def search_linked(
    tables: LinkedTables, requirement: Requirement, method: str, options: SearchOptions
) -> LinkedRecoding:
    """Find the levels at which as few persons as allowed are left out.

    ``method``: ``mingen`` finds the least precision lost, or loss, and proves it; ``samarati`` the
    least height, or the preferred k-minimal vector; ``datafly`` raises the attribute with the most
    distinct values, until no more than k persons are left out, or as many as are allowed.
    """
    most = requirement.k if method == "datafly" else 0
    search = _LinkedSearch(tables, requirement, options, most)
    counts, known = search.counts, None
    if method == "datafly":
        vector, in_time = search.generalize()
    elif method == "samarati" and options.prefer:
        found = search.list_minimal()
        vector, in_time = found.preferred[0].vector, found.complete
    else:
        by_height = method == "samarati"
        name = "height" if by_height else options.objective
        objective = Height(counts) if by_height else LinkedCost(counts, name, search.weights)
        vector, known = search.minimize(objective, name)
        in_time = known.proved
    released = counts.released(vector)
    if not released.any():
        raise Infeasible(
            f"every one of the {counts.rows:,} persons would be left out at the levels found, so "
            "nothing is left to release; lower max_suppressed"
        )
    return LinkedRecoding(
        vector=vector,
        released=released,
        allowance=search.allowance,
        optimality=known,
        k_minimal=_is_minimal(counts, vector, search.lattice, search.allowance, search.deadline),
        in_time=in_time,
    )


def list_linked_minimal(
    tables: LinkedTables, requirement: Requirement, options: SearchOptions
) -> MinimalCandidates:
    """Find all k-minimal levels of linked tables within the constraints, and the preferred ones."""
    return require_minimal(_LinkedSearch(tables, requirement, options).list_minimal())


def _refuse_impossible(counts: LinkedCounts, lattice: Lattice, allowance: int) -> None:
    """Raise if even the most general vector leaves out too many persons, or all of them."""
    gone = counts.suppressed(lattice.top)
    if gone > allowance or gone == counts.rows:
        raise Infeasible(
            f"even the most general levels leave out {gone:,} of {counts.rows:,} persons, more "
            f"than the {allowance:,} that max_suppressed allows; raise max_suppressed, let an "
            "attacker know fewer records (knows), or keep at most so many of each person "
            "(at_most)"
        )


def _is_minimal(
    counts: LinkedCounts, vector: Vector, lattice: Lattice, allowance: int, deadline: float
) -> bool | None:
    """Return whether no vector below leaves out so few persons, if it is found out in time."""
    for below in lattice.predecessors(vector):
        if is_over(deadline):
            return None
        if counts.certain(below, allowance) <= allowance:
            return False
    return True
