"""Definitions of the papers as checks of a vector."""

from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.minimality import is_minimal
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import DEFAULTS, SearchOptions


def is_k_minimal_generalization(
    frequency: FrequencyList, vector: Vector, requirement: Requirement
) -> bool:
    """Return whether a vector is a k-minimal generalization (Samarati, Definition 4.3).

    Without suppression this is Achieving's Definition 4.
    """
    allowance = requirement.allowance(frequency.rows)
    return is_minimal(frequency, vector, requirement, allowance) is True


def is_k_minimal_distortion(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    options: SearchOptions = DEFAULTS,
) -> bool:
    """Return whether no vector has a greater Prec (Achieving, Definition 6).

    If several vectors tie, the definition as printed admits none of them. MinGen's step 2.3
    keeps them all, and so does this function.
    """
    allowance = requirement.allowance(frequency.rows)
    rollups = RollUps(frequency, requirement)
    weights = options.weights_of(frequency)
    objective = make_objective("precision", rollups, weights, allowance)
    standing = minimize(objective, Lattice.of_heights(frequency.heights), allowance)
    return any(judged.vector == vector for judged in standing.best)
