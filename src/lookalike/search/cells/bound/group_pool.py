"""Hold the groups that limit the values of rows, with the sequences that each covers."""

import math
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import TooLarge
from lookalike.search.cells.bound.walk_vectors import PartialGroups, walk_vectors
from lookalike.search.cells.problem import Problem

MOST_POOLED_MEMBERS = 100_000_000
"""The greatest number of members of groups to hold in memory."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Groups: generalized tuples that are the join of the sequences that they cover.

    Parameters
    ----------
    offsets
        Where the members of each group begin, and the end of the last.
    members
        The sequences that each group covers.
    costs
        The cost of a row that is released as the group's tuple.
    """

    offsets: Counts
    members: Codes
    costs: Reals

    def __len__(self) -> int:
        return len(self.costs)

    def groups_of(self, sequences: int, rank: Reals) -> tuple[Counts, Codes]:
        """Return where the groups of each sequence begin, and these groups by rising rank."""
        group = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        order = np.lexsort((rank[group], self.members))
        begin = np.zeros(sequences + 1, dtype=np.int64)
        begin[1:] = np.cumsum(np.bincount(self.members, minlength=sequences))
        return begin, group[order]


def find_pool(problem: Problem, values: Reals, margin: float, deadline: float = math.inf) -> Pool:
    """Find the groups whose k largest values average at least their cost less a margin.

    Parameters
    ----------
    problem
        The problem.
    values
        The value of one row of each sequence.
    margin
        How far the average may be below the cost.
    deadline
        When to stop with `OutOfTime`; it is also raised if the groups do not fit into memory.
    """
    found, members = [], 0
    for part in walk_vectors(problem, values, problem.k, margin, deadline):
        found.append(part)
        members += len(part.rows)
        if members > MOST_POOLED_MEMBERS:
            raise TooLarge("too many groups hold the values back")
    return _assemble(sorted(found, key=lambda part: int(part.paid[0])))


def _assemble(found: list[PartialGroups]) -> Pool:
    """Combine the groups of all vectors into one pool."""
    nothing = np.empty(0, dtype=np.int32)
    sizes = np.concatenate([nothing, *(np.bincount(part.group_of) for part in found)])
    members = [part.rows[np.argsort(part.group_of, kind="stable")] for part in found]
    return Pool(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.concatenate([nothing, *members]),
        costs=np.concatenate([nothing, *(part.paid for part in found)]).astype(np.float64),
    )
