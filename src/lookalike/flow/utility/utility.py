"""The verb ``utility``: measure what a release is still good for."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from lookalike.flow.result import Release
from lookalike.flow.utility.bins import bin_values
from lookalike.flow.utility.models import require_models, try_models
from lookalike.flow.utility.released_cells import ColumnCells, ReleasedCells, align_rows
from lookalike.flow.utility.trial import ModelTrial, check_target
from lookalike.flow.utility.utility_figures import ColumnDistance, ModelScore, PairDistance, Utility
from lookalike.kernels.types import Codes, Flags, Reals
from lookalike.spec.specification import Specification


def utility(
    release: Release,
    target: str | None = None,
    *,
    repeats: int = 1,
    seed: int = 0,
    test_share: float = 0.3,
) -> Utility:
    """Measure what a release is still good for, against the private table.

    The figures are for the data holder: they show distributions of the private table.

    Parameters
    ----------
    release
        The release.
    target
        A released column that models predict: trained on released rows, tested on private rows
        that were held out. It needs the extra ``utility``, scikit-learn.
    repeats
        The number of splits into training and test rows, over which scores are averaged.
    seed
        The seed of the first split.
    test_share
        The share of the rows of each class that are held out; rows of one person stay together.

    Examples
    --------
    >>> import lookalike as la
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["021", "021", "022", "022"], "ill": ["a", "a", "b", "b"]})
    >>> roles = {
    ...     "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...     "ill": {"role": "sensitive"},
    ... }
    >>> made = la.release(people, attributes=roles, k=4, max_suppressed=0, method="mingen")
    >>> found = utility(made)
    >>> found.column_distance, found.pair_distance
    (0.0, 0.5)
    >>> found.pairs[0].association_before, found.pairs[0].association_after
    (1.0, 0.0)
    """
    if target is None:
        return measure_utility(release)
    check_target(release.specification, target)
    return measure_utility(release, ModelTrial(target, repeats, seed, test_share))


def ask_trial(specification: Specification, target: str) -> ModelTrial:
    """Return a trial for a target, before the table is read; refuse what cannot be tried."""
    check_target(specification, target)
    require_models()
    return ModelTrial(target)


def measure_utility(
    release: Release, trial: ModelTrial | None = None, references: Sequence[ModelScore] = ()
) -> Utility:
    """Measure a release, with models if a trial is asked for."""
    rows = align_rows(release)
    return Utility(
        columns=column_distances(rows),
        pairs=pair_distances(rows),
        models=None if trial is None else try_models(rows, trial, references),
    )


def column_distances(rows: ReleasedCells) -> tuple[ColumnDistance, ...]:
    """Return the distance of every column."""
    return tuple(
        ColumnDistance(column.name, _distance(*_distributions(column, rows.released)))
        for column in rows.columns
    )


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


def _distributions(column: ColumnCells, released: Flags) -> tuple[Reals, Reals]:
    """Return the distribution of a column in the private table, and in the release."""
    before = np.bincount(column.private, minlength=len(column.values)) / len(released)
    cells = np.bincount(column.cells[released], minlength=column.sets.shape[0])
    return before, column.sets.T @ cells / released.sum()


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
