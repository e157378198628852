"""Columns released as they are: what 24 of them single out in 100,000 rows, by every subset."""

import time
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from lookalike.risk.table.as_is import MOST_COLUMNS, AsIs, single_out
from lookalike.risk.table.sequences import list_sequences
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

ROWS = 100_000
SEED = 20020503
FLAGS, CODES, DATES = (2, 2, 2, 3, 3, 4, 5, 5), (6, 8, 10, 10, 12, 15, 20, 25), (365, 1000, 3000)
VALUES = (*FLAGS, *CODES, 30, 40, 50, 80, 100, *DATES)
"""The number of values of each column."""
SAMPLE = 60


def run() -> None:
    """All 12,950 subsets of up to four of 24 columns, with and without missing values."""
    _measure(_draw(1000, 0.2))
    for missing in (0.0, 0.2):
        table = _draw(ROWS, missing)
        found, seconds = _measure(table)
        smallest = found.smallest
        print(
            f"{ROWS:,} rows, {len(VALUES)} columns, {missing:.0%} missing: {_count_subsets():,} "
            f"subsets in {seconds:.2f} processor seconds; together they single out "
            f"{found.jointly.rows:,} rows, {len(smallest.columns)} of them {smallest.rows:,}"
        )
        if not missing:
            _compare(table, found, seconds)


def _count_subsets() -> int:
    """Return the number of subsets."""
    return sum(comb(len(VALUES), number) for number in range(1, MOST_COLUMNS + 1))


def _draw(rows: int, missing: float) -> pd.DataFrame:
    """Draw columns with more rows of low values than of high ones, some values missing."""
    drawn = np.random.default_rng(SEED)
    columns = {
        f"column {number}": pd.Series((drawn.random(rows) ** 2 * size).astype(int).astype(str))
        for number, size in enumerate(VALUES)
    }
    table = pd.DataFrame(columns)
    return table.mask(drawn.random(table.shape) < missing)


def _measure(table: pd.DataFrame) -> tuple[AsIs, float]:
    """Count what the columns of a table single out, from the frame."""
    begin = time.process_time()
    names = list(table.columns)
    found = single_out(list_sequences(count(read_frame(table), names)), names)
    return found, time.process_time() - begin


def _compare(table: pd.DataFrame, found: AsIs, seconds: float) -> None:
    """Let pandas group by a sample of the subsets, and scale its time to all of them."""
    coded = table.apply(lambda column: pd.factorize(column)[0])
    drawn = np.random.default_rng(SEED)
    measured, theirs = 0, 0.0
    for number in range(1, MOST_COLUMNS + 1):
        subsets = list(combinations(coded.columns, number))
        chosen = drawn.choice(len(subsets), min(SAMPLE, len(subsets)), replace=False)
        measured += len(chosen)
        began = time.process_time()
        most = max(_count_unique(coded, subsets[one]) for one in chosen)
        theirs += (time.process_time() - began) * len(subsets) / len(chosen)
        assert most <= found.by_size[number - 1].rows
        assert _count_unique(coded, found.by_size[number - 1].columns) == (
            found.by_size[number - 1].rows
        )
    print(
        f"pandas, a group-by of integer codes for each subset: about {theirs:.0f} processor "
        f"seconds, scaled from {measured} subsets: {theirs / seconds:.0f} × as long"
    )


def _count_unique(table: pd.DataFrame, columns: tuple[str, ...]) -> int:
    """Count the rows that no other equals over some columns."""
    return int((table.groupby(list(columns), sort=False).size() == 1).sum())
