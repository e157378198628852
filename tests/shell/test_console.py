"""What is printed: nothing that a terminal would obey but our own colours, or a clear refusal."""

import io
import json
import subprocess
import sys

import pytest
from rich.table import Table
from rich.text import Text

from lookalike.shell.console import SafeConsole, print_json
from lookalike.shown_text import escape_controls

HOSTILE = "zip\x1b[2J\x1b]0;owned\x07\x9b1m\x7f\u202e\udcff"
PROGRAM = [sys.executable, "-c", "from lookalike.shell.cli import main; main()"]


def show(renderable):
    """Print to a terminal, and return what reached it."""
    console = SafeConsole(file=io.StringIO(), force_terminal=True, width=300, color_system=None)
    console.print(renderable)
    return console.file.getvalue()


def table_of(text):
    table = Table()
    table.add_column(text)
    table.add_row(text)
    return table


@pytest.mark.parametrize("renderable", [HOSTILE, Text(HOSTILE, style="bold"), table_of(HOSTILE)])
def test_control_characters_are_escaped_in_whatever_is_shown(renderable):
    shown = show(renderable)
    assert set(filter(lambda one: not one.isprintable(), shown)) <= {"\n", "\x1b"}
    assert r"zip\x1b[2J" in shown
    assert "\x1b[2J" not in shown
    assert "\x1b]" not in shown


def test_json_has_control_characters_as_escapes_that_read_back(capsys):
    print_json({"column": HOSTILE})
    printed = capsys.readouterr().out
    assert printed.removesuffix("\n").isprintable()
    assert json.loads(printed) == {"column": HOSTILE}


def test_our_own_colours_stay():
    console = SafeConsole(file=io.StringIO(), force_terminal=True, color_system="standard")
    console.print(Text("bold\x1b[31m", style="bold"))
    assert console.file.getvalue() == "\x1b[1mbold\\x1b[31m\x1b[0m\n"


@pytest.mark.parametrize("text", ["", "02138 – łé ✓", "two\nlines"])
def test_what_can_be_seen_stays_as_it_is(text):
    assert escape_controls(text) == text


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """A table with control characters in a column's name and in the file's."""
    monkeypatch.chdir(tmp_path)
    name = HOSTILE.replace("\udcff", "")
    (tmp_path / f"{name}.csv").write_text(f'"{name}"\n1\n1\n', encoding="utf-8")
    return name


@pytest.mark.slow
@pytest.mark.parametrize("json_too", [[], ["--json"]])
@pytest.mark.parametrize("column", [None, "age"])
def test_a_command_shows_no_control_characters_of_others(hostile, column, json_too):
    command = [*PROGRAM, "check", f"{hostile}.csv", "-q", column or hostile, *json_too]
    done = subprocess.run(command, capture_output=True, check=False)
    shown = (done.stdout + done.stderr).decode()
    assert done.returncode == 2
    assert all(one.isprintable() or one == "\n" for one in shown)
    if json_too:
        assert "control character" in json.loads(done.stdout)["error"]


def test_a_path_that_is_not_utf8_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(
        [*PROGRAM, "check", b"nobody\xff.csv", "-q", "zip"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert rb"no file is found at nobody\udcff.csv" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_answer_that_cannot_be_printed_is_not_our_fault(options, tmp_path):
    (tmp_path / "people.csv").write_text("zip\n1\n1\n")
    command = [*PROGRAM, "check", tmp_path / "people.csv", "-q", "zip", *options]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    complaint = " ".join(done.stderr.decode().split())
    assert complaint == (
        "lookalike: the result cannot be printed: No space left on device; the command may have "
        "finished, so check before you run it again"
    )
