"""The figures of the README: measured in one run, and shown beside those recorded before.

``make bench-readme`` measures all of them, keeps them in ``recorded.json`` with the commit, and
fills the README's table, whose text is ``figures.md``. ``python -m benchmarks figures`` measures
without writing, ``python -m benchmarks.figures warm cold`` only what is named; with ``--write``
that part is recorded, and the others stay. Read ratios: seconds are of one machine.
"""

import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

from benchmarks import diversity, scale, spark
from benchmarks.process import run_cold, run_process
from lookalike.flow.release import prepare
from lookalike.spec.specification import Specification

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
RECORDED = Path(__file__).with_name("recorded.json")
TABLE = Path(__file__).with_name("figures.md")
DATA = ROOT / "src" / "lookalike" / "shell" / "data"
BEGIN, END = "<!-- written by make bench-readme -->\n", "<!-- end -->"
WARM = """
import json, shutil, sys, time
import lookalike as la
specification, out, report = sys.argv[1], sys.argv[2], sys.argv[3] == "report"
taken = []
for _ in range(12):
    begin = time.process_time()
    la.release(spec=specification, report=report).publish(f"{out}/patients.csv")
    taken.append(time.process_time() - begin)
    shutil.rmtree(out)
print(json.dumps({"milliseconds": 1000 * min(taken)}))
"""
"""Releases of 12 rows in one process; the first ones load and compile what the others use."""
Figures = dict[str, float]


def run() -> None:
    """Every figure of the README beside the recorded one."""
    measure(MEASURED)


def main() -> None:
    """Measure what is named, or everything; with --write, record it and fill the README."""
    named = [name for name in sys.argv[1:] if name != "--write"]
    if not {*named} <= MEASURED.keys():
        raise SystemExit(f"these figures can be named: {', '.join(MEASURED)}")
    measured = measure(named or MEASURED)
    if "--write" in sys.argv:
        known = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
        commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True)
        recorded = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "cores": os.cpu_count(),
            "commits": known.get("commits", {}) | dict.fromkeys(measured, commit.strip()),
            "figures": known.get("figures", {}) | measured,
        }
        RECORDED.write_text(json.dumps(recorded, indent=2) + "\n")
        before, rest = README.read_text().split(BEGIN)
        README.write_text(before + BEGIN + fill_table() + rest[rest.index(END) :])


def measure(names: Iterable[str]) -> dict[str, Figures]:
    """Measure, and print each figure with its ratio to the recorded one."""
    known = json.loads(RECORDED.read_text())["figures"] if RECORDED.exists() else {}
    measured = {}
    for name in names:
        measured[name] = MEASURED[name]()
        for figure, now in measured[name].items():
            was = known.get(name, {}).get(figure)
            beside = f"recorded {was:.4g}, {now / was:.2f} ×" if was else "not recorded"
            print(f"{f'{name}.{figure}':<28}{now:>12.4g}   {beside}", flush=True)
    return measured


def fill_table() -> str:
    """Return the README's table with the recorded figures."""
    recorded = json.loads(RECORDED.read_text())
    figures = {name: SimpleNamespace(**own) for name, own in recorded["figures"].items()}
    commits = dict.fromkeys(recorded["commits"].values())
    measured = f"Measured on {recorded['cores']} cores at commit {', '.join(commits)}"
    last = ", the last on" if len(commits) > 1 else ","
    table = TABLE.read_text().format(**figures)
    return f"{measured}{last} {recorded['date']}, by `make bench-readme`.\n\n{table}"


