"""What every command shows at a terminal of 80 and of 120 columns, with and without colour."""

import re
import shutil
from pathlib import Path

import pytest
from rich.color import ColorSystem

from lookalike.flow.make_release import make_release
from lookalike.shell.console import out
from lookalike.spec.specification import Specification

from ..demo_files import copy_demo

STYLES = re.compile(r"\x1b\[[0-9;]*m")
SECONDS = re.compile(r"(?<=[0-9–])\s{2,}\d+\.\d\d\s*$")
"""The last column of a comparison."""
COMMANDS = {
    "check": "check patients/patients.csv -q race,birth_date,gender,zip",
    "init": "init hospital/hospital.csv --yes --out drafted.toml",
    "hierarchy": "hierarchy show patients/patients.toml birth_date",
    "release": "release patients/patients.toml --dry-run",
    "release at the cell level": "release visits/visits.toml --dry-run",
    "minimal": "minimal patients/patients.toml --max-suppressed 0",
    "compare": "compare patients/patients.toml --method datafly --method mingen",
    "explore": "explore patients/patients.toml --k 2 --k 3 --max-suppressed 0 --method mingen",
    "risk": "risk patients/patients.csv -q race,birth_date,gender,zip --sensitive problem",
    "verify": "verify patients/released",
    "attack": "attack patients/released visits/released",
    "ledger list": "ledger list --ledger private/ledger.db",
    "link": "link patients/patients.csv patients/voters.csv --on birth_date=dob,gender=sex,zip "
    "--spec patients/patients.toml",
}


PREPARED = ("verify", "attack", "ledger list")
"""The commands that need releases."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The demo data, with two releases of the patients and a ledger."""
    folder = tmp_path_factory.mktemp("prepared")
    copy_demo(folder)
    specification = Specification.load(folder / "patients" / "patients.toml")
    make_release(specification)
    ledger = str(folder / "private" / "ledger.db")
    (folder / "private").mkdir(mode=0o700)
    asked = {"ledger": ledger, "out": str(folder / "visits" / "released" / "patients.csv")}
    make_release(Specification.load(folder / "patients" / "patients.toml", asked))
    return folder


@pytest.fixture
def demo(request, tmp_path, monkeypatch):
    """The demo data, in the working folder; for some commands with releases."""
    name = request.node.callspec.params["name"]
    if name in PREPARED:
        shutil.copytree(request.getfixturevalue("prepared"), tmp_path, dirs_exist_ok=True)
    else:
        copy_demo(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def show(demo, type_in, monkeypatch):
    """Runs a command as at a terminal, and returns the lines that it shows."""

    def run(command, width, *, colour):
        monkeypatch.setattr(out, "_width", width)
        monkeypatch.setattr(out, "_force_terminal", True)
        monkeypatch.setattr(out, "_color_system", ColorSystem.STANDARD if colour else None)
        code, printed, complaint = type_in(command)
        assert code in (0, 1), complaint
        return [SECONDS.sub("", line) for line in printed.splitlines()]

    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_every_line_fits_and_colour_adds_nothing_but_colour(name, show):
    plain = show(COMMANDS[name], 80, colour=False)
    (Path.cwd() / "drafted.toml").unlink(missing_ok=True)
    coloured = show(COMMANDS[name], 80, colour=True)
    assert [line for line in plain if len(line.rstrip()) > 80] == []
    assert all(line.isprintable() for line in plain)
    assert [STYLES.sub("", line) for line in coloured] == plain


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wider_terminal_shows_the_same_numbers(name, show):
    narrow = show(COMMANDS[name], 80, colour=False)
    (Path.cwd() / "drafted.toml").unlink(missing_ok=True)
    wide = show(COMMANDS[name], 120, colour=False)
    assert [line for line in wide if len(line.rstrip()) > 120] == []
    assert _numbers(wide) == _numbers(narrow)


def _numbers(lines):
    """Return the numbers that are shown, except seconds."""
    text = " ".join(lines)
    return sorted(re.findall(r"\d[\d,]*(?:\.\d{3,})?%?", re.sub(r"\d+\.\d\d\b", "", text)))
