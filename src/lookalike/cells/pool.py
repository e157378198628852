"""Pool: generalized tuples that matter, with the sequences that each covers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lookalike.cells.costs import Costs
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

    def groups_of(self, sequences: int) -> tuple[Counts, Codes]:
        """Return where the groups of each sequence begin, and those groups, cheapest first."""
        group = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        order = np.lexsort((self.costs[group], self.members))
        begin = np.zeros(sequences + 1, dtype=np.int64)
        begin[1:] = np.cumsum(np.bincount(self.members, minlength=sequences))
        return begin, group[order]


def find_pool(
    vectors: Iterable[tuple[int, Vector]],
    costs: Costs,
    bottom: Vector,
    counts: Counts,
    values: Values,
    k: int,
    margin: float,
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
    """
    order = np.argsort(-values, kind="stable").astype(np.int32)
    by_value, rows = values[order], counts[order]
    ancestors = np.ascontiguousarray(costs.ancestors[:, :, order])
    sizes, members, tight, levels = [], [], [], []
    looked_at = 0
    for cost, vector in vectors:
        if cost > by_value[0] + margin:
            break
        looked_at += 1
        keys = pack_ancestors(ancestors, costs.sizes, vector, rows)
        paid = row_costs(costs, vector, cost, order)
        group_of, first, _ = find_tight(keys, rows, by_value, k, paid, margin)
        if not len(first):
            continue
        raised = [place for place, level in enumerate(vector) if level > bottom[place]]
        below = np.array([costs.ancestors[place, vector[place] - 1] for place in raised])
        below = below.reshape(len(raised), len(order)).astype(np.int32)
        size, found = gather(group_of, first, order, below)
        kept = size > 0
        sizes.append(size[kept])
        members.append(found)
        tight.append(paid[first[kept] if len(paid) > 1 else np.zeros(kept.sum(), int)])
        levels.append(np.tile(np.array(vector, dtype=np.int32), (int(kept.sum()), 1)))
    return _assemble(sizes, members, tight, levels, len(bottom), looked_at)


def row_costs(costs: Costs, vector: Vector, cost: int, order: Codes) -> Counts:
    """Return what a row of each sequence costs at a vector; one number if it is the same."""
    if costs.hidden is None:
        return np.array([cost], dtype=np.int64)
    levels = np.tile(np.array(vector, dtype=np.int32)[:, None], (1, len(order)))
    return costs.of_tuples(levels, order)


def _assemble(
    sizes: list[Codes],
    members: list[Codes],
    costs: list[Counts],
    levels: list[Codes],
    attributes: int,
    looked_at: int,
) -> Pool:
    """Put what was found at each vector together."""
    nothing = np.empty(0, dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([nothing, *sizes]))]).astype(np.int64)
    return Pool(
        offsets=offsets,
        members=np.concatenate([nothing, *members]),
        costs=np.concatenate([nothing, *costs]).astype(np.float64),
        levels=np.vstack([np.empty((0, attributes), dtype=np.int32), *levels]),
        looked_at=looked_at,
    )
