"""Released cells: the private value and the released cell of every row, column by column.

A released cell stands for a set of values of its private column: those that have its label at a
released level. It is encoded as the uniform distribution over that set, so a value that is kept
is itself, and a suppressed cell is the whole domain. Missing is a value like any other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.tuples import SUPPRESSED_CELL, SUPPRESSED_TEXT
from lookalike.tables.engines.engine import FATE
from lookalike.tables.labels import encode_column
from lookalike.tables.plan import Fates, Plan
from lookalike.tables.recode import Trail


@dataclass(frozen=True, eq=False)
class ColumnCells(Discreet):
    """One column of the rows, before and after the release.

    ``name``: the name of the column.
    ``values``: its domain: the distinct private values as text; ``None`` is missing.
    ``private``: the private value of each row, as a position in `values`.
    ``cells``: the released cell of each row, as a row of `sets`.
    ``sets``: for each cell, the uniform distribution over the values that it stands for: a sparse
    matrix with one row per cell and one column per value.
    """

    name: str
    values: tuple[str | None, ...]
    private: Codes
    cells: Codes
    sets: Any

    def taken(self, rows: Codes) -> "ColumnCells":
        """Return the column of some rows, in their order."""
        return ColumnCells(self.name, self.values, self.private[rows], self.cells[rows], self.sets)


@dataclass(frozen=True, eq=False)
class ReleasedCells(Discreet):
    """The released columns of all private rows, in an order that only their values decide.

    ``columns``: the columns: the quasi-identifier first, then those that are released as they are.
    ``released``: which rows are in the release; the others are suppressed.
    ``person``: the person of each row; its own number where persons are not named.
    """

    columns: tuple[ColumnCells, ...]
    released: Flags
    person: Codes

    def __len__(self) -> int:
        return len(self.released)


def align_rows(plan: Plan, trail: Trail, person: str | None) -> ReleasedCells:
    """Return the private value and the released cell of every row of a release.

    The draw is that of the release. The order of the rows does not depend on their order in the
    source, so that a split by a seed gives the same rows each time.
    """
    persons = [] if person is None else [person]
    names = dict.fromkeys([*plan.frequency.attributes, *plan.table.unchanged, *persons])
    rows = pa.concat_tables(trail.follow(list(names)))
    fates = rows[FATE]
    if fates.null_count or len(fates) != plan.frequency.rows:
        raise _changed()
    fate_of = fates.to_numpy().astype(np.int32)
    columns = [
        *_quasi_identifier_cells(plan, trail.fates, rows, fate_of),
        *(_unchanged_cells(name, rows[name]) for name in plan.table.unchanged),
    ]
    keys = [encode_column(name, rows[name])[1] for name in persons]
    values = [column.private for column in columns]
    order = np.lexsort([fate_of, *keys, *values]).astype(np.int32)
    return ReleasedCells(
        tuple(column.taken(order) for column in columns),
        released=~trail.fates.gone[fate_of[order]] | plan.blank,
        person=keys[0][order] if keys else np.arange(len(order), dtype=np.int32),
    )


def _changed() -> InvalidInput:
    """Make the error for rows that are not those that were counted."""
    return InvalidInput(
        "utility: the source has changed since it was counted; make the release again"
    )


def _quasi_identifier_cells(
    plan: Plan, fates: Fates, rows: pa.Table, fate_of: Codes
) -> list[ColumnCells]:
    """Return the attributes of the quasi-identifier; the cell of a row is its label."""
    columns = []
    for attribute, name in enumerate(plan.frequency.attributes):
        values, private = encode_column(name, rows[name])
        if values != plan.counted.values[attribute]:
            raise _changed()
        labels, shown = fates.tuples.shown(plan.frequency, attribute)
        used = np.unique(fates.tuples.levels[attribute])
        sets = _list_sets(plan, attribute, labels, used[used != SUPPRESSED_CELL].tolist())
        columns.append(ColumnCells(name, values, private, shown[fate_of], sets))
    return columns


def _list_sets(
    plan: Plan, attribute: int, labels: Sequence[str | None], levels: Sequence[int]
) -> Any:
    """Return for each label the uniform distribution over the values below it."""
    hierarchy, values = plan.frequency.hierarchies[attribute], plan.counted.values[attribute]
    number = {label: cell for cell, label in enumerate(labels)}
    domain = np.arange(len(values))
    pairs = [np.full(len(values), SUPPRESSED_TEXT) * len(values) + domain]
    for level in levels:
        named = np.array([number[label] for label in hierarchy.labels[level]])
        pairs.append(named[hierarchy.levels[level][hierarchy.ground]] * len(values) + domain)
    cell, member = np.divmod(np.unique(np.concatenate(pairs)), len(values))
    weights = 1 / np.bincount(cell, minlength=len(labels))[cell]
    return csr_array((weights, (cell, member)), shape=(len(labels), len(values)))


def _unchanged_cells(name: str, column: pa.ChunkedArray) -> ColumnCells:
    """Return a column that is released as it is: every cell is its private value."""
    values, private = encode_column(name, column)
    own = np.arange(len(values))
    sets = csr_array((np.ones(len(values)), (own, own)), shape=(len(values), len(values)))
    return ColumnCells(name, values, private, private, sets)


MOST_BINS = 100
"""The most values or bins of a column in joint distributions and in models."""


_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_numbers(values: Sequence[str | None]) -> Reals | None:
    """Return numbers, or dates as days; None if a value is neither.

    A missing value is not a number (NaN). Digits that begin with 0 are no number but a code.

    Examples
    --------
    >>> read_numbers(["7", "-2.5", None]).tolist(), read_numbers(["02138", "94110"])
    ([7.0, -2.5, nan], None)
    >>> read_numbers(["1970-01-02", "1970-03-01"]).tolist()
    [1.0, 59.0]
    """
    texts = [value for value in values if value is not None]
    if texts and all(_NUMBER.fullmatch(text) for text in texts):
        return np.array([np.nan if value is None else float(value) for value in values])
    if texts and all(_DAY.fullmatch(text) for text in texts):
        return _read_days(values)
    return None


def _read_days(values: Sequence[str | None]) -> Reals | None:
    """Return dates as days since 1970; None if one is not in the calendar."""
    try:
        days = np.array(["NaT" if value is None else value for value in values], "datetime64[D]")
    except ValueError:
        return None
    return np.where(np.isnat(days), np.nan, days.astype(np.int64))


def bin_values(values: Sequence[str | None], counts: Counts) -> Codes:
    """Return the bin of each value: its own, unless there are more than 100 values.

    Numbers and dates get bins with similar numbers of rows, and one for missing values.
    Categories keep the 99 most frequent values, and the others share a bin.
    """
    if len(values) <= MOST_BINS:
        return np.arange(len(values), dtype=np.int32)
    numbers = read_numbers(values)
    if numbers is None:
        order = np.argsort(-counts, kind="stable")
        bins = np.empty(len(values), dtype=np.int32)
        bins[order] = np.minimum(np.arange(len(values)), MOST_BINS - 1)
        return bins
    return _bin_numbers(numbers, counts)


def _bin_numbers(numbers: Reals, counts: Counts) -> Codes:
    """Return bins with similar numbers of rows; missing values come last."""
    order = np.argsort(numbers, kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    known = int(counts[~np.isnan(numbers)].sum())
    bins = np.empty(len(numbers), dtype=np.int64)
    bins[order] = before * (MOST_BINS - 1) // max(known, 1)
    bins[np.isnan(numbers)] = MOST_BINS - 1
    return np.unique(bins, return_inverse=True)[1].astype(np.int32)
