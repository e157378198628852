"""VectorFacts: what a release at a vector of levels keeps, and why it fails."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector, raise_level
from lookalike.model.membership import Membership
from lookalike.model.population import match_people
from lookalike.model.recoding import Failure
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.lattice.rollup import ClassSuppression, RollUps
from lookalike.studio.levels.level_work import AskedLevels

MOST_SIZES = 6
"""The most sizes of small classes that are listed."""
NEIGHBOUR_SECONDS = 0.1
"""How long the vectors one level higher and lower are evaluated."""


@dataclass(frozen=True)
class Neighbour:
    """A vector that differs by one level of one attribute.

    ``suppressed``: the rows that must be suppressed there, None if the time was over; ``fits``:
    whether these may be suppressed.
    """

    vector: Vector
    suppressed: int | None
    fits: bool


@dataclass(frozen=True)
class AttributeLevel(Discreet):
    """An attribute at its level, with its neighbours; at an end of the hierarchy None.

    ``common`` and ``becomes``: the most frequent value, and what it becomes; None is missing.
    ``values``: the number of distinct values.
    """

    name: str
    level: int
    height: int
    common: str | None
    becomes: str | None
    values: int
    lower: Neighbour | None
    higher: Neighbour | None

    @property
    def kept(self) -> float:
        """The share that the level keeps."""
        return 1 - self.level / self.height if self.height else 1.0


@dataclass(frozen=True)
class VectorFacts:
    """What a release at a vector keeps, and why it fails.

    ``suppressed`` rows must be suppressed, and ``allowance`` may be; ``released`` rows are not
    blank. ``failures``: the parts of the requirement that classes fail before rows are suppressed.
    ``small``: the classes with fewer than k rows, by size, of the only quasi-identifier.
    ``refusals``: the protections that the classes fail although they were chosen without sensitive
    values, so that the release is refused.
    """

    vector: Vector
    attributes: tuple[AttributeLevel, ...]
    precision: float
    rows: int
    suppressed: int
    allowance: int
    released: int
    sizes: Counts
    failures: tuple[Failure, ...]
    small: tuple[tuple[int, int], ...]
    refusals: tuple[Failure, ...]
    excluded_by: tuple[str, ...]

    @property
    def satisfies(self) -> bool:
        """Whether no more rows must be suppressed than may be."""
        return self.suppressed <= self.allowance

    @property
    def can_be_released(self) -> bool:
        """Whether a release at the vector satisfies everything, and has rows."""
        return self.satisfies and not self.refusals and self.released > 0

    @property
    def best_step(self) -> AttributeLevel | None:
        """The attribute whose next level leaves the fewest rows to suppress."""
        known = [
            (one.higher.suppressed, place)
            for place, one in enumerate(self.attributes)
            if one.higher is not None and one.higher.suppressed is not None
        ]
        best = min(known, default=None)
        return None if best is None or best[0] >= self.suppressed else self.attributes[best[1]]


def describe_vector(rollups: RollUps, asked: AskedLevels, vector: Vector) -> VectorFacts:
    """Describe a release at a vector."""
    frequency, requirement = rollups.frequency.held(vector), rollups.requirement
    here, suppressed = rollups.decide(vector), rollups.suppressed(vector)
    parts = rollups.below(vector).roll_up(vector) if frequency.beside else here.classes
    weights = asked.options.weights_of(frequency)
    prec = make_objective("precision", rollups, weights, frequency.rows)
    judged = prec.judge(vector)
    reached = prec.measured(judged.cost)
    candidate = Candidate(vector, frequency.heights, suppressed, len(here.sizes), reached, weights)
    return VectorFacts(
        vector=vector,
        attributes=tuple(_describe_attributes(rollups, asked, vector)),
        precision=reached,
        rows=frequency.rows,
        suppressed=suppressed,
        allowance=asked.allowance(frequency),
        released=judged.released,
        sizes=here.sizes,
        failures=tuple(_find_failing(parts, requirement)),
        small=_list_small(here, requirement),
        refusals=_find_refusals(parts, asked) if asked.is_blind else (),
        excluded_by=tuple(_find_excluding(asked, candidate, frequency.attributes)),
    )


def _describe_attributes(
    rollups: RollUps, asked: AskedLevels, vector: Vector
) -> Iterator[AttributeLevel]:
    """Yield each attribute at its level, with its neighbours."""
    frequency, deadline = rollups.frequency, deadline_after(NEIGHBOUR_SECONDS)
    allowance = asked.requirement.allowance(frequency.rows)

    def look(place: int, steps: int) -> Neighbour | None:
        other = raise_level(vector, place, steps)
        if not 0 <= other[place] <= frequency.heights[place]:
            return None
        rows = None if is_over(deadline) else rollups.suppressed(other)
        return Neighbour(other, rows, rows is not None and rows <= allowance)

    distinct = frequency.distinct(vector)
    for place, hierarchy in enumerate(frequency.hierarchies):
        level = vector[place]
        common, becomes = find_common(hierarchy, frequency.code_rows(place, 0), level)
        yield AttributeLevel(
            name=hierarchy.column,
            level=level,
            height=hierarchy.height,
            common=common,
            becomes=becomes,
            values=distinct[place],
            lower=look(place, -1),
            higher=look(place, 1),
        )


def find_common(
    hierarchy: BoundHierarchy, rows: Counts, level: int
) -> tuple[str | None, str | None]:
    """Return the most frequent value of an attribute, and what it becomes at a level."""
    code = int(rows.argmax())
    return hierarchy.labels[0][code], hierarchy.labels[level][int(hierarchy.levels[level][code])]


def _find_failing(parts: FrequencyList, requirement: Requirement) -> Iterator[Failure]:
    """Yield the parts of a requirement that some classes of a list fail, each by itself."""
    for one in requirement.protected(parts.attributes):
        places = [parts.attributes.index(name) for name in one.attributes]
        class_of = parts.class_of(parts.vector, places)
        for condition, member in _list_conditions(parts, requirement, class_of, one):
            failing = member.failing(parts.counts)
            if failing.any():
                classes = np.count_nonzero(np.bincount(class_of[failing]))
                yield Failure(condition, int(classes), int(parts.counts[failing].sum()))


def _list_conditions(
    parts: FrequencyList, requirement: Requirement, class_of: Codes, one: QuasiIdentifier
) -> Iterator[tuple[str, Membership]]:
    """Yield what the classes over a quasi-identifier must satisfy, each part by itself."""
    several = f" over {', '.join(one.attributes)}" if requirement.quasi_identifiers else ""
    yield f"at least {one.k:,} rows in a class{several}", Membership(class_of, one.k)
    if not one.alone:
        yield from requirement.conditions(parts, class_of, one)
    for matched in match_people(requirement.registers, parts, parts.vector, class_of):
        name = matched.condition.register
        yield f"people of the register {name!r}", Membership(class_of, 0, matched=(matched,))


def _find_refusals(parts: FrequencyList, asked: AskedLevels) -> tuple[Failure, ...]:
    """Return the protections that fail after the small classes are suppressed."""
    gone = asked.requirement.outlying(parts, parts.vector)
    left = np.flatnonzero(~gone).astype(np.int32)
    shown = parts.taken(left, parts.counts[left])
    return tuple(_find_failing(shown, asked.whole)) if len(left) else ()


def _list_small(here: ClassSuppression, requirement: Requirement) -> tuple[tuple[int, int], ...]:
    """List the sizes of classes below k, the smallest first, each with its number of classes."""
    if requirement.quasi_identifiers:
        return ()
    counts = here.classes.counts
    sizes, classes = np.unique(counts[counts < requirement.k], return_counts=True)
    return tuple(zip(sizes.tolist(), classes.tolist(), strict=True))[:MOST_SIZES]


def _find_excluding(
    asked: AskedLevels, candidate: Candidate, attributes: Sequence[str]
) -> Iterator[str]:
    """Yield the constraints that exclude a vector."""
    for one in asked.options.constraints:
        place = attributes.index(one.quantity)
        if candidate.vector[place] not in one.levels(candidate.heights[place]):
            yield write_constraint(one)
    for one in asked.conditions:
        if not one.admits(candidate):
            yield write_constraint(one)


def write_constraint(one: Constraint) -> str:
    """Write a constraint as a specification does."""
    return f"{one.quantity} {one.comparison} {one.number}"
