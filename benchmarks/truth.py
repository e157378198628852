"""Truth at the cell level: matching released rows with private ones, exactly."""

import itertools
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

import lookalike
from lookalike.flow.release import prepare
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.truth import count_untruthful

K = 3
MOST_AT_A_VECTOR = 4
"""So few classes are closed at each vector that a release has many patterns of levels."""

SEED = 20020501
WARDS = 14


def run() -> None:
    """Adult with a column that is released as it is, and releases with a level for each cell."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    specification = Specification.load(data / "adult.toml", {"method": "datafly"})
    frequency = prepare(specification).plan.frequency
    rows = np.repeat(np.arange(len(frequency)), frequency.counts)
    wards = np.random.default_rng(SEED).integers(0, WARDS, len(rows)).astype(str)
    private = _lay_out(frequency, [(0,) * len(frequency.heights)] * len(rows), rows, wards)
    names = list(frequency.attributes)
    for title, vectors in {
        "closed greedily": _close(frequency, rows),
        "a random level for each cell": _draw(frequency, len(rows)),
    }.items():
        release = _lay_out(frequency, vectors, rows, wards)
        tuples = len(set(zip(*(release[name].to_pylist() for name in names), strict=True)))
        print(f"{title}: {tuples:,} tuples, {len(set(vectors)):,} patterns of levels")
        for change, table in {"true": release, "tampered": _tamper(release)}.items():
            begin = time.perf_counter()
            found = _count_untruthful(private, table, specification)
            seconds = time.perf_counter() - begin
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"  {change}: {found} rows are false, {seconds:.1f} s, peak {peak:.0f} MB")


def _close(frequency: FrequencyList, rows: np.ndarray) -> list[Vector]:
    """Choose a vector for every row: go up the lattice, and close some classes with k rows."""
    generator = np.random.default_rng(SEED)
    chosen = np.full(len(rows), -1)
    free = np.arange(len(rows))
    vectors = _by_cost(frequency)
    for number, vector in enumerate(vectors):
        class_of = _classes(frequency, vector)[rows[free]]
        large = np.flatnonzero(np.bincount(class_of) >= K)
        closed = generator.permutation(large)[:MOST_AT_A_VECTOR]
        done = np.isin(class_of, closed)
        chosen[free[done]] = number
        free = free[~done]
    return [vectors[number] for number in chosen]


def _by_cost(frequency: FrequencyList) -> list[Vector]:
    """List the vectors of the lattice, those first that lose least Prec."""
    heights = frequency.heights
    return sorted(
        itertools.product(*(range(height + 1) for height in heights)),
        key=lambda vector: sum(d / h for d, h in zip(vector, heights, strict=True)),
    )


def _classes(frequency: FrequencyList, vector: Vector) -> np.ndarray:
    """Number the class of every sequence at a vector."""
    keys = np.zeros(len(frequency), dtype=np.int64)
    for hierarchy, level, codes in zip(frequency.hierarchies, vector, frequency.codes, strict=True):
        keys = keys * hierarchy.size(level) + hierarchy.levels[level][codes]
    return np.unique(keys, return_inverse=True)[1]


def _draw(frequency: FrequencyList, rows: int) -> list[Vector]:
    """Draw a vector for every row, from all of the lattice."""
    generator = np.random.default_rng(SEED)
    levels = [generator.integers(0, height + 1, rows) for height in frequency.heights]
    return list(zip(*(line.tolist() for line in levels), strict=True))


def _lay_out(
    frequency: FrequencyList, vectors: list[Vector], rows: np.ndarray, wards: np.ndarray
) -> pa.Table:
    """Generalize every row to its vector."""
    columns = {
        name: list(_generalize(frequency, attribute, vectors, rows))
        for attribute, name in enumerate(frequency.attributes)
    }
    return pa.table(columns | {"ward": wards})


def _generalize(
    frequency: FrequencyList, attribute: int, vectors: list[Vector], rows: np.ndarray
) -> Iterator[str | None]:
    """Yield what is shown of an attribute of every row."""
    hierarchy = frequency.hierarchies[attribute]
    for vector, code in zip(vectors, frequency.codes[attribute][rows].tolist(), strict=True):
        level = vector[attribute]
        yield hierarchy.labels[level][hierarchy.levels[level][code]]


def _tamper(release: pa.Table, rows: int = 300) -> pa.Table:
    """Swap the occupations of the first rows."""
    column = release.column_names.index("occupation")
    values = release["occupation"].to_pylist()
    values[:rows] = values[rows - 1 :: -1]
    return release.set_column(column, "occupation", pa.array(values))


def _count_untruthful(private: pa.Table, release: pa.Table, specification: Specification) -> int:
    """Count the released rows without a private row of their own."""
    hierarchies = specification.hierarchies()
    claim = TruthClaim(hierarchies, dict.fromkeys(hierarchies), ["ward"], False, "*", cells=True)
    engine = Connection()
    rows = as_relation(read_frame(release), engine)
    return count_untruthful(read_frame(private), rows, claim, engine)
