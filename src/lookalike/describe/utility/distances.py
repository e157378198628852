"""Compare the distributions of columns, and of pairs of columns, before and after a release."""

import math
from itertools import combinations
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from lookalike.describe.utility.released_cells import ColumnCells, ReleasedCells, bin_values
from lookalike.describe.utility.utility_figures import ColumnDistance, PairDistance
from lookalike.kernels.types import Codes, Flags, Reals


def column_distances(rows: ReleasedCells) -> tuple[ColumnDistance, ...]:
    """Return the distance of every column."""
    found, released = [], rows.released
    for column in rows.columns:
        before = np.bincount(column.private, minlength=len(column.values)) / len(released)
        cells = np.bincount(column.cells[released], minlength=column.sets.shape[0])
        after = column.sets.T @ cells / released.sum()
        found.append(ColumnDistance(column.name, _distance(before, after)))
    return tuple(found)


def pair_distances(rows: ReleasedCells) -> tuple[PairDistance, ...]:
    """Return the distance and the association of every pair of columns.

    A column with more than 100 values is summarized in bins first.
    """
    binned = [_summarize(column) for column in rows.columns]
    return tuple(_compare_pair(*pair, rows.released) for pair in combinations(binned, 2))


def cramers_v(joint: Reals) -> float:
    """Return Cramér's V of a joint distribution: 0 without association, 1 at most.

    The number of values of each column is that of rows and columns of `joint`, also where a
    value has no share.

    Examples
    --------
    >>> cramers_v(np.array([[0.5, 0.0], [0.0, 0.5]])), cramers_v(np.full((2, 2), 0.25))
    (1.0, 0.0)
    """
    fewest = min(joint.shape)
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    there = independent > 0
    squares = (joint - independent)[there] ** 2 / independent[there]
    return math.sqrt(min(1.0, float(squares.sum()) / (fewest - 1))) if fewest > 1 else 0.0


def _distance(before: Reals, after: Reals) -> float:
    """Return the total variation distance; rounding does not take it above 1."""
    return min(1.0, float(np.abs(before - after).sum()) / 2)


def _summarize(column: ColumnCells) -> ColumnCells:
    """Return a column with at most 100 values, which may be bins."""
    counts = np.bincount(column.private, minlength=len(column.values))
    bin_of = bin_values(column.values, counts)
    bins = int(bin_of.max()) + 1
    if bins == len(column.values):
        return column
    into = csr_array(
        (np.ones(len(bin_of)), (np.arange(len(bin_of)), bin_of)), shape=(len(bin_of), bins)
    )
    names = tuple(str(number) for number in range(bins))
    return ColumnCells(column.name, names, bin_of[column.private], column.cells, column.sets @ into)


def _compare_pair(one: ColumnCells, other: ColumnCells, released: Flags) -> PairDistance:
    """Compare the joint distributions of two columns, from the distinct pairs of cells."""
    sizes = len(one.values), len(other.values)
    before = _cross(one.private, other.private, sizes).toarray() / len(released)
    cells = _cross(
        one.cells[released], other.cells[released], (one.sets.shape[0], other.sets.shape[0])
    )
    after = (one.sets.T @ cells @ other.sets).toarray() / released.sum()
    return PairDistance(
        column=one.name,
        other=other.name,
        distance=_distance(before, after),
        association_before=cramers_v(before),
        association_after=cramers_v(after),
    )


def _cross(one: Codes, other: Codes, shape: tuple[int, int]) -> Any:
    """Count the rows of each pair of codes, as a sparse matrix."""
    return coo_array((np.ones(len(one)), (one, other)), shape=shape).tocsr()
