"""Fixtures of all tests: the command line, run in this process, and a folder of patients."""

import gc
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import lookalike
from lookalike.flow.result import Release
from lookalike.shell.cli import main

from . import effort  # noqa: F401  (loads the profile of the random tests)
from .json_schemas import check_printed


def pytest_collection_finish():
    """Let the collector of garbage pass over what lives as long as the tests."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    """Let it see everything again, so that nothing is left at the end of the process."""
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="session")
def without_reports():
    """No test makes reports, which take time, unless it has the marker ``reports``."""
    with pytest.MonkeyPatch.context() as patch:
        asked = Release.has_reports
        patch.setattr(Release, "has_reports", False)
        yield asked


@pytest.fixture(autouse=True)
def _reports_on_request(request, monkeypatch, without_reports):
    """Makes reports in a test with the marker ``reports``."""
    if request.node.get_closest_marker("reports"):
        monkeypatch.setattr(Release, "has_reports", without_reports)


@pytest.fixture
def type_in(monkeypatch, capsys):
    """Runs a command line in this process; returns the exit code and what was printed.

    What ``--json`` prints must be what the published schema describes.
    """

    # However slow the machine is, no line of progress is printed.
    monkeypatch.setattr("lookalike.shell.views.terminal.LINE_SECONDS", (3600,))

    def run(command):
        words = shlex.split(command)
        monkeypatch.setattr(sys, "argv", ["lookalike", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        printed, complaint = capsys.readouterr()
        if "--json" in words and "--help" not in words:
            check_printed(words, printed)
        return stopped.value.code or 0, printed, complaint

    return run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The twelve patients, the voters and the specification, in the working folder."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "patients"
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answer(type_in):
    """Runs a command line that succeeds, and returns the one JSON object that it printed."""

    def run(command, code=0):
        actual, printed, complaint = type_in(f"{command} --json")
        assert (actual, complaint) == (code, "")
        assert printed.count("\n") == 1
        return json.loads(printed)

    return run
