"""Link the classes of two releases and count the rows that remain possible for each pair.

A pair of classes, one of each release, is a *sequence* of the linked table if some possible world
(:mod:`lookalike.risk.releases.possible_worlds`) has a person in both. The rows that remain possible
for this person are the rows of the one class that some world joins with a row of the other class.
Sums over blocks of compatible rows are products of sparse matrices, so pairs of rows are never
listed.

The attacker knows a person's quasi-identifier and that the person is in the source. So the attacker
knows the person's class in each release, or that the release has no row of this person. Such a pair
of classes is a *sequence* of the linked table. The smaller number of rows that remain possible in
either class is the k of the sequence; the k of the linked table is the smallest over its sequences
(Model, Figure 4).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.possible_worlds import Possible
from lookalike.risk.releases.seen_release import AttackerKnowledge, Label

NO_CLASS = -1
"""The class of a person without a row in a release."""


@dataclass(frozen=True, eq=False)
class Exposed:
    """The sequences of a linked table for which fewer than k rows remain possible.

    ``left``, ``right``: a node of the class on either side, or ``NO_CLASS``.
    ``left_rows``, ``right_rows``: the number of rows of either class that remain possible; 0
    without a class.
    ``certain``: whether every world has a person there.
    ``decided``: whether `certain` is known; in large releases this can be too much work.
    """

    left: Codes
    right: Codes
    left_rows: Counts
    right_rows: Counts
    certain: Flags
    decided: Flags

    def __len__(self) -> int:
        return len(self.left)

    @property
    def number(self) -> int:
        """The number of sequences."""
        return len(self)

    @property
    def number_certain(self) -> int:
        """The number of sequences that belong to somebody for certain."""
        return int(self.certain.sum())

    @property
    def number_undecided(self) -> int:
        """The number of sequences for which that is not decided."""
        return int((~self.decided).sum())

    def swap(self) -> "Exposed":
        """Return the same sequences with left and right exchanged."""
        rows = self.right_rows, self.left_rows
        return Exposed(self.right, self.left, *rows, self.certain, self.decided)

    @property
    def rows(self) -> Counts:
        """The number of rows that remain possible for each sequence."""
        ours = np.where(self.left == NO_CLASS, self.right_rows, self.left_rows)
        theirs = np.where(self.right == NO_CLASS, self.left_rows, self.right_rows)
        least: Counts = np.minimum(ours, theirs)
        return least


@dataclass(frozen=True)
class ReleaseExposure(Discreet):
    """A sequence of a linked table for which fewer than k rows remain possible.

    ``values``: what both releases together show of the person, column by column.
    ``rows``: the number of rows of either release that remain possible; None for a release without
    a row of this person.
    ``certain``: whether every world has a person there; None if that is too much work to decide.
    """

    values: dict[str, Label]
    rows: tuple[int | None, int | None]
    certain: bool | None

    def order(self) -> tuple[int, list[str]]:
        """Return the sort key of exposures: the fewest rows, then the values."""
        fewest = min(number for number in self.rows if number is not None)
        return fewest, ["" if value is None else value for value in self.values.values()]


@dataclass(frozen=True, eq=False)
class LinkedTable(JsonResult):
    """The rows that remain possible after linking two releases.

    ``known``: what the attacker knows, and how many rows should remain possible.
    ``k``: the fewest rows that remain possible for a sequence; None if there are no rows.
    ``exposed``: the sequences with fewer than k rows.
    ``left_exposed``, ``right_exposed``: the number of rows of either release that remain possible
    for an exposed sequence.
    """

    json_names = (
        "quasi_identifier=known.name k sequences sequences_below_k=exposed.number "
        "somebody_for_certain=exposed.number_certain not_decided=exposed.number_undecided "
        "rows_exposed"
    )
    json_requested: ClassVar = {"exposed": tuple[ReleaseExposure, ...]}

    known: AttackerKnowledge
    k: int | None
    sequences: int
    exposed: Exposed
    left_exposed: int
    right_exposed: int

    @property
    def rows_exposed(self) -> tuple[int, int]:
        """The number of rows of either release that remain possible for an exposed sequence."""
        return self.left_exposed, self.right_exposed

    @property
    def certain_k(self) -> int | None:
        """The fewest rows of an exposed sequence with a person in every world, if any."""
        rows = self.exposed.rows[self.exposed.certain]
        return int(rows.min()) if len(rows) else None


PAIRS_AT_ONCE = 5_000_000
"""The number of pairs of classes that are computed in one step, to bound memory."""


class ReleaseClasses:
    """One of two releases, divided into classes over what an attacker knows."""

    def __init__(self, nodes: Nodes, class_of: Codes) -> None:
        self.counts, self.class_of = nodes.counts, class_of
        self.first = np.unique(class_of, return_index=True)[1].astype(np.int32)
        order = np.argsort(class_of, kind="stable").astype(np.int32)
        self.members = np.split(order, np.cumsum(np.bincount(class_of))[:-1])

    def by_block(self, ends: Codes, blocks: Codes, number: int, values: Any) -> Any:
        """Add up values of nodes by class and block, as a sparse matrix."""
        from scipy.sparse import csr_array  # imported late because it is slow

        places = (self.class_of[ends], blocks)
        return csr_array((values, places), shape=(len(self.first), number), dtype=np.int64)


def link_classes(
    left: ReleaseClasses, right: ReleaseClasses, possible: Possible, known: AttackerKnowledge
) -> LinkedTable:
    """Count the rows that remain possible for every sequence of the linked table."""
    table = _Table(left, right, possible, known.k)
    parts = [*table.pairs(), *table.alone()]
    exposed = Exposed(
        *(
            np.concatenate([getattr(part.exposed, field.name) for part in parts])
            for field in fields(Exposed)
        )
    )
    least = [part.least for part in parts if part.least is not None]
    return LinkedTable(
        known=known,
        k=min(least, default=None),
        sequences=sum(part.sequences for part in parts),
        exposed=exposed,
        left_exposed=int(left.counts[table.left_marked].sum()),
        right_exposed=int(right.counts[table.right_marked].sum()),
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the sequences of a linked table."""

    sequences: int
    least: int | None
    exposed: Exposed


