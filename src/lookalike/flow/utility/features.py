"""Features: the values of private and released rows as numbers for models.

Models are trained and tested on values of the private domain. A released cell that stands for
several values takes part as one of them, drawn uniformly: a training set is drawn from the
distribution that the release shows, by the same rule for every method. So a model meets values of
the same kind in training and in the test.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from lookalike.errors import InvalidInput
from lookalike.flow.utility.bins import bin_values, read_numbers
from lookalike.flow.utility.released_cells import ColumnCells, ReleasedCells
from lookalike.flow.utility.trial import check_classes, sample_rows
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Flags, Reals

GENERALIZED = -1
"""The class of a row that shows a generalized target."""


@dataclass(frozen=True, eq=False)
class Examples(Discreet):
    """The rows that train and test models.

    Parameters
    ----------
    columns
        The columns by which models predict.
    goal
        The column that they predict; its values are the classes.
    kept
        Which rows are in the release.
    person
        The person of each row.
    """

    columns: tuple[ColumnCells, ...]
    goal: ColumnCells
    kept: Flags
    person: Codes

    def __len__(self) -> int:
        return len(self.kept)

    @cached_property
    def private(self) -> Codes:
        """The private values, one line per column."""
        return np.array([column.private for column in self.columns], dtype=np.int32)

    def with_columns(self, places: Iterable[int]) -> "Examples":
        """Return the examples with some of the columns only."""
        return replace(self, columns=tuple(self.columns[place] for place in places))

    def draw(self, seed: int) -> Codes:
        """Draw a value for every released cell, one line per column.

        A column whose released cells are all alike shows nothing, and is constant.
        """
        generator = np.random.default_rng(seed)
        lines = [_draw_values(column, self.kept, generator) for column in self.columns]
        return np.array(lines, dtype=np.int32)

    @cached_property
    def shown(self) -> Codes:
        """The class that each released row shows; :data:`GENERALIZED` if it is not one."""
        sets = self.goal.sets
        alone = np.diff(sets.indptr) == 1
        single = np.full(len(alone), GENERALIZED, dtype=np.int32)
        single[alone] = sets.indices[sets.indptr[:-1][alone]]
        return single[self.goal.cells]

    def one_hot(self, values: Codes) -> Any:
        """Return values as a sparse matrix for linear models.

        A value of a category is a column. A number or a date is a column, standardized over the
        distinct values, and its missing value another.
        """
        parts = [
            csr_array(_spread(column))[line]
            for column, line in zip(self.columns, values, strict=True)
        ]
        return hstack(parts, format="csr")

    def ordinal(self, values: Codes) -> Reals:
        """Return values as a matrix with one column each: numbers, or numbered categories."""
        lines = [_number(column)[line] for column, line in zip(self.columns, values, strict=True)]
        return np.array(lines, dtype=np.float64).T

    @property
    def categorical(self) -> list[bool]:
        """Which columns are categories."""
        return [read_numbers(column.values) is None for column in self.columns]


def choose_examples(rows: ReleasedCells, target: str, seed: int) -> Examples:
    """Return the rows for models that predict a target; of many rows, a sample."""
    chosen = sample_rows(len(rows), seed)
    [goal] = [column for column in rows.columns if column.name == target]
    others = [column.taken(chosen) for column in rows.columns if column.name != target]
    check_classes(target, len(goal.values))
    if not others:
        raise InvalidInput(
            f"target: {target!r} is the only released column, so nothing can predict it; "
            "measure without a target"
        )
    return Examples(tuple(others), goal.taken(chosen), rows.released[chosen], rows.person[chosen])


def _draw_values(column: ColumnCells, kept: Flags, generator: np.random.Generator) -> Codes:
    """Draw for every row one of the values that its cell stands for."""
    if len(np.unique(column.cells[kept])) == 1:
        return np.zeros(len(kept), dtype=np.int32)
    first = column.sets.indptr[column.cells]
    sizes = column.sets.indptr[column.cells + 1] - first
    drawn: Codes = column.sets.indices[first + generator.integers(sizes)]
    return drawn


def _number(column: ColumnCells) -> Reals | Codes:
    """Return each value of a column as a number, or as the number of its category."""
    numbers = read_numbers(column.values)
    return _bin(column) if numbers is None else numbers


def _spread(column: ColumnCells) -> Reals:
    """Return the columns of a linear model for each value of a column."""
    numbers = read_numbers(column.values)
    if numbers is None:
        bins = _bin(column)
        return np.eye(int(bins.max()) + 1)[bins]
    missing = np.isnan(numbers)
    spread = float(np.nanstd(numbers)) or 1.0
    standard = np.where(missing, 0.0, (numbers - np.nanmean(numbers)) / spread)
    return np.column_stack([standard, missing] if missing.any() else [standard])


def _bin(column: ColumnCells) -> Codes:
    """Number the categories of a column; rare values of many share one."""
    counts = np.bincount(column.private, minlength=len(column.values))
    return bin_values(column.values, counts)
