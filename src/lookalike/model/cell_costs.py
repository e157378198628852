"""What cells cost in whole units, by the objective of a search at the cell level.

The objectives are *precision*, by which every level of a hierarchy costs the same (Achieving,
Definition 5), and *loss*, by which a cell costs what its label covers (Iyengar, *Transforming data
to satisfy privacy constraints*, 2002). Both rise along every hierarchy.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import SUPPRESSED_CELL

LevelCosts = Sequence[Counts]
"""The cost of a cell with each code, level by level; the last one is that of the top."""


def count_lost_leaves(bound: BoundHierarchy) -> tuple[LevelCosts, int]:
    """Count the leaves under each code without the one that is meant, and the most there can be.

    The loss of a cell is the first number divided by the second. A cell that is written as the
    suppressed value loses everything.

    Examples
    --------
    >>> from lookalike.hierarchy.bound import bind_paths
    >>> paths = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")]
    >>> lost, most = count_lost_leaves(bind_paths("letter", paths, "*"))
    >>> [one.tolist() for one in lost], most
    ([[0, 0, 0], [1, 0], [2]], 2)
    """
    most = max(int(bound.leaves[-1].sum()) - 1, 1)
    everything = int(bound.most_lost) * most
    levels = zip(bound.leaves, bound.hidden, strict=True)
    return [np.where(hidden, everything, leaves - 1) for leaves, hidden in levels], most


def cost_levels(bound: BoundHierarchy, full: int, objective: str) -> LevelCosts:
    """Return what cells of an attribute cost if a suppressed cell costs `full` units.

    By precision, `full` must be a multiple of the height. By loss, costs are rounded down to whole
    units: that keeps their order, and a bound on rounded costs is a bound on the true ones.
    """
    if objective == "loss":
        lost, most = count_lost_leaves(bound)
        if full * most >= 1 << 62:  # beyond 64 bits
            lost = [one.astype(np.object_) for one in lost]
        return [(full * one // most).astype(np.int64) for one in lost]
    step = full // max(bound.height, 1) if bound.height else 0
    levels = enumerate(bound.hidden)
    return [np.where(hidden, step * bound.height, step * level) for level, hidden in levels]


def add_up_cost(
    frequency: FrequencyList,
    recoding: Recoding,
    weights: Sequence[Decimal],
    scale: int,
    objective: str,
) -> int:
    """Return the cost of a recoding, if a suppressed cell of weight 1 costs `scale` units."""
    total = 0
    for attribute, weight in enumerate(weights):
        full = int(Fraction(weight) * scale)
        costs = cost_levels(frequency.hierarchies[attribute], full, objective)
        total += add_up_cells(frequency, recoding, attribute, costs)
    return total


def add_up_cells(
    frequency: FrequencyList,
    recoding: Recoding,
    attribute: int,
    costs: LevelCosts,
    counted: Counts | None = None,
) -> int:
    """Return the cost of the cells of one attribute; a suppressed cell costs as much as the top.

    ``counted``: 1 for each sequence whose cells count, else 0; by default all of them do.
    """
    tuples, hierarchy = recoding.released(frequency), frequency.hierarchies[attribute]
    codes = frequency.codes[attribute]
    chosen = np.ones(len(codes), dtype=np.int64) if counted is None else counted
    total = int(costs[-1].max()) * int(recoding.suppressed @ chosen)
    for level, here in tuples.by_level(attribute):
        sequence = tuples.sequence[here]
        rows = tuples.counts[here] * chosen[sequence]
        if level == SUPPRESSED_CELL:
            total += int(costs[-1].max()) * int(rows.sum())
            continue
        shown = hierarchy.lift(frequency.vector[attribute], level)[codes[sequence]]
        total += int(costs[level][shown] @ rows)
    return total
