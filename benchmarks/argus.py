"""µ-Argus: how fast it tests combinations, against a data frame, and how it grows with rows."""

import itertools
import time
from pathlib import Path

import numpy as np
import pandas as pd

import lookalike
from lookalike.flow.release import prepare
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.measures import measure
from lookalike.model.requirement import Requirement
from lookalike.search.argus.combinations import find_unsafe
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.methods import mu_argus
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification

K = 5
SDC_MICRO_SECONDS, SDC_MICRO_CELLS = 338, 18_679
"""What kAnon of sdcMicro took for 6 of these attributes on a like machine, and suppressed."""

SEED = 20020502
REDRAWN = 0.1
"""The share of cells that are drawn anew in each copy of Adult, so that copies differ."""


def run() -> None:
    """Adult, 9 attributes, k = 5, 2- and 3-combinations; then copies of it with noise."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    adult = prepare(Specification.load(data / "adult.toml", {"method": "datafly"})).plan.frequency
    mu_argus(adult, Requirement(K), SearchOptions(argus=ArgusOptions(repair=True)))
    _compare_tests(adult)
    base = 0.0
    for copies in (1, 3, 10, 30):
        table = _replicate(adult, copies)
        for repair in (False, True):
            seconds = _report(table, repair=repair)
            if not repair:
                base = base or seconds / table.rows
                print(f"    {seconds / table.rows / base:.2f} × the time of a row of Adult")


def _report(frequency: FrequencyList, *, repair: bool) -> float:
    """Print what µ-Argus makes of a table, and how long it takes."""
    options = SearchOptions(argus=ArgusOptions(repair=repair))
    begin = time.perf_counter()
    recoding = mu_argus(frequency, Requirement(K), options)
    seconds = time.perf_counter() - begin
    measures = measure(frequency, recoding, Requirement(K))
    print(
        f"{frequency.rows:>9,} rows, {len(frequency):>9,} sequences{', repair' if repair else ''}: "
        f"{seconds:.2f} s, {measures.cells_suppressed:,} cells suppressed, "
        f"{measures.rows_below_k:,} rows below k, Prec {measures.precision:.4f}"
        + (
            ""
            if frequency.rows > 40_000
            else f"; kAnon of sdcMicro, 6 attributes: {SDC_MICRO_SECONDS / seconds:.0f} × as long, "
            f"{SDC_MICRO_CELLS:,} cells"
        )
    )
    return seconds


def _compare_tests(frequency: FrequencyList) -> None:
    """Test all 2- and 3-combinations, and do the same by grouping a data frame's rows."""
    places = range(len(frequency.attributes))
    combinations = [*itertools.combinations(places, 2), *itertools.combinations(places, 3)]
    rows = pd.DataFrame(np.repeat(frequency.codes, frequency.counts, axis=1).T)
    begin = time.perf_counter()
    tested = find_unsafe(frequency, combinations, K)
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    plain = [
        int((rows.groupby(list(chosen), sort=False)[chosen[0]].transform("size") < K).sum())
        for chosen in combinations
    ]
    pandas = time.perf_counter() - begin
    if plain != list(tested.rows):
        raise SystemExit("the plain count finds other rare combinations")
    print(
        f"{len(combinations)} combinations tested at the ground level: {1000 * ours:.0f} ms; "
        f"grouping rows with pandas {pandas / ours:.0f} × as long"
    )


def _replicate(frequency: FrequencyList, copies: int) -> FrequencyList:
    """Repeat the rows; in every copy but the first some cells are drawn anew from their column."""
    generator = np.random.default_rng(SEED)
    rows = np.repeat(frequency.codes, frequency.counts, axis=1)
    parts = [rows]
    for _ in range(copies - 1):
        redrawn = generator.random(rows.shape) < REDRAWN
        drawn = np.array([generator.permutation(line) for line in rows])
        parts.append(np.where(redrawn, drawn, rows))
    return _list(frequency, np.hstack(parts))


def _list(frequency: FrequencyList, codes: np.ndarray) -> FrequencyList:
    """Return the frequency list of rows given as ground codes."""
    positions = np.array(
        [
            _positions(hierarchy.ground)[line]
            for hierarchy, line in zip(frequency.hierarchies, codes, strict=True)
        ],
        dtype=np.int32,
    )
    counts = np.ones(positions.shape[1], dtype=np.int64)
    return list_frequencies(frequency.hierarchies, positions, counts)[1]


def _positions(ground: np.ndarray) -> np.ndarray:
    """Return for each ground code the first value that has it."""
    codes, first = np.unique(ground, return_index=True)
    positions = np.zeros(codes.max() + 1, dtype=np.int32)
    positions[codes] = first
    return positions
