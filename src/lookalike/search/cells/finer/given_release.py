"""Hold a given release as codes: its tuples, an assignment of private rows, and changes to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

SUPPRESSED_ROW = -1
"""Stands for the rows that the release leaves out, where a released tuple is expected."""


@dataclass(frozen=True, eq=False)
class ShownTuples:
    """The distinct tuples that a given release shows.

    ``levels``: the lowest level that shows the cell's value, one row per attribute, one column per
    tuple. A suppressed cell is at the top.
    ``ground``: any ground code below each cell.
    ``counts``: the number of rows of each tuple.
    """

    levels: Codes
    ground: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class Assignment:
    """An assignment of private rows to released rows, as entries of a tuple and a sequence.

    ``release``: the tuples that the release shows, which is to be compared with finer tables.
    ``k``, ``bottom``: the least size of a class, and the lowest allowed levels.
    ``shown``, ``sequence``: the released tuple of each entry, and a private sequence that it
    covers.
    ``rows``: the number of rows of the sequence that are assigned to the tuple.
    ``left``: for each sequence, the number of rows that are not released.
    """

    frequency: FrequencyList
    release: ShownTuples
    k: int
    bottom: Vector
    shown: Codes
    sequence: Codes
    rows: Counts
    left: Counts


@dataclass(frozen=True)
class Change:
    """Rows of a release that a finer table shows at lower levels.

    ``shown``: the released tuple of these rows, or ``SUPPRESSED_ROW``.
    ``levels``: the levels of these rows in the finer table.
    ``ground``: any ground code below each of their cells in the finer table.
    """

    shown: int
    levels: Vector
    ground: Vector
    rows: int


def merge_equal(frequency: FrequencyList, shown: ShownTuples) -> tuple[Codes, ShownTuples]:
    """Merge tuples with the same meaning: a suppressed value means the same as the top."""
    cells = zip(frequency.hierarchies, shown.levels, shown.ground, strict=True)
    codes = [hierarchy.lift_ground(levels, ground) for hierarchy, levels, ground in cells]
    both = np.concatenate([shown.levels, np.stack(codes)])
    _, first, class_of = np.unique(both, axis=1, return_index=True, return_inverse=True)
    counts = np.bincount(class_of.reshape(-1), shown.counts).astype(np.int64)
    merged = ShownTuples(shown.levels[:, first], shown.ground[:, first], counts)
    return first.astype(np.int32), merged


def levels_by_label(hierarchy: BoundHierarchy) -> Codes:
    """Return the level that a cell's label shows, by level and ground code.

    A suppressed cell is at the top, whatever its level. A label that covers the same values at
    several levels, such as a missing value, is at the lowest of them.
    """
    height = hierarchy.height
    visible = np.zeros((height + 1, hierarchy.size(0)), dtype=np.int32)
    below: tuple[npt.NDArray[np.object_], Counts] | None = None
    for level, codes in enumerate(hierarchy.levels):
        labels = np.array(hierarchy.labels[level], dtype=object)[codes]
        covered = np.bincount(codes)[codes]
        visible[level] = level
        if below is not None:
            same = (labels == below[0]) & (covered == below[1])
            visible[level][same] = visible[level - 1][same]
        visible[level][hierarchy.hidden[level][codes]] = height
        below = labels, covered
    return visible


def assign_rows(
    frequency: FrequencyList, shown: ShownTuples, k: int, bottom: Vector
) -> Assignment | None:
    """Assign a different private row to each released row; ``None`` if that is impossible."""
    tuples, sequences = _pair_covered(frequency, shown)
    rows = _match(shown.counts, frequency.counts, tuples, sequences)
    if rows.sum() < shown.counts.sum():
        return None
    taken = np.bincount(sequences, rows, minlength=len(frequency)).astype(np.int64)
    left = frequency.counts - taken
    return Assignment(frequency, shown, k, bottom, tuples, sequences, rows, left)


def _pair_covered(frequency: FrequencyList, shown: ShownTuples) -> tuple[Codes, Codes]:
    """Pair released tuples with the sequences that they cover, vector by vector."""
    patterns, pattern_of = np.unique(shown.levels, axis=1, return_inverse=True)
    pairs = [
        _join(frequency, shown, vector, np.flatnonzero(pattern_of.reshape(-1) == number))
        for number, vector in enumerate(patterns.T.tolist())
    ]
    tuples, sequences = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return tuples.astype(np.int32), sequences.astype(np.int32)


def _join(
    frequency: FrequencyList, shown: ShownTuples, vector: Sequence[int], members: Counts
) -> tuple[Codes, Codes]:
    """Pair the tuples of one vector with the sequences that generalize to them."""
    codes = np.concatenate([frequency.codes, shown.ground[:, members]], axis=1)
    ones = np.ones(codes.shape[1], dtype=np.int64)
    together = FrequencyList(frequency.hierarchies, frequency.vector, codes, ones)
    class_of, classes = together.classify(vector)
    owner = np.full(len(classes), -1, dtype=np.int32)
    owner[class_of[len(frequency) :]] = members
    owners = owner[class_of[: len(frequency)]]
    covered = np.flatnonzero(owners >= 0).astype(np.int32)
    return owners[covered], covered


def _match(supply: Counts, demand: Counts, tuples: Codes, sequences: Codes) -> Counts:
    """Return the number of rows that a maximum flow from tuples to sequences sends by each pair."""
    from scipy.sparse import csr_array  # slow to import, so only where it is needed
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
