"""Search the levels of several tables whose rows belong to the same persons.

The levels of all tables form one lattice, and whole persons are left out, so the searches of one
table are used as they are (:mod:`lookalike.search.lattice`); only the counting and the cost differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from lookalike.errors import Infeasible
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Flags
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Lattice, Vector, raise_level
from lookalike.model.linked import LinkedTables
from lookalike.model.recoding import Optimality
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.constraints import restrict
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import Height, Objective
from lookalike.search.lattice.preferences import LEAST_HEIGHT, Candidate, measure_by, preferred
from lookalike.search.linked_counts import LinkedCost, LinkedCounts
from lookalike.search.methods.samarati import MinimalCandidates, require_minimal
from lookalike.search.options import SearchOptions


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
                f"the tables have fewer persons ({tables.rows:,}) than k = {requirement.k}: no "
                "release of them is possible; lower k or collect more persons"
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
