"""What a command imports: nothing heavy that it does not use; and how its process ends."""

import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

pytestmark = pytest.mark.slow

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
UNUSED = "sqlalchemy pandas polars pyspark highspy scipy.sparse scipy.linalg sklearn vl_convert"
"""Modules that take long to import, and that a release of a file without a ledger never needs.

numba imports ``scipy`` itself to read its version, if it is installed.
"""
MOST_MODULES = 1145
"""How many modules a release of a file may import."""
PROGRAM = f"""
import atexit, sys
atexit.register(lambda: print([name for name in {UNUSED.split()!r} if name in sys.modules]))
atexit.register(lambda: print(len(sys.modules)))
from lookalike.shell.cli import main
main()
"""


def _imported(program, *arguments):
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["datafly"], marks=pytest.mark.exhaustive),
        pytest.param(["samarati"], marks=pytest.mark.exhaustive),
        ["mingen"],
    ],
    ids=lambda options: options[0],
)
def test_a_release_without_a_ledger_imports_nothing_heavy_that_it_does_not_use(options, tmp_path):
    """With --json, because without it the release is compared with one at the cell level."""
    arguments = ["release", ADULT / "adult.toml", "--out", tmp_path / "released" / "adult.csv"]
    arguments += ["--replace", "--json", "--method", *options]
    _imported(PROGRAM, *arguments)  # compiles the kernels, unless that was done
    *_, modules, unused = _imported(PROGRAM, *arguments)
    assert unused == "[]"
    assert int(modules) <= MOST_MODULES


def test_a_search_at_the_cell_level_imports_no_solver_that_it_does_not_use(tmp_path):
    """A dry run, because the verification of cells needs scipy; its kernels add up with numba's."""
    out = tmp_path / "released" / "adult.csv"
    arguments = ["release", ADULT / "adult.toml", "--out", out, "--dry-run"]
    arguments += ["--method", "mingen-cells", "--effort", "quick"]
    assert _imported(PROGRAM, *arguments)[-1] in ("[]", "['scipy.linalg']")


ENDING = """
import atexit, sys, threading, time
from lookalike.shell import cli

def main():
    atexit.register(print, "exit function")
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
    sys.stdout.write("main ")
    sys.exit(3)

cli.main = main
cli.run()
"""


def test_the_program_ends_after_its_threads_and_exit_functions_with_its_exit_code():
    ended = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout == "main thread\nexit function\n"


def test_a_check_imports_nothing_heavy_that_it_does_not_use():
    assert _imported(PROGRAM, "check", ADULT / "adult.csv", "-q", "age,sex")[-1] == "[]"


def test_a_release_with_a_ledger_is_seen_to_import_its_database(folder):
    arguments = ["release", "patients.toml", "--ledger", "releases.db", "--dry-run"]
    assert _imported(PROGRAM, *arguments)[-1] == "['sqlalchemy']"
