"""The proven optimum of a lattice: how fast, against what, and how it grows."""

import itertools
import math
import resource
import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np

import lookalike
from lookalike.flow.release import prepare
from lookalike.flow.source import read_and_count
from lookalike.hierarchy.bound import BoundHierarchy, bind_paths
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.progress import Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen, samarati
from lookalike.search.methods.samarati import list_minimal
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification

K = 5
ALLOWANCES = {"0": 0, "5 %": Decimal("0.05"), "100 %": Decimal("1.0")}
ARX = {"0": 0.063, "5 %": 1.55, "100 %": 1.9}
"""Seconds of CPU that the search of ARX 3.9.2 (Flash) took on a like machine, for comparison."""

SEED = 20020501


def run() -> None:
    """MinGen over Adult's 12,960 vectors, k = 5, CPU time; then larger tables and lattices."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    specification = Specification.load(data / "adult.toml", {"method": "datafly"})
    adult = prepare(specification).plan.frequency
    floor = _best_time(lambda: adult.codes.sum(), 50)
    reading = _best_time(lambda: read_and_count(specification, Stopwatch()), 7)
    print(f"reading and counting Adult, 30,162 rows: {1000 * reading:.0f} ms")
    for name, limit in ALLOWANCES.items():
        _compare(adult, name, Requirement(K, limit), floor, reading)
    print("by k, MaxSup 5 %:", _by_k(adult))
    print("by attributes, 73,000 rows, mostly distinct, k = 5, MaxSup 5 %, at most 30 s:")
    heights = (4, *(3,) * 5, *(2,) * 7, *(1,) * 3)
    for attributes in (5, 8, 11, 16):
        _show_growth(
            f"  {attributes:>2} attributes", _invent(73_000, heights[-attributes:], 0.05), "0.05"
        )
    print("by rows, 6 attributes, k = 5, MaxSup 1 %:")
    for rows in (10_000, 100_000, 1_000_000, 10_000_000):
        _show_growth(f"  {rows:>10,} rows", _invent(rows, (4, 3, 2, 2, 1, 1), 0.7))


def _compare(
    frequency: FrequencyList, name: str, requirement: Requirement, floor: float, reading: float
) -> None:
    """Print the CPU time of one search, and its ratio to other ways."""
    answer = mingen(frequency, requirement)
    known = answer.optimality
    if known is None:
        return
    ours = _best_time(lambda: mingen(frequency, requirement), 7)
    plain, cost = _plain_search(frequency, requirement)
    lowest = _best_time(lambda: samarati(frequency, requirement), 3)
    minimal = _best_time(lambda: list_minimal(frequency, requirement), 1)
    print(
        f"MaxSup {name:>5}: Prec {known.reached:.4f}, {answer.rows_suppressed:,} suppressed, "
        f"{known.evaluated:,} vectors evaluated, {1000 * ours:.0f} ms, "
        f"{1000 * (reading + ours):.0f} ms from the file; "
        f"ARX {ARX[name] / ours:.1f} ×, NumPy a node {plain / ours:.0f} × as long; "
        f"{ours / (known.evaluated * floor):.1f} × reading the list once a vector"
    )
    print(f"        least height {1000 * lowest:.0f} ms, all minimal vectors {minimal:.2f} s")
    if not math.isclose(cost, 1 - known.reached, abs_tol=1e-9):
        raise SystemExit(f"the plain search finds {1 - cost}, not {known.reached}")


def _plain_search(frequency: FrequencyList, requirement: Requirement) -> tuple[float, float]:
    """Group with NumPy at every vector that is not known to suppress too much, from the top."""
    begin = time.process_time()
    allowance = requirement.allowance(frequency.rows)
    lattice = Lattice.of_heights(frequency.heights)
    infeasible: set[Vector] = set()
    best = 1.0
    for height in range(lattice.height, -1, -1):
        for vector in lattice.at_height(height):
            if any(above in infeasible for above in lattice.successors(vector)):
                infeasible.add(vector)
                continue
            suppressed = _plain_outliers(frequency, vector, requirement.k)
            if suppressed > allowance:
                infeasible.add(vector)
                continue
            share = np.mean([d / h for d, h in zip(vector, frequency.heights, strict=True)])
            best = min(best, share + suppressed / frequency.rows * (1 - share))
    return time.process_time() - begin, float(best)


def _plain_outliers(frequency: FrequencyList, vector: Vector, k: int) -> int:
    """Count outliers by packing and sorting."""
    keys = np.zeros(len(frequency), dtype=np.int64)
    for hierarchy, level, codes in zip(frequency.hierarchies, vector, frequency.codes, strict=True):
        keys = keys * hierarchy.size(level) + hierarchy.levels[level][codes]
    _, inverse = np.unique(keys, return_inverse=True)
    sizes = np.bincount(inverse, weights=frequency.counts)
    return int(sizes[sizes < k].sum())


def _by_k(frequency: FrequencyList) -> str:
    """Return the milliseconds that a search takes for several k."""
    times = {
        k: _best_time(lambda k=k: mingen(frequency, Requirement(k, Decimal("0.05"))), 3)
        for k in (2, 5, 10, 50, 200)
    }
    return ", ".join(f"k = {k}: {1000 * seconds:.0f} ms" for k, seconds in times.items())


def _show_growth(title: str, frequency: FrequencyList, limit: str = "0.01") -> None:
    """Print the answer and time of one search, limited to 30 seconds."""
    begin = time.perf_counter()
    options = SearchOptions(time_limit=30.0)
    known = mingen(frequency, Requirement(K, Decimal(limit)), options).optimality
    seconds = time.perf_counter() - begin
    vectors = Lattice.of_heights(frequency.heights).size
    if known is not None:
        print(
            f"{title}: {len(frequency):,} sequences, {vectors:,} vectors, {known.evaluated:,} "
            f"looked at, {seconds:.2f} s, Prec {known.reached:.4f}, "
            f"gap {known.bound - known.reached:.4f}{'' if known.proved else ', not proved'}; "
            f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
        )


def _invent(rows: int, heights: Sequence[int], skew: float) -> FrequencyList:
    """Make a table with a fixed seed; values of an attribute are the more skewed the larger."""
    generator = np.random.default_rng(SEED)
    hierarchies = [_tree(f"attribute {n}", height) for n, height in enumerate(heights)]
    positions = np.empty((len(heights), rows), dtype=np.int32)
    for line, hierarchy in zip(positions, hierarchies, strict=True):
        share = np.arange(1, hierarchy.size(0) + 1) ** -skew
        line[:] = generator.choice(hierarchy.size(0), size=rows, p=share / share.sum())
    return list_frequencies(hierarchies, positions, np.ones(rows, dtype=np.int64))[1]


def _tree(name: str, height: int) -> BoundHierarchy:
    """Return a hierarchy in which each value has three children, or five at the ground."""
    branches = [range(5), *itertools.repeat(range(3), height - 1)]
    leaves = itertools.product(*reversed(branches))
    paths = [
        tuple("/".join(map(str, leaf[: height - level])) or "*" for level in range(height + 1))
        for leaf in leaves
    ]
    return bind_paths(name, paths, "#")


def _best_time(function: Callable[[], object], repeats: int) -> float:
    """Return the least CPU time of several calls."""
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        function()
        seconds.append(time.process_time() - begin)
    return min(seconds)
