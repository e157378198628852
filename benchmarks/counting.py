"""Rolling up the frequency list, against other ways to group the same rows."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

import lookalike
from lookalike.flow.release import prepare
from lookalike.model.frequency import FrequencyList
from lookalike.spec.specification import Specification


def run() -> None:
    """One roll-up of Adult (19,502 sequences, 9 attributes), median of 30, and how it grows."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    frequency = prepare(
        Specification.load(data / "adult.toml", {"method": "datafly"})
    ).plan.frequency
    vector = (0, 1, 0, 0, 1, 1, 0, 1, 0)
    ours = _median(lambda: frequency.roll_up(vector))
    print(f"lookalike  {1000 * ours:8.3f} ms   1.0")
    for name, peer in _peers(frequency, vector).items():
        seconds = _median(peer)
        print(f"{name:<10} {1000 * seconds:8.3f} ms {seconds / ours:5.1f} times ours")
    for times in (10, 100):
        larger = _replicate(frequency, times)
        seconds = _median(lambda larger=larger: larger.roll_up(vector), repeats=10)
        print(f"{times:>4} × the sequences: {seconds / ours:6.1f} × the time")
    for attributes in (8, 7):
        smaller = _narrow(frequency, attributes)
        seconds = _median(lambda s=smaller, a=attributes: s.roll_up(vector[:a]))
        print(f"{attributes} attributes of 9:   {seconds / ours:6.2f} × the time")


def _peers(frequency: FrequencyList, vector: tuple[int, ...]) -> dict[str, Callable[[], object]]:
    """Group the same generalized codes with NumPy, pandas and polars; lifting them is not timed."""
    lifted = frequency.codes.copy()
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        lifted[attribute] = hierarchy.lift(0, vector[attribute])[frequency.codes[attribute]]
    names = list(frequency.attributes)
    columns = dict(zip(names, lifted, strict=True)) | {"rows": frequency.counts}
    in_pandas, in_polars = pd.DataFrame(columns), pl.DataFrame(columns)
    return {
        "np.unique": lambda: np.unique(lifted, axis=1, return_inverse=True),
        "pandas": lambda: in_pandas.groupby(names, sort=False)["rows"].sum(),
        "polars": lambda: in_polars.group_by(names).agg(pl.col("rows").sum()),
    }


def _median(function: Callable[[], object], repeats: int = 30) -> float:
    """Return the median time of a call, after one that is not timed."""
    function()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds)[repeats // 2]


def _replicate(frequency: FrequencyList, times: int) -> FrequencyList:
    """Return a list with many more sequences, drawn value by value with a fixed seed."""
    generator = np.random.default_rng(1)
    codes = np.repeat(frequency.codes, times, axis=1)
    for line in codes:
        generator.shuffle(line)
    return FrequencyList(
        frequency.hierarchies, frequency.vector, codes, np.repeat(frequency.counts, times)
    )


def _narrow(frequency: FrequencyList, attributes: int) -> FrequencyList:
    """Return the list over the first few attributes only."""
    return FrequencyList(
        frequency.hierarchies[:attributes],
        frequency.vector[:attributes],
        frequency.codes[:attributes],
        frequency.counts,
    )
