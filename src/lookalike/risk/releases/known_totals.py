"""Summary: what known totals tell of suppressed cells (Achieving, section 4.2).

"Knowing the total number of men and women allows the suppressed values for Gender to be
inferred." A table of totals is a release of a few columns at the ground level, in which every
person has a row. So the cells that can be inferred follow from the same flow: a suppressed or
generalized cell has the one value that every world gives it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy import Hierarchy
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import ComparableReleases, make_comparable
from lookalike.risk.releases.compatible_blocks import Blocks, find_blocks
from lookalike.risk.releases.possible_worlds import Possible, find_possible
from lookalike.risk.releases.seen_release import AttackerKnowledge, Label, SeenRelease

UNSETTLED = -1
"""In place of an entry, where worlds differ."""


@dataclass(frozen=True)
class Inferred:
    """Cells of one column whose value follows from totals.

    Parameters
    ----------
    column
        The column.
    value
        The value that they must have.
    shown
        What the release shows in its place.
    cells
        How many there are.
    """

    column: str
    value: Label
    shown: Label
    cells: int


@dataclass(frozen=True)
class TotalsAttack:
    """What totals tell of a release.

    Parameters
    ----------
    release
        Its name.
    totals
        The name of the totals.
    columns
        The columns that the totals are of.
    inferred
        What follows.
    k
        The size of the smallest class, once the values are filled in, that has a cell
        inferred; nothing if none has.
    rows_exposed
        How many rows with an inferred cell are in classes below k.
    """

    release: str
    totals: str
    columns: tuple[str, ...]
    inferred: tuple[Inferred, ...]
    k: int | None
    rows_exposed: int

    @property
    def cells(self) -> int:
        """The number of cells that were inferred."""
        return sum(one.cells for one in self.inferred)


def infer_from_totals(
    release: SeenRelease,
    totals: SeenRelease,
    hierarchies: Mapping[str, Hierarchy],
    known: AttackerKnowledge,
) -> TotalsAttack:
    """Infer cells of a release from totals.

    Parameters
    ----------
    release
        The release.
    totals
        How many people of the source have each value, or each combination of some values.
    hierarchies
        The hierarchies of generalized columns.
    known
        What an attacker knows of a person besides, and the k that should hold.
    """
    columns = AttackerKnowledge(totals.name, totals.columns, known.k)
    ground = make_comparable([release, totals], hierarchies, [columns])
    left, right = ground.releases
    blocks = find_blocks(left, right, ground.ladders)
    possible = find_possible(left, right, blocks, max(release.rows_in, totals.rows))
    values = _settle(ground, possible)
    cells = _fill(ground, values)
    k, rows = _count_small(release, known, ground, values)
    return TotalsAttack(release.name, totals.name, totals.columns, tuple(cells), k, rows)


def _settle(ground: ComparableReleases, possible: Possible) -> Codes:
    """Return by column and node the entry that every world gives it, where it shows another."""
    left, right = ground.releases
    blocks = possible.blocks
    values = np.full(left.entries.shape, UNSETTLED, dtype=np.int32)
    for line in range(len(ground.ladders)):
        shown = right.entries[line, blocks.right].astype(np.int64)
        low = _least(_least(shown, blocks.right_block, blocks.number), blocks, len(left))
        high = -_least(_least(-shown, blocks.right_block, blocks.number), blocks, len(left))
        settled = (low == high) & ~possible.left_alone & (low != left.entries[line])
        values[line, settled] = low[settled]
    return values


def _least(values: Counts, places: Codes | Blocks, number: int) -> Counts:
    """Return the least of the values at each place; blocks hand theirs on to their nodes."""
    if isinstance(places, Blocks):
        values, places = values[places.left_block], places.left
    least = np.full(number, np.iinfo(np.int64).max)
    np.minimum.at(least, places, values)
    return least


def _fill(ground: ComparableReleases, values: Codes) -> list[Inferred]:
    """List what was inferred, by column and value."""
    release = ground.releases[0]
    found: dict[tuple[str, Label, Label], int] = {}
    for line, node in zip(*np.nonzero(values != UNSETTLED), strict=True):
        ladder = ground.ladders[line]
        value = ladder.labels[values[line, node]]
        shown = ladder.labels[release.entries[line, node]]
        cell = (ladder.column, value, shown)
        found[cell] = found.get(cell, 0) + int(release.counts[node])
    return [Inferred(*cell, cells) for cell, cells in found.items()]


def _count_small(
    release: SeenRelease, known: AttackerKnowledge, ground: ComparableReleases, values: Codes
) -> tuple[int | None, int]:
    """Count the rows with an inferred cell that are in small classes even so."""
    names = [name for name in known.attributes if name in release.columns]
    filled = values[:, ground.node_of[0]]
    lines = [release.codes[release.position(name)].astype(np.int64) for name in names]
    for line, ladder in enumerate(ground.ladders):
        if ladder.column in names:
            place = names.index(ladder.column)
            size = len(release.labels[release.position(ladder.column)])
            lines[place] = np.where(
                filled[line] == UNSETTLED,
                _same_as(release, ladder.column, ground, line, lines[place]),
                size + filled[line],
            )
    _, class_of = np.unique(np.array(lines), axis=1, return_inverse=True)
    sizes: Counts = np.bincount(class_of, release.counts).astype(np.int64)[class_of]
    told = (filled != UNSETTLED).any(axis=0)
    if not told.any():
        return None, 0
    return int(sizes[told].min()), int(release.counts[told & (sizes < known.k)].sum())


def _same_as(
    release: SeenRelease, column: str, ground: ComparableReleases, line: int, codes: Counts
) -> Counts:
    """Number shown values as inferred ones are, so that both can be alike."""
    shown = ground.releases[0].entries[line, ground.node_of[0]]
    size = len(release.labels[release.position(column)])
    same: Counts = np.where(ground.ladders[line].levels[shown] == 0, size + shown, codes)
    return same
