"""Preferences: policies that choose among several solutions (Samarati, section 6).

A policy maps each candidate to a number, and the least is preferred. Each policy is applied to
the candidates that the policies before it leave. A candidate is a vector with its measures.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lookalike.errors import InvalidInput, not_one_of
from lookalike.model.clock import is_over
from lookalike.model.lattice import Vector
from lookalike.model.measures import absolute_distance, relative_distance
from lookalike.search.lattice.objectives import Objective, make_objective
from lookalike.search.lattice.rollup import RollUps


@dataclass(frozen=True)
class Candidate:
    """A vector that could be released, with its measures."""

    vector: Vector
    heights: Vector
    suppressed: int
    distinct: int
    precision: float
    weights: tuple[Decimal, ...]

    @property
    def relative(self) -> list[Fraction]:
        """The relative distance of each attribute."""
        return [Fraction(d, max(h, 1)) for d, h in zip(self.vector, self.heights, strict=True)]

    @property
    def weighted_distance(self) -> Fraction:
        """The sum of the relative distances, each multiplied by its weight."""
        pairs = zip(self.relative, self.weights, strict=True)
        return sum((distance * Fraction(weight) for distance, weight in pairs), start=Fraction(0))


PREFERENCES: Mapping[str, Callable[[Candidate], Fraction | int]] = {
    "minimum-absolute-distance": lambda c: absolute_distance(c.vector),
    "minimum-relative-distance": lambda c: relative_distance(c.vector, c.heights),
    "minimum-weighted-distance": lambda c: c.weighted_distance,
    "maximum-distribution": lambda c: -c.distinct,
    "minimum-suppression": lambda c: c.suppressed,
    "smallest-absolute-peak": lambda c: max(c.vector),
    "largest-absolute-peak": lambda c: -max(c.vector),
    "smallest-relative-peak": lambda c: max(c.relative),
    "largest-relative-peak": lambda c: -max(c.relative),
    "fewest-generalized-attributes": lambda c: sum(level > 0 for level in c.vector),
    "most-generalized-attributes": lambda c: -sum(level > 0 for level in c.vector),
}
"""The policies by name."""

LEAST_HEIGHT = ("minimum-absolute-distance",)
"""The default policy."""


def preferred(candidates: Sequence[Candidate], names: Sequence[str]) -> list[Candidate]:
    """Return the candidates that policies prefer, in order."""
    left = list(candidates)
    for name in names:
        if name not in PREFERENCES:
            raise InvalidInput(not_one_of("prefer", name, PREFERENCES))
        policy = PREFERENCES[name]
        least = min(policy(candidate) for candidate in left)
        left = [candidate for candidate in left if policy(candidate) == least]
    return sorted(left, key=lambda candidate: candidate.vector)


def measure_candidates(
    vectors: Sequence[Vector],
    rollups: RollUps,
    weights: tuple[Decimal, ...],
    deadline: float = math.inf,
) -> list[Candidate]:
    """Return the suppressed rows, the distinct tuples and Prec of each vector.

    The vectors left after the deadline are omitted, but the first is always measured.
    """
    precision = make_objective("precision", rollups, weights, rollups.rows)
    return measure_by(precision, vectors, rollups.frequency.heights, weights, deadline)


def measure_by(
    precision: Objective,
    vectors: Sequence[Vector],
    heights: Vector,
    weights: tuple[Decimal, ...],
    deadline: float = math.inf,
) -> list[Candidate]:
    """Return the measures of each vector, of one table or of linked ones."""
    measured: list[Candidate] = []
    for vector in vectors:
        if measured and is_over(deadline):
            break
        measured.append(
            Candidate(
                vector=vector,
                heights=heights,
                suppressed=precision.rollups.suppressed(vector),
                distinct=precision.rollups.count_distinct(vector),
                precision=precision.measured(precision.judge(vector).cost),
                weights=weights,
            )
        )
    return measured
