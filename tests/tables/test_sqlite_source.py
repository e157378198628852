"""Tables in an SQLite file: read with their types, without changing the file."""

import sqlite3
from contextlib import closing

import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.ledger.record import UNRECORDED
from lookalike.tables.source import Source

from .text_files import ATTRIBUTES, read


def make(path, *statements):
    """Create an SQLite file by statements; return its address."""
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
    return f"sqlite:{path}"


@pytest.fixture
def clinic(tmp_path):
    return make(
        tmp_path / "clinic.db",
        "CREATE TABLE patients (zip TEXT, age INTEGER, weight REAL, note, picture BLOB)",
        "INSERT INTO patients VALUES ('02138', 7, 20.5, 'x', x'00ff'), ('', NULL, 3, 1, NULL)",
        'CREATE TABLE "the ""visits""" AS SELECT 1 AS zip UNION SELECT 2 UNION SELECT 3',
        "CREATE VIEW towns AS SELECT DISTINCT zip FROM patients",
    )


def test_values_keep_their_types(clinic):
    columns, rows = read(database=clinic, table="patients")
    assert columns == ["zip", "age", "weight", "note", "picture"]
    assert rows == [("02138", 7, 20.5, "x", b"\x00\xff"), ("", None, 3.0, "1", None)]


def test_views_schemas_and_odd_names_are_read(clinic):
    assert read(database=clinic, table="towns")[1] == [("02138",), ("",)]
    assert read(database=clinic, table="main.towns")[1] == [("02138",), ("",)]
    assert len(read(database=clinic, table='the "visits"')[1]) == 3


def test_the_database_runs_the_query_and_duckdb_the_condition(clinic):
    query = "SELECT zip, age FROM patients WHERE zip LIKE '%8' -- all of them\n;\n"
    assert read(database=clinic, query=query) == (["zip", "age"], [("02138", 7)])
    _, rows = read(database=clinic, table="patients", where="age >= 7 AND TRY_CAST(zip AS INT) > 1")
    assert len(rows) == 1


def test_a_table_without_rows_has_columns(tmp_path):
    address = make(tmp_path / "clinic.db", "CREATE TABLE patients (zip TEXT, age INTEGER)")
    assert read(database=address, table="patients") == (["zip", "age"], [])


def test_many_rows_come_in_batches_and_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr("lookalike.tables.databases.database._BATCH", 7)
    numbers = "WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n WHERE x < 99)"
    address = make(tmp_path / "clinic.db", f"CREATE TABLE p AS {numbers} SELECT x FROM n")
    assert read(database=address, table="p")[1] == [(x,) for x in range(100)]


def test_integers_that_no_float_can_hold_are_refused(tmp_path):
    address = make(
        tmp_path / "clinic.db", f"CREATE TABLE p AS SELECT {2**53 + 1} x UNION SELECT .5"
    )
    with pytest.raises(la.InvalidInput, match="column 1 does not fit the type double"):
        read(database=address, table="p")


def test_a_specification_finds_the_file_beside_it_and_the_release_is_verified(tmp_path):
    make(
        tmp_path / "clinic.db",
        "CREATE TABLE visits (zip TEXT, ill TEXT)",
        "INSERT INTO visits VALUES ('1', 'flu'), ('1', 'ache'), ('2', 'flu'), ('2', 'flu')",
    )
    path = tmp_path / "spec.toml"
    path.write_text("""
        [source]
        database = "sqlite:clinic.db"
        table = "visits"
        [release]
        k = 2
        [attributes]
        zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
        ill = { role = "sensitive" }
    """)
    before = (tmp_path / "clinic.db").read_bytes()
    made = prepare(la.Specification.load(path))
    make(tmp_path / "clinic.db", "DELETE FROM visits WHERE ill = 'ache'")
    made.publish(tmp_path / "released" / "table.csv")
    assert sorted(made.table.fetchall()) == [("1", "ache"), ("1", "flu"), *[("2", "flu")] * 2]
    assert not la.verify(tmp_path / "released", spec=path).holds
    (tmp_path / "clinic.db").write_bytes(before)
    assert la.verify(tmp_path / "released", spec=path).holds


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"table": "peeple"}, "clinic.db: no such table: peeple"),
        ({"query": "SELECT zap FROM patients"}, "no such column: zap"),
        ({"query": "SELEKT 1"}, "syntax error"),
        ({"query": "DELETE FROM patients"}, "syntax error"),
        ({"query": "SELECT x'00' AS a UNION SELECT 'text'"}, "column 1 does not fit the type"),
        ({"query": "SELECT CAST(x'70ff' AS TEXT) AS a"}, r"cannot read it \(OperationalError\)"),
    ],
)
def test_what_cannot_be_read_is_refused(fields, problem, clinic):
    with pytest.raises(la.InvalidInput, match=problem) as raised:
        read(database=clinic, **fields)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


def test_a_file_that_is_no_database_is_refused(tmp_path):
    with pytest.raises(la.InvalidInput, match="no SQLite file is found at"):
        read(database=f"sqlite:{tmp_path}/none.db", table="patients")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("zip,ill\n" * 100)
    with pytest.raises(la.InvalidInput, match=r"text\.db: file is not a database"):
        read(database=f"sqlite:{tmp_path}/text.db", table="patients")


@pytest.mark.parametrize(
    "fields",
    [
        {"database": "sqlite:a.db"},
        {"database": "sqlite:a.db", "table": "t", "query": "SELECT 1"},
        {"database": "sqlite:a.db", "table": "t", "path": "a.csv"},
        {"database": "sqlite:a.db", "query": "SELECT 1", "tables": {"a": "a.csv"}},
    ],
)
def test_a_source_has_one_place(fields):
    with pytest.raises(la.InvalidInput, match="or database with table or with query"):
        Source(**fields)


def test_a_table_needs_its_database():
    with pytest.raises(la.InvalidInput, match="name the database, too"):
        Source(path="a.csv", table="patients")


@pytest.mark.parametrize("text", ["secret", "mysql:me:secret@host/db", "sqlite:", "postgres:"])
def test_an_address_that_cannot_be_read_is_not_shown(text):
    with pytest.raises(la.InvalidInput, match="database cannot be read; write") as raised:
        Source(database=text, table="t")
    assert "secret" not in str(raised.value)


def test_no_representation_and_no_ledger_shows_a_password():
    fields = {"database": "postgres:dbname=a password=secret", "table": "t"}
    assert "secret" not in repr(Source(**fields))
    parts = {"source": fields, "release": {"k": 2, "method": "datafly"}, "attributes": ATTRIBUTES}
    specification = la.Specification.build(parts)
    assert "secret" not in repr(specification)
    recorded = specification.model_dump_json(exclude=UNRECORDED, exclude_unset=True, warnings=False)
    assert '"table":"t"' in recorded
    assert "secret" not in recorded
