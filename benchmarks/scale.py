"""Files larger than memory: a whole verified release against DuckDB's own read, count and write."""

import os
import shutil
import sys
from pathlib import Path

from benchmarks.process import Taken, run_cold, run_process
from benchmarks.scale_data import ATTRIBUTES, SPECIFICATION, generate

DATA = Path(__file__).parent / "data" / "scale"
MEMORY = "4GB"
SIZES = os.environ.get("LOOKALIKE_SCALE_ROWS", "1000000 10000000")
"""How many rows; ``make bench-scale`` adds 100 million."""
CSV_ROWS = 10_000_000
"""How many rows are also read from and written to CSV."""
HEADER = f"{'':<24}{'seconds':>9}{'processor':>11}{'per million rows':>18}{'peak MB':>9}"


def run() -> None:
    """A verified release and a check against DuckDB's read, group-by and write, 4 GB of memory."""
    for rows in map(int, SIZES.split()):
        for suffix in ("parquet", "csv") if rows == CSV_ROWS else ("parquet",):
            compare(rows, suffix)


def compare(rows: int, suffix: str) -> tuple[Taken, Taken]:
    """Measure one table, and print the ratios; return what the release and the floor took."""
    table, spill = DATA / f"table.{suffix}", DATA / "spill"
    try:
        spill.mkdir(parents=True)
        return _compare(rows, table, spill)
    finally:
        shutil.rmtree(DATA, ignore_errors=True)


def _compare(rows: int, table: Path, spill: Path) -> tuple[Taken, Taken]:
    """Run every way on one table, and print what each took."""
    generate(rows, table, MEMORY)
    print(
        f"{rows:,} rows, {table.suffix}, {table.stat().st_size / 1e6:,.0f} MB\n{HEADER}", flush=True
    )
    ordered = _show("floor in random order", rows, _run_floor(table, spill, "random"))
    release = _show("release", rows, _run_release(table, spill))
    _show("check", rows, _run_check(table, spill))
    unordered = _show("floor without order", rows, _run_floor(table, spill))
    for name, floor in (("in random order", ordered), ("without order", unordered)):
        seconds = release.seconds / floor.seconds
        processor = release.processor_seconds / floor.processor_seconds
        print(f"release / floor {name}: {seconds:.2f} × seconds, {processor:.2f} × processor")
    steps = ", ".join(f"{name} {one:.1f}" for name, one in release.answer["seconds"].items())
    print(f"seconds of the release: {steps}\n", flush=True)
    return release, ordered


def _show(name: str, rows: int, taken: Taken) -> Taken:
    """Print a line about what one way took."""
    each = taken.processor_seconds / rows * 1e6
    print(
        f"{name:<24}{taken.seconds:>9.1f}{taken.processor_seconds:>11.1f}{each:>18.2f}"
        f"{taken.megabytes:>9,.0f}",
        flush=True,
    )
    return taken


def _run_floor(table: Path, spill: Path, *order: str) -> Taken:
    """Let DuckDB count the table and write it back."""
    target = DATA / f"floor{table.suffix}"
    arguments = (str(table), str(target), MEMORY, str(spill), *order)
    taken = run_process([sys.executable, "-m", "benchmarks.floor", *arguments])
    target.unlink()
    return taken


def _run_release(table: Path, spill: Path) -> Taken:
    """Make a release of the table, verified and published."""
    specification, target = DATA / "table.toml", DATA / "released" / table.name
    specification.write_text(
        SPECIFICATION.format(source=table, memory=MEMORY, spill=spill, target=target)
    )
    return run_cold("release", str(specification))


def _run_check(table: Path, spill: Path) -> Taken:
    """Check the k of the table."""
    limits = ("--memory", MEMORY, "--spill", str(spill))
    return run_cold("check", str(table), "-q", ",".join(ATTRIBUTES), *limits)
