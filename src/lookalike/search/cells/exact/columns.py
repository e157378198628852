"""Hold groups and columns: the classes that a release may consist of, with their costs."""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.lower_bound import gather_lists
from lookalike.kernels.set_partitioning import Groups, list_class_columns
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.search.cells.bound import pool_groups, walk_vectors
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.classes import Classes, merge_entries
from lookalike.search.cells.problem import Problem

GROUPS_PER_BLOCK = 512
"""The number of groups to search for columns between two checks of the deadline."""
MOST_LISTING_STEPS = 200_000_000
"""The number of steps after which the listing of columns is given up."""
MOST_LISTED_MEMBERS = 50_000_000
"""The greatest number of members of groups to hold in memory."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns: multisets of rows that may become a class, or one row that may be suppressed.

    ``costs``: the total cost of the rows of each column.
    ``start``: where the entries of each column begin, and the end of the last.
    ``number``: the number of rows of each entry.
    """

    costs: Counts
    start: Counts
    sequence: Codes
    number: Counts

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def is_class(self) -> Flags:
        """Whether each column is a class, of k rows or more; otherwise it is one suppressed row."""
        before = np.concatenate([[0], np.cumsum(self.number)])
        return np.diff(before[self.start]) > 1

    def take(self, chosen: Codes | Counts) -> "Columns":
        """Return the chosen columns, in the given order; a column may occur repeatedly."""
        entries, start = gather_lists(self.start, chosen)
        return Columns(self.costs[chosen], start, self.sequence[entries], self.number[entries])

    def spread(self, sequences: int) -> Codes:
        """Return the number of rows of each sequence in each column, one row per column."""
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
        )


def columns_of_rows(costs: Counts, rows: Codes) -> Columns:
    """Return columns for classes that are given as rows of sequences, filled up with -1.

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
    return Columns(costs, start, sequence, number)


def columns_of_classes(classes: Classes, costs: Counts) -> Columns:
    """Return classes as columns, given the cost of a row of each."""
    tidied = merge_entries(classes)
    start = np.searchsorted(tidied.class_of, np.arange(len(classes) + 1))
    return Columns(costs * classes.sizes(), start, tidied.sequence, tidied.counts)


def classes_of(columns: Columns, times: Counts) -> Classes:
    """Return the classes of a release that takes each column a given number of times."""
    taken = columns.take(np.repeat(np.arange(len(columns)), times * columns.is_class))
    class_of = np.repeat(np.arange(len(taken), dtype=np.int32), np.diff(taken.start))
    return Classes(class_of, taken.sequence, taken.number)


def enumerate_groups(problem: Problem, deadline: float = math.inf) -> Groups:
    """Find all closed groups of a problem, by rising cost, then by vector and first member."""
    whole = np.full(len(problem.counts), float(problem.costs.suppressed))
    vectors, parts, held = [], [], 0
    for vector, part in walk_vectors(problem, whole, problem.k, np.inf, Budget(deadline=deadline)):
        held += len(part[0])
        if held > MOST_LISTED_MEMBERS:
            raise TooLarge("the table is too large to list all of its groups")
        vectors += [vector] * len(part[2])
        parts.append(part)
    levels = np.array(vectors, dtype=np.int32).reshape(-1, len(problem.bottom))
    pool = pool_groups(parts)
    first = pool.members[pool.offsets[:-1]]
    return Groups(levels, pool).take(np.lexsort((first, *levels.T[::-1], pool.costs)))


def columns_within(
    problem: Problem, groups: Groups, values: Counts, gap: int, deadline: float = math.inf
) -> Columns:
    """List the columns of classes whose cost exceeds the values of their rows by at most a gap.

    The cost of a release is the sum of all values plus the excess of each of its classes. So a
    release that exceeds the sum by at most the gap has no class that exceeds its values by
    more.

    ``problem``: the problem; no class needs more than 2k - 1 rows, since it can be divided.
    """
    budget = MOST_LISTING_STEPS
    costs_found = [np.zeros(0, dtype=np.int64)]
    rows_found = [np.zeros((0, 2 * problem.k - 1), dtype=np.int32)]
    for begin in range(0, len(groups.levels), GROUPS_PER_BLOCK):
        stop_if_over(deadline)
        some = groups.take(np.arange(len(groups.levels))[begin : begin + GROUPS_PER_BLOCK])
        group_of, rows, steps = list_class_columns(
            problem.cells, some, problem.counts, values, problem.k, gap, budget
        )
        budget -= steps
        if budget < 0:
            raise TooLarge("there are too many candidate classes to list")
        costs_found.append(some.pool.costs[group_of] * (rows >= 0).sum(axis=1))
        rows_found.append(rows)
    return columns_of_rows(np.concatenate(costs_found), np.concatenate(rows_found))
