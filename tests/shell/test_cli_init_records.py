"""``lookalike init`` on several tables drafts a specification that ``release`` takes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import lookalike
from lookalike.shell.commands import init

RECORDS = Path(lookalike.__file__).parent / "shell" / "data" / "records"
TABLES = "patients.csv admissions.csv lab.csv"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The three tables of the invented hospital, without its specification."""
    for name in TABLES.split():
        shutil.copy(RECORDS / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_files_to_a_verified_folder(place, type_in):
    code, shown, complaint = type_in("init lab.csv patients.csv admissions.csv")
    assert (code, complaint) == (0, "")
    assert "patients has one row a person" in shown
    text = (place / "patients.toml").read_text()
    assert '[records.admissions]\npath = "admissions.csv"' in text
    assert "[records.admissions.attributes.ward]" in text
    assert type_in("release patients.toml")[0] == 0
    [folder] = Path("released").iterdir()
    assert type_in(f"verify {folder}")[0] == 0


def test_hierarchies_of_records_are_checked_too(place, type_in):
    text = (RECORDS / "records.toml").read_text()
    (place / "records.toml").write_text(text)
    assert type_in("hierarchy check records.toml")[0] == 0
    ward = 'ward = { role = "quasi-identifier", hierarchy = { kind = '
    wrong = text.replace(f'{ward}"suppress"', f'{ward}"intervals", widths = [10]')
    (place / "records.toml").write_text(wrong)
    code, shown, _ = type_in("hierarchy check records.toml")
    assert (code, "admissions.ward: intervals" in shown) == (1, True)


def test_no_value_of_a_table_is_written_or_printed(place, type_in):
    _, shown, _ = type_in("init patients.csv admissions.csv")
    text = shown + (place / "patients.toml").read_text()
    for line in (place / "admissions.csv").read_text().splitlines()[1:30]:
        assert all(value not in text for value in line.split(",")[:2])


def test_what_is_of_one_table_only_is_refused(place, type_in):
    code, _, complaint = type_in("init patients.csv admissions.csv --keep zip")
    assert (code, "--keep is taken for one table" in complaint) == (2, True)
    assert type_in("init sqlite:a.db sqlite:b.db --table one --table two")[0] == 2
    code, _, complaint = type_in("init admissions.csv lab.csv")
    assert (code, "no table has one row for each person" in complaint) == (2, True)
    assert [*place.glob("*.toml")] == []


def test_tables_of_a_database(place, type_in):
    with closing(sqlite3.connect("clinic.db")) as database, database:
        for name in ("patients", "admissions"):
            header, *rows = (place / f"{name}.csv").read_text().splitlines()
            database.execute(f"CREATE TABLE {name} ({header})")
            marks = ",".join("?" * len(header.split(",")))
            lines = [row.split(",") for row in rows]
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", lines)
    assert type_in("init sqlite:clinic.db --table admissions --table patients --yes")[0] == 0
    text = (place / "patients.toml").read_text()
    assert '[records.admissions]\ndatabase = "sqlite:clinic.db"\ntable = "admissions"' in text
    assert type_in("release patients.toml --dry-run")[0] == 0


def test_questions_name_the_table(place, type_in, monkeypatch):
    lines = [f"{n},t{n % 40}" for n in range(1, 101)]
    (place / "things.csv").write_text("\n".join(["patient_no,thing", *lines]) + "\n")
    people = [f"{n},{'fm'[n % 2]}" for n in range(1, 121)]
    (place / "patients.csv").write_text("\n".join(["patient_no,sex", *people]) + "\n")
    for console in (init.out, init.err):
        monkeypatch.setattr(type(console), "is_terminal", property(lambda _: True))
    answers = iter(["", "o"])
    monkeypatch.setattr(init.err, "input", lambda _: next(answers))
    code, _, asked = type_in("init patients.csv things.csv")
    assert code == 0
    assert asked.index("things") < asked.index("Roles:")
    assert (
        '[records.things.attributes.thing]\nrole = "other"' in (place / "patients.toml").read_text()
    )
