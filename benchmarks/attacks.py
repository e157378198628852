"""Attacks on two and three releases of Adult, and of tables drawn from it."""

import resource
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

import lookalike as la
from lookalike.spec.specification import Specification

SEED = 20020502
ROWS = (30_162, 300_000, 1_000_000)
BY_AGE = ("age <= 1", "education >= 2", "marital-status >= 1")
BY_EDUCATION = ("age >= 3", "education <= 0")
COARSE = ("age >= 4", "education >= 3")
ALIKE = ("occupation", "salary-class")
"""Columns that every release shows as they are."""


def run() -> None:
    """Two releases at different levels, the same cell by cell, and three."""
    data = Path(la.__file__).parent / "shell" / "data" / "adult"
    adult = pa.csv.read_csv(data / "adult.csv", parse_options=pa.csv.ParseOptions(delimiter=";"))
    for rows in ROWS:
        table = _draw(adult, rows)
        specification = _specify(data, ())
        made = [_release(data, table, some) for some in (BY_AGE, BY_EDUCATION, COARSE)]
        _time(f"{rows:,} rows, two releases", specification, made[:2])
        _time(f"{rows:,} rows, three releases", specification, made)
    cells = [
        la.release(adult, attributes=_attributes(data), method="k-similar", k=k) for k in (5, 10)
    ]
    _time(f"{adult.num_rows:,} rows, two releases at the cell level", specification, cells)


def _draw(adult: pa.Table, rows: int) -> pa.Table:
    """Draw a table with the rows of Adult, age and occupation drawn by themselves if larger."""
    if rows == adult.num_rows:
        return adult
    generator = np.random.default_rng(SEED)
    together = generator.integers(0, adult.num_rows, rows)
    columns = {
        name: adult[name].take(
            generator.integers(0, adult.num_rows, rows)
            if name in ("age", "occupation")
            else together
        )
        for name in adult.column_names
    }
    return pa.table(columns)


def _attributes(data: Path) -> dict[str, Any]:
    """Return the attributes of Adult, some of them released as they are."""
    return dict(_specify(data, ()).attributes)


def _specify(data: Path, constraints: tuple[str, ...]) -> Specification:
    """Return the specification of a release within constraints."""
    fields = tomllib.loads((data / "adult.toml").read_text())
    fields["attributes"] |= {name: {"role": "sensitive"} for name in ALIKE}
    fields["release"] = {
        "k": 5,
        "method": "mingen",
        "max_suppressed": 1.0,
        "constraints": constraints,
    }
    return Specification.build(fields).located(data)


def _release(data: Path, table: pa.Table, constraints: tuple[str, ...]) -> la.Release:
    """Release a table within constraints."""
    asked = _specify(data, constraints).release
    return la.release(
        table,
        attributes=_attributes(data),
        k=asked.k,
        method=asked.method,
        max_suppressed=asked.max_suppressed,
        constraints=constraints,
    )


def _time(title: str, specification: Specification, releases: list[la.Release]) -> None:
    """Attack releases and tell how long it took."""
    begin = time.perf_counter()
    attacked = la.attack(*releases, spec=specification)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    [left] = attacked.left
    nodes = " and ".join(f"{len(nodes):,}" for nodes in attacked.ground.releases)
    sequences = max(pair.linked[0].sequences for pair in attacked.pairs)
    print(
        f"{title}: {nodes} distinct rows, up to {sequences:,} sequences, {left.at_least} to "
        f"{left.at_most} rows left, {seconds:.1f} s, peak {peak:.0f} MB"
    )
