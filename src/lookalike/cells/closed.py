"""Closed groups: the generalized tuples that a class of rows can be released as."""

import math
import time
from dataclasses import dataclass

import numpy as np

from lookalike.cells.costs import Costs
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.closed import find_closed
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Lattice

BLOCK = 4096
"""So many vectors are looked at between two looks at the clock."""


class OutOfTime(Exception):
    """The time that was given is used up; whoever gave it knows what is left to do."""


def look_at_clock(deadline: float) -> None:
    """Stop if a moment of the monotonic clock has passed."""
    if time.monotonic() > deadline:
        raise OutOfTime


@dataclass(frozen=True, eq=False)
class Groups:
    """The closed groups: tuples that cover at least k rows and are the join of what they cover.

    A class is released as the join of its rows, and any generalized tuple covers what a
    closed one covers that costs no more. So they are all that a proof has to look at.

    Parameters
    ----------
    levels
        One line a group: the level of each attribute.
    costs
        What a row costs in each group.
    start
        Where the members of each group begin; one more for the end.
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
        """Return some of the groups."""
        first, last = self.start[begin], self.start[min(end, len(self))]
        return Groups(
            levels=self.levels[begin:end],
            costs=self.costs[begin:end],
            start=self.start[begin : end + 1] - first,
            members=self.members[first:last],
        )


def close_groups(
    counts: Counts, costs: Costs, lattice: Lattice, k: int, deadline: float = math.inf
) -> Groups:
    """Find all closed groups within a lattice, by rising cost.

    Parameters
    ----------
    counts
        The number of rows of each sequence.
    costs
        What cells cost.
    lattice
        The vectors that tuples may have.
    k
        How many rows a group must cover.
    deadline
        When to stop with `OutOfTime`.
    """
    bottom = np.array(lattice.bottom, dtype=np.int32)
    shape = [high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True)]
    levels, lengths, members = [], [], []
    for begin in range(0, lattice.size, BLOCK):
        look_at_clock(deadline)
        places = np.arange(begin, min(begin + BLOCK, lattice.size))
        vectors = np.stack(np.unravel_index(places, shape), axis=1).astype(np.int32) + bottom
        vector_of, start, covered = find_closed(costs.ancestors, counts, vectors, bottom, k)
        levels.append(vectors[vector_of])
        lengths.append(np.diff(start))
        members.append(covered)
    return _sort(costs, np.concatenate(levels), np.concatenate(lengths), np.concatenate(members))


def _sort(costs: Costs, levels: Codes, lengths: Counts, members: Codes) -> Groups:
    """Put groups in the order of their costs."""
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
