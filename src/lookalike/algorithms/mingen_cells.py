"""MinGen at the cell level: minimal distortion, with a proof of how close to the optimum it is."""

from dataclasses import replace

from lookalike.cells.classes import release_classes
from lookalike.cells.costs import cost_cells
from lookalike.cells.exact import solve_exactly
from lookalike.cells.labels import check_labels
from lookalike.cells.problem import Problem
from lookalike.cells.search import Solution, pose, solve
from lookalike.errors import InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.recoding import Optimality, Recoding
from lookalike.requirement import Requirement
from lookalike.search.options import DEFAULTS, SearchOptions


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
    _refuse_what_it_does_not_take(frequency, requirement, options)
    requirement.check_feasible(frequency.rows)
    lattice, conditions = options.lattice_of(frequency)
    if conditions:
        raise InvalidInput(
            f"constraints: mingen-cells takes bounds on levels, and {conditions[0].quantity!r} is "
            "not an attribute; use samarati"
        )
    check_labels(frequency, lattice)
    dropped = requirement.suppressed_rows == "drop"
    problem = pose(
        frequency,
        lattice,
        options.weights_of(frequency),
        requirement.largest_k,
        requirement.allowance(frequency.rows) if dropped else 0,
    )
    found = solve(problem, options)
    if options.effort == "exact":
        found = _prove(frequency, problem, found, options)
    return Recoding(
        vector=None,
        suppressed=found.suppressed,
        rows_suppressed=int(found.suppressed.sum()),
        tuples=release_classes(problem.costs.ancestors, found.classes, lattice.bottom),
        optimality=Optimality(
            objective="precision",
            reached=problem.costs.precision(found.cost, problem.rows),
            bound=problem.costs.precision(found.bound, problem.rows),
            proved=found.cost - found.bound < problem.unit,
            evaluated=found.vectors,
            duals=found.duals,
        ),
    )


def _prove(
    frequency: FrequencyList, problem: Problem, found: Solution, options: SearchOptions
) -> Solution:
    """Go on until nothing better can exist, or time is up.

    Where the values of rows alone do not prove it, branch and bound does, and then there are no
    values to check it by.
    """
    proved = solve_exactly(
        problem.counts,
        cost_cells(frequency, options.weights_of(frequency)),
        problem.lattice,
        problem.k,
        problem.allowance,
        start=found.classes,
        time_limit=options.time_limit,
        tell=options.tell,
    )
    by_values = proved.dual_bound == proved.bound
    return replace(
        found,
        classes=proved.classes,
        suppressed=proved.suppressed,
        cost=proved.cost * problem.unit,
        bound=max(found.bound, proved.bound * problem.unit),
        duals=proved.duals if by_values else None,
    )


def _refuse_what_it_does_not_take(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions
) -> None:
    """Refuse what would be left undone without a word."""
    if options.prefer:
        raise InvalidInput(
            "mingen-cells has one solution to offer and takes no prefer; use samarati or mingen"
        )
    if len(requirement.protected(frequency.attributes)) > 1:
        raise InvalidInput(
            "mingen-cells knows one quasi-identifier and no linking weights; use datafly, samarati "
            "or mingen"
        )
    if options.objective != "precision":
        raise InvalidInput(
            f"objective: mingen-cells makes precision best, not {options.objective}; use mingen"
        )
