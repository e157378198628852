"""k-Similar: cluster the most similar rows, and generalize each class by itself."""

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.swaps import Board
from lookalike.kernels.types import Codes, Counts
from lookalike.model.cell_costs import add_up_cost
from lookalike.model.clock import OutOfTime, deadline_after, is_over
from lookalike.model.complementary_suppression import spread_over_sequences, suppress_complementary
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import reach
from lookalike.model.membership import Membership
from lookalike.model.progress import Announce
from lookalike.model.proved_bound import Duals
from lookalike.model.recoding import Optimality, Recoding, check_released
from lookalike.model.requirement import Requirement
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.search.cells.bound import prove_values, raise_values
from lookalike.search.cells.budget import UNLIMITED, Budget
from lookalike.search.cells.classes import Classes, merge_entries, release_classes
from lookalike.search.cells.clustering import (
    GroundSequences,
    cluster_rows,
    lay_out_ground,
    split_into_sequences,
)
from lookalike.search.cells.construction import run_greedy
from lookalike.search.cells.costs import cost_finely
from lookalike.search.cells.improvement import lay_board, read_board, swap_between_classes
from lookalike.search.cells.keep import keeping
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.satisfy.satisfy import satisfying
from lookalike.search.cells.solve import PROVE_SECONDS, RAISE_SECONDS, pose
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method

LOOSEN = "loosen the constraints or lower k"
"""The remedy if every row would be suppressed."""


