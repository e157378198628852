"""t-closeness (Li, Li and Venkatasubramanian, *t-Closeness*, 2007)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.class_bounds import keep_near_on_line, keep_near_on_tree
from lookalike.kernels.class_distances import measure_line_distances, measure_tree_distances
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues, share_out
from lookalike.model.protections.protection import (
    SLACK,
    GroundDistance,
    Parameter,
    Protection,
    count_until,
)

_DISTANCES = {
    "equal": "equally far apart",
    "ordered": "by their order",
    "hierarchy": "by their hierarchy",
}


@dataclass(frozen=True, eq=False)
class Closeness(Protection):
    """t-closeness: the values of each class are distributed nearly as those of the table.

    The distance of two distributions is the earth mover's distance: the least share × distance
    that turns one into the other. Two values are 1 apart (``"equal"``), (difference of ranks) ∕
    (values of the table − 1) apart (``"ordered"``), or (level of their lowest common ancestor) ∕
    height apart (``"hierarchy"``). So the distance lies between 0 and 1. A distance of exactly t
    is allowed, as published.

    With ``"ordered"``, the codes of the values are in order; with ``"hierarchy"``, `levels` has
    the ancestor of each value for each level, from the ground to the top.
    """

    name = "closeness"
    meaning = (
        "How far the values of a class may be from those of the whole table, from 0 to 1 "
        "(t-closeness)."
    )
    often = 3
    t: Annotated[float, Parameter("Distance from the whole table, at most", least=0, most=1)]
    distance: Annotated[
        GroundDistance,
        Parameter(
            "How far apart values are",
            choices=_DISTANCES,
            meaning="How far apart two values are: all equally far; by their order, for numbers; "
            "or by the hierarchy of the column.",
        ),
    ] = "equal"
    levels: Sequence[Codes] | Codes = field(default=(), repr=False)

    def state(self, column: str) -> str:
        """State the greatest distance, and how it is measured."""
        compared = "" if self.distance == "equal" else "compared "
        return (
            f"the distribution of {column} is at most {self.t:g} away from that of the whole table "
            f"(earth mover's distance, values {compared}{_DISTANCES[self.distance]})"
        )

    def bound(self, levels: Codes) -> Protection:
        """Return the protection of a column with a hierarchy: the ancestors of its values."""
        return replace(self, levels=levels) if self.distance == "hierarchy" else self

    def measure(self, values: ClassValues) -> Reals:
        """Return the distance of each class from the table."""
        if self.distance == "ordered":
            line = _lay_out(values)
            moved = measure_line_distances(values.starts, values.values, values.counts, *line)
            return np.maximum(moved, 0) / _steps(line)
        nodes, shares = self._nodes(len(values.reference)), self._share_nodes(values.reference)
        moved = measure_tree_distances(values.starts, values.values, values.counts, nodes, shares)
        return moved / max(1, len(nodes))

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes are farther than t from the table."""
        return self.measure(values) > self.t + SLACK

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound the rows of each class that can be kept, by what they lack of the table."""
        entries = values.starts, values.values, values.counts
        if self.distance == "ordered":
            line = _lay_out(values)
            return keep_near_on_line(*entries, *line, (self.t + SLACK) * _steps(line))
        nodes, shares = self._nodes(len(values.reference)), self._share_nodes(values.reference)
        return keep_near_on_tree(*entries, nodes, shares, (self.t + SLACK) * max(1, len(nodes)))

    def least_distinct(self, reference: Counts) -> int:
        """Return how many values are needed to come as near as t.

        A class with d values leaves all others of the table empty. On a tree, d values reach at
        most d nodes of each level, so the rest moves through it: the distance is at least the
        mean over the levels of 1 − (the d largest shares of nodes). On a line, fewer than
        d · (2j − 1) + 1 values are less than j steps away from one of d values, so 1 − (the
        d · (2j − 1) largest shares) moves at least j steps; the sum over j is the distance in
        steps.
        """
        if self.distance == "ordered":
            return _least_on_line(share_out(reference[reference > 0]), self.t)
        shares = self._share_nodes(reference)
        largest = np.sort(shares, axis=1)[:, ::-1].cumsum(axis=1).sum(axis=0)
        return count_until(largest, (1 - self.t - SLACK) * len(shares))

    def _nodes(self, values: int) -> Codes:
        """Return the ancestors of each value on the levels below the top."""
        if self.distance == "equal":
            return np.arange(values, dtype=np.int32)[np.newaxis]
        if not len(self.levels):
            raise InvalidInput("closeness: distance = 'hierarchy' needs a hierarchy of the column")
        return self._below_top

    @cached_property
    def _below_top(self) -> Codes:
        return np.ascontiguousarray(self.levels, dtype=np.int32)[:-1]

    def _share_nodes(self, reference: Counts) -> Reals:
        """Return the share of each node in the table, one line a level below the top."""
        nodes = self._nodes(len(reference))
        width = int(nodes.max(initial=-1)) + 1
        lines = [np.bincount(line, share_out(reference), width) for line in nodes]
        return np.array(lines, dtype=np.float64).reshape(len(nodes), width)


def _lay_out(values: ClassValues) -> tuple[Reals, Counts, Reals]:
    """Return the cumulated shares of the table's values in order, and both cumulated once more."""
    here = values.reference > 0
    below = np.cumsum(values.shares)
    steps = np.concatenate([[0], np.cumsum(here)])
    totals = np.concatenate([[0.0], np.cumsum(np.where(here, below, 0))])
    return below, steps, totals


def _steps(line: tuple[Reals, Counts, Reals]) -> int:
    """Return m − 1, the steps between the first and the last of the table's m values."""
    return max(1, int(line[1][-1]) - 1)


def _least_on_line(shares: Reals, t: float) -> int:
    """Return the fewest values on a line that can be as near as t to the table."""
    largest = np.concatenate([[0.0], np.sort(shares)[::-1].cumsum()])
    for distinct in range(1, len(shares)):
        if np.sum(1 - largest[distinct :: 2 * distinct]) <= (t + SLACK) * (len(shares) - 1):
            return distinct
    return max(1, len(shares))
