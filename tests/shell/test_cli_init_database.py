"""``lookalike init`` on databases drafts a specification that ``release`` takes."""

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import lookalike
from lookalike.tables.databases.database import remove_password

from ..postgres import serve

PATIENTS = Path(lookalike.__file__).parent / "shell" / "data" / "patients" / "patients.csv"
ROWS = [line.split(",") for line in PATIENTS.read_text().splitlines()]
CREATE = f"CREATE TABLE people ({', '.join(f'{name} TEXT' for name in ROWS[0])})"
VALUES = ", ".join("(" + ", ".join(f"'{one}'" for one in row) + ")" for row in ROWS[1:])
INSERT = f"INSERT INTO people VALUES {VALUES}"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    return tmp_path


def make_sqlite():
    with closing(sqlite3.connect("clinic.db")) as database, database:
        database.execute(CREATE)
        database.execute(INSERT)
    return "sqlite:clinic.db", "sqlite:../clinic.db"


def make_duckdb():
    with duckdb.connect("clinic.duckdb") as database:
        database.execute(CREATE)
        database.execute(INSERT)
    return "duckdb:clinic.duckdb", "duckdb:../clinic.duckdb"


@pytest.mark.parametrize("make", [make_sqlite, make_duckdb])
def test_a_table_of_a_file(make, place, type_in, answer):
    given, written = make()
    command = f"init {given} --table people -k 2 --out specs/people.toml --yes"
    code, _, complaint = type_in(command)
    assert (code, complaint) == (0, "")
    text = (place / "specs" / "people.toml").read_text()
    assert f'database = "{written}"\ntable = "people"\n' in text
    assert 'out = "released/{date}/people.csv"' in text
    released = answer("release specs/people.toml")
    [folder] = Path("specs/released").iterdir()
    assert (released["rows_in"], released["files"][0]) == (12, f"{folder}/people.csv")
    assert type_in(f"verify {folder} --spec specs/people.toml")[0] == 0


def test_the_specification_is_named_after_the_table(place, type_in):
    make_sqlite()
    assert type_in("init sqlite:clinic.db --table main.people --yes")[0] == 0
    assert 'database = "sqlite:clinic.db"\ntable = "main.people"' in Path("people.toml").read_text()


def test_what_is_of_files_only_is_refused(place, type_in):
    make_sqlite()
    code, _, complaint = type_in("init sqlite:clinic.db --table people --delimiter ;")
    assert (code, "leave out --delimiter" in complaint) == (2, True)
    code, _, complaint = type_in("init postgresql://me:secret@host/clinic")
    assert (code, "name the table of the database (--table)" in complaint) == (2, True)
    assert "secret" not in complaint
    assert type_in("init sqlite:clinic.db --table nobody")[0] == 2


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:secret@host:5433/clinic",
        "postgresql://me@host:5433/clinic?password=secret",
        "postgres:dbname=clinic user=me host=host port=5433 password='secret'",
    ],
)
def test_no_password_is_written(address):
    known = conninfo_to_dict(remove_password(address).removeprefix("postgres:"))
    assert known == {"user": "me", "host": "host", "port": "5433", "dbname": "clinic"}


@pytest.mark.slow
def test_a_table_of_a_server(place, type_in, answer, monkeypatch):
    with serve() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(CREATE)
            connection.execute(INSERT)
        password = conninfo_to_dict(url)["password"]
        printed = answer(f"init {url} --table public.people -k 2 --yes")
        text = Path("people.toml").read_text()
        assert password not in text + str(printed)
        assert "PGPASSWORD" in text
        monkeypatch.setenv("PGPASSWORD", password)
        assert answer("release people.toml")["rows_in"] == 12
        [folder] = Path("released").iterdir()
        assert type_in(f"verify {folder} --spec people.toml")[0] == 0
