"""MinGen at the cell level: processor seconds of each phase of its search, as tables grow."""

import resource
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from benchmarks.cells import ADULT, SEED, replicate
from lookalike.flow.source import read_or_store
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Stopwatch
from lookalike.search.cells import construction, solve
from lookalike.search.options import Effort, SearchOptions
from lookalike.spec.specification import Specification

SIZES = (30_000, 300_000, 1_000_000)
PHASES = (
    (construction, "find_cheapest", "simple bound"),
    (construction, "close_cheapest_first", "greedy"),
    (solve, "raise_values", "raise values"),
    (solve, "prove_values", "prove values"),
    (solve, "_round", "round"),
)
K = 5
LAB = """
[source]
path = "lab.parquet"
person = "row"
[release]
k = 5
out = "released/lab.parquet"
[attributes]
born = { role = "quasi-identifier", hierarchy = { kind = "dates" } }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
test = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
taken = { role = "quasi-identifier", hierarchy = { kind = "dates" } }
value = { role = "quasi-identifier", hierarchy = { kind = "intervals", widths = [5, 20, 100] } }
ward = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
"""


def run() -> None:
    """Phases by rows: lab tests, of which nearly all differ, and tables made of Adult."""
    for effort in ("quick", "standard"):
        for name, make in (("lab tests", _count_lab), ("made of Adult", _count_adult)):
            each: dict[str, float] = {}
            for rows in SIZES:
                frequency = make(rows)
                print(f"{name}, {rows:,} rows, {len(frequency):,} sequences, {effort}:")
                _measure(frequency, effort, each)


def _measure(frequency: FrequencyList, effort: Effort, first: dict[str, float]) -> None:
    """Search once, and print each phase with its cost per sequence, and how that has grown."""
    options = SearchOptions(effort=effort)
    lattice = Lattice.of_heights(frequency.heights)
    used, begun = defaultdict(float), _processor_seconds()
    problem = solve.pose(frequency, lattice, options.weights_of(frequency), K, 0)
    with ExitStack() as stack:
        for module, function, phase in PHASES:
            stack.enter_context(_timing(module, function, phase, used))
        found = solve.solve(problem, options)
    total = _processor_seconds() - begun
    used["all else"], used["all"] = total - sum(used.values()), total
    for phase, seconds in used.items():
        each = seconds / len(frequency) * 1e6
        ratio = each / first.setdefault(phase, each)
        print(f"  {phase:14}{seconds:8.2f} s {each:9.1f} µs a sequence {ratio:6.2f} ×")
    print(f"  {problem.describe(found.cost, found.bound)}", flush=True)


@contextmanager
def _timing(module: ModuleType, name: str, phase: str, used: dict[str, float]) -> Iterator[None]:
    """Add the processor time of calls to a function to that of its phase."""
    function = getattr(module, name)

    def timed(*given: Any) -> Any:
        begun = _processor_seconds()
        try:
            return function(*given)
        finally:
            used[phase] += _processor_seconds() - begun

    with patch.object(module, name, timed):
        yield


def _processor_seconds() -> float:
    """Return the processor seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _count_adult(rows: int) -> FrequencyList:
    """Count a table made of Adult."""
    with TemporaryDirectory() as folder:
        parquet.write_table(replicate(rows, 0.1), Path(folder) / "large.parquet")
        text = (ADULT / "adult.toml").read_text().replace('path = "', f'path = "{ADULT}/')
        text = text.replace(f'"{ADULT}/adult.csv"', '"large.parquet"')
        return _count(Path(folder) / "adult.toml", text)


def _count_lab(rows: int) -> FrequencyList:
    """Count laboratory tests: four of each patient on average."""
    draw = np.random.default_rng(SEED)
    people = rows // 4
    patient = draw.integers(0, people, rows)
    born = np.datetime64("1930-01-01") + (draw.beta(2, 1.3, people) * 33_000).astype(int)
    zips = [f"{number:05}" for number in draw.zipf(1.3, people) % 900 * 7 + 2_000]
    columns = {
        "born": born.astype(str)[patient],
        "sex": draw.choice(["F", "M", "D"], people, p=[0.52, 0.47, 0.01])[patient],
        "zip": np.array(zips)[patient],
        "test": [f"T{number:03}" for number in draw.zipf(1.4, rows) % 180],
        "taken": (np.datetime64("2020-01-01") + draw.integers(0, 1_461, rows)).astype(str),
        "value": draw.gamma(4, 20, rows).astype(int).astype(str),
        "ward": [f"W{number:02}" for number in draw.zipf(1.5, rows) % 24],
    }
    with TemporaryDirectory() as folder:
        parquet.write_table(pa.table(columns), Path(folder) / "lab.parquet")
        return _count(Path(folder) / "lab.toml", LAB)


def _count(path: Path, text: str) -> FrequencyList:
    """Write a specification, and count its table."""
    path.write_text(text)
    counted = read_or_store(Specification.load(path), Stopwatch())
    assert isinstance(counted.frequency, FrequencyList)
    return counted.frequency
