"""What a command imports: nothing heavy that it does not use."""

import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

pytestmark = pytest.mark.slow

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
UNUSED = ["sqlalchemy", "pandas", "polars", "highspy", "scipy.sparse", "sklearn", "vl_convert"]
"""Modules that take long to import, and that a release of a file without a ledger never needs."""
PROGRAM = f"""
import atexit, sys
atexit.register(lambda: print([name for name in {UNUSED!r} if name in sys.modules]))
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
        ["mingen-cells", "--effort", "quick", "--dry-run"],
    ],
    ids=lambda options: options[0],
)
def test_a_release_without_a_ledger_imports_nothing_heavy_that_it_does_not_use(options, tmp_path):
    """At the cell level a dry run only, because the verification of cells needs scipy."""
    arguments = ["release", ADULT / "adult.toml", "--out", tmp_path / "released" / "adult.csv"]
    assert _imported(PROGRAM, *arguments, "--method", *options)[-1] == "[]"


def test_a_check_imports_nothing_heavy_that_it_does_not_use():
    assert _imported(PROGRAM, "check", ADULT / "adult.csv", "-q", "age,sex")[-1] == "[]"


def test_a_release_with_a_ledger_is_seen_to_import_its_database(folder):
    arguments = ["release", "patients.toml", "--ledger", "releases.db", "--dry-run"]
    assert _imported(PROGRAM, *arguments)[-1] == "['sqlalchemy']"
