"""Samarati: the preferred k-minimal generalization (Samarati, sections 5 and 6)."""

from dataclasses import dataclass, replace

from lookalike.errors import Infeasible
from lookalike.model.clock import deadline_after
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding, recode_at
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.keep import Keep
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import Height
from lookalike.search.lattice.preferences import (
    LEAST_HEIGHT,
    Candidate,
    measure_candidates,
    preferred,
)
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@dataclass(frozen=True)
class MinimalCandidates:
    """The k-minimal generalizations of a table, and the preferred ones.

    ``complete``: whether these are all k-minimal vectors; if not, the time limit was reached.
    ``minimal``: all k-minimal vectors that satisfy the constraints, by height.
    ``preferred``: the vectors that the policies prefer, by default those of least height; the first
    one is released.
    """

    lattice: Lattice
    evaluated: int
    complete: bool
    minimal: tuple[Candidate, ...]
    preferred: tuple[Candidate, ...]


@method(
    "samarati",
    Takes.of(
        "several apart level_bounds conditions keep prefer persons protections average_risk "
        "registers",
        result="one level for each column, the lowest generalization that suffices",
        meaning="The lowest levels that suffice, by Samarati's rules.",
    ),
)
def samarati(
    frequency: Frequencies, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return a k-minimal generalization, of least height or the preferred one.

    Without policies the result is that of Find_vector (Figure 10), the first vector of least
    height, found by a faster search. With policies, conditions or shares that must be kept,
    all k-minimal vectors are found first.
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    allowance = requirement.allowance(frequency.rows)
    if options.prefer or conditions or any(options.keep):
        found = _find(frequency, requirement, options, deadline)
        in_time, vector = found.complete, found.preferred[0].vector
    else:
        lowest = Height(RollUps(frequency, requirement))
        standing = minimize(lowest, lattice, allowance, deadline)
        in_time, vector = standing.proved, standing.best[0].vector
    recoding = recode_at(frequency, vector, requirement, allowance, lattice, deadline)
    return replace(recoding, in_time=in_time)


def list_minimal(
    frequency: Frequencies, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> MinimalCandidates:
    """Find all k-minimal generalizations within the constraints, and the preferred ones."""
    deadline = deadline_after(options.time_limit)
    return require_minimal(_find(frequency, requirement, options, deadline))


def require_minimal(found: MinimalCandidates) -> MinimalCandidates:
    """Raise if no vector was proved k-minimal in time."""
    if not found.minimal:
        raise Infeasible(
            "no generalization was proved k-minimal within the time limit; raise time_limit"
        )
    return found


def _find(
    frequency: Frequencies, requirement: Requirement, options: SearchOptions, deadline: float
) -> MinimalCandidates:
    """Find the k-minimal generalizations and the preferred ones.

    If no vector is proved k-minimal within the time limit, the lowest vector that satisfies the
    requirement is preferred.
    """
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    rollups, allowance = RollUps(frequency, requirement), requirement.allowance(frequency.rows)
    keep = Keep(rollups, options.keep)
    within = Lattice(lattice.bottom, keep.restrict(lattice, allowance).top)
    with keep.explaining():
        found = find_minimal(
            rollups,
            within,
            allowance,
            deadline,
            lambda count, evaluated: options.announce(f"{count:,} found, {evaluated:,} evaluated"),
        )
    weights = options.weights_of(frequency)
    described = measure_candidates(found.vectors or (found.lowest,), rollups, weights, deadline)
    complete = found.complete and len(described) == len(found.vectors)
    meeting = [one for one in described if all(other.admits(one) for other in conditions)]
    candidates = [one for one in meeting if keep.admits(one.vector)]
    if not candidates:
        in_time = "" if complete else " found in time"
        unmet = "keep; lower it, or use mingen" if meeting else "the constraints; loosen them"
        with keep.explaining():
            raise Infeasible(
                f"none of the {len(found.vectors):,} k-minimal generalizations{in_time} satisfies "
                f"{unmet}"
            )
    chosen = preferred(candidates, options.prefer or LEAST_HEIGHT)
    minimal = tuple(candidates) if found.vectors else ()
    return MinimalCandidates(lattice, found.evaluated, complete, minimal, tuple(chosen))
