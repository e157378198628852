"""Uniqueness: every subset of the attributes of Adult, and how time grows with rows."""

import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import lookalike as la

FACTORS = (1, 4, 16)
SEED = 20020503


def run() -> None:
    """All 511 subsets of Adult's nine attributes; then of tables of many more rows."""
    path = Path(la.__file__).parent / "shell" / "data" / "adult" / "adult.csv"
    adult = pd.read_csv(path, sep=";", dtype=str)
    names = list(adult.columns)
    la.risk(adult, names, size=1)
    begin = time.perf_counter()
    found = la.risk(path, names, size=len(names))
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    unique = [_count_unique(adult, one.attributes) for one in found.subsets]
    theirs = time.perf_counter() - begin
    assert unique == [one.unique_rows for one in found.subsets]
    print(
        f"Adult, {len(found.subsets)} subsets, from the file: {ours:.2f} s; "
        f"pandas groups each in {theirs:.1f} s, {theirs / ours:.0f} × as long"
    )
    for factor in FACTORS:
        _time_growth(adult, names, factor)


def _count_unique(table: pd.DataFrame, columns: tuple[str, ...]) -> int:
    """Count the rows that no other equals over some columns."""
    return int((table.groupby(list(columns), sort=False).size() == 1).sum())


def _time_growth(adult: pd.DataFrame, names: list[str], factor: int) -> None:
    """Draw more rows like Adult's, each column by itself, and count subsets of up to three."""
    drawn = np.random.default_rng(SEED)
    rows = factor * len(adult)
    table = pd.DataFrame({name: drawn.choice(adult[name].to_numpy(), rows) for name in names})
    begin = time.perf_counter()
    found = la.risk(table, names)
    subsets = sum(1 for number in (1, 2, 3) for _ in combinations(names, number))
    seconds = time.perf_counter() - begin
    print(
        f"{rows:,} rows, {found.whole.classes:,} distinct sequences, {subsets} subsets: "
        f"{seconds:.2f} s, {1e9 * seconds / found.whole.classes / subsets:.0f} ns a sequence "
        "and subset"
    )
