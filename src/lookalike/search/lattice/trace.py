"""Run one of Samarati's own searches (sections 5 and 6), and record its steps."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

from lookalike.errors import InvalidInput, not_one_of
from lookalike.json_result import JsonResult
from lookalike.model.clock import OutOfTime, deadline_after, stop_if_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector, order_by_height
from lookalike.model.recoding import check_most_general
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.distance_matrix import DistanceMatrix, distance_matrix
from lookalike.search.lattice.find_vector import (
    Evaluated,
    SearchStep,
    find_all_by_halving,
    find_all_by_strategies,
    find_vector,
)
from lookalike.search.options import DEFAULTS, SearchOptions

SEARCHES = ("find-vector", "halving", "strategies", "matrix")
"""The searches by name."""

MOST_TRACED_VECTORS = 1_000_000
"""The largest lattice for these searches, which evaluate all vectors of a height."""
MOST_TRACED_STEPS = 200_000
"""The maximum number of steps of a search, and of strategies."""
MOST_TRACED_DISTANCES = 1_000_000
"""The maximum number of distance vectors of the matrix VT."""


LARGEST_MATRIX = 10_000
"""The largest matrix VT that is shown as JSON, in distance vectors."""

VectorLevels = dict[str, int]
"""A vector: the level of each attribute."""


class TracedVector(TypedDict):
    """A vector that was evaluated."""

    levels: VectorLevels
    outliers: int
    satisfies: bool


class LocalVector(TypedDict):
    """A locally minimal vector, and the number of steps that found it."""

    levels: VectorLevels
    steps: int


TracedStep = TypedDict(
    "TracedStep",
    {
        "bottom": VectorLevels,
        "top": VectorLevels,
        "low": int,
        "high": int,
        "try": int | None,
        "evaluated": list[TracedVector],
        "found": VectorLevels | None,
    },
)


class TracedMatrix(TypedDict):
    """The matrix VT and the bounds that it gives."""

    attributes: tuple[str, ...]
    outliers: list[int]
    counts: list[int]
    distances: list[Any] | None
    lower_bounds: list[Any]
    lowest_height: int
    least_upper_bound: Vector
    occurring_levels: list[Any]


@dataclass(frozen=True, eq=False)
class SearchTrace(JsonResult):
    """The steps and the result of one of Samarati's searches.

    Parameters
    ----------
    search
        Name of the search.
    attributes
        The attributes, in the order of the levels of a vector.
    k
        The k of the requirement.
    max_suppressed
        MaxSup as a number of rows.
    lattice
        The vectors that were searched.
    steps
        The steps, in order.
    found
        The solutions: one k-minimal vector of least height (find-vector, matrix), or all
        k-minimal vectors (halving, strategies), by height. Empty if the search was stopped.
    evaluated
        The number of distinct vectors that were evaluated.
    complete
        Whether the search finished; if not, it was stopped by the time limit or by the maximum
        number of steps.
    matrix
        VT, if the search used it.

    Examples
    --------
    >>> import lookalike as la
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> zips = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}}
    >>> trace = la.trace_search(people, "find-vector", attributes=zips, k=2)
    >>> [(step.low, step.high, step.tried, step.found) for step in trace.steps]
    [(0, 5, 2, (2,)), (0, 2, 1, (1,)), (0, 1, 0, None)]
    >>> trace.found, trace.evaluated
    (((1,),), 3)
    """

    json_names = (
        "search k max_suppressed lattice=lattice.size steps_total steps=traced_steps "
        "local=local_vectors found=found_levels evaluated complete matrix=traced_matrix"
    )

    search: str
    attributes: tuple[str, ...]
    k: int
    max_suppressed: int
    lattice: Lattice
    steps: tuple[SearchStep, ...]
    found: tuple[Vector, ...]
    evaluated: int
    complete: bool
    matrix: DistanceMatrix | None = None

    @property
    def local(self) -> tuple[tuple[Vector, int], ...]:
        """The vectors found by steps, with the number of steps that found each, by height."""
        number = Counter(step.found for step in self.steps if step.found is not None)
        return tuple((vector, number[vector]) for vector in order_by_height(number))

    def as_json(self, most: int | None = None) -> dict[str, Any]:
        """Return what ``minimal --search --json`` prints.

        Parameters
        ----------
        most
            The largest number of steps to list; by default all.
        """
        shown = super().as_json()
        return shown | {"steps": shown["steps"][:most]}

    @property
    def steps_total(self) -> int:
        """The number of steps."""
        return len(self.steps)

    @property
    def traced_steps(self) -> list[TracedStep]:
        """The steps, with the levels of each vector by attribute."""
        return [
            {
                "bottom": self._name(step.between.bottom),
                "top": self._name(step.between.top),
                "low": step.low_height,
                "high": step.high_height,
                "try": step.tried_height,
                "evaluated": [
                    {
                        "levels": self._name(one.vector),
                        "outliers": one.outliers,
                        "satisfies": one.satisfies,
                    }
                    for one in step.evaluated
                ],
                "found": None if step.found is None else self._name(step.found),
            }
            for step in self.steps
        ]

    @property
    def local_vectors(self) -> list[LocalVector]:
        """The vectors found by steps, with the number of steps that found each, by height."""
        return [{"levels": self._name(one), "steps": number} for one, number in self.local]

    @property
    def found_levels(self) -> list[VectorLevels]:
        """The solutions, with their levels by attribute."""
        return [self._name(one) for one in self.found]

    @property
    def traced_matrix(self) -> TracedMatrix | None:
        """VT and the bounds that it gives, if the search used it; no distances of a large one."""
        matrix = self.matrix
        if matrix is None:
            return None
        small = matrix.distances.shape[0] * matrix.distances.shape[1] <= LARGEST_MATRIX
        return {
            "attributes": self.attributes,
            "outliers": matrix.outliers.tolist(),
            "counts": matrix.counts.tolist(),
            "distances": matrix.distances.tolist() if small else None,
            "lower_bounds": matrix.lower_bounds(self.max_suppressed),
            "lowest_height": matrix.lowest_height(self.max_suppressed),
            "least_upper_bound": matrix.least_upper_bound(),
            "occurring_levels": matrix.occurring_levels(),
        }

    def _name(self, vector: Vector) -> VectorLevels:
        """Return the level of each attribute at a vector."""
        return dict(zip(self.attributes, vector, strict=True))


class _Recorder:
    """Answers *satisfies*, and records the vectors that each step evaluates."""

    def __init__(
        self, outliers: Callable[[Vector], int], allowance: int, time_limit: float | None
    ) -> None:
        self.outliers, self.allowance = outliers, allowance
        self.deadline = deadline_after(time_limit)
        self.known: dict[Vector, Evaluated] = {}
        self.asked: list[Evaluated] = []
        self.steps: list[SearchStep] = []

    def satisfies(self, vector: Vector) -> bool:
        """Return whether a vector suppresses no more rows than allowed."""
        if vector not in self.known:
            stop_if_over(self.deadline)
            outliers = self.outliers(vector)
            self.known[vector] = Evaluated(vector, outliers, outliers <= self.allowance)
        self.asked.append(self.known[vector])
        return self.known[vector].satisfies

    def observe(self, step: SearchStep) -> None:
        """Record a step with the vectors that were evaluated in it."""
        if len(self.steps) == MOST_TRACED_STEPS:
            raise OutOfTime
        self.steps.append(replace(step, evaluated=tuple(self.asked)))
        self.asked.clear()


def trace(
    frequency: FrequencyList,
    requirement: Requirement,
    search: str,
    options: SearchOptions = DEFAULTS,
) -> SearchTrace:
    """Run one of Samarati's searches, and record its steps.

    ``search``: ``find-vector`` is Figure 10, ``halving`` the search for all solutions (end of
    section 6), ``strategies`` the naive search that follows every strategy (Theorem 5.1), and
    ``matrix`` is Figure 10 with *satisfies* and bounds from the matrix VT (section 5).
    """
    if search not in SEARCHES:
        raise InvalidInput(not_one_of("search", search, SEARCHES))
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    if conditions:
        raise InvalidInput(
            f"constraints: {search} takes only bounds on levels, and {conditions[0].quantity!r} "
            "is not an attribute; run lookalike minimal without --search"
        )
    if not requirement.is_monotone:
        raise InvalidInput(
            f"{search} relies on Samarati's Theorem 5.2, which holds for k, persons, distinct and "
            "k_map only, because they stay true when a class grows; run lookalike minimal without "
            "--search"
        )
    allowance = requirement.allowance(frequency.rows)
    check_most_general(requirement.outliers(frequency, lattice.top), allowance, requirement)
    _check_size(lattice, search)
    matrix = _lay_out(frequency, requirement) if search == "matrix" else None
    outliers = matrix.required_suppression if matrix else partial(requirement.outliers, frequency)
    recorder = _Recorder(outliers, allowance, options.time_limit)
    found = _run(search, lattice, matrix, recorder)
    return SearchTrace(
        search=search,
        attributes=frequency.attributes,
        k=requirement.largest_k,
        max_suppressed=allowance,
        lattice=lattice,
        steps=tuple(recorder.steps),
        found=tuple(order_by_height(found or ())),
        evaluated=len(recorder.known),
        complete=found is not None,
        matrix=matrix,
    )


def _run(
    search: str, lattice: Lattice, matrix: DistanceMatrix | None, recorder: _Recorder
) -> set[Vector] | None:
    """Run a search and return its solutions, or None if it was stopped."""
    satisfies, observe = recorder.satisfies, recorder.observe
    try:
        if search == "halving":
            return find_all_by_halving(lattice, satisfies, observe)
        if search == "strategies":
            return find_all_by_strategies(lattice, satisfies, observe)
        if matrix is None:
            return {find_vector(lattice, satisfies, observe)}
        part, lowest = matrix.restrict(lattice, recorder.allowance)
        return {find_vector(part, satisfies, observe, lowest)}
    except OutOfTime:
        return None


def _check_size(lattice: Lattice, search: str) -> None:
    """Raise if the lattice is too large for a search to finish."""
    if lattice.size > MOST_TRACED_VECTORS:
        raise InvalidInput(
            f"{search} evaluates every vector of a height, and the lattice has {lattice.size:,} "
            f"vectors, more than {MOST_TRACED_VECTORS:,}; bound the levels with --constraint, or "
            "run lookalike minimal without --search, which finds all k-minimal vectors more quickly"
        )
    strategies = lattice.count_strategies() if search == "strategies" else 0
    if strategies > MOST_TRACED_STEPS:
        raise InvalidInput(
            f"there are {strategies:,} strategies from the bottom to the top, more than "
            f"{MOST_TRACED_STEPS:,}; bound the levels with --constraint, or use halving, which "
            "finds the same vectors"
        )


def _lay_out(frequency: FrequencyList, requirement: Requirement) -> DistanceMatrix:
    """Compute VT; raise if it does not cover the requirement, or is too large."""
    one, *others = requirement.protected(frequency.attributes)
    if others or one.attributes != frequency.attributes:
        raise InvalidInput(
            "the matrix VT is defined for one quasi-identifier without linking weights; use "
            "find-vector, halving or strategies"
        )
    if not requirement.counts_rows(frequency):
        raise InvalidInput(
            "the matrix VT counts rows of the table only, not persons, protected values or people "
            "of a register; use find-vector, halving or strategies"
        )
    entries = int((frequency.counts < one.k).sum()) * len(frequency)
    if entries > MOST_TRACED_DISTANCES:
        raise InvalidInput(
            f"the matrix VT would hold {entries:,} distance vectors, more than "
            f"{MOST_TRACED_DISTANCES:,}; use find-vector, which gives the same answer"
        )
    return distance_matrix(frequency, one.k)
