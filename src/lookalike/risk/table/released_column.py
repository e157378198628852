"""ReleasedColumn: the released values of one attribute as nodes of its hierarchy.

A class is released as its join: in no generalized cell do all of its rows lie below one child of
the value, for else the cell would show the child. So the rows differ there, and a rare child
becomes more likely. With decoys, a cell may also be above the join, at random
(:mod:`lookalike.search.cells.decoys`).

The reader's prior is that the rows of a class are independent and that each has a child of the
value with its share among the rows of the private table.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.risk.table.sequences import Sequences


@dataclass(frozen=True, eq=False)
class Node(Discreet):
    """A released value with the values below it.

    ``rows``: the number of private rows of each child.
    ``hidden``: which children are themselves written as the suppressed value, as the value then is:
    the rows of such a class may all lie below this child.
    ``levels``: the number of allowed levels that have the value: usually one, and none for a
    suppressed value that no allowed level has for every row.
    """

    rows: Counts
    hidden: Flags
    levels: int = 1

    @cached_property
    def shares(self) -> Reals:
        """The share of each child."""
        shares: Reals = self.rows / max(1, self.rows.sum())
        return shares

    def stray(self, rows: int) -> Reals:
        """Return for each child the probability that a row has it and not all rows of a class do.

        q (1 − qⁿ⁻¹) is computed from the rows outside the child, because 1 − q is not exact for
        shares near 1. The sum is the probability that the rows do not all have the same child.
        """
        total = max(1, int(self.rows.sum()))
        outside = np.minimum((total - self.rows) / total, 1.0 - np.finfo(np.float64).eps)
        stray: Reals = self.shares * -np.expm1((rows - 1) * np.log1p(-outside))
        return stray

    def likelihood_of_decoy(self, rate: float) -> float:
        """Return how likely a class shows the value at random, given that it shows nothing higher.

        It is 0 without decoys, and else at least the rate.
        """
        return float(1.0 - (1.0 - rate) ** self.levels)


@dataclass(frozen=True, eq=False)
class Beliefs(Discreet):
    """What a reader believes about a row of a class after seeing a generalized cell.

    ``gains``: for each child, how much more likely the row has it than before.
    ``bits``: what the cell shows beyond its value, in bits: the divergence of the beliefs about the
    rows of the class from those before.
    """

    gains: Reals
    bits: float


def update_beliefs(node: Node, rows: int, decoys: float = 0.0) -> Beliefs:
    """Return what a class of so many rows shows by a generalized cell.

    Without decoys, the belief that a row has a child of share q rises from q to
    q (1 − qⁿ⁻¹) ∕ (1 − Σ qⁿ), where n is the number of rows. The gain is at most (1 − q) ∕ n. With
    decoys, rows that agree on a child are shown so with a likelihood of p relative to rows that
    differ.
    """
    q, stray = node.shares, node.stray(rows)
    differ = float(stray.sum())
    of_decoy = node.likelihood_of_decoy(decoys)
    of_child = np.where(node.hidden, 1.0, of_decoy) * q**rows
    likelihood = differ + float(of_child.sum())
    if not likelihood > 0.0:
        return Beliefs(np.zeros_like(q), 0.0)
    after = (stray + of_child) / likelihood
    divergence = (differ + float(of_child[node.hidden].sum())) * np.log2(1.0 / likelihood)
    if of_decoy:
        divergence += float(of_child[~node.hidden].sum()) * np.log2(of_decoy / likelihood)
    return Beliefs(after - q, max(0.0, float(divergence / likelihood)))


@dataclass(frozen=True, eq=False)
class RaisedValue(Discreet):
    """A released value above the least level.

    ``children``: the labels of its children that the private table has.
    ``known_children``: the number of its children in the hierarchy, as a recipient can count them;
    None if there is no end of them.
    """

    label: str | None
    node: Node
    children: tuple[str | None, ...]
    known_children: int | None


@dataclass(frozen=True, eq=False)
class ReleasedColumn(Discreet):
    """The values that classes show for one attribute, and where they are in its hierarchy.

    A recipient sees labels and no levels. A label that several levels have for the same values,
    such as a missing value, is that of the lowest of them; the suppressed value is the top.
    """

    frequency: FrequencyList
    attribute: int
    rule: Hierarchy
    least: int
    greatest: int
    labels: tuple[str | None, ...]
    shown: Codes
    sizes: Counts

    @property
    def hierarchy(self) -> BoundHierarchy:
        """The hierarchy, bound to the values of the private table."""
        return self.frequency.hierarchies[self.attribute]

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The level and the code of each released value."""
        return [self._find(label) for label in self.labels]

    @cached_property
    def levels(self) -> Codes:
        """The level of each class's value."""
        return np.array([level for level, _ in self.places], dtype=np.int32)[self.shown]

    @property
    def codes(self) -> Codes:
        """The code of each class's value at its level."""
        return np.array([code for _, code in self.places], dtype=np.int32)[self.shown]

    @property
    def raised(self) -> Flags:
        """Which classes show a value above the least level, which is then a join."""
        raised: Flags = self.levels > self.least
        return raised

    def list_cells(self) -> Iterator[tuple[int, int, int]]:
        """Yield each raised value with each size of its classes, and how many these are."""
        pairs = np.array([self.shown[self.raised], self.sizes[self.raised]])
        distinct, numbers = np.unique(pairs, axis=1, return_counts=True)
        for (label, size), number in zip(distinct.T.tolist(), numbers.tolist(), strict=True):
            yield label, size, number

    @cached_property
    def raised_values(self) -> dict[int, RaisedValue]:
        """What the generalized labels of the column stand for."""
        labels = np.unique(self.shown[self.raised]).tolist()
        levels = {self.places[label][0] - 1 for label in labels}
        rows = {level: self.frequency.code_rows(self.attribute, level) for level in levels}
        return {label: self._describe(label, rows) for label in labels}

    def _describe(self, label: int, rows: Mapping[int, Counts]) -> RaisedValue:
        """Find the children of a raised value."""
        level, code = self.places[label]
        hierarchy, below = self.hierarchy, level - 1
        children = np.flatnonzero(hierarchy.lift(below, level) == code).astype(np.int32)
        names = [hierarchy.labels[below][child] for child in children]
        suppressed = self.labels[label] == hierarchy.suppressed
        hidden = hierarchy.hidden[below][children] & suppressed
        node = Node(rows[below][children], hidden, self._count_levels(label))
        return RaisedValue(self.labels[label], node, tuple(names), self._count_children(label))

    def _count_children(self, label: int) -> int | None:
        """Count the children of a raised value in the hierarchy; None if there is no end of them.

        A missing value is a child of the top if the release shows one, and so are values that the
        hierarchy does not know if it suppresses them. A recipient can count the same.
        """
        level, code = self.places[label]
        known = self._find_ground(level, code)
        count = None if known is None else self.rule.count_children(known, level)
        if count is None or level < self.hierarchy.height:
            return count
        return count + self._shows_missing + (self.rule.unknown == "suppress")

    @property
    def _shows_missing(self) -> bool:
        """Whether some class shows a missing value."""
        return None in self.labels and bool(np.any(self.shown == self.labels.index(None)))

    def _find(self, label: str | None) -> tuple[int, int]:
        """Return the level and the code of a released value."""
        hierarchy = self.hierarchy
        if label == hierarchy.suppressed:
            reached = hierarchy.labels[: self.greatest + 1]
            whole = [level for level, names in enumerate(reached) if names == (label,)]
            if whole:
                return whole[0], 0
        if label in self._lowest:
            return self._lowest[label]
        if label == hierarchy.suppressed:
            return hierarchy.height, 0
        raise InvalidInput(
            f"column {hierarchy.column!r}: the release has a value that no allowed level of the "
            "hierarchy has; give the specification and the table that the release was made from"
        )

    @cached_property
    def _lowest(self) -> dict[str | None, tuple[int, int]]:
        """The lowest level that has a released value, and its code there."""
        names, released = self.hierarchy.labels, set(self.labels)
        return {
            label: (level, code)
            for level in range(self.hierarchy.height, self.least - 1, -1)
            for code, label in enumerate(names[level])
            if label in released
        }

    def _count_levels(self, label: int) -> int:
        """Count the allowed levels at which the values below a raised value are written so."""
        level, code = self.places[label]
        above = [
            self.hierarchy.labels[higher][self.hierarchy.lift(level, higher)[code]]
            for higher in range(level, self.greatest + 1)
        ]
        return above.count(self.labels[label])

    def _find_ground(self, level: int, code: int) -> str | None:
        """Return a known ground value below a code, if there is one.

        A list that begins above the ground has the labels of its least levels.
        """
        hierarchy = self.hierarchy
        texts, codes = hierarchy.labels[self.least], hierarchy.levels[self.least]
        for ground in np.flatnonzero(hierarchy.levels[level] == code).tolist():
            text = texts[codes[ground]]
            if text is not None and ground != hierarchy.unknown:
                with suppress(InvalidInput):
                    return self.rule.descend(text, self.least) if self.least else text
        return None


def list_released_columns(
    classes: Sequences, frequency: FrequencyList, rules: Mapping[str, Hierarchy], allowed: Lattice
) -> list[ReleasedColumn]:
    """Return the released values of each attribute."""
    return [
        ReleasedColumn(
            frequency=frequency,
            attribute=attribute,
            rule=rules[name],
            least=allowed.bottom[attribute],
            greatest=allowed.top[attribute],
            labels=classes.values[attribute],
            shown=classes.codes[attribute],
            sizes=classes.counts,
        )
        for attribute, name in enumerate(frequency.attributes)
    ]
