"""Infer suppressed cells from known totals: the summary data attack (Achieving, section 4.2).

"Knowing the total number of men and women allows the suppressed values for Gender to be
inferred." A table of totals is treated as a release of a few columns at the ground level, in which
every person has a row. The cells that can be inferred then follow from the possible worlds of both:
a suppressed or generalized cell is inferred if it has the same value in every world.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import (
    Blocks,
    ComparableReleases,
    find_blocks,
    make_comparable,
)
from lookalike.risk.releases.possible_worlds import Possible, find_possible
from lookalike.risk.releases.seen_release import AttackerKnowledge, Label, Rules, SeenRelease

UNSETTLED = -1
"""Marks a cell that has different values in different worlds."""


@dataclass(frozen=True)
class Inferred:
    """Cells of one column whose value follows from known totals."""

    column: str
    value: Label
    shown: Label
    cells: int


@dataclass(frozen=True)
class TotalsAttack(JsonResult):
    """The result of the attack with known totals on one release.

    ``k``: the size of the smallest class with an inferred cell, once the inferred values are filled
    in; None if no cell is inferred.
    ``rows_exposed``: the number of rows with an inferred cell in classes smaller than k.
    """

    json_names = "release totals columns k rows_exposed cells"
    json_requested: ClassVar = {"inferred": tuple[Inferred, ...]}

    release: str
    totals: str
    columns: tuple[str, ...]
    inferred: tuple[Inferred, ...]
    k: int | None
    rows_exposed: int

    @property
    def cells(self) -> int:
        """The number of inferred cells."""
        return sum(one.cells for one in self.inferred)


def infer_from_totals(
    release: SeenRelease, totals: SeenRelease, hierarchies: Rules, known: AttackerKnowledge
) -> TotalsAttack:
    """Infer cells of a release from known totals.

    ``totals``: the number of people of the source with each value, or with each combination of
    values.
    ``known``: what an attacker knows about a person besides, and the k that should hold.
    """
    columns = AttackerKnowledge(totals.name, totals.columns, known.k)
    comparable = make_comparable([release, totals], hierarchies, [columns])
    left, right = comparable.releases
    blocks = find_blocks(left, right, comparable.columns)
    possible = find_possible(left, right, blocks, max(release.rows_in, totals.rows))
    values = _settle(comparable, possible)
    cells = _fill(comparable, values)
    k, rows = _count_small(release, known, comparable, values)
    return TotalsAttack(release.name, totals.name, totals.columns, tuple(cells), k, rows)


def _settle(comparable: ComparableReleases, possible: Possible) -> Codes:
    """Return by column and node the entry that it has in every world, if it shows another."""
    left, right = comparable.releases
    blocks = possible.blocks
    values = np.full(left.entries.shape, UNSETTLED, dtype=np.int32)
    for line in range(len(comparable.columns)):
        shown = right.entries[line, blocks.right].astype(np.int64)
        low = _least(_least(shown, blocks.right_block, blocks.number), blocks, len(left))
        high = -_least(_least(-shown, blocks.right_block, blocks.number), blocks, len(left))
        settled = (low == high) & ~possible.left_alone & (low != left.entries[line])
        values[line, settled] = low[settled]
    return values


def _least(values: Counts, places: Codes | Blocks, number: int) -> Counts:
    """Return the least value at each place; with blocks, values of blocks go to their nodes."""
    if isinstance(places, Blocks):
        values, places = values[places.left_block], places.left
    least = np.full(number, np.iinfo(np.int64).max)
    np.minimum.at(least, places, values)
    return least


def _fill(comparable: ComparableReleases, values: Codes) -> list[Inferred]:
    """List the inferred cells by column and value."""
    release = comparable.releases[0]
    found: Counter[tuple[str, Label, Label]] = Counter()
    for line, node in zip(*np.nonzero(values != UNSETTLED), strict=True):
        column = comparable.columns[line]
        value = column.labels[values[line, node]]
        shown = column.labels[release.entries[line, node]]
        found[column.name, value, shown] += int(release.counts[node])
    return [Inferred(*cell, cells) for cell, cells in found.items()]


def _count_small(
    release: SeenRelease, known: AttackerKnowledge, comparable: ComparableReleases, values: Codes
) -> tuple[int | None, int]:
    """Return the smallest class with an inferred cell, and the rows in classes below k."""
    names = [name for name in known.attributes if name in release.columns]
    filled = values[:, comparable.node_of[0]]
    lines = [release.codes[release.position(name)].astype(np.int64) for name in names]
    for line, column in enumerate(comparable.columns):
        if column.name in names:
            place = names.index(column.name)
            size = len(release.labels[release.position(column.name)])
            shown = comparable.releases[0].entries[line, comparable.node_of[0]]
            # a ground value that is shown is the same as one that is inferred
            own = np.where(column.levels[shown] == 0, size + shown, lines[place])
            lines[place] = np.where(filled[line] == UNSETTLED, own, size + filled[line])
    _, class_of = np.unique(np.array(lines), axis=1, return_inverse=True)
    sizes: Counts = np.bincount(class_of, release.counts).astype(np.int64)[class_of]
    inferred = (filled != UNSETTLED).any(axis=0)
    if not inferred.any():
        return None, 0
    return int(sizes[inferred].min()), int(release.counts[inferred & (sizes < known.k)].sum())
