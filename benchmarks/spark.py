"""Spark: a whole release beside the same work in plain Spark code, on two workers."""

import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from tests.spark_cluster import running_cluster, start_session

from benchmarks.scale_data import ATTRIBUTES, SPECIFICATION, generate
from lookalike.flow.make_release import make_release
from lookalike.spec.specification import Specification

MEMORY = "2GB"
SIZES = (100_000, 1_000_000, 5_000_000)
"""How many rows; the first table only warms the session up."""


def run() -> None:
    """A release of part files on two workers against group-by, join, shuffle and write."""
    with running_session() as (session, folder):
        for rows in SIZES:
            measure(session, rows, folder)


@contextmanager
def running_session() -> Iterator[tuple[Any, Path]]:
    """Start a cluster of two workers; yield its session, and a folder for its tables."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_cluster(Path(folder), 2, memory="2g") as (address, _),
    ):
        session = start_session(address, "2", "4", {"spark.executor.memory": "2g"})
        yield session, Path(folder)
        session.stop()


def measure(session: Any, rows: int, folder: Path) -> dict[str, float]:
    """Release a table, and print and return the ratio to plain Spark and the pre-flight's share."""
    table, out = folder / f"{rows}.parquet", folder / "out"
    generate(rows, table, MEMORY)
    plain = _time(lambda: _write_plainly(session, table, out))
    shutil.rmtree(out)
    ours, seconds = _release(table, out)
    shutil.rmtree(out)
    steps = ", ".join(f"{step} {taken:.1f}" for step, taken in seconds.items() if taken)
    share = 100 * seconds["preflight"] / ours
    print(f"{rows:>10,} rows: plain Spark {plain:.1f} s, release {ours:.1f} s ({steps}):")
    print(f"{'':>16} {ours / plain:.1f} × plain Spark, pre-flight {share:.0f} %", flush=True)
    return {"seconds": ours, "ratio": ours / plain, "preflight_percent": share}


def _release(table: Path, out: Path) -> tuple[float, dict[str, float]]:
    """Make and publish a release; return the seconds, and those of each step."""
    spill = table.parent / "spill"
    spill.mkdir(exist_ok=True)
    text = SPECIFICATION.format(
        source=table, memory=MEMORY, spill=spill, target=f"file://{out}/table.parquet"
    )
    fields = tomllib.loads(text)
    fields["source"]["engine"] = "spark"
    begin = time.perf_counter()
    made = make_release(Specification.build(fields))
    return time.perf_counter() - begin, made.release.stopwatch.seconds


def _write_plainly(session: Any, table: Path, out: Path) -> None:
    """Group, fetch the groups, join them with the rows, and write these in random order."""
    from pyspark.sql.functions import broadcast, rand

    rows = session.read.parquet(str(table))
    groups = rows.groupBy(*ATTRIBUTES).count().toArrow()
    labels = {f"label {name}": groups[name].cast(pa.string()) for name in ATTRIBUTES}
    keys = {f"key {name}": groups[name] for name in ATTRIBUTES}
    small = broadcast(session.createDataFrame(pa.table(keys | labels)))
    same = [rows[name].eqNullSafe(small[f"key {name}"]) for name in ATTRIBUTES]
    kept = [name for name in rows.columns if name not in ATTRIBUTES]
    shown = [f"`label {name}` AS {name}" for name in ATTRIBUTES]
    joined = rows.join(small, same, "left").selectExpr(*shown, *kept)
    joined.orderBy(rand()).write.parquet(str(out))


def _time(work: Callable[[], None]) -> float:
    """Return the seconds that a piece of work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
