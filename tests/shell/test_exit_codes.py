"""What is in use ends with 5 and what exists already with 6, in words and as JSON."""

import sqlite3
from contextlib import closing
from functools import partial

import pytest

import lookalike as la
from lookalike.ledger.store import database, source_lock
from lookalike.ledger.store.ledger import open_ledger
from lookalike.publish.place import private_prefix
from lookalike.tables import private_folders
from lookalike.tables.private_folders import PrivateFolder, locked

IN_USE, EXISTS = 5, 6
LEDGER = "--ledger private/ledger.db"
PROPOSE = "hierarchy propose patients.csv zip --out z.csv"
RELEASE = f"release patients.toml {LEDGER}"


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr(private_folders, "WAIT_SECONDS", 0.1)
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.1)
    monkeypatch.setattr(source_lock, "LOCK_WAIT_SECONDS", 0.1)


def test_the_new_errors_are_no_wrong_input():
    assert (la.Unavailable.exit_code, la.AlreadyExists.exit_code) == (IN_USE, EXISTS)
    for error in (la.Unavailable, la.AlreadyExists):
        assert issubclass(error, la.LookalikeError)
        assert not issubclass(error, ValueError)


@pytest.mark.parametrize(
    ("first", "command"),
    [
        ("release patients.toml", "release patients.toml"),
        (f"{RELEASE} --dossier apart", f"{RELEASE} --dossier apart --out b/t.csv"),
        ("init patients.csv --yes --out a.toml", "init patients.csv --yes --out a.toml"),
        ("release patients.toml", "report released --out patients.csv"),
        (PROPOSE, PROPOSE),
        ("", "demo --folder ."),
        ("", "explore patients.toml --csv patients.csv"),
    ],
)  # fmt: skip
def test_what_exists_is_not_overwritten(first, command, folder, type_in, answer):
    if first:
        assert type_in(first)[0] == 0
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, _, complaint = type_in(command)
    told = answer(command, code=EXISTS)
    assert (code, told["exit"]) == (EXISTS, EXISTS)
    assert told["error"] in complaint.replace("\n", " ")
    assert all(path.read_bytes() == content for path, content in before.items())


def test_a_folder_to_which_another_process_publishes(folder, answer):
    other = PrivateFolder(folder, private_prefix(folder / "released", "staging"))
    told = answer("release patients.toml", code=IN_USE)
    assert told["error"].startswith("another process is publishing to")
    assert told["exit"] == IN_USE
    other.remove()
    answer("release patients.toml")


def test_a_folder_that_another_process_has_locked(folder, answer):
    with locked(folder):
        told = answer("release patients.toml", code=IN_USE)
    assert "has locked" in told["error"]
    answer("release patients.toml")


def test_a_ledger_whose_database_is_locked(folder, answer):
    answer(RELEASE)
    again = f"{RELEASE} --replace"
    with closing(sqlite3.connect(folder / "private" / "ledger.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        told = answer(again, code=IN_USE)
        assert "is in use by another process" in told["error"]
        assert answer(f"ledger list {LEDGER}", code=IN_USE)["exit"] == IN_USE
    answer(again)


def test_a_ledger_whose_source_another_process_publishes(folder, answer, monkeypatch):
    answer(RELEASE)
    ledger = open_ledger(folder / "private" / "ledger.db")
    [source] = {entry.source for entry in ledger.releases()}
    holding = type(ledger).holding
    with holding(ledger, source):
        monkeypatch.setattr(
            type(ledger), "holding", lambda own, name, **given: holding(own, name, seconds=0)
        )
        told = answer(f"{RELEASE} --replace", code=IN_USE)
    assert "is publishing a release of" in told["error"]


SPEC = """
[source]
database = "sqlite:clinic.db"
table = "people"
person = "row"

[release]
k = 2
method = "datafly"

[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
"""


def test_a_source_whose_database_is_locked(folder, answer, monkeypatch):
    (folder / "spec.toml").write_text(SPEC)
    with closing(sqlite3.connect(folder / "clinic.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE people (zip TEXT)")
        other.execute("INSERT INTO people VALUES ('1'), ('1')")
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0.1))
        told = answer("release spec.toml --dry-run", code=IN_USE)
        assert "another process has locked the database" in told["error"]
        other.execute("ROLLBACK")
    assert answer("release spec.toml --dry-run")["k_reached"] == 2