class _Table:
    """Computes the sequences of a linked table, part by part."""

    def __init__(
        self, left: ReleaseClasses, right: ReleaseClasses, possible: Possible, k: int
    ) -> None:
        self.left, self.right, self.possible, self.k = left, right, possible, k
        blocks = possible.blocks
        number = blocks.number
        self.left_marked = np.zeros(len(left.counts), dtype=bool)
        self.right_marked = np.zeros(len(right.counts), dtype=bool)
        self.ours = left.by_block(blocks.left, blocks.left_block, number, left.counts[blocks.left])
        self.theirs = right.by_block(
            blocks.right, blocks.right_block, number, right.counts[blocks.right]
        )
        ends = blocks.left, blocks.left_block
        self.left_sure = _find_sure(left, *ends, possible.left_alone, self.theirs)
        ends = blocks.right, blocks.right_block
        self.right_sure = _find_sure(right, *ends, possible.right_alone, self.ours)

    def pairs(self) -> Iterator[_Part]:
        """Yield the sequences of people with a row in both releases."""
        for start, stop in self._chunks():
            yield self._pair(start, stop)

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Divide the classes of the left release into parts with a bounded number of pairs."""
        work = np.cumsum(_occurs(self.ours) @ _occurs(self.theirs).sum(axis=0))
        start = 0
        while start < len(work):
            done = work[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(work, done + PAIRS_AT_ONCE, "right")))
            yield start, stop
            start = stop

    def _pair(self, start: int, stop: int) -> _Part:
        """Count the rows of each pair of classes, for some classes of the left release."""
        ours, theirs = self.ours[start:stop], self.theirs
        left_rows = (ours @ _occurs(theirs).T).tocsr()
        right_rows = (_occurs(ours) @ theirs.T).tocsr()
        left_rows.sort_indices()
        right_rows.sort_indices()
        lines = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(left_rows.indptr))
        least = np.minimum(left_rows.data, right_rows.data)
        below = np.flatnonzero(least < self.k)
        one, two = lines[below], left_rows.indices[below]
        rows = left_rows.data[below], right_rows.data[below]
        self._mark(*((one[small], two[small]) for small in (rows[0] < self.k, rows[1] < self.k)))
        certain = self._is_certain(one, two)
        ends = self.left.first[one], self.right.first[two]
        exposed = Exposed(*ends, *rows, *self._decide(one, two, certain))
        return _Part(len(least), int(least.min()) if len(least) else None, exposed)

    def _mark(self, left: tuple[Codes, Codes], right: tuple[Codes, Codes]) -> None:
        """Mark the nodes that remain possible for exposed pairs of classes, in either release."""
        blocks = self.possible.blocks
        ends = blocks.left, blocks.left_block
        self.left_marked[_find_exposed(self.left, *ends, *left, self.theirs)] = True
        ends = blocks.right, blocks.right_block
        self.right_marked[_find_exposed(self.right, *ends, *right[::-1], self.ours)] = True

    def _is_certain(self, one: Codes, two: Codes) -> Flags:
        """Return which pairs of classes have a row that can only be joined with the other class."""
        marks: Flags = np.zeros(len(one), dtype=bool)
        if len(one):
            ours, theirs = _occurs(self.ours), _occurs(self.theirs)
            by_left = _multiply_rows(self.left_sure, one, theirs, two)
            by_right = _multiply_rows(ours, one, self.right_sure, two)
            marks = (by_left + by_right) > 0
        return marks

    def _decide(self, one: Codes, two: Codes, certain: Flags) -> tuple[Flags, Flags]:
        """Return which pairs of classes have a person in every world, and which are decided."""
        decided = np.ones(len(one), dtype=bool)
        for place in np.flatnonzero(~certain):
            ours, theirs = one[place], two[place]
            found = self.possible.has_somebody(
                None if ours == NO_CLASS else self.left.members[ours],
                None if theirs == NO_CLASS else self.right.members[theirs],
            )
            certain[place], decided[place] = bool(found), found is not None
        return certain, decided

    def alone(self) -> Iterator[_Part]:
        """Yield the sequences of people with a row in only one of the releases."""
        possible, blocks = self.possible, self.possible.blocks
        ours = self.left, possible.left_alone, blocks.left
        theirs = self.right, possible.right_alone, blocks.right
        part = _count_alone(*ours, self.left_marked, self.k)
        yield replace(part, exposed=self._decide_alone(part.exposed, self.left))
        part = _count_alone(*theirs, self.right_marked, self.k)
        yield replace(part, exposed=self._decide_alone(part.exposed.swap(), self.right))

    def _decide_alone(self, exposed: Exposed, side: ReleaseClasses) -> Exposed:
        """Decide in which classes every world has a person without a row in the other release."""
        ends = exposed.left if side is self.left else exposed.right
        classes = side.class_of[ends]
        pairs = (classes, exposed.right) if side is self.left else (exposed.left, classes)
        certain, decided = self._decide(*pairs, exposed.certain)
        return replace(exposed, certain=certain, decided=decided)


def _count_alone(side: ReleaseClasses, alone: Flags, joined: Codes, marked: Flags, k: int) -> _Part:
    """Count the rows of each class that may belong to people without a row in the other release.

    ``joined``: the nodes that may have a row of a person who is in both releases.
    """
    number, nodes = len(side.first), len(side.counts)
    sure = alone & (np.bincount(joined, minlength=nodes) == 0)
    rows = np.bincount(side.class_of[alone], side.counts[alone], number).astype(np.int64)
    certain = np.bincount(side.class_of[sure], minlength=number) > 0
    classes = np.flatnonzero(rows)
    below = classes[rows[classes] < k]
    marked |= alone & np.isin(side.class_of, below)
    nobody, none = np.full(len(below), NO_CLASS, np.int32), np.zeros(len(below), np.int64)
    ends, sure_there = side.first[below], certain[below]
    exposed = Exposed(ends, nobody, rows[below], none, sure_there, sure_there)
    least = int(rows[classes].min()) if len(classes) else None
    return _Part(len(classes), least, exposed)


def _occurs(matrix: Any) -> Any:
    """Return a matrix with 1 where another has an entry."""
    from scipy.sparse import csr_array

    ones = np.ones(len(matrix.data), dtype=np.int64)
    return csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _find_sure(
    side: ReleaseClasses, ends: Codes, blocks: Codes, alone: Flags, opposite: Any
) -> Any:
    """Mark by class and block the nodes that can be joined with one class only.

    ``alone``: which of its nodes may have a row of a person without a row in the other release.
    """
    partners = _occurs(opposite).sum(axis=0)[blocks]
    number = np.bincount(ends, partners, len(side.counts)) + alone
    return side.by_block(ends, blocks, opposite.shape[1], (number == 1)[ends])


def _find_exposed(
    side: ReleaseClasses, ends: Codes, blocks: Codes, one: Codes, two: Codes, opposite: Any
) -> Codes:
    """Find the nodes that remain possible for some pairs of classes."""
    from scipy.sparse import csr_array

    if not len(one):
        return ends[:0]
    shape = (len(side.first), opposite.shape[0])
    pairs = csr_array((np.ones(len(one), np.int64), (one, two)), shape=shape)
    reached = (pairs @ _occurs(opposite)).tocsr()
    found: Codes = ends[np.asarray(reached[side.class_of[ends], blocks]).ravel() > 0]
    return found


def _multiply_rows(left: Any, one: Codes, right: Any, two: Codes) -> Counts:
    """Return the scalar products of some rows of one matrix with some rows of another."""
    products: Counts = np.asarray(left[one].multiply(right[two]).sum(axis=1)).ravel()
    return products
