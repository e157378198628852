"""What a cell costs at each level, by the measures that add up over cells."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.frequency import FrequencyList

Cost = int | float
CostTable = npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.object_]
Tables = Sequence[Sequence[CostTable]]


def precision_tables(frequency: FrequencyList, weights: Sequence[int]) -> Tables:
    """Charge w · level∕height for a cell, in integers without limit where 64 bits are too few."""
    tables = []
    kind: npt.DTypeLike = np.int64 if frequency.rows * max(weights) < 2**63 else np.object_
    for bound, weight in zip(frequency.hierarchies, weights, strict=True):
        step = weight // max(bound.height, 1)
        tables.append(
            [
                _charge_hidden(
                    bound,
                    level,
                    np.full(bound.size(level), step * level, dtype=kind),
                    step * bound.height,
                )
                for level in range(bound.height + 1)
            ]
        )
    return tables


def loss_tables(frequency: FrequencyList) -> Tables:
    """Charge (leaves − 1) ∕ (all leaves − 1) for a cell, and all of it for a suppressed one."""
    tables = []
    for bound in frequency.hierarchies:
        most = max(int(bound.leaves[-1].sum()) - 1, 1)
        tables.append(
            [
                _charge_hidden(bound, level, (leaves - 1) / most, bound.most_lost)
                for level, leaves in enumerate(bound.leaves)
            ]
        )
    return tables


def entropy_tables(frequency: FrequencyList) -> Tables:
    """Charge log₂ n(g) for a cell that shows g: less what g's own value tells, the same for all."""
    return [
        [
            _charge_hidden(
                bound,
                level,
                np.log2(np.bincount(bound.levels[level][codes], weights=frequency.counts)),
                math.log2(frequency.rows),
            )
            if bound.height
            else np.zeros(bound.size(level))
            for level in range(bound.height + 1)
        ]
        for bound, codes in zip(frequency.hierarchies, frequency.codes, strict=True)
    ]


def _charge_hidden(bound: BoundHierarchy, level: int, table: CostTable, full: Cost) -> CostTable:
    """Charge cells that are suppressed at a level in full."""
    if not bound.hidden[level].any():
        return table
    charged = table.copy()
    charged[bound.hidden[level]] = full
    return charged
