"""ReleasedColumn: the released values of one attribute as nodes of its hierarchy."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.risk.table.beliefs import Node
from lookalike.risk.table.sequences import Sequences


@dataclass(frozen=True, eq=False)
class RaisedValue(Discreet):
    """A released value above the least level.

    Parameters
    ----------
    label
        The value.
    node
        The private rows below it.
    children
        The labels of its children that the private table has.
    known_children
        The number of its children in the hierarchy, as a recipient can count them; None if there
        is no end of them.
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
    _rows: dict[int, Counts] = field(default_factory=dict, repr=False)
    _described: "dict[int, RaisedValue]" = field(default_factory=dict, repr=False)

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

    def describe(self, label: int) -> "RaisedValue":
        """Return a raised value as a node of the hierarchy."""
        if label not in self._described:
            self._described[label] = self._describe(label)
        return self._described[label]

    def _describe(self, label: int) -> "RaisedValue":
        """Find the children of a raised value."""
        level, code = self.places[label]
        hierarchy, below = self.hierarchy, level - 1
        children = np.flatnonzero(hierarchy.lift(below, level) == code).astype(np.int32)
        names = [hierarchy.labels[below][child] for child in children]
        suppressed = self.labels[label] == hierarchy.suppressed
        node = Node(
            rows=self._count(below)[children],
            hidden=hierarchy.hidden[below][children] & suppressed,
            levels=self._count_levels(label),
        )
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

    def _count(self, level: int) -> Counts:
        """Count the private rows of each code of a level."""
        if level not in self._rows:
            self._rows[level] = self.frequency.code_rows(self.attribute, level)
        return self._rows[level]

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
    classes: Sequences,
    frequency: FrequencyList,
    rules: Mapping[str, Hierarchy],
    allowed: Lattice,
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
