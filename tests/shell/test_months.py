"""A drafted specification makes one release after the other, from a shell."""

import datetime
import random
from pathlib import Path

import pytest

import lookalike as la

TODAY = datetime.date.today().isoformat()


@pytest.fixture
def draft(tmp_path, monkeypatch, type_in):
    """Draft a specification of a table of people, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    write_people(60)
    code, _, complaint = type_in("init people.csv --out people.toml --yes")
    assert code == 0, complaint
    text = Path("people.toml").read_text()
    assert 'out = "released/{date}/people.csv"' in text
    assert 'dossier = "private/{date}/people"' in text
    Path("people.toml").write_text(text.replace('person = "?"', 'person = "row"'))


def write_people(rows):
    draw = random.Random(3)
    lines = [
        f"{one},{draw.randint(20, 60)},{draw.choice('fm')},{draw.choice(['flu', 'gout'])}"
        for one in range(rows)
    ]
    Path("people.csv").write_text("\n".join(["id,age,sex,diagnosis", *lines]) + "\n")


def test_each_day_has_a_folder_of_its_own(draft, type_in):
    code, told, complaint = type_in("release people.toml -k 2")
    assert code == 0, complaint
    assert f"lookalike verify released/{TODAY}" in told.replace("\n", " ")
    assert Path("private", TODAY, "people").is_dir()
    for command in ("release people.toml -k 2", "release people.toml -k 2 --dry-run"):
        code, _, complaint = type_in(command)
        assert code == la.AlreadyExists.exit_code
        assert f"such as {Path('released', TODAY)}-2" in complaint.replace("\n", " ")
    assert type_in("release people.toml -k 2 --replace")[0] == 0


LEDGER = "--ledger private/ledger.db --ledger-key private/key"
SPEC = """
[source]
path = "people.csv"
row_key = "id"
name = "people"
[release]
k = 2
method = "mingen"
policy = "check-only"
[attributes]
id = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
diagnosis = { role = "sensitive" }
"""


def test_a_dry_run_is_judged_by_the_ledger_and_records_nothing(draft, type_in):
    Path("plan.toml").write_text(SPEC)
    assert type_in(f"release plan.toml --out one/people.csv {LEDGER}")[0] == 0
    write_people(59)
    code, _, complaint = type_in(f"release plan.toml --out two/people.csv --dry-run {LEDGER}")
    assert code == 1
    said = complaint.replace("\n", " ")
    assert "would expose" in said
    assert "contract" in said
    assert not Path("two").exists()
    assert type_in(f"ledger list {LEDGER} --json")[1].count('"number"') == 1


def test_no_restore_is_listed_where_none_was_accepted(draft, type_in):
    Path("plan.toml").write_text(SPEC)
    type_in(f"release plan.toml --out one/people.csv {LEDGER}")
    assert type_in(f"ledger restores {LEDGER}")[1] == "No restore was accepted.\n"
