"""Compute joins: the least generalized tuple that covers two tuples, and its cost."""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.types import Codes, Counts

UNREACHED = int(np.iinfo(np.int64).max)
"""More than any cost."""


class Cells(NamedTuple):
    """What sequences show at each level, and what that costs.

    ``ancestors``: the code of each sequence, by sequence, attribute and level. No code occurs in
    two attributes or at two levels.
    ``prices``: the cost of a cell with each code.
    ``bottom``: the lowest allowed levels.
    """

    ancestors: Codes
    prices: Counts
    bottom: Codes


@compiled
def join_cost(
    cells: Cells, first: int, first_levels: Codes, second: int, second_levels: Codes, limit: int
) -> int:
    """Return the cost of a row at the join of two generalized tuples, at most the limit.

    ``first``, ``first_levels``: a sequence that the first tuple covers, and the levels of the
    tuple.
    ``second``, ``second_levels``: the same for the second tuple.
    ``limit``: the cost from which on the exact value does not matter.
    """
    ancestors, prices, _ = cells
    total = 0
    for attribute in range(ancestors.shape[1]):
        level = max(first_levels[attribute], second_levels[attribute])
        while ancestors[first, attribute, level] != ancestors[second, attribute, level]:
            level += 1
        total += prices[ancestors[first, attribute, level]]
        if total >= limit:
            return limit
    return total


@compiled
def raise_to_join(
    cells: Cells, first: int, first_levels: Codes, second: int, second_levels: Codes
) -> None:
    """Raise the levels of the first of two generalized tuples to their join."""
    ancestors = cells.ancestors
    for attribute in range(len(first_levels)):
        level = max(first_levels[attribute], second_levels[attribute])
        while ancestors[first, attribute, level] != ancestors[second, attribute, level]:
            level += 1
        first_levels[attribute] = level


@compiled
def join_members(ancestors: Codes, class_of: Codes, sequence: Codes, classes: int) -> Codes:
    """Return the join of each class: the lowest levels at which all of its members are equal."""
    attributes = ancestors.shape[0]
    first = np.full(classes, -1, dtype=np.int32)
    levels = np.zeros((attributes, classes), dtype=np.int32)
    for entry in range(len(class_of)):
        one, member = class_of[entry], sequence[entry]
        if first[one] < 0:
            first[one] = member
        for attribute in range(attributes):
            level = levels[attribute, one]
            while ancestors[attribute, level, member] != ancestors[attribute, level, first[one]]:
                level += 1
            levels[attribute, one] = level
    return levels
