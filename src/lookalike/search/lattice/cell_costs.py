"""Cost of a cell at each level, for the measures that add up over cells."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.stored_list import Frequencies

Cost = int | float
CostTable = npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.object_]
"""The cost of a cell with each code of a level."""
Tables = Sequence[Sequence[CostTable]]
"""The cost tables of each attribute, level by level."""


def precision_tables(frequency: Frequencies, weights: Sequence[int]) -> Tables:
    """Return w · level∕height for every cell, as Python integers where 64 bits are too few."""
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


def loss_tables(frequency: Frequencies) -> Tables:
    """Return (leaves − 1) ∕ (all leaves − 1) for every cell; a suppressed cell costs the most."""
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


def entropy_tables(frequency: Frequencies) -> Tables:
    """Return log₂ n(g) for a cell that shows g.

    The entropy lost is log₂ n(g) − log₂ n(v) for the private value v; the sum of the second term
    is the same at every vector, so it is left out.
    """
    return [
        [
            _charge_hidden(
                bound,
                level,
                np.log2(np.maximum(frequency.code_rows(attribute, level), 1)),
                math.log2(frequency.rows),
            )
            if bound.height
            else np.zeros(bound.size(level))
            for level in range(bound.height + 1)
        ]
        for attribute, bound in enumerate(frequency.hierarchies)
    ]


def _charge_hidden(bound: BoundHierarchy, level: int, table: CostTable, full: Cost) -> CostTable:
    """Return the costs of a level, with the full cost for suppressed cells."""
    if not bound.hidden[level].any():
        return table
    charged = table.copy()
    charged[bound.hidden[level]] = full
    return charged
