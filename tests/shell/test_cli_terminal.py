"""The command line at a terminal: colours, progress and Ctrl-C."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lookalike.shell import cli
from lookalike.tables import connection
from lookalike.tables.resources import Resources
from lookalike.tables.sql import engine_errors

from ..demo_files import copy_demo

pytestmark = pytest.mark.slow

PROGRAM = str(Path(sys.executable).parent / "lookalike")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
SPINNER = "⠋"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The twelve patients and their specification, in the working folder."""
    copy_demo(tmp_path, "patients")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def everything_in(folder):
    """Return every file below a folder, hidden ones too."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_terminals(terminals):
    """Return what is written to pseudo-terminals until nobody holds their other ends."""
    written = dict.fromkeys(terminals, b"")
    waiting = set(terminals)
    while waiting:
        for terminal in select.select(waiting, [], [], 60)[0]:
            try:
                block = os.read(terminal, 65536)
            except OSError:
                block = b""
            written[terminal] += block
            if not block:
                waiting.remove(terminal)
                os.close(terminal)
    return [text.decode() for text in written.values()]


def test_colours_and_progress_are_for_terminals(folder):
    terminals, ends = zip(pty.openpty(), pty.openpty(), strict=True)
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [PROGRAM, "release", "patients.toml"],
        stdout=ends[0],
        stderr=ends[1],
        env=environment | {"TERM": "xterm-256color"},
    ) as process:
        for end in ends:
            os.close(end)
        told, progress = read_terminals(terminals)
    assert process.returncode == 0
    assert COLOURS.search(told)
    assert "Verified and published: released" in COLOURS.sub("", told)
    assert SPINNER not in told
    assert COLOURS.search(progress)
    assert SPINNER in progress
    assert "publish" in progress


@pytest.mark.parametrize(
    "command",
    ["release patients.toml", "release patients.toml --dry-run", "check patients.csv -q zip"],
)
def test_no_colours_and_no_progress_for_a_file(folder, type_in, command):
    _, told, complaint = type_in(command)
    assert "\x1b" not in told
    assert complaint == ""


def interrupt(folder, *arguments, after):
    """Run the program, and press Ctrl-C some seconds after it began to read."""
    with subprocess.Popen(
        [PROGRAM, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            while not list(folder.glob(".lookalike-scratch-*")):
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(after)
            process.send_signal(signal.SIGINT)
            return *process.communicate(timeout=600), process.returncode
        finally:
            process.kill()


@pytest.fixture
def large(folder):
    """A release that takes several seconds, because 600,000 ZIP codes differ."""
    lines = (folder / "patients.csv").read_text().splitlines()
    rows = [lines[1].replace("02141", f"{number:07}") for number in range(600_000)]
    (folder / "patients.csv").write_text("\n".join([lines[0], *rows]) + "\n")
    asked = (folder / "patients.toml").read_text()
    assert "length = 5" in asked
    (folder / "patients.toml").write_text(asked.replace("length = 5", "length = 7"))
    return folder


@pytest.mark.parametrize(
    "after", [0.1, 0.3, 1.5], ids=["while reading", "while counting", "while generalizing"]
)
def test_ctrl_c_publishes_nothing(large, after):
    before = everything_in(large)
    told, complaint, code = interrupt(large, "release", "patients.toml", after=after)
    assert (code, told) == (130, "")
    assert complaint == "lookalike: interrupted; no incomplete release is left\n"
    assert everything_in(large) == before
    assert not list(large.glob(".*"))


def test_ctrl_c_is_told_as_json_on_request(large):
    told, complaint, code = interrupt(large, "release", "patients.toml", "--json", after=0.5)
    assert (code, complaint) == (130, "")
    assert json.loads(told) == {"error": "interrupted; no incomplete release is left", "exit": 130}


def test_ctrl_c_in_a_query_is_ctrl_c():
    with pytest.raises(KeyboardInterrupt), engine_errors():
        raise RuntimeError("Query interrupted")


def test_ctrl_c_while_duckdb_starts_is_ctrl_c(monkeypatch):
    def press(_):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(connection, "register_keyed_hash", press)
    with pytest.raises(KeyboardInterrupt):
        connection.Connection(Resources("1GB"))


def test_ctrl_c_waits_for_no_thread_that_writes_files():
    asked = "SELECT current_setting('async_threads')"
    assert connection.Connection(Resources("1GB")).duckdb.sql(asked).fetchall() == [(0,)]


def test_ctrl_c_outside_of_a_command_is_told_as_well(monkeypatch, type_in):
    def press(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", press)
    complaint = "lookalike: interrupted; no incomplete release is left\n"
    assert type_in("check patients.csv") == (130, "", complaint)
