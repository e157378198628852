"""A given release as codes: its distinct tuples, an assignment of private rows, and changes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

SUPPRESSED_ROW = -1
"""Stands for a row that the release leaves out, in the place of a released tuple."""


@dataclass(frozen=True, eq=False)
class ShownTuples:
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


def merge_equal(frequency: FrequencyList, shown: ShownTuples) -> tuple[Codes, ShownTuples]:
    """Put tuples together that tell the same: a suppressed value tells what the top does.

    Returns
    -------
    first
        For each tuple that is left, one that it was made of.
    merged
        The tuples that are left.
    """
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
