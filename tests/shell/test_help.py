"""The help of the command line: one line per command, without importing what a command needs."""

import importlib.metadata
import subprocess
import sys

import pytest
import typer

from lookalike.shell.cli import COMMANDS, app, load_command
from lookalike.shell.display import PANELS

LEDGER_COMMANDS = ("list", "show", "attack", "forecast", "forget", "accept-restore", "restores")
HIERARCHY_COMMANDS = ("propose", "preview", "show", "check")
EVERY_COMMAND = [
    *((name,) for name in COMMANDS),
    *(("ledger", name) for name in LEDGER_COMMANDS),
    *(("hierarchy", name) for name in HIERARCHY_COMMANDS),
]
HEAVY = "numba scipy sqlalchemy duckdb highspy pyarrow narwhals pydantic numpy pandas polars"
PROGRAM = f"""
import atexit, sys, time
def report():
    heavy = [name for name in {HEAVY.split()!r} if name in sys.modules]
    print(heavy, f"{{time.process_time():.2f}} s of CPU time", sep="\\n", file=sys.stderr)
atexit.register(report)
from lookalike.shell.cli import main
main()
"""


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_a_light_start_imports_no_heavy_module(option):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, option], capture_output=True, text=True, check=True
    )
    heavy, seconds = ran.stderr.splitlines()
    assert heavy == "[]"
    assert seconds.endswith(" s of CPU time")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_listed_help_is_the_first_paragraph_of_the_commands_own_help(name):
    assert load_command(name).help.split("\n\n")[0].replace("\n", " ") == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_lists_every_command_with_its_line(name, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    code, printed, complaint = type_in("--help")
    assert (code, complaint) == (0, "")
    assert [line for line in printed.splitlines() if f" {name} " in line and COMMANDS[name] in line]


@pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
def test_the_help_of_a_command_fits_80_columns(words, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, printed, complaint = type_in(" ".join([*words, "--help"]))
    assert (code, complaint) == (0, "")
    assert f" {' '.join(words)} [OPTIONS]" in printed
    assert max(map(len, printed.splitlines())) <= 80


@pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
def test_every_option_and_argument_has_a_help_that_ends_with_a_full_stop(words):
    command = load_command(words[0])
    for word in words[1:]:
        command = command.commands[word]
    for one in command.params:
        assert one.help, one.name
        assert one.help.endswith("."), one.name


def test_every_command_of_a_group_is_tested_here():
    assert tuple(load_command("ledger").commands) == LEDGER_COMMANDS
    assert tuple(load_command("hierarchy").commands) == HIERARCHY_COMMANDS


def test_completion_knows_the_commands_and_their_options(monkeypatch):
    group = typer.main.get_command(app)
    with group.make_context("lookalike", [], resilient_parsing=True) as context:
        values = [one.value for one in group.shell_complete(context, "re")]
        assert values == ["release", "report", "review"]
        name, command, _ = group.resolve_command(context, ["check"])
    with command.make_context(name, [], resilient_parsing=True) as context:
        values = [one.value for one in command.shell_complete(context, "--quasi")]
    assert values == ["--quasi-identifier"]


def test_a_mistyped_command_is_suggested_from_the_list(type_in):
    code, printed, complaint = type_in("relese")
    assert (code, printed) == (2, "")
    assert "Did you mean 'release'?" in complaint


def test_the_version_is_the_packages(type_in):
    assert type_in("--version") == (0, f"lookalike {importlib.metadata.version('lookalike')}\n", "")


@pytest.mark.parametrize("verb", [name for name in COMMANDS if name not in ("ledger", "hierarchy")])
def test_the_help_of_a_verb_shows_an_example(type_in, verb):
    code, printed, complaint = type_in(f"{verb} --help")
    assert (code, complaint) == (0, "")
    assert f"Example: lookalike {verb}" in printed


def test_the_help_names_the_verbs_and_the_exit_codes(type_in):
    code, printed, _ = type_in("--help")
    printed = " ".join(printed.split())
    assert code == 0
    verbs = ("demo", "check", "release", "minimal", "compare", "verify")
    assert all(verb in printed for verb in verbs)
    assert "0 done, 1 the requirement does not hold, 2 wrong usage or input" in printed


def test_nothing_typed_is_answered_with_the_help(type_in):
    code, printed, complaint = type_in("")
    assert code == 2
    assert "Usage: " in printed
    assert complaint == "lookalike: name a command; see lookalike --help\n"


def test_the_options_of_release_stand_in_panels(type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    printed = type_in("release --help")[1]
    assert [panel for panel in (*PANELS, "Display") if f"─ {panel} ─" in printed] == [
        *PANELS,
        "Display",
    ]
    options = [one for one in load_command("release").params if one.param_type_name == "option"]
    assert [one.name for one in options if one.rich_help_panel is None] == []
