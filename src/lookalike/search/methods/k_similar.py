"""k-Similar: cluster the most similar rows, and generalize each class by itself."""

from dataclasses import replace

from lookalike.errors import Infeasible
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.measures.precision import add_up_loss
from lookalike.model.recoding import Optimality, Recoding, check_released
from lookalike.model.requirement import Requirement
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.search.cells.bound.bound_without_release import bound_without_release
from lookalike.search.cells.classes import Classes, release_classes
from lookalike.search.cells.construction.cluster_rows import cluster_rows
from lookalike.search.cells.construction.ground_sequences import (
    GroundSequences,
    lay_out_ground,
    split_into_sequences,
)
from lookalike.search.cells.costs import cost_cells
from lookalike.search.cells.decoys import decoyed
from lookalike.search.cells.improvement.suppress_costly import (
    fill_up,
    set_outliers_aside,
    suppress_costly,
)
from lookalike.search.cells.improvement.swap_between_classes import swap_between_classes
from lookalike.search.cells.satisfy.satisfy import satisfying
from lookalike.search.cells.solve import pose
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method

LOOSEN = "loosen the constraints or lower k"
"""The remedy if every row would be suppressed."""


@method(
    "k-similar",
    Takes(
        level_bounds=True,
        bound=True,
        persons=True,
        protections=True,
        lottery=True,
        cells=True,
        decoys=True,
    ),
)
@decoyed
@satisfying
def k_similar(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Cluster the most similar rows, and generalize each class no more than needed.

    *k-anonymity: a model for protecting privacy* names k-Similar beside Datafly and µ-Argus and
    does not describe it, so this is a reconstruction from the name. The distance of two rows is
    the loss of a row by Prec at their join, the least generalized tuple that covers both. Rows
    are grouped with the nearest rows into classes of k to 2 k - 1, the cheapest class first.
    Then rows move to other classes or change places while that lowers the total loss. Each
    class is released as its join.

    With MaxSup, rows are suppressed if that lowers the total loss; a suppressed row loses
    everything. With bounds on levels, rows that have no k - 1 similar rows at the greatest
    levels must be suppressed.

    The method proves nothing by itself. With `bound`, duals are computed that bound the
    precision of any release at the cell level.
    """
    deadline = deadline_after(options.time_limit)
    lattice = _lattice(frequency, requirement, options)
    k, allowance = requirement.largest_k, requirement.allowance(frequency.rows)
    costs = cost_cells(frequency, options.weights_of(frequency))
    lower, everything = lay_out_ground(frequency, costs, lattice)
    ground = set_outliers_aside(everything, k)
    outliers = frequency.rows - int(ground.counts.sum())
    _check_outliers(frequency, outliers, allowance, k)
    classes = _cluster(ground, requirement, outliers, allowance, deadline)
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
    return replace(recoding, optimality=_prove(frequency, lattice, recoding, k, options, deadline))


def _prove(
    frequency: FrequencyList,
    lattice: Lattice,
    recoding: Recoding,
    k: int,
    options: SearchOptions,
    deadline: float,
) -> Optimality:
    """Prove a bound on the precision of any release at the cell level.

    No dual value exceeds the cost of a suppressed row, so the bound holds for every MaxSup.
    """
    weights = options.weights_of(frequency)
    problem = pose(frequency, lattice, weights, k, 0)
    duals, vectors = bound_without_release(problem, options, deadline)
    bound = int(duals.values @ problem.counts)
    cost = int(add_up_loss(frequency, recoding, weights) * duals.scale)
    return Optimality(
        objective="precision",
        reached=problem.costs.precision(cost, frequency.rows),
        bound=problem.costs.precision(bound, frequency.rows),
        proved=cost <= problem.round_up(bound),
        evaluated=vectors,
        duals=duals,
    )


def _cluster(
    ground: GroundSequences,
    requirement: Requirement,
    outliers: int,
    allowance: int,
    deadline: float,
) -> Classes:
    """Cluster the rows, improve the classes, and suppress expensive rows.

    If suppressed rows are kept blank and would number fewer than k, only outliers are suppressed.
    """
    k = requirement.largest_k
    classes, near = cluster_rows(ground, k, deadline)
    classes = swap_between_classes(ground, classes, near, k, deadline)
    left = suppress_costly(ground, classes, near, k, allowance - outliers, deadline)
    gone = outliers + int(classes.counts.sum() - left.counts.sum())
    return classes if requirement.suppressed_rows == "blank" and gone < k else left


def _lattice(frequency: FrequencyList, requirement: Requirement, options: SearchOptions) -> Lattice:
    """Return the levels that cells may have."""
    requirement.check_feasible(frequency.rows)
    lattice, _ = options.lattice_of(frequency)
    check_labels(frequency, lattice)
    return lattice


def _check_outliers(frequency: FrequencyList, outliers: int, allowance: int, k: int) -> None:
    """Raise if more rows must be suppressed at the greatest levels than may be."""
    if outliers > allowance:
        raise Infeasible(
            f"{outliers:,} of {frequency.rows:,} rows are in classes below k = {k:,} even at the "
            f"greatest levels that the constraints allow, and only {allowance:,} may be "
            "suppressed; loosen the constraints, raise max_suppressed, or lower k"
        )
    check_released(frequency.rows, frequency.rows - outliers, LOOSEN)
