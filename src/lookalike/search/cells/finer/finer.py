"""Search for a k-anonymous table that is strictly more specific than a given release.

A release at the cell level is k-minimal if there is none (Achieving, Definition 4). The
definition compares tables: each private row becomes a row of the finer table, which in turn
generalizes to a row of the release, a different one for each. Which private row a released
row came from is not part of a table, so any assignment may serve.

Two looks are taken. The first takes one assignment and looks at each class by itself, which
is quick on any table: all rows of a class may be alike one level lower, or k of them may be
while k others remain. The second (:mod:`lookalike.search.cells.finer.exact_finer`) decides small
tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels import group_sequences
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

SUPPRESSED_ROW = -1
"""Stands for a row that the release leaves out, in the place of a released tuple."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The distinct tuples that a given release shows.

    Parameters
    ----------
    levels
        One line an attribute, one column a tuple: the lowest level that shows the cell's value.
        A suppressed cell is at the top.
    ground
        A ground code below each cell; which one does not matter.
    counts
        The number of rows of each tuple.
    """

    levels: Codes
    ground: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class Assignment:
    """Private rows for the rows of a release: entries of a tuple, a sequence, and rows.

    Parameters
    ----------
    shown, sequence
        Which released tuple covers which private sequence.
    rows
        How many rows of the sequence are taken to be released as the tuple.
    left
        For each sequence, how many rows are not released.
    """

    shown: Codes
    sequence: Codes
    rows: Counts
    left: Counts


@dataclass(frozen=True)
class Change:
    """Rows of a release that a finer table shows at lower levels.

    Parameters
    ----------
    shown
        The released tuple that they have, or ``SUPPRESSED_ROW``.
    levels
        The levels that they have in the finer table.
    ground
        A ground code below each of their cells there.
    rows
        Their number.
    """

    shown: int
    levels: Vector
    ground: Vector
    rows: int


def merge_equal(frequency: FrequencyList, shown: Shown) -> tuple[Codes, Shown]:
    """Put tuples together that tell the same: a suppressed value tells what the top does.

    Returns
    -------
    first
        For each tuple that is left, one that it was made of.
    merged
        The tuples that are left.
    """
    lines = [
        hierarchy.levels[level][ground]
        for hierarchy, levels, grounds in zip(
            frequency.hierarchies, shown.levels, shown.ground, strict=True
        )
        for level, ground in zip(levels.tolist(), grounds.tolist(), strict=True)
    ]
    codes = np.array(lines, dtype=np.int32).reshape(shown.levels.shape)
    both = np.concatenate([shown.levels, codes])
    _, first, class_of = np.unique(both, axis=1, return_index=True, return_inverse=True)
    counts = np.bincount(class_of.reshape(-1), shown.counts).astype(np.int64)
    return first.astype(np.int32), Shown(shown.levels[:, first], shown.ground[:, first], counts)


def assign(frequency: FrequencyList, shown: Shown) -> Assignment | None:
    """Find a private row of its own for each released row; nothing if that cannot be."""
    tuples, sequences = _find_covered(frequency, shown)
    rows = _match(shown.counts, frequency.counts, tuples, sequences)
    if rows.sum() < shown.counts.sum():
        return None
    taken = np.bincount(sequences, rows, minlength=len(frequency)).astype(np.int64)
    return Assignment(tuples, sequences, rows, frequency.counts - taken)


def _find_covered(frequency: FrequencyList, shown: Shown) -> tuple[Codes, Codes]:
    """Pair released tuples with the sequences that they cover, levels by levels."""
    patterns, pattern_of = np.unique(shown.levels, axis=1, return_inverse=True)
    pairs = [
        _join(frequency, shown, vector, np.flatnonzero(pattern_of.reshape(-1) == number))
        for number, vector in enumerate(patterns.T.tolist())
    ]
    tuples, sequences = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return tuples.astype(np.int32), sequences.astype(np.int32)


def _join(
    frequency: FrequencyList, shown: Shown, vector: Sequence[int], members: npt.NDArray[np.intp]
) -> tuple[Codes, Codes]:
    """Pair the tuples of one vector with the sequences that show them there."""
    levels = list(zip(frequency.hierarchies, vector, strict=True))
    together = np.concatenate([frequency.codes, shown.ground[:, members]], axis=1)
    class_of, first, _ = group_sequences(
        together,
        [hierarchy.levels[level] for hierarchy, level in levels],
        [hierarchy.size(level) for hierarchy, level in levels],
        np.ones(together.shape[1], dtype=np.int64),
    )
    owner = np.full(len(first), -1, dtype=np.int32)
    owner[class_of[len(frequency) :]] = members
    owners = owner[class_of[: len(frequency)]]
    covered = np.flatnonzero(owners >= 0).astype(np.int32)
    return owners[covered], covered


def _match(supply: Counts, demand: Counts, tuples: Codes, sequences: Codes) -> Counts:
    """Return for each pair how many rows a maximum flow from tuples to sequences sends."""
    from scipy.sparse import csr_array  # slow to import, so no sooner than it is needed
    from scipy.sparse.csgraph import maximum_flow

    first, source = len(supply), len(supply) + len(demand)
    ours, theirs = np.arange(len(supply)), first + np.arange(len(demand))
    tails = np.concatenate([np.full(len(supply), source), tuples, theirs])
    heads = np.concatenate([ours, first + sequences, np.full(len(demand), source + 1)])
    most = np.minimum(supply[tuples], demand[sequences])
    capacities = np.concatenate([supply, most, demand]).astype(np.int32)
    network = csr_array((capacities, (tails, heads)), shape=(source + 2, source + 2))
    flow = maximum_flow(network, source, source + 1, method="dinic").flow
    sent: Counts = np.asarray(flow[tuples, first + sequences]).reshape(-1).astype(np.int64)
    return sent


def tell_levels(hierarchy: BoundHierarchy) -> Codes:
    """Return by level and ground code how general a cell is, as its label tells.

    A suppressed cell is at the top, at whichever level it is written. A label that stands for
    the same values at several levels is at the lowest of them, as a missing value is.
    """
    height = hierarchy.height
    told = np.zeros((height + 1, hierarchy.size(0)), dtype=np.int32)
    below: tuple[npt.NDArray[np.object_], Counts] | None = None
    for level, codes in enumerate(hierarchy.levels):
        labels = np.array(hierarchy.labels[level], dtype=object)[codes]
        covered = np.bincount(codes)[codes]
        told[level] = level
        if below is not None:
            same = (labels == below[0]) & (covered == below[1])
            told[level][same] = told[level - 1][same]
        told[level][hierarchy.hidden[level][codes]] = height
        below = labels, covered
    return told


def refine_classes(
    frequency: FrequencyList, shown: Shown, assignment: Assignment, k: int, bottom: Vector
) -> list[Change]:
    """Look at each class of a release by itself, and at the rows that it leaves out.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    shown
        The release.
    assignment
        A private row for each released row.
    k
        How many rows must be alike.
    bottom
        The lowest levels that are allowed.

    Returns
    -------
    changes
        At most one for each released tuple, all possible together.
    """
    found: dict[int, Change] = {}
    for attribute, lowest in enumerate(bottom):
        for change in _lower(frequency, shown, assignment, k, attribute, lowest):
            found.setdefault(change.shown, change)
    return [*found.values(), *_release_left(shown, assignment)]


def _lower(
    frequency: FrequencyList,
    shown: Shown,
    assignment: Assignment,
    k: int,
    attribute: int,
    lowest: int,
) -> Iterator[Change]:
    """Find the classes of which enough rows are alike one level lower in an attribute."""
    hierarchy = frequency.hierarchies[attribute]
    level = shown.levels[attribute][assignment.shown]
    entries = np.flatnonzero((level > lowest) & (assignment.rows > 0))
    if not len(entries):
        return
    tuples, below = assignment.shown[entries], level[entries] - 1
    ground = frequency.codes[attribute, assignment.sequence[entries]]
    codes = np.array([hierarchy.levels[b][g] for b, g in zip(below, ground, strict=True)])
    told = tell_levels(hierarchy)[below, ground]
    group = tuples.astype(np.int64) * hierarchy.size(0) + codes
    _, first, group_of = np.unique(group, return_index=True, return_inverse=True)
    sizes = np.bincount(group_of, assignment.rows[entries]).astype(np.int64)
    whole = shown.counts[tuples[first]]
    enough = (sizes == whole) | ((sizes >= k) & (whole >= 2 * k))
    enough &= told[first] < level[entries][first]
    for place in np.flatnonzero(enough).tolist():
        entry, size, total = first[place], int(sizes[place]), int(whole[place])
        moved = size if size == total or total - size >= k else total - k
        one = int(tuples[entry])
        levels, cells = shown.levels[:, one].tolist(), shown.ground[:, one].tolist()
        levels[attribute], cells[attribute] = int(below[entry]), int(ground[entry])
        yield Change(one, tuple(levels), tuple(cells), moved)


def _release_left(shown: Shown, assignment: Assignment) -> Iterator[Change]:
    """Find rows that are left out although a released tuple covers them."""
    covering = dict(zip(assignment.sequence.tolist(), assignment.shown.tolist(), strict=True))
    for sequence in np.flatnonzero(assignment.left).tolist():
        one = covering.get(sequence)
        if one is not None:
            levels, cells = shown.levels[:, one].tolist(), shown.ground[:, one].tolist()
            rows = int(assignment.left[sequence])
            yield Change(SUPPRESSED_ROW, tuple(levels), tuple(cells), rows)
