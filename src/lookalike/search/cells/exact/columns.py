"""Hold groups and columns: the classes that a release may consist of, with their costs."""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.lower_bound import Pool
from lookalike.kernels.set_partitioning import list_class_columns
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.search.cells.bound import walk_vectors
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
    ``is_class``: whether a column is a class; otherwise it is one suppressed row.
    """

    costs: Counts
    start: Counts
    sequence: Codes
    number: Counts
    is_class: Flags

    def __len__(self) -> int:
        return len(self.costs)

    def take(self, chosen: Codes | Counts) -> "Columns":
        """Return the chosen columns, in the given order; a column may occur repeatedly."""
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
            is_class=np.concatenate([self.is_class, other.is_class]),
        )


@dataclass(frozen=True, eq=False)
class Groups:
    """Closed groups: tuples that cover at least k rows and are the join of these rows.

    A class is released as the join of its rows. For any generalized tuple there is a closed one
    that covers the same rows and costs no more. So a proof needs to consider closed groups
    only.

    ``levels``: the level of each attribute, one row per group.
    ``costs``: the cost of a row of each group.
    ``start``: where the members of each group begin, and the end of the last.
    ``members``: the sequences that the groups cover.
    """

    levels: Codes
    costs: Counts
    start: Counts
    members: Codes

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def pool(self) -> Pool:
        """The groups without their levels."""
        return Pool(self.start, self.members, self.costs)

    def part(self, begin: int, end: int) -> "Groups":
        """Return the groups of a range."""
        first, last = self.start[begin], self.start[min(end, len(self))]
        return Groups(
            levels=self.levels[begin:end],
            costs=self.costs[begin:end],
            start=self.start[begin : end + 1] - first,
            members=self.members[first:last],
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
    is_class = np.ones(len(rows), dtype=np.bool_)
    return Columns(costs, start, sequence, number, is_class)


def columns_of_classes(classes: Classes, costs: Counts) -> Columns:
    """Return classes as columns, given the cost of a row of each."""
    tidied = merge_entries(classes)
    return Columns(
        costs=costs * classes.sizes(),
        start=np.searchsorted(tidied.class_of, np.arange(len(classes) + 1)),
        sequence=tidied.sequence,
        number=tidied.counts,
        is_class=np.ones(len(classes), dtype=np.bool_),
    )


def columns_of_suppression(sequences: Counts, cost: int) -> Columns:
    """Return a column for the suppression of one row, for each of the given sequences."""
    return Columns(
        costs=np.full(len(sequences), cost, dtype=np.int64),
        start=np.arange(len(sequences) + 1),
        sequence=sequences.astype(np.int32),
        number=np.ones(len(sequences), dtype=np.int64),
        is_class=np.zeros(len(sequences), dtype=np.bool_),
    )


def classes_of(columns: Columns, times: Counts) -> Classes:
    """Return the classes of a release that takes each column a given number of times."""
    taken = columns.take(np.repeat(np.arange(len(columns)), times * columns.is_class))
    class_of = np.repeat(np.arange(len(taken), dtype=np.int32), np.diff(taken.start))
    return Classes(class_of, taken.sequence, taken.number)


def enumerate_groups(problem: Problem, deadline: float = math.inf) -> Groups:
    """Find all closed groups of a problem, by rising cost, then by vector and first member."""
    whole = np.full(len(problem.counts), float(problem.costs.suppressed))
    nothing = np.empty(0, dtype=np.int64)
    levels, costs, lengths = [np.empty((0, len(problem.bottom)), np.int32)], [nothing], [nothing]
    members, held = [nothing.astype(np.int32)], 0
    for part in walk_vectors(problem, whole, problem.k, np.inf, Budget(deadline=deadline)):
        held += len(part.rows)
        if held > MOST_LISTED_MEMBERS:
            raise TooLarge("the table is too large to list all of its groups")
        sizes = np.bincount(part.group_of)
        levels.append(np.tile(np.array(part.vector, dtype=np.int32), (len(sizes), 1)))
        costs.append(part.paid)
        lengths.append(sizes)
        members += np.split(
            part.rows[np.argsort(part.group_of, kind="stable")], np.cumsum(sizes)[:-1]
        )
    first = np.array([group[0] for group in members[1:]], dtype=np.int64)
    of_groups, at = np.concatenate(costs), np.concatenate(levels)
    order = np.lexsort((first, *at.T[::-1], of_groups))
    return Groups(
        levels=at[order],
        costs=of_groups[order],
        start=np.concatenate([[0], np.cumsum(np.concatenate(lengths)[order])]),
        members=np.concatenate([members[0], *(members[1 + group] for group in order)]),
    )


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
            raise TooLarge("there are too many candidate classes to list")
        costs_found.append(some.costs[group_of] * (rows >= 0).sum(axis=1))
        rows_found.append(rows)
    return columns_of_rows(np.concatenate(costs_found), np.concatenate(rows_found))
