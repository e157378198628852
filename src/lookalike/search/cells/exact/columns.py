"""Columns: the classes that a release may be put together from, and what they cost."""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.set_partitioning import list_class_columns
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.exact.enumerate_groups import Groups
from lookalike.search.cells.problem import Problem

GROUPS_PER_BLOCK = 512
"""So many groups are searched for columns between two looks at the clock."""
MOST_LISTING_STEPS = 200_000_000
"""Listing columns is given up after so many steps."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Multisets of rows: each may become a class, or its one row may be suppressed.

    Parameters
    ----------
    costs
        What the rows of each column cost together.
    start
        Where the entries of each column begin; one more for the end.
    sequence
        The sequence of each entry.
    number
        The number of rows of each entry.
    is_class
        Whether a column is a class; else it is one suppressed row.
    """

    costs: Counts
    start: Counts
    sequence: Codes
    number: Counts
    is_class: Flags

    def __len__(self) -> int:
        return len(self.costs)

    def take(self, chosen: Codes | Counts) -> "Columns":
        """Return some of the columns."""
        lengths = np.diff(self.start)[chosen]
        start = np.concatenate([[0], np.cumsum(lengths)])
        entries = np.arange(start[-1]) + np.repeat(self.start[chosen] - start[:-1], lengths)
        return Columns(
            costs=self.costs[chosen],
            start=start,
            sequence=self.sequence[entries],
            number=self.number[entries],
            is_class=self.is_class[chosen],
        )

    def spread(self, sequences: int) -> Codes:
        """Return the rows of each sequence in each column, one line a column."""
        taken = np.zeros((len(self), sequences), dtype=np.int32)
        taken[np.repeat(np.arange(len(self)), np.diff(self.start)), self.sequence] = self.number
        return taken

    def join(self, other: "Columns") -> "Columns":
        """Return the columns of both."""
        return Columns(
            costs=np.concatenate([self.costs, other.costs]),
            start=np.concatenate([self.start, self.start[-1] + other.start[1:]]),
            sequence=np.concatenate([self.sequence, other.sequence]),
            number=np.concatenate([self.number, other.number]),
            is_class=np.concatenate([self.is_class, other.is_class]),
        )


def columns_of_rows(costs: Counts, rows: Codes) -> Columns:
    """Return columns of classes that are given row by row, one line each, -1 after the last.

    Examples
    --------
    >>> columns = columns_of_rows(np.array([4, 9]), np.array([[0, 0, -1], [2, 1, 2]]))
    >>> columns.spread(3).tolist()
    [[2, 0, 0], [0, 1, 2]]
    """
    column, place = np.nonzero(rows >= 0)
    sequences = int(rows.max(initial=0)) + 1
    keys, number = np.unique(column * sequences + rows[column, place], return_counts=True)
    start = np.searchsorted(keys, np.arange(len(rows) + 1) * sequences)
    sequence = (keys % sequences).astype(np.int32)
    is_class = np.ones(len(rows), dtype=np.bool_)
    return Columns(costs, start, sequence, number, is_class)


def columns_of_classes(classes: Classes, costs: Counts) -> Columns:
    """Return classes as columns, given what a row of each costs."""
    tidied = merge_entries(classes)
    return Columns(
        costs=costs * classes.sizes(),
        start=np.searchsorted(tidied.class_of, np.arange(len(classes) + 1)),
        sequence=tidied.sequence,
        number=tidied.counts,
        is_class=np.ones(len(classes), dtype=np.bool_),
    )


def columns_of_suppression(sequences: Counts, cost: int) -> Columns:
    """Return a column for the suppression of one row of each of some sequences."""
    return Columns(
        costs=np.full(len(sequences), cost, dtype=np.int64),
        start=np.arange(len(sequences) + 1),
        sequence=sequences.astype(np.int32),
        number=np.ones(len(sequences), dtype=np.int64),
        is_class=np.zeros(len(sequences), dtype=np.bool_),
    )


def classes_of(columns: Columns, times: Counts) -> Classes:
    """Return the classes that result if each column of a class is taken so many times."""
    taken = columns.take(np.repeat(np.arange(len(columns)), times * columns.is_class))
    class_of = np.repeat(np.arange(len(taken), dtype=np.int32), np.diff(taken.start))
    return Classes(class_of, taken.sequence, taken.number)


def columns_within(
    problem: Problem, groups: Groups, values: Counts, gap: int, deadline: float = math.inf
) -> Columns:
    """List the columns of classes that cost little more than their rows' values.

    A release costs the values of all rows and, on top, what each of its classes exceeds its
    own: so one that exceeds them by no more than the gap has no class that does.

    Parameters
    ----------
    problem
        The problem; no class needs more than 2k - 1 rows, since it can be divided.
    groups
        All closed groups.
    values
        The value of a row of each sequence.
    gap
        How much more.
    deadline
        When to stop.

    Raises
    ------
    OutOfTime
        After the deadline, and if there are too many.
    """
    budget = MOST_LISTING_STEPS
    costs_found = [np.zeros(0, dtype=np.int64)]
    rows_found = [np.zeros((0, 2 * problem.k - 1), dtype=np.int32)]
    for begin in range(0, len(groups), GROUPS_PER_BLOCK):
        stop_if_over(deadline)
        some = groups.part(begin, begin + GROUPS_PER_BLOCK)
        group_of, rows, steps = list_class_columns(
            problem.costs.ancestors,
            problem.bottom,
            some.levels,
            some.costs,
            some.start,
            some.members,
            problem.counts,
            values,
            problem.k,
            gap,
            budget,
        )
        budget -= steps
        if budget < 0:
            raise TooLarge("too many classes come into question")
        costs_found.append(some.costs[group_of] * (rows >= 0).sum(axis=1))
        rows_found.append(rows)
    return columns_of_rows(np.concatenate(costs_found), np.concatenate(rows_found))
