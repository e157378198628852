"""A plain method at the cell level with a bound that can be proved, to make dossiers with."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np

import lookalike as la
from lookalike import algorithms, fields
from lookalike.cells.classes import Classes, release_classes
from lookalike.cells.costs import Costs, cost_cells
from lookalike.duals import Duals
from lookalike.frequency import FrequencyList
from lookalike.recoding import Optimality, Recoding
from lookalike.requirement import Requirement
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.tuples import Tuples

FINENESS = 3


def greedy(
    frequency: FrequencyList,
    requirement: Requirement,
    options: SearchOptions = DEFAULTS,
    price: int = 0,
) -> Recoding:
    """Close every group of k free rows, by rising cost; prove the simple bound.

    A row costs at least what the cheapest tuple costs that covers it and k rows. Rows that are
    left in the end are suppressed if they may be, and else join the last class. A price of
    suppression makes the bound weaker and no less true.
    """
    requirement.check_feasible(frequency.rows)
    weights, allowance = options.weights_of(frequency), requirement.allowance(frequency.rows)
    lattice, _ = options.lattice_of(frequency)
    costs, k = cost_cells(frequency, weights, FINENESS), requirement.k
    left, entries = frequency.counts.copy(), []
    values = np.full(len(frequency), costs.suppressed, dtype=np.int64)
    for vector in sorted(lattice, key=costs.of_vector):
        class_of, classes = frequency.classify(vector)
        here = costs.of_tuples(np.array(vector)[:, None], np.arange(len(frequency)))
        covered = classes.counts[class_of] >= k
        values = np.where(covered, np.minimum(values, here), values)
        free = np.bincount(class_of, left, minlength=len(classes))
        closed = np.flatnonzero((free[class_of] >= k) & (left > 0))
        entries += [(f"{vector} {class_of[one]}", one, left[one]) for one in closed]
        left[closed] = 0
    blank = requirement.suppressed_rows == "blank"
    if left.sum() > allowance or (blank and 0 < left.sum() < k):
        if not entries or lattice.top != frequency.heights:
            raise la.Infeasible("greedy leaves too many rows")
        entries += [(entries[-1][0], one, left[one]) for one in np.flatnonzero(left)]
        left[:] = 0
    tuples = _release(costs, entries, lattice.bottom)
    paid = costs.of_tuples(tuples.levels, tuples.sequence) @ tuples.counts
    cost = int(paid + costs.suppressed * left.sum())
    bound = int(values @ frequency.counts) - price * allowance
    least_difference = int(np.gcd.reduce(costs.steps, axis=None))
    return Recoding(
        vector=None,
        suppressed=left,
        rows_suppressed=int(left.sum()),
        allowance=allowance,
        optimality=Optimality(
            objective="precision",
            reached=costs.precision(cost, frequency.rows),
            bound=costs.precision(bound, frequency.rows),
            proved=not least_difference or cost - bound < least_difference,
            evaluated=lattice.size,
            duals=Duals(costs.scale, values, price),
        ),
        tuples=tuples,
    )


def _release(costs: Costs, entries: list, bottom: tuple[int, ...]) -> Tuples:
    """Release each class as its join, no lower than constraints allow."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(e[0] for e in entries))}
    tuples = release_classes(
        costs.ancestors,
        Classes(
            np.array([numbers[name] for name, _, _ in entries], dtype=np.int32),
            np.array([sequence for _, sequence, _ in entries], dtype=np.int32),
            np.array([rows for _, _, rows in entries], dtype=np.int64),
        ),
    )
    levels = np.maximum(tuples.levels, np.array(bottom, dtype=np.int32)[:, None])
    return Tuples(tuples.sequence, levels, tuples.counts)


@contextmanager
def greedy_known(method: Callable[..., Recoding] = greedy) -> Iterator[None]:
    """Let specifications name the method ``greedy``."""
    known = {**algorithms.ALGORITHMS, "greedy": method}
    with (
        mock.patch.object(fields, "ALGORITHMS", known),
        mock.patch.object(sys.modules["lookalike.release"], "ALGORITHMS", known),
    ):
        yield
