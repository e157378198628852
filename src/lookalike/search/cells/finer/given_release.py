"""Hold a given release as codes: its tuples, an assignment of private rows, and changes."""

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

    Parameters
    ----------
    levels
        The lowest level that shows the cell's value, one row per attribute, one column per
        tuple. A suppressed cell is at the top.
    ground
        Any ground code below each cell.
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
    """An assignment of private rows to released rows, as entries of a tuple and a sequence.

    Parameters
    ----------
    shown, sequence
        The released tuple of each entry, and a private sequence that it covers.
    rows
        The number of rows of the sequence that are assigned to the tuple.
    left
        For each sequence, the number of rows that are not released.
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
        The released tuple of these rows, or ``SUPPRESSED_ROW``.
    levels
        The levels of these rows in the finer table.
    ground
        Any ground code below each of their cells in the finer table.
    rows
        The number of rows.
    """

    shown: int
    levels: Vector
    ground: Vector
    rows: int


def merge_equal(frequency: FrequencyList, shown: ShownTuples) -> tuple[Codes, ShownTuples]:
    """Merge tuples with the same meaning: a suppressed value means the same as the top."""
    codes = [
        hierarchy.lift_ground(levels, ground)
        for hierarchy, levels, ground in zip(
            frequency.hierarchies, shown.levels, shown.ground, strict=True
        )
    ]
    both = np.concatenate([shown.levels, np.stack(codes)])
    _, first, class_of = np.unique(both, axis=1, return_index=True, return_inverse=True)
    counts = np.bincount(class_of.reshape(-1), shown.counts).astype(np.int64)
    return first.astype(np.int32), ShownTuples(
        shown.levels[:, first], shown.ground[:, first], counts
    )


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
