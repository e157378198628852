"""Improve: exchange rows between classes around groups that the values call promising."""

from collections.abc import Iterator

import numpy as np

from lookalike.cells.classes import Classes
from lookalike.cells.prices import Priced
from lookalike.cells.problem import Problem
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.exchange import exchange
from lookalike.kernels.grouping import Counts

HOT, COLD = 5.0, 0.5
"""The temperature at the beginning and at the end, in units of cost."""


def improve(
    problem: Problem,
    classes: Classes,
    priced: Priced,
    tries: int,
    turns: int,
) -> Iterator[Classes]:
    """Anneal classes of k to 2 k - 1 rows; give what each turn ends with.

    Parameters
    ----------
    problem
        The problem; no cell may be hidden below the top.
    classes
        Classes of k to 2 k - 1 rows.
    priced
        Values, and the groups where they call a class promising.
    tries
        How many exchanges to try in a turn.
    turns
        How many turns to take, each cooler than the one before.
    """
    state = _State(problem, classes)
    begin_of, groups = priced.pool.groups_of(len(problem.counts))
    for turn in range(turns):
        hot, cold = (HOT * (COLD / HOT) ** (part / turns) for part in (turn, turn + 1))
        _, _, state.spares = exchange(
            problem.ancestors,
            problem.steps,
            problem.bottom,
            priced.values,
            state.counts,
            problem.k,
            priced.pool.offsets,
            priced.pool.members,
            begin_of,
            groups,
            state.first_row,
            state.sequence_of,
            state.class_of,
            state.rows_of,
            state.sizes,
            state.costs,
            state.spare,
            state.spares,
            tries,
            hot * problem.unit,
            cold * problem.unit,
            float(problem.unit),
            turn,
        )
        yield state.classes()


class _State:
    """Classes as arrays of rows, which the compiled exchange changes in place."""

    def __init__(self, problem: Problem, classes: Classes) -> None:
        k = problem.k
        sizes = classes.sizes()
        room = int(sizes.sum()) // k + 1
        order = np.argsort(classes.sequence, kind="stable")
        self.sequence_of: Codes = np.repeat(classes.sequence[order], classes.counts[order])
        self.class_of: Codes = np.repeat(classes.class_of[order], classes.counts[order])
        self.counts: Counts = np.bincount(self.sequence_of, minlength=len(problem.counts))
        self.first_row: Counts = np.cumsum(self.counts) - self.counts
        self.sizes: Codes = np.zeros(room, dtype=np.int32)
        self.sizes[: len(sizes)] = sizes
        by_class = np.argsort(self.class_of, kind="stable").astype(np.int32)
        begin = np.concatenate([[0], np.cumsum(sizes)])
        place = np.arange(len(by_class)) - begin[self.class_of[by_class]]
        self.rows_of: Codes = np.zeros((room, 2 * k), dtype=np.int32)
        self.rows_of[self.class_of[by_class], place] = by_class
        self.costs: Counts = np.zeros(room, dtype=np.int64)
        self.costs[: len(sizes)] = problem.step_costs(problem.join(classes))
        self.spare: Codes = np.arange(2 * room, dtype=np.int32)
        self.spare[: room - len(sizes)] = np.arange(len(sizes), room)
        self.spares = room - len(sizes)

    def classes(self) -> Classes:
        """Return the classes as they are now."""
        _, class_of = np.unique(self.class_of, return_inverse=True)
        order = np.lexsort((self.sequence_of, class_of))
        class_of, sequence = class_of[order], self.sequence_of[order]
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (class_of[1:] != class_of[:-1]) | (sequence[1:] != sequence[:-1])
        start = np.flatnonzero(new)
        return Classes(
            class_of[start].astype(np.int32),
            sequence[start].astype(np.int32),
            np.diff(np.append(start, len(order))).astype(np.int64),
        )
