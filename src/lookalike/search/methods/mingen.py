"""MinGen at the attribute level: the generalization of minimal distortion, with a proof."""

import math
from dataclasses import replace

from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Vector
from lookalike.model.progress import describe_best
from lookalike.model.recoding import Optimality, Recoding, recode_at
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.search.lattice.branch import Standing, minimize
from lookalike.search.lattice.keep import Keep
from lookalike.search.lattice.objectives import Objective, make_objective
from lookalike.search.lattice.preferences import LEAST_HEIGHT, measure_candidates, preferred
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method(
    "mingen",
    Takes.of(
        "several apart level_bounds keep prefer objective loss optimizes persons protections "
        "average_risk registers",
        result="one level for each column, as little generalized as possible",
        meaning="The best level for each column, proved.",
    ),
)
def mingen(
    frequency: Frequencies, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return the best recoding by the objective within MaxSup.

    This is Sweeney's MinGen (Achieving, Figure 5) with generalization at the attribute level
    and minimal required suppression at each vector. Among all vectors within MaxSup, not only
    the k-minimal ones, it finds those of least distortion (step 2.3) and returns the preferred
    one (step 2.4). A table that satisfies k is returned unchanged (step 1), unless constraints
    forbid that. A vector that releases no row is returned only if every best vector does.
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    lattice, _ = options.lattice_of(frequency)
    allowance = requirement.allowance(frequency.rows)
    vector, known = find_optimum(RollUps(frequency, requirement), options, deadline)
    in_time = known.proved and not (options.prefer and is_over(deadline))
    recoding = recode_at(frequency, vector, requirement, allowance, lattice, deadline)
    return replace(recoding, optimality=known, in_time=in_time)


def find_optimum(
    rollups: RollUps, options: SearchOptions, deadline: float = math.inf
) -> tuple[Vector, Optimality]:
    """Return the vector of :func:`mingen`, from what was evaluated before."""
    frequency = rollups.frequency
    lattice, _ = options.lattice_of(frequency)
    allowance = rollups.requirement.allowance(frequency.rows)
    weights = options.weights_of(frequency)
    objective = make_objective(options.objective, rollups, weights, allowance)
    keep = Keep(rollups, options.keep)
    within = keep.restrict(lattice, allowance)
    with keep.explaining():
        standing = minimize(
            objective,
            within,
            allowance,
            deadline,
            lambda now: options.announce(_in_words(now, objective)),
            keep.admits,
        )
    releasing = [judged for judged in standing.best if judged.released]
    vectors = [one.vector for one in releasing or standing.best]
    known = Optimality(
        objective=options.objective,
        reached=objective.measured(standing.best[0].cost),
        bound=objective.measured(standing.bound),
        proved=standing.proved,
        evaluated=standing.evaluated,
    )
    if len(vectors) == 1 and not options.prefer:
        return vectors[0], known
    best = measure_candidates(vectors, rollups, weights, deadline)
    return preferred(best, options.prefer or LEAST_HEIGHT)[0].vector, known


def _in_words(standing: Standing, objective: Objective) -> str:
    """Return a progress message."""
    best = objective.measured(standing.best[0].cost)
    bound = objective.measured(standing.bound)
    return f"{describe_best(best, bound)}, {standing.evaluated:,} evaluated"
