"""Samarati's search: the preferred k-minimal generalization (sections 5 and 6)."""

from dataclasses import dataclass

from lookalike.errors import Infeasible
from lookalike.frequency import FrequencyList
from lookalike.lattice import Lattice
from lookalike.recoding import Recoding, recode_at
from lookalike.requirement import Requirement
from lookalike.search.branch import minimize
from lookalike.search.candidates import describe
from lookalike.search.minimal import find_minimal
from lookalike.search.objectives import Height
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.preferences import LEAST_HEIGHT, Candidate, preferred
from lookalike.search.rollup import RollUps
from lookalike.search.takes import Takes, method


@dataclass(frozen=True)
class MinimalCandidates:
    """The k-minimal generalizations of a table, and which are preferred.

    Parameters
    ----------
    lattice
        The vectors that were chosen from.
    evaluated
        The number of vectors that were looked at.
    complete
        Whether these are all; if not, the time limit came first.
    minimal
        All that satisfy the constraints, by height.
    preferred
        Those that the policies leave, without any those of least height; the first is released.
    """

    lattice: Lattice
    evaluated: int
    complete: bool
    minimal: tuple[Candidate, ...]
    preferred: tuple[Candidate, ...]


@method(
    "samarati", Takes(several=True, apart=True, level_bounds=True, conditions=True, prefer=True)
)
def samarati(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return a k-minimal generalization: of least height, or the preferred one.

    Without policies it is the answer of Find_vector (Figure 10), the first vector of least
    height, found by a quicker search. With policies or conditions all k-minimal vectors are
    found and chosen from.
    """
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    allowance = requirement.allowance(frequency.rows)
    if options.prefer or conditions:
        vector = list_minimal(frequency, requirement, options).preferred[0].vector
    else:
        lowest = Height(RollUps(frequency, requirement))
        vector = minimize(lowest, lattice, allowance, options.time_limit).best[0].vector
    return recode_at(frequency, vector, requirement, allowance, lattice)


def list_minimal(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> MinimalCandidates:
    """Find all k-minimal generalizations within the constraints, and the preferred ones.

    Raises
    ------
    Infeasible
        If none satisfies the constraints.
    """
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    rollups = RollUps(frequency, requirement)
    found = find_minimal(
        rollups,
        lattice,
        requirement.allowance(frequency.rows),
        options.time_limit,
        lambda count, evaluated: options.tell(f"{count:,} found, {evaluated:,} looked at"),
    )
    candidates = [
        candidate
        for candidate in describe(found.vectors, rollups, options)
        if all(condition.admits(candidate) for condition in conditions)
    ]
    if not candidates:
        in_time = "" if found.complete else " found in time"
        raise Infeasible(
            f"none of the {len(found.vectors):,} k-minimal generalizations{in_time} satisfies the "
            "constraints; loosen them"
        )
    chosen = preferred(candidates, options.prefer or LEAST_HEIGHT)
    return MinimalCandidates(
        lattice, found.evaluated, found.complete, tuple(candidates), tuple(chosen)
    )
