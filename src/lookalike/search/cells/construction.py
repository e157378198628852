"""Construct classes of at least k rows from nothing, by a greedy or from a fractional solution.

The greedy closes every group that still has k free rows, the cheapest vectors first. RoundedClasses
fixes the classes that a fractional solution, found with the bound, opens most. Rows without a
class are assigned to the class where they cost least.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.fix_classes import OpenClasses, RoundedClasses, fix_classes, join_nearest
from lookalike.kernels.grouping import group_at
from lookalike.kernels.lower_bound import climb, measure_slack
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime, is_over, stopping_at
from lookalike.model.lattice import Vector
from lookalike.search.cells.bound import MEMBER_WORK, RaisedValues, walk_vectors
from lookalike.search.cells.budget import UNLIMITED, Budget
from lookalike.search.cells.classes import Classes, merge_entries
from lookalike.search.cells.problem import FORBIDDEN, Problem

NO_TUPLE = int(np.iinfo(np.int64).max)
"""The cost of the cheapest tuple of a sequence that has none."""
DEEPER = 1.5
"""The factor by which the limit of cost rises in the search for the cheapest tuples."""
FEW = 0.001
"""The share of the sequences for which this search may stop early."""


BOUND_SECONDS, GREEDY_SECONDS = 10, 20
"""The work for the simple bound and for the greedy, about 30 s on one core together."""
VECTOR_WORK, PAIR_WORK = 2000, 1.5
"""The work of a vector beside that of its rows, and of comparing a row with a class."""
MOST_GREEDY_VECTORS = 1_000_000
"""The number of vectors after which the remaining rows are grouped at the highest levels."""
MOST_CELLS = 40_000_000
"""The same limit for many attributes, so that the queue of vectors fits into memory."""
FIXED_SHARE = 0.02
"""The share of the rows that is fixed in each step."""
PASSES, STEP = 20, 0.1
"""Passes over the groups before each step, and by how many units they raise values."""
GREATEST_EXCESS = 0.5
"""By how many units a row of a fixed class may cost more than its value, on average."""


@dataclass(frozen=True, eq=False)
class GreedyResult:
    """The classes of the greedy, and the simple bound.

    ``class_of``: the class of each sequence; -1 if it is in none.
    ``cheapest``: for each sequence the cost of the cheapest generalized tuple that covers it and at
    least k rows, or somewhat less: no row of it can cost less. ``NO_TUPLE`` if there is no such
    tuple.
    ``vectors``: the number of vectors that the greedy examined.
    """

    class_of: Codes
    cheapest: Counts
    vectors: int


def run_greedy(problem: Problem, budget: Budget = UNLIMITED) -> GreedyResult:
    """Find the simple bound, and run the greedy, each with its part of the budget."""
    cheapest = find_cheapest(problem, budget.part(BOUND_SECONDS))
    class_of, vectors = close_cheapest_first(problem, cheapest, budget.part(GREEDY_SECONDS))
    return GreedyResult(class_of, cheapest, vectors)


def close_cheapest_first(
    problem: Problem, cheapest: Counts, budget: Budget = UNLIMITED
) -> tuple[Codes, int]:
    """Close every group of k free rows by rising cost; return the classes and the vectors tried.

    If all tuples at a vector cost the same, a row is considered only from the cost of its cheapest
    tuple on. If there is not work enough for all vectors, some are left out; at the deadline, all
    but the last. The last vector is always tried, the one of the highest levels.
    """
    class_of = np.full(len(problem.counts), -1, dtype=np.int32)
    coverable = np.flatnonzero(cheapest < NO_TUPLE)
    least = cheapest if problem.costs.is_even else np.zeros_like(cheapest)
    waiting = coverable[np.argsort(least[coverable], kind="stable")].astype(np.int32)
    # In memory, sequences lie in the order in which they become free.
    ancestors, counts = problem.costs.ancestors.take(waiting, axis=2), problem.counts[waiting]
    least = least[waiting]
    free, begun, classes, tried, work = np.empty(0, dtype=np.int32), 0, 0, 0, budget.left
    for passed, cost, vector in _until(problem, budget.deadline):
        # More of the work is for the cheap vectors, where most of the rows find their class.
        if passed < 1 and work - budget.left > (1 - (1 - passed) ** 3) * work:
            continue
        upto = int(np.searchsorted(least, cost, side="right"))
        free = np.concatenate([free, np.arange(begun, upto, dtype=np.int32)])
        begun = upto
        if begun == len(waiting) and not len(free):
            break
        tried += 1
        budget.count(VECTOR_WORK + len(free), "putting rows into classes")
        group_of, _, rows = group_at(ancestors, problem.costs.sizes, vector, free, counts[free])
        closed = rows >= problem.k
        if closed.any():
            number = classes - 1 + np.cumsum(closed)
            taken = closed[group_of]
            class_of[waiting[free[taken]]] = number[group_of[taken]]
            classes, free = int(number[-1]) + 1, free[~taken]
    return class_of, tried


def _until(problem: Problem, deadline: float) -> Iterator[tuple[float, int, Vector]]:
    """Yield the vectors by rising cost, each after the share of the vectors before it.

    The last one, at the share 1, is the top; so is any after the deadline or very many vectors.
    """
    lattice = problem.lattice
    most = min(MOST_GREEDY_VECTORS, 1 + MOST_CELLS // len(lattice.top) ** 2, lattice.size - 1)
    for number, (cost, vector) in enumerate(problem.vectors):
        if number == most or is_over(deadline):
            yield 1, NO_TUPLE, lattice.top
            return
        yield number / most, cost, vector


def find_cheapest(problem: Problem, budget: Budget = UNLIMITED) -> Counts:
    """Find the cost of the cheapest tuple that covers each sequence and at least k rows.

    Each round examines the tuples up to a limit of cost that cover a sequence for which none is
    known yet; then the limit rises. The search stops when very few sequences are left, or at
    the end of the budget. The remaining sequences cost more than the limit of the last round that
    was finished, so the result for them is this limit plus 1.
    """
    cheapest = np.full(len(problem.counts), NO_TUPLE, dtype=np.int64)
    limit = 0
    known, reached = cheapest.copy(), 0
    while limit <= problem.costs.suppressed:
        unknown = np.flatnonzero(cheapest > limit)
        if len(unknown) <= FEW * len(cheapest):
            cheapest[unknown] = limit + 1
            break
        limit = max(problem.unit, limit + 1, int(limit * DEEPER))
        wanted = np.minimum(cheapest, limit + 1).astype(np.float64)
        try:
            # Of each group, the row of greatest `wanted` must gain 1 at least.
            for _, part in walk_vectors(problem, wanted, heads=1, margin=-1.0, budget=budget):
                rows, group_of, paid = part
                np.minimum.at(cheapest, rows, paid[group_of])
        except OutOfTime:
            return np.minimum(known, reached)
        known, reached = cheapest.copy(), limit + 1
    return cheapest


def round_solution(
    problem: Problem, raised: RaisedValues, budget: Budget = UNLIMITED
) -> tuple[Classes, Counts]:
    """Fix the classes of greatest share in a fractional solution, and solve for the rest again.

    A fixed class takes further rows at its cost. In the end, rows without a class join the
    cheapest class that covers them. The less the budget, the fewer and larger are the steps.
    """
    rounding, work = _begin_rounding(problem, raised), budget.left
    candidates = _solve_fractionally(problem, rounding, budget)
    # Groups only drop out, so no step costs more than the first.
    share = max(FIXED_SHARE, (work - budget.left) / work)
    quota = max(int(share * problem.rows), problem.k)
    excess = GREATEST_EXCESS * problem.unit
    while fix_classes(rounding, candidates, problem.k, quota, excess):
        candidates = _solve_fractionally(problem, rounding, budget)
    entries = slice(int(rounding.fixed[1]))
    covered = np.flatnonzero((rounding.left > 0) & (rounding.cover >= 0)).astype(np.int32)
    fixed = Classes(rounding.class_of[entries], rounding.sequence[entries], rounding.rows[entries])
    classes = fixed.extended(rounding.cover[covered], covered, rounding.left[covered])
    rounding.left[covered] = 0
    return classes, rounding.left


def _begin_rounding(problem: Problem, raised: RaisedValues) -> RoundedClasses:
    """Return a rounding without any class."""
    sequences, room = len(problem.counts), problem.rows + len(problem.counts)
    return RoundedClasses(
        values=raised.values.copy(),
        ceilings=np.full(sequences, np.inf),
        cover=np.full(sequences, -1, dtype=np.int32),
        left=problem.counts.copy(),
        pool=raised.pool,
        class_of=np.empty(room, dtype=np.int32),
        sequence=np.empty(room, dtype=np.int32),
        rows=np.empty(room, dtype=np.int64),
        fixed=np.zeros(2, dtype=np.int64),
    )


def _solve_fractionally(problem: Problem, rounding: RoundedClasses, budget: Budget) -> Codes:
    """Return the groups of a fractional solution for the rows left, greatest share first."""
    values, pool, k, step = rounding.values, rounding.pool, problem.k, STEP * problem.unit
    slack = measure_slack(values, rounding.left, pool, k)
    active = np.flatnonzero(slack < 12 * step).astype(np.int32)
    work = len(pool.members) + PASSES * pool.count_members(active)
    budget.spend(MEMBER_WORK * work, "rounding the fractional solution")
    shares = climb(values, rounding.ceilings, rounding.left, pool, active, k, step, PASSES)
    return active[np.argsort(-shares, kind="stable")]


def assign_leftovers(
    problem: Problem, classes: Classes, left: Counts, values: Reals, budget: Budget = UNLIMITED
) -> tuple[Classes, Counts]:
    """Assign rows that are in no class to the class where they cost least, or suppress them.

    Rows of the largest values come first, because they are the hardest to place. A row is
    suppressed if releasing it costs more and rows may still be suppressed.
    """
    suppressed = np.zeros(len(left), dtype=np.int64)
    sequences = np.repeat(np.arange(len(left), dtype=np.int32), left)
    if not len(sequences):
        return classes, suppressed
    sequences = sequences[np.argsort(-values[sequences], kind="stable")]
    suppressible = min(problem.allowance, len(sequences))
    most_added = problem.costs.suppressed if suppressible else FORBIDDEN
    joined = _join(problem, classes, sequences, most_added, budget)
    unplaced = np.flatnonzero(joined < 0)
    if len(unplaced) > suppressible:
        coverable = _join(problem, classes, sequences[unplaced], FORBIDDEN, budget) >= 0
        obliged = unplaced[np.argsort(coverable, kind="stable")][suppressible:]
        joined[obliged] = _join(problem, classes, sequences[obliged], FORBIDDEN, budget)
        unplaced = np.flatnonzero(joined < 0)
    if len(unplaced) > suppressible:
        raise Infeasible(
            f"{len(unplaced) - suppressible:,} rows cannot be put into a class of k = {problem.k} "
            "within the constraints; loosen them, or allow more suppressed rows (max_suppressed)"
        )
    np.add.at(suppressed, sequences[unplaced], 1)
    placed = np.flatnonzero(joined >= 0)
    ones = np.ones(len(placed), dtype=np.int64)
    return classes.extended(joined[placed], sequences[placed], ones), suppressed


def _join(
    problem: Problem, classes: Classes, sequences: Codes, most_added: int, budget: Budget
) -> Codes:
    """Choose the class of each row; -1 if every class costs too much."""
    levels, first = problem.join(classes), classes.first_sequences()
    zones = problem.zones
    zone_of = zones[first]
    by_zone = np.argsort(zone_of, kind="stable").astype(np.int32)
    begin = np.searchsorted(zone_of[by_zone], np.arange(zones.max() + 2))
    pairs = int(np.diff(begin)[zones[sequences]].sum())
    budget.spend(PAIR_WORK * pairs, "placing the remaining rows")
    costs, by_class = problem.row_costs(classes), np.ascontiguousarray(levels.T.astype(np.int32))
    homes = OpenClasses(first, by_class, classes.sizes(), costs, by_zone, begin)
    most = min(most_added, FORBIDDEN - 1)  # a level that is not allowed adds more than that
    with stopping_at(budget.deadline) as stop:
        joined = join_nearest(problem.cells, homes, zones, sequences, most, stop)
        if stop[0]:
            raise OutOfTime("the time is up")
    return joined


def divide_large(classes: Classes, k: int) -> Classes:
    """Divide every class of 2 k rows or more into classes of k up to 2 k - 1.

    The join of each part is at or below the join of the whole, so it costs no more. Rows of one
    sequence stay together where possible.
    """
    order = np.lexsort((classes.sequence, classes.class_of))
    rows = np.repeat(order, classes.counts[order])
    class_of, sizes = classes.class_of[rows], classes.sizes()
    place = np.arange(len(rows)) - (np.cumsum(sizes) - sizes)[class_of]
    part = np.minimum(place // k, sizes[class_of] // k - 1)  # the last part takes the remainder
    starts = np.append(True, (np.diff(class_of) != 0) | (np.diff(part) != 0))[: len(rows)]
    number = np.cumsum(starts, dtype=np.int32) - np.int32(1)
    ones = np.ones(len(rows), dtype=np.int64)
    return merge_entries(Classes(number, classes.sequence[rows], ones))
