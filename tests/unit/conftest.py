"""The command line, run in this process."""

import shlex
import sys

import pytest

from lookalike.cli import main


@pytest.fixture
def type_in(monkeypatch, capsys):
    """Runs a command line in this process; returns the exit code and what was printed."""

    def run(command):
        monkeypatch.setattr(sys, "argv", ["lookalike", *shlex.split(command)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capsys.readouterr()

    return run
