"""MinGen at the cell level: minimal distortion, with a bound on the distance to the optimum."""

from dataclasses import replace
from fractions import Fraction

from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import reach
from lookalike.model.recoding import Optimality, Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.classes import release_classes
from lookalike.search.cells.construction import GreedyResult, run_greedy
from lookalike.search.cells.exact.prove_best import prove_best
from lookalike.search.cells.keep import keeping
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.satisfy.satisfy import satisfying
from lookalike.search.cells.solve import Solution, pose, solve
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method(
    "mingen-cells",
    Takes.of(
        "level_bounds keep loss effort bound persons protections lottery cells optimizes decoys",
        result="keeps most; each class has its own levels",
        meaning="Each row is as exact as possible. Keeps the most detail, with a proved bound.",
    ),
)
@keeping
@satisfying
def mingen_cells(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return a release of minimal distortion in which rows may have different levels.

    This is Sweeney's MinGen (Achieving, Figure 5) with generalization at the cell level, as in
    the paper: rows are divided into classes of at least k, each class is released as its join,
    and Prec is maximized, or by the objective loss what labels cover is minimized. The result has a
    bound on the objective of any release.

    A row is suppressed only if that loses less than releasing it. A suppressed row loses
    everything, but an unusual row may make its whole class lose more. If suppressed rows
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
    weights, objective = options.weights_of(frequency), options.objective
    allowed = allowance if dropped else 0
    problem = pose(frequency, lattice, weights, requirement.largest_k, allowed, objective)
    provable = dropped or lattice.top == frequency.heights or not allowance
    budget = Budget(deadline=deadline, announce=options.announce)
    greedy = _run_greedy(frequency, problem, options, budget)
    found = solve(problem, options, budget, greedy)
    if options.effort == "exact" and provable:
        found = prove_best(problem, found, options, budget.deadline)
    proved = found.cost <= problem.round_up(found.bound)
    recoding = Recoding(
        in_time=proved or not is_over(deadline),
        vector=None,
        suppressed=found.suppressed,
        rows_suppressed=int(found.suppressed.sum()),
        tuples=release_classes(problem.costs.ancestors, found.classes, lattice.bottom),
    )
    optimality = Optimality(
        objective=objective,
        reached=reach(frequency, recoding, weights, objective),
        bound=problem.costs.measure(found.bound, problem.rows),
        proved=proved,
        evaluated=found.vectors,
        duals=found.duals,
        beyond=_beyond_duals(problem, found),
    )
    return replace(recoding, optimality=optimality)


def _run_greedy(
    frequency: FrequencyList, problem: Problem, options: SearchOptions, budget: Budget
) -> GreedyResult:
    """Run the greedy, once for searches that differ in the rows that may be suppressed only."""
    if options.shared is None:
        return run_greedy(problem, budget)
    weights = options.weights_of(frequency)
    key = "greedy", problem.k, problem.lattice, weights, options.objective
    return options.shared.once(frequency, key, lambda: run_greedy(problem, budget), budget.deadline)


def _beyond_duals(problem: Problem, found: Solution) -> Fraction | None:
    """Return the cost proved beyond the duals, in suppressed cells of weight 1."""
    duals = found.duals
    if duals is not None:
        proved = int(duals.values @ problem.counts) - problem.allowance * duals.price
        if found.bound <= problem.round_up(proved):
            return None
    return Fraction(found.bound, problem.costs.scale)