@method(
    "k-similar",
    Takes.of(
        "level_bounds keep loss bound persons protections lottery cells decoys",
        result="classes of similar rows, each with its own levels",
        meaning="Groups similar rows, and shows what the rows of a group share.",
    ),
)
@keeping
@satisfying
def k_similar(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Cluster the most similar rows, and generalize each class no more than needed.

    *k-anonymity: a model for protecting privacy* names k-Similar beside Datafly and µ-Argus and
    does not describe it, so this is a reconstruction from the name. The distance of two rows is
    the cost of a row at their join, the least generalized tuple that covers both, by the
    objective. Rows are grouped with the nearest rows into classes of k to 2 k - 1, the cheapest
    class first. Then rows move to other classes or change places while that lowers the total
    loss. Each class is released as its join.

    With MaxSup, rows are suppressed if that lowers the total loss; a suppressed row loses
    everything. With bounds on levels, rows that have no k - 1 similar rows at the greatest
    levels must be suppressed.

    The method proves nothing by itself. With `bound`, duals are computed that bound the
    objective of any release at the cell level.
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    lattice, _ = options.lattice_of(frequency)
    check_labels(frequency, lattice)
    k, allowance = requirement.largest_k, requirement.allowance(frequency.rows)
    costs = cost_finely(frequency, options.weights_of(frequency), options.objective)
    lower, everything = lay_out_ground(frequency, costs, lattice)
    ground = set_outliers_aside(everything, k)
    outliers = frequency.rows - int(ground.counts.sum())
    _check_outliers(frequency, outliers, allowance, k)
    classes = _cluster(ground, requirement, outliers, allowance, options.announce, deadline)
    rows_suppressed, complementary = frequency.rows - int(classes.counts.sum()), 0
    if requirement.suppressed_rows == "blank" and 0 < rows_suppressed < k:
        classes = fill_up(classes, k, k - rows_suppressed)
        complementary = frequency.rows - rows_suppressed - int(classes.counts.sum())
        released_rows = frequency.rows - rows_suppressed - complementary
        check_released(frequency.rows, released_rows, LOOSEN)
    released = split_into_sequences(classes, lower, frequency.counts)
    tuples = release_classes(costs.ancestors, released, lattice.bottom)
    recoding = Recoding(
        in_time=not is_over(deadline),
        vector=None,
        suppressed=frequency.counts - tuples.rows_by_sequence(frequency),
        rows_suppressed=rows_suppressed,
        rows_complementary=complementary,
        allowance=allowance,
        tuples=tuples,
    )
    if not options.bound:
        return recoding
    return replace(recoding, optimality=_prove(frequency, recoding, k, options, deadline))


def _prove(
    frequency: FrequencyList, recoding: Recoding, k: int, options: SearchOptions, deadline: float
) -> Optimality:
    """Prove a bound on the objective of any release at the cell level.

    No dual value exceeds the cost of a suppressed row, so the bound holds for every MaxSup.
    """
    weights = options.weights_of(frequency)
    lattice, objective = options.lattice_of(frequency)[0], options.objective
    problem = pose(frequency, lattice, weights, k, 0, objective)
    budget = Budget(deadline=deadline, announce=options.announce)
    duals, vectors = bound_without_release(problem, options, budget)
    bound = int(duals.values @ problem.counts)
    cost = add_up_cost(frequency, recoding, weights, duals.scale, objective)
    return Optimality(
        objective=objective,
        reached=reach(frequency, recoding, weights, objective),
        bound=problem.costs.measure(bound, frequency.rows),
        proved=cost <= problem.round_up(bound),
        evaluated=vectors,
        duals=duals,
    )


def _cluster(
    ground: GroundSequences,
    requirement: Requirement,
    outliers: int,
    allowance: int,
    announce: Announce,
    deadline: float,
) -> Classes:
    """Cluster the rows, improve the classes, and suppress expensive rows.

    If suppressed rows are kept blank and would number fewer than k, only outliers are suppressed.
    """
    k = requirement.largest_k
    announce("clustering rows")
    classes, near = cluster_rows(ground, k, deadline)
    announce(f"exchanging rows between {len(classes):,} classes")
    classes = swap_between_classes(ground, classes, near, k, deadline)
    left = suppress_costly(ground, classes, near, k, allowance - outliers, deadline)
    gone = outliers + int(classes.counts.sum() - left.counts.sum())
    return classes if requirement.suppressed_rows == "blank" and gone < k else left


def _check_outliers(frequency: FrequencyList, outliers: int, allowance: int, k: int) -> None:
    """Raise if more rows must be suppressed at the greatest levels than may be."""
    if outliers > allowance:
        raise Infeasible(
            f"{outliers:,} of {frequency.rows:,} rows are in classes below k = {k:,} even at the "
            f"greatest levels that the constraints allow, and only {allowance:,} may be "
            "suppressed; loosen the constraints, raise max_suppressed, or lower k"
        )
    check_released(frequency.rows, frequency.rows - outliers, LOOSEN)


def bound_without_release(
    problem: Problem, options: SearchOptions, budget: Budget = UNLIMITED
) -> tuple[Duals, int]:
    """Find values of rows that prove a bound, as good as the effort and the deadline allow.

    ``quick`` proves the simple bound: each row costs at least the cheapest tuple that covers
    it and k rows.
    """
    greedy = run_greedy(problem, budget)
    simple = np.minimum(greedy.cheapest, problem.costs.suppressed)
    if options.effort == "quick":
        return Duals(problem.costs.scale, simple), greedy.vectors
    with suppress(OutOfTime):
        raised = raise_values(problem, simple.astype(np.float64), budget.part(RAISE_SECONDS))
        duals = prove_values(problem, raised.values, budget.part(PROVE_SECONDS))
        if duals.values @ problem.counts > simple @ problem.counts:
            return duals, greedy.vectors
    return Duals(problem.costs.scale, simple), greedy.vectors


def set_outliers_aside(ground: GroundSequences, k: int) -> GroundSequences:
    """Leave out the rows of zones with fewer than k rows: outliers at the highest levels."""
    rows = np.bincount(ground.zones, ground.counts)
    return replace(ground, counts=np.where(rows[ground.zones] < k, 0, ground.counts))


def suppress_costly(
    ground: GroundSequences,
    classes: Classes,
    near: Codes,
    k: int,
    allowance: int,
    deadline: float = math.inf,
) -> Classes:
    """Leave out rows where that lowers the total cost, and improve the remaining classes.

    A suppressed row costs as much as a fully generalized one. All rows of a sequence leave their
    class if it keeps k rows and the total cost falls. The sequences with the greatest gain per
    row leave first, one per class at a time.
    """
    while not is_over(deadline):
        board = lay_board(ground, classes)
        leaving = _choose_leaving(board, ground.suppressed, k, allowance)
        if not len(leaving):
            break
        allowance -= int(board.rows[leaving].sum())
        board.rows[leaving] = 0
        classes = swap_between_classes(ground, read_board(board), near, k, deadline)
    return classes


def _choose_leaving(board: Board, suppressed: int, k: int, allowance: int) -> Counts:
    """Choose the entries to leave out: those of greatest gain per row, at most one per class."""
    used = np.flatnonzero(board.class_of >= 0)
    class_of, rows = board.class_of[used], board.rows[used]
    left = board.sizes[class_of] - rows
    then = left * board.rest_cost[used] + rows * suppressed
    gain = board.sizes[class_of] * board.cost[class_of] - then
    order = np.lexsort((used, -gain / rows))
    order = order[(gain[order] > 0) & (left[order] >= k)]
    order = order[np.sort(np.unique(class_of[order], return_index=True)[1])]
    return used[order[np.cumsum(rows[order]) <= allowance]]


def fill_up(classes: Classes, k: int, needed: int) -> Classes:
    """Leave out further rows, drawn at random, so that the blank rows number at least k.

    A class gives rows while k remain, otherwise all of them
    (:mod:`lookalike.model.complementary_suppression`).
    """
    sizes = classes.sizes()
    alone = Membership(np.arange(len(sizes), dtype=np.int32), k)
    given = suppress_complementary(sizes, np.zeros_like(sizes), [alone], needed)
    taken = spread_over_sequences(classes.counts, classes.class_of, sizes, given)
    return merge_entries(replace(classes, counts=classes.counts - taken))
