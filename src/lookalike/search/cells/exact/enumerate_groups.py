"""List all closed groups: the generalized tuples that a class can be released as."""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.closed_groups import find_closed
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import TooLarge, stop_if_over
from lookalike.search.cells.costs import Costs
from lookalike.search.cells.problem import Problem

SEQUENCES_PER_BLOCK = 4_000_000
"""The number of sequences to group between two checks of the deadline."""
MOST_LISTED_MEMBERS = 50_000_000
"""The greatest number of members of groups to hold in memory."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Closed groups: tuples that cover at least k rows and are the join of these rows.

    A class is released as the join of its rows. For any generalized tuple there is a closed one
    that covers the same rows and costs no more. So a proof needs to consider closed groups
    only.

    Parameters
    ----------
    levels
        The level of each attribute, one row per group.
    costs
        The cost of a row of each group.
    start
        Where the members of each group begin, and the end of the last.
    members
        The sequences that the groups cover.
    """

    levels: Codes
    costs: Counts
    start: Counts
    members: Codes

    def __len__(self) -> int:
        return len(self.costs)

    def part(self, begin: int, end: int) -> "Groups":
        """Return the groups of a range."""
        first, last = self.start[begin], self.start[min(end, len(self))]
        return Groups(
            levels=self.levels[begin:end],
            costs=self.costs[begin:end],
            start=self.start[begin : end + 1] - first,
            members=self.members[first:last],
        )


def enumerate_groups(problem: Problem, deadline: float = math.inf) -> Groups:
    """Find all closed groups of a problem, by rising cost."""
    counts, costs, lattice = problem.counts, problem.costs, problem.lattice
    block = max(1, SEQUENCES_PER_BLOCK // len(counts))
    shape = [high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True)]
    levels, lengths, members, held = [], [], [], 0
    for begin in range(0, lattice.size, block):
        stop_if_over(deadline)
        places = np.arange(begin, min(begin + block, lattice.size))
        vectors = np.stack(np.unravel_index(places, shape), axis=1).astype(np.int32)
        vectors += problem.bottom
        vector_of, start, covered = find_closed(
            costs.ancestors, counts, vectors, problem.bottom, problem.k
        )
        held += len(covered)
        if held > MOST_LISTED_MEMBERS:
            raise TooLarge("the table is too large to list all of its groups")
        levels.append(vectors[vector_of])
        lengths.append(np.diff(start))
        members.append(covered)
    return _sort(costs, np.concatenate(levels), np.concatenate(lengths), np.concatenate(members))


def _sort(costs: Costs, levels: Codes, lengths: Counts, members: Codes) -> Groups:
    """Sort groups by rising cost."""
    start = np.concatenate([[0], np.cumsum(lengths)])
    of_groups = costs.of_tuples(levels.T, members[start[:-1]])
    order = np.argsort(of_groups, kind="stable")
    pieces = [members[start[group] : start[group + 1]] for group in order]
    return Groups(
        levels=levels[order],
        costs=of_groups[order],
        start=np.concatenate([[0], np.cumsum(lengths[order])]),
        members=np.concatenate([*pieces, members[:0]]),
    )
