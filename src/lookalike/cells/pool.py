"""Pool: generalized tuples that matter, with the sequences that each covers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from lookalike.cells.closed import look_at_clock
from lookalike.cells.costs import Costs
from lookalike.cells.parallel import map_in_order
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts, pack_ancestors
from lookalike.kernels.tight import Values, find_tight, gather
from lookalike.lattice import Vector


@dataclass(frozen=True, eq=False)
class Pool:
    """Groups: generalized tuples that are the join of the sequences that they cover.

    Parameters
    ----------
    offsets
        Where the members of each group begin, and where the last ones end.
    members
        The sequences that each group covers.
    costs
        What a row costs that is released as the group's tuple.
    levels
        One line a group: its level vector.
    looked_at
        The number of vectors that were looked at to find the groups.
    """

    offsets: Counts
    members: Codes
    costs: Values
    levels: Codes
    looked_at: int

    def __len__(self) -> int:
        return len(self.costs)

    def groups_of(self, sequences: int, rank: Values) -> tuple[Counts, Codes]:
        """Return where the groups of each sequence begin, and those groups by rising rank."""
        group = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        order = np.lexsort((rank[group], self.members))
        begin = np.zeros(sequences + 1, dtype=np.int64)
        begin[1:] = np.cumsum(np.bincount(self.members, minlength=sequences))
        return begin, group[order]


@dataclass(frozen=True, eq=False)
class _Found:
    """The groups that were found at one vector."""

    sizes: Codes
    members: Codes
    costs: Counts
    levels: Codes


def find_pool(
    vectors: Iterable[tuple[int, Vector]],
    costs: Costs,
    bottom: Vector,
    counts: Counts,
    values: Values,
    k: int,
    margin: float,
    deadline: float = math.inf,
) -> Pool:
    """Find the groups whose k largest values average to their cost, less a margin at most.

    A vector that costs more than the largest value and the margin has none, and neither have
    those after it.

    Parameters
    ----------
    vectors
        Level vectors with their least cost, by rising cost.
    costs
        What cells cost.
    bottom
        The lowest levels that are allowed.
    counts
        The number of rows of each sequence.
    values
        The value of one row of each sequence.
    k
        How many rows a class must have.
    margin
        How far the average may lie below the cost.
    deadline
        When to stop with `OutOfTime`.
    """
    order = np.argsort(-values, kind="stable").astype(np.int32)
    by_value, rows = values[order], counts[order]
    ancestors = np.ascontiguousarray(costs.ancestors[:, :, order])

    def look(candidate: tuple[int, Vector]) -> _Found | None:
        look_at_clock(deadline)
        cost, vector = candidate
        keys = pack_ancestors(ancestors, costs.sizes, vector, rows)
        paid = row_costs(costs, vector, cost, order)
        group_of, first, _ = find_tight(keys, rows, by_value, k, paid, margin)
        return _gather(costs, bottom, vector, order, group_of, first, paid) if len(first) else None

    within = takewhile(lambda candidate: candidate[0] <= by_value[0] + margin, vectors)
    found = list(map_in_order(look, within))
    return _assemble([one for one in found if one is not None], len(bottom), len(found))


def _gather(
    costs: Costs,
    bottom: Vector,
    vector: Vector,
    order: Codes,
    group_of: Codes,
    first: Codes,
    paid: Counts,
) -> _Found:
    """Keep the groups at a vector that are the join of their members."""
    raised = [place for place, level in enumerate(vector) if level > bottom[place]]
    below = np.array([costs.ancestors[place, vector[place] - 1] for place in raised])
    below = below.reshape(len(raised), len(order)).astype(np.int32)
    sizes, members = gather(group_of, first, order, below)
    kept = sizes > 0
    return _Found(
        sizes=sizes[kept],
        members=members,
        costs=paid[first[kept] if len(paid) > 1 else np.zeros(kept.sum(), int)],
        levels=np.tile(np.array(vector, dtype=np.int32), (int(kept.sum()), 1)),
    )


def row_costs(costs: Costs, vector: Vector, cost: int, order: Codes) -> Counts:
    """Return what a row of each sequence costs at a vector; one number if it is the same."""
    if costs.hidden is None:
        return np.array([cost], dtype=np.int64)
    levels = np.tile(np.array(vector, dtype=np.int32)[:, None], (1, len(order)))
    return costs.of_tuples(levels, order)


def _assemble(found: list[_Found], attributes: int, looked_at: int) -> Pool:
    """Put what was found at each vector together."""
    nothing = np.empty(0, dtype=np.int32)
    sizes = np.concatenate([nothing, *(one.sizes for one in found)])
    return Pool(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.concatenate([nothing, *(one.members for one in found)]),
        costs=np.concatenate([nothing, *(one.costs for one in found)]).astype(np.float64),
        levels=np.vstack(
            [np.empty((0, attributes), dtype=np.int32), *(one.levels for one in found)]
        ),
        looked_at=looked_at,
    )
