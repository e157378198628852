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
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.possible_worlds import Possible, Worlds
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


ClassedNodes = tuple[Nodes, Codes]
"""The nodes of a release, with the class of each over what an attacker knows."""
_Part = tuple[int, int | None, Exposed]
"""The number of sequences in a part of a linked table, the fewest rows of one, and the exposed."""


def link_classes(
    left: ClassedNodes, right: ClassedNodes, possible: Possible, known: AttackerKnowledge
) -> LinkedTable:
    """Count the rows that remain possible for every sequence of the linked table."""
    blocks = possible.blocks
    ours = _Side(left, blocks.left, blocks.left_block, possible.left_alone, blocks.number)
    theirs = _Side(right, blocks.right, blocks.right_block, possible.right_alone, blocks.number)
    table = _Table(ours, theirs, possible.worlds, known.k)
    parts = [*(table.pair(*chunk) for chunk in table.chunks()), *table.alone()]
    numbers, least, exposed = zip(*parts, strict=True)
    return LinkedTable(
        known=known,
        k=min((k for k in least if k is not None), default=None),
        sequences=sum(numbers),
        exposed=Exposed(
            *(
                np.concatenate([getattr(one, field.name) for one in exposed])
                for field in fields(Exposed)
            )
        ),
        left_exposed=int(ours.counts[ours.marked].sum()),
        right_exposed=int(theirs.counts[theirs.marked].sum()),
    )


class _Side:
    """One of two releases, divided into classes.

    ``ends``, ``blocks``: each node that may be joined, with a block of compatible nodes.
    ``alone``: which nodes may have a row of a person without a row in the other release.
    ``rows``: the rows by class and block, as a sparse matrix.
    ``marked``: which nodes remain possible for an exposed sequence.
    """

    def __init__(
        self, release: ClassedNodes, ends: Codes, blocks: Codes, alone: Flags, number: int
    ) -> None:
        self.counts, self.class_of = release[0].counts, release[1]
        self.ends, self.blocks, self.alone, self.number = ends, blocks, alone, number
        self.first = np.unique(self.class_of, return_index=True)[1].astype(np.int32)
        order = np.argsort(self.class_of, kind="stable").astype(np.int32)
        self.members = np.split(order, np.cumsum(np.bincount(self.class_of))[:-1])
        self.rows = self._by_block(self.counts[ends])
        self.marked = np.zeros(len(self.counts), dtype=bool)

    def _by_block(self, values: Any) -> Any:
        """Add up values of nodes by class and block, as a sparse matrix."""
        from scipy.sparse import csr_array  # imported late because it is slow

        places = (self.class_of[self.ends], self.blocks)
        return csr_array((values, places), shape=(len(self.first), self.number), dtype=np.int64)

    def find_sure(self, opposite: "_Side") -> Any:
        """Mark by class and block the nodes that can be joined with one class only."""
        partners = _occurs(opposite.rows).sum(axis=0)[self.blocks]
        number = np.bincount(self.ends, partners, len(self.counts)) + self.alone
        return self._by_block((number == 1)[self.ends])

    def mark(self, one: Codes, two: Codes, opposite: "_Side") -> None:
        """Mark the nodes that remain possible for some pairs of classes."""
        from scipy.sparse import csr_array

        if len(one):
            shape = (len(self.first), len(opposite.first))
            pairs = csr_array((np.ones(len(one), np.int64), (one, two)), shape=shape)
            reached = (pairs @ _occurs(opposite.rows)).tocsr()
            possible = np.asarray(reached[self.class_of[self.ends], self.blocks]).ravel() > 0
            self.marked[self.ends[possible]] = True


