"""Without a terminal, a line now and then tells how far a long command is."""

import time
from io import StringIO

import pytest
from rich.console import Console

from lookalike.shell.display import display
from lookalike.shell.views import terminal
from lookalike.shell.views.terminal import COMPILING, show_progress


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Print the first lines after hundredths of a second."""
    monkeypatch.setattr(terminal, "LINE_SECONDS", (0.01, 0.02, 0.04))


def wait_for(written, number):
    """Wait until so many lines are written; return them."""
    until = time.monotonic() + 600
    while written.getvalue().count("\n") < number and time.monotonic() < until:
        time.sleep(0.005)
    return written.getvalue().splitlines()


def test_lines_show_the_running_step_with_what_is_found_and_the_time():
    written = StringIO()
    with show_progress("reading", Console(file=written, width=20)) as announce:
        first, *_ = wait_for(written, 1)
        announce("search: best 0.6830, bound 0.8173, gap 0.1343; improving the classes, 41 s")
        wait_for(written, 5)
        announce.notice_compilation()
        *_, last = wait_for(written, written.getvalue().count("\n") + 2)
    assert first == "lookalike: reading (0.01 s in all)"
    shown = "search: best 0.6830, bound 0.8173, gap 0.1343; improving the classes, 41 s"
    assert last.startswith(f"lookalike: {shown}{COMPILING} (")
    written_before = written.getvalue()
    time.sleep(0.1)
    assert written.getvalue() == written_before


def test_quiet_prints_none(monkeypatch):
    monkeypatch.setattr(display, "quiet", True)
    written = StringIO()
    with show_progress("reading", Console(file=written)):
        time.sleep(0.1)
    assert written.getvalue() == ""
