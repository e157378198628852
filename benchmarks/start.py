"""What a cold process takes: commands on Adult, beside a floor that no command can go below."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import lookalike

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
COLUMNS = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"
REPEATS = 7
FLOOR = f"""
import duckdb, numba, numpy, pyarrow
names = ", ".join(f'"{{name}}"' for name in "{COLUMNS}".split(","))
rows = duckdb.connect().read_csv({str(ADULT / "adult.csv")!r}, delimiter=";", all_varchar=True)
rows.query("adult", f"SELECT {{names}}, count(*) FROM adult GROUP BY ALL").to_arrow_table()
"""


def run() -> None:
    """CPU seconds of cold processes, best of 7, and as a ratio to the floor."""
    with tempfile.TemporaryDirectory() as folder:
        floor = _best_seconds(folder, sys.executable, "-c", FLOOR)
        print(f"{'floor: imports and GROUP BY':<28} {floor:6.3f} s   1.00")
        for name, command in _commands(Path(folder)).items():
            seconds = _best_seconds(folder, *command)
            print(f"{name:<28} {seconds:6.3f} s {seconds / floor:6.2f} times the floor")


def _commands(folder: Path) -> dict[str, list[str]]:
    """Return the processes to measure, by what each does."""
    program = str(Path(sys.executable).with_name("lookalike"))
    target = str(folder / "released" / "adult.csv")
    release = [program, "release", str(ADULT / "adult.toml"), "--out", target, "--replace"]
    return {
        "import lookalike": [sys.executable, "-c", "import lookalike"],
        "--version": [program, "--version"],
        "check": [program, "check", str(ADULT / "adult.csv"), "-q", COLUMNS],
        "release by datafly": [*release, "--method", "datafly"],
        "release by mingen": [*release, "--method", "mingen"],
        "release by mingen-cells": [*release, "--method", "mingen-cells", "--effort", "quick"],
    }


def _best_seconds(folder: str, *command: str) -> float:
    """Return the least CPU time of a process, after one run that fills the caches.

    Modules are compiled to byte code once, as they are where a package is installed.
    """
    surroundings = os.environ | {"PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    return min([_seconds(command, surroundings) for _ in range(1 + REPEATS)][1:])


def _seconds(command: tuple[str, ...], surroundings: dict[str, str]) -> float:
    """Run a process and return the CPU time that it took, in all its threads."""
    process = subprocess.Popen(command, env=surroundings, stdout=subprocess.DEVNULL)
    _, status, taken = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed with exit code {process.returncode}")
    return taken.ru_utime + taken.ru_stime