def measure_setup() -> Figures:
    """The README's first command in a bare clone: an environment, the package, the demo."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", str(ROOT), folder], check=True)
        bare = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        begin = time.perf_counter()
        quiet = subprocess.DEVNULL
        subprocess.run(["make", "demo"], cwd=folder, env=bare, check=True, stdout=quiet)
        seconds = time.perf_counter() - begin
        installed = Path(folder, ".venv").rglob("*")
        megabytes = sum(file.lstat().st_size for file in installed) / 1e6
    return {"seconds": seconds, "megabytes": megabytes}


def measure_cold() -> Figures:
    """Adult by mingen with the report, from a cold process to the verified folder."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--method", "mingen", "--out", f"{folder}/released/adult.csv", "--replace")
        command = ("release", str(DATA / "adult" / "adult.toml"), *options)
        taken = [run_cold(*command) for _ in range(4)][1:]
    best = min(taken, key=lambda one: one.processor_seconds)
    return {"cpu": best.processor_seconds, "seconds": best.seconds, "megabytes": best.megabytes}


def measure_warm() -> Figures:
    """A release of 12 rows in a warm process, published, in milliseconds of CPU."""
    answers = {}
    for kind in ("report", "plain"):
        with tempfile.TemporaryDirectory() as folder:
            specification = str(DATA / "patients" / "patients.toml")
            program = [sys.executable, "-c", WARM, specification, f"{folder}/released", kind]
            answers[kind] = run_process(program).answer["milliseconds"]
    return answers


def measure_cells(effort: str) -> Figures:
    """Adult at the cell level, from a cold process to the verified folder."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA / "adult", folder, dirs_exist_ok=True)
        specification = Path(folder) / "adult.toml"
        text = specification.read_text()
        for k in (2, 5, 10):
            specification.write_text(text.replace("k = 5", f"k = {k}"))
            options = ("--method", "mingen-cells", "--effort", effort, "--replace")
            taken = run_cold("release", str(specification), *options)
            figures[f"gap_{k}"] = taken.answer["precision_bound"] - taken.answer["precision"]
            figures[f"seconds_{k}"] = taken.seconds
    return figures


def measure_rows(rows: int, suffix: str = "parquet") -> Figures:
    """A large release against what DuckDB needs to group and write the table in random order."""
    release, floor = scale.compare(rows, suffix)
    return {
        "seconds": release.seconds,
        "ratio": release.seconds / floor.seconds,
        "cpu_ratio": release.processor_seconds / floor.processor_seconds,
        "preflight_percent": 100 * release.answer["seconds"]["preflight"] / release.seconds,
        "gigabytes": release.megabytes / 1000,
    }


def measure_search() -> Figures:
    """Searches on Adult that are proved, in milliseconds of CPU; the first from the file."""
    asked = {"method": "mingen", "max_suppressed": 0}
    specification = Specification.load(DATA / "adult" / "adult.toml", asked)
    times = []
    for _ in range(8):
        begin = time.process_time()
        prepare(specification)
        times.append(1000 * (time.process_time() - begin))
    tree = diversity.ASKED["occupation"]["t = 0.2 by tree"]
    likeness = diversity.ASKED["occupation"]["likeness 2"]
    return {
        "from_file": min(times),
        "tree": 1000 * diversity.search("occupation", tree, "t = 0.2 by tree", None),
        "likeness": 1000 * diversity.search("occupation", likeness, "likeness 2", None),
    }


def measure_spark() -> Figures:
    """A release of 5 million rows on two workers, after a small one, against plain Spark."""
    with spark.running_session() as (session, folder):
        spark.measure(session, 100_000, folder)
        return spark.measure(session, 5_000_000, folder)


MEASURED: dict[str, Callable[[], Figures]] = {
    "setup": measure_setup,
    "cold": measure_cold,
    "warm": measure_warm,
    "search": measure_search,
    "quick": lambda: measure_cells("quick"),
    "cells": lambda: measure_cells("standard"),
    "ten_million": lambda: measure_rows(10_000_000),
    "ten_million_csv": lambda: measure_rows(10_000_000, "csv"),
    "hundred_million": lambda: measure_rows(100_000_000),
    "spark": measure_spark,
}
"""What is measured, by the name that ``figures.md`` and ``recorded.json`` have for it."""


if __name__ == "__main__":
    main()