class _Table:
    """Computes the sequences of a linked table, part by part."""

    def __init__(self, left: _Side, right: _Side, worlds: Worlds, k: int) -> None:
        self.left, self.right, self.worlds, self.k = left, right, worlds, k
        self.left_sure, self.right_sure = left.find_sure(right), right.find_sure(left)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Divide the classes of the left release into parts with a bounded number of pairs."""
        work = np.cumsum(_occurs(self.left.rows) @ _occurs(self.right.rows).sum(axis=0))
        start = 0
        while start < len(work):
            done = work[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(work, done + PAIRS_AT_ONCE, "right")))
            yield start, stop
            start = stop

    def pair(self, start: int, stop: int) -> _Part:
        """Count the rows of each pair of classes, for some classes of the left release."""
        ours, theirs = self.left.rows[start:stop], self.right.rows
        left_rows = (ours @ _occurs(theirs).T).tocsr()
        right_rows = (_occurs(ours) @ theirs.T).tocsr()
        left_rows.sort_indices()
        right_rows.sort_indices()
        lines = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(left_rows.indptr))
        least = np.minimum(left_rows.data, right_rows.data)
        below = np.flatnonzero(least < self.k)
        one, two = lines[below], left_rows.indices[below]
        rows = left_rows.data[below], right_rows.data[below]
        ours_small, theirs_small = rows[0] < self.k, rows[1] < self.k
        self.left.mark(one[ours_small], two[ours_small], self.right)
        self.right.mark(two[theirs_small], one[theirs_small], self.left)
        certain = self._is_certain(one, two)
        ends = self.left.first[one], self.right.first[two]
        exposed = Exposed(*ends, *rows, *self._decide(one, two, certain))
        return len(least), int(least.min()) if len(least) else None, exposed

    def _is_certain(self, one: Codes, two: Codes) -> Flags:
        """Return which pairs of classes have a row that can only be joined with the other class."""
        marks: Flags = np.zeros(len(one), dtype=bool)
        if len(one):
            ours, theirs = _occurs(self.left.rows), _occurs(self.right.rows)
            by_left = _multiply_rows(self.left_sure, one, theirs, two)
            by_right = _multiply_rows(ours, one, self.right_sure, two)
            marks = (by_left + by_right) > 0
        return marks

    def _decide(self, one: Codes, two: Codes, certain: Flags) -> tuple[Flags, Flags]:
        """Return which pairs of classes have a person in every world, and which are decided."""
        decided = np.ones(len(one), dtype=bool)
        for place in np.flatnonzero(~certain):
            ours, theirs = one[place], two[place]
            found = self.worlds.has_somebody(
                None if ours == NO_CLASS else self.left.members[ours],
                None if theirs == NO_CLASS else self.right.members[theirs],
            )
            certain[place], decided[place] = bool(found), found is not None
        return certain, decided

    def alone(self) -> Iterator[_Part]:
        """Yield the sequences of people with a row in only one of the releases."""
        for side in (self.left, self.right):
            alone, number, nodes = side.alone, len(side.first), len(side.counts)
            # a node that no block joins to the other release belongs to such people for certain
            sure = alone & (np.bincount(side.ends, minlength=nodes) == 0)
            rows = np.bincount(side.class_of[alone], side.counts[alone], number).astype(np.int64)
            certain = np.bincount(side.class_of[sure], minlength=number) > 0
            classes = np.flatnonzero(rows)
            below: Codes = classes[rows[classes] < self.k].astype(np.int32)
            side.marked |= alone & np.isin(side.class_of, below)
            nobody: Codes = np.full(len(below), NO_CLASS, np.int32)
            pairs, ends = (below, nobody), (side.first[below], nobody)
            counts = rows[below], np.zeros(len(below), np.int64)
            if side is self.right:
                pairs, ends, counts = pairs[::-1], ends[::-1], counts[::-1]
            exposed = Exposed(*ends, *counts, *self._decide(*pairs, certain[below]))
            least = int(rows[classes].min()) if len(classes) else None
            yield len(classes), least, exposed


def _occurs(matrix: Any) -> Any:
    """Return a matrix with 1 where another has an entry."""
    from scipy.sparse import csr_array

    ones = np.ones(len(matrix.data), dtype=np.int64)
    return csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _multiply_rows(left: Any, one: Codes, right: Any, two: Codes) -> Counts:
    """Return the scalar products of some rows of one matrix with some rows of another."""
    products: Counts = np.asarray(left[one].multiply(right[two]).sum(axis=1)).ravel()
    return products
