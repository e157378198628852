"""What a command imports: nothing heavy that it does not use; and how its process ends."""

import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
UNUSED = "sqlalchemy pandas polars pyspark highspy scipy.sparse scipy.linalg sklearn vl_convert"
"""Modules that take long to import, and that a release of a file without a ledger never needs.

numba imports ``scipy`` itself to read its version, if it is installed.
"""
MOST_MODULES = 1168
"""How many modules a release of a file may import."""
MOST_OWN_MODULES = 326
"""How many of them may be of this package."""
MOST_MODULES_OF_HELP = 345
"""How many modules the help of the program may import."""
PROGRAM = f"""
import atexit, sys
own = {lookalike.__name__!r}
def count():
    print(len(sys.modules))
    print(sum(name.partition(".")[0] == own for name in sys.modules))
    print(*(name for name in {UNUSED.split()!r} if name in sys.modules))
atexit.register(count)
from lookalike.shell.cli import main
main()
"""


def _imported(program, *arguments):
    """Return how many modules a command imports, how many of this package, and unused ones."""
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True
    )
    assert ran.returncode in (0, 1), ran.stderr
    *_, modules, own, unused = ran.stdout.split("\n")[:-1]
    return int(modules), int(own), unused


@pytest.mark.slow
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
    """The release is compared with one at the cell level, which is suggested."""
    arguments = ["release", ADULT / "adult.toml", "--out", tmp_path / "released" / "adult.csv"]
    arguments += ["--replace", "--method", *options]
    _imported(PROGRAM, *arguments)  # compiles the kernels, unless that was done
    modules, _, unused = _imported(PROGRAM, *arguments)
    assert unused == ""
    assert modules <= MOST_MODULES


def test_a_small_release_imports_nothing_heavy_and_few_modules_of_its_own(folder):
    _, own, unused = _imported(PROGRAM, "release", "patients.toml", "--json")
    assert unused == ""
    assert own <= MOST_OWN_MODULES


def test_the_help_of_the_program_imports_few_modules():
    modules, _, unused = _imported(PROGRAM, "--help")
    assert unused == ""
    assert modules <= MOST_MODULES_OF_HELP


@pytest.mark.slow
def test_a_search_at_the_cell_level_imports_no_solver_that_it_does_not_use(tmp_path):
    """A dry run, because the verification of cells needs scipy."""
    out = tmp_path / "released" / "adult.csv"
    arguments = ["release", ADULT / "adult.toml", "--out", out, "--dry-run"]
    arguments += ["--method", "mingen-cells", "--effort", "quick"]
    _imported(PROGRAM, *arguments)  # compiles the kernels, unless that was done
    assert _imported(PROGRAM, *arguments)[-1] == ""


ENDING = """
import atexit, sys, threading
from lookalike.shell import cli

def main():
    atexit.register(print, "exit function")
    threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
    sys.stdout.write("main ")
    sys.exit(3)

cli.main = main
cli.run()
"""


@pytest.mark.slow
def test_the_program_ends_after_its_threads_and_exit_functions_with_its_exit_code():
    ended = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout == "main thread\nexit function\n"


@pytest.mark.slow
def test_a_check_imports_nothing_heavy_that_it_does_not_use():
    assert _imported(PROGRAM, "check", ADULT / "adult.csv", "-q", "age,sex")[-1] == ""


@pytest.mark.slow
def test_a_release_with_a_ledger_is_seen_to_import_its_database(folder):
    arguments = ["release", "patients.toml", "--ledger", "releases.db", "--dry-run"]
    assert _imported(PROGRAM, *arguments)[-1] == "sqlalchemy"
