"""Measure vectors, to choose among them and to show them."""

import math
from collections.abc import Sequence

from lookalike.model.clock import is_over
from lookalike.model.lattice import Vector
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import SearchOptions


def measure_candidates(
    vectors: Sequence[Vector],
    rollups: RollUps,
    options: SearchOptions,
    deadline: float = math.inf,
) -> list[Candidate]:
    """Return the suppressed rows, the distinct tuples and Prec of each vector.

    The vectors left after the deadline are omitted, but the first is always measured.
    """
    frequency = rollups.frequency
    weights = options.weights_of(frequency)
    precision = make_objective("precision", rollups, weights, frequency.rows)
    measured: list[Candidate] = []
    for vector in vectors:
        if measured and is_over(deadline):
            break
        measured.append(
            Candidate(
                vector=vector,
                heights=frequency.heights,
                suppressed=rollups.suppressed(vector),
                distinct=len(rollups.decide(vector).sizes),
                precision=precision.measured(precision.judge(vector).cost),
                weights=weights,
            )
        )
    return measured
