"""Values that a hierarchy does not know are named to its owner at a terminal, and nowhere else."""

import json

import pytest

import lookalike as la
from lookalike.shell.console import err

SECRETS = [f"secret-{letter}" for letter in "abcdefg"]
COMMANDS = ("release spec.toml", "check --spec spec.toml", "explore spec.toml", "compare spec.toml")
SPECIFICATION = """
[source]
path = "private.csv"
[release]
k = 2
out = "released/table.csv"
[attributes.job]
role = "quasi-identifier"
hierarchy = { kind = "taxonomy", tree = { any = ["nurse"] } }
[attributes.ill]
role = "other"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table with jobs that its hierarchy does not know."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{job},flu\n" for job in ["nurse", *SECRETS] * 2)
    (tmp_path / "private.csv").write_text(f"job,ill\n{rows}")
    (tmp_path / "spec.toml").write_text(SPECIFICATION)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_at_a_terminal_at_most_five_are_named(folder, type_in, monkeypatch, command):
    monkeypatch.setattr(err, "_force_terminal", True)
    code, _, complaint = type_in(command)
    assert (code, [one for one in SECRETS if one in complaint]) == (2, SECRETS[:5])


@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_log_none_are_named(folder, type_in, command):
    code, printed, complaint = type_in(command)
    assert code == 2
    assert "7 values that the hierarchy does not know: (not shown); add" in complaint
    assert "secret" not in printed + complaint


@pytest.mark.parametrize("command", [*COMMANDS, "hierarchy check spec.toml"])
def test_in_json_none_are_named(folder, type_in, monkeypatch, command):
    monkeypatch.setattr(err, "_force_terminal", True)
    _, printed, complaint = type_in(f"{command} --json")
    assert "7 values that the hierarchy does not know: (not shown); add" in printed
    assert "secret" not in printed + complaint
    assert json.loads(printed)


def test_suppressed_values_are_not_named_in_json(folder, type_in):
    text = SPECIFICATION.replace('"taxonomy",', '"taxonomy", unknown = "suppress",')
    (folder / "spec.toml").write_text(text)
    _, printed, _ = type_in("hierarchy check spec.toml --json")
    assert "would be suppressed at every level: (not shown)" in printed
    assert "secret" not in printed


def test_a_caller_may_ask_for_the_message_without_values(folder):
    with pytest.raises(la.UnknownValue, match="secret-a") as refused:
        la.release(spec="spec.toml")
    assert "secret" not in refused.value.discreet
