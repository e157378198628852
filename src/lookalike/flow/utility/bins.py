"""Bins: summarize the values of a column in at most 100 bins."""

import re
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Codes, Counts, Reals

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
