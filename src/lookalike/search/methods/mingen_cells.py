"""MinGen at the cell level: minimal distortion, with a bound on the distance to the optimum."""

from fractions import Fraction

from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Optimality, Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.classes import release_classes
from lookalike.search.cells.construction import GreedyResult, run_greedy
from lookalike.search.cells.decoys import decoyed
from lookalike.search.cells.exact.prove_best import prove_best
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.satisfy.satisfy import satisfying
from lookalike.search.cells.solve import Solution, pose, solve
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method(
    "mingen-cells",
    Takes(
        result="keeps most; each class has its own levels",
        meaning="Each row is as exact as possible. Keeps the most detail, with a proved bound.",
        level_bounds=True,
        effort=True,
        bound=True,
        persons=True,
        protections=True,
        lottery=True,
        cells=True,
        optimizes=True,
        decoys=True,
    ),
)
@decoyed
@satisfying
def mingen_cells(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return a release of minimal distortion in which rows may have different levels.

    This is Sweeney's MinGen (Achieving, Figure 5) with generalization at the cell level, as in
    the paper: rows are divided into classes of at least k, each class is released as its join,
    and Prec is maximized. The result has an upper bound on the Prec of any release.

    A row is suppressed only if that loses less than releasing it. A suppressed row loses
    everything by Prec, but an unusual row may make its whole class lose more. If suppressed rows
    are kept blank, the search suppresses none: a row at the top of every hierarchy loses as much
    as a blank one, so nothing better is missed. With bounds on levels a blank row might lose less,
    so the optimum is not provable, and only the duals prove a bound.
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    lattice, _ = options.lattice_of(frequency)
    check_labels(frequency, lattice)
    dropped = requirement.suppressed_rows == "drop"
    allowance = requirement.allowance(frequency.rows)
    problem = pose(
        frequency,
        lattice,
        options.weights_of(frequency),
        requirement.largest_k,
        allowance if dropped else 0,
    )
    provable = dropped or lattice.top == frequency.heights or not allowance
    budget = Budget(deadline=deadline, announce=options.announce)
    greedy = _run_greedy(frequency, problem, options, budget)
    found = solve(problem, options, budget, greedy)
    if options.effort == "exact" and provable:
        found = prove_best(problem, found, options, budget.deadline)
    proved = found.cost <= problem.round_up(found.bound)
    return Recoding(
        in_time=proved or not is_over(deadline),
        vector=None,
        suppressed=found.suppressed,
        rows_suppressed=int(found.suppressed.sum()),
        tuples=release_classes(problem.costs.ancestors, found.classes, lattice.bottom),
        optimality=Optimality(
            objective="precision",
            reached=problem.costs.precision(found.cost, problem.rows),
            bound=problem.costs.precision(found.bound, problem.rows),
            proved=proved,
            evaluated=found.vectors,
            duals=found.duals,
            beyond=_beyond_duals(problem, found),
        ),
    )


def _run_greedy(
    frequency: FrequencyList, problem: Problem, options: SearchOptions, budget: Budget
) -> GreedyResult:
    """Run the greedy, once for searches that differ in the rows that may be suppressed only."""
    if options.shared is None:
        return run_greedy(problem, budget)
    key = "greedy", problem.k, problem.lattice, options.weights_of(frequency)
    return options.shared.once(frequency, key, lambda: run_greedy(problem, budget), budget.deadline)


def _beyond_duals(problem: Problem, found: Solution) -> Fraction | None:
    """Return the loss proved beyond the duals, in suppressed cells of weight 1."""
    duals = found.duals
    if duals is not None:
        proved = int(duals.values @ problem.counts) - problem.allowance * duals.price
        if found.bound <= problem.round_up(proved):
            return None
    return Fraction(found.bound, problem.costs.scale)
