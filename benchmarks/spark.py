"""Spark: the whole release beside the same work in plain Spark code."""

import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.scale_data import ATTRIBUTES, SPECIFICATION, generate
from lookalike.flow.release import make_release
from lookalike.spec.specification import Specification

MEMORY = "2GB"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
}


def run() -> None:
    """A release of part files on local[2] against group-by, join, shuffle and write."""
    session = _start()
    with tempfile.TemporaryDirectory() as folder:
        for rows in (100_000, 1_000_000, 5_000_000):
            table, out = Path(folder) / f"{rows}.parquet", Path(folder) / "out"
            generate(rows, table, MEMORY)
            plain = _time(lambda table=table, out=out: _write_plainly(session, table, out))
            shutil.rmtree(out)
            ours, seconds = _release(table, out)
            shutil.rmtree(out)
            steps = ", ".join(f"{step} {taken:.1f}" for step, taken in seconds.items() if taken)
            print(f"{rows:>10,} rows: plain Spark {plain:.1f} s, release {ours:.1f} s ({steps}):")
            print(f"{'':>16} {ours / plain:.1f} × plain Spark")
    session.stop()


def _start() -> Any:
    """Start Spark in this process; the first table only warms it up."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    return SparkSession.builder.master("local[2]").config(map=SETTINGS).getOrCreate()


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
