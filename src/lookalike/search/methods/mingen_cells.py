"""MinGen at the cell level: minimal distortion, with a proof of how close to the optimum it is."""

from fractions import Fraction

from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Optimality, Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.search.cells.classes import release_classes
from lookalike.search.cells.exact.prove_best import prove_best
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.solve import Solution, pose, solve
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method("mingen-cells", Takes(level_bounds=True, effort=True, bound=True))
def mingen_cells(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Return a release of least distortion in which rows may differ in their levels.

    It is Sweeney's MinGen (Achieving, Figure 5) as she meant it, deciding cell by cell: rows
    are divided into classes of at least k, each released as its join, so that Prec is as
    great as can be. The answer carries a bound that no release exceeds.

    Rows are suppressed only where that loses less than releasing them, though by Prec a
    suppressed row loses all: a row that has no like may cost its class more.
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
    bare = dropped or lattice.top == frequency.heights or not allowance
    found = _search(problem, options, deadline, exactly=bare)
    return Recoding(
        vector=None,
        suppressed=found.suppressed,
        rows_suppressed=int(found.suppressed.sum()),
        tuples=release_classes(problem.costs.ancestors, found.classes, lattice.bottom),
        optimality=Optimality(
            objective="precision",
            reached=problem.costs.precision(found.cost, problem.rows),
            bound=problem.costs.precision(found.bound, problem.rows),
            proved=found.cost <= problem.round_up(found.bound),
            evaluated=found.vectors,
            duals=found.duals,
            beyond=_beyond_duals(problem, found),
        ),
    )


def _search(
    problem: Problem, options: SearchOptions, deadline: float, *, exactly: bool
) -> Solution:
    """Search as hard as the effort says, all within the time limit.

    Where suppressed rows stay blank, none is suppressed. A row at the top loses as much, so
    nothing is better; but below it one might be, and then only the duals prove a bound.
    """
    found = solve(problem, options, deadline)
    if options.effort != "exact" or not exactly:
        return found
    return prove_best(problem, found, options, deadline)


def _beyond_duals(problem: Problem, found: Solution) -> Fraction | None:
    """Return what is proved beyond the duals, in suppressed cells of weight 1."""
    duals = found.duals
    if duals is not None:
        proved = int(duals.values @ problem.counts) - problem.allowance * duals.price
        if found.bound <= problem.round_up(proved):
            return None
    return Fraction(found.bound, problem.costs.scale)
