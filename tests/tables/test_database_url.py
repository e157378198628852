"""Tables in any database that SQLAlchemy reaches, without showing its address."""

import datetime

import psycopg
import pytest
from sqlalchemy import create_engine

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.flow.release import prepare
from lookalike.tables.connection import Connection
from lookalike.tables.databases.database import DatabaseAddress
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..postgres import serve
from .text_files import ATTRIBUTES, read

CREATE = (
    "CREATE TABLE patients (zip TEXT, age INTEGER, weight REAL, note, picture BLOB, none TEXT)",
    "INSERT INTO patients VALUES ('02138', 7, 20.5, 'x', x'00ff', NULL)",
    "INSERT INTO patients VALUES ('NA', NULL, 3, 1, NULL, NULL)",
    'CREATE TABLE "the visits" AS SELECT 1 AS zip',
)
QUERY = "SELECT p.zip, 'flu' AS ill FROM patients AS p, patients AS q"
TYPED = """
CREATE TABLE typed AS SELECT true AS alive, 7 AS age, 12.50 AS price, '2024-02-29'::date AS birth,
'2024-02-29 12:00'::timestamp AS seen, '2024-02-29 12:00+02'::timestamptz AS at,
'10:30'::time AS hour, 'x'::text AS name
"""


@pytest.fixture
def clinic(tmp_path):
    url = f"sqlite+pysqlite:///{tmp_path}/clinic.db"
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in CREATE:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return url


def test_values_keep_their_types(clinic):
    columns, rows = read(database=clinic, table="patients")
    assert columns == ["zip", "age", "weight", "note", "picture", "none"]
    assert rows == [
        ("02138", 7, 20.5, "x", b"\x00\xff", None),
        ("NA", None, 3.0, "1", None, None),
    ]


def test_markers_are_read_as_missing(clinic):
    assert read(database=clinic, table="patients", missing=["NA", "7"])[1][1][0] is None


def test_a_query_and_a_quoted_table_are_read(clinic):
    query = "SELECT zip, '%s :x' AS text FROM patients WHERE zip LIKE '0%';"
    assert read(database=clinic, query=query)[1] == [("02138", "%s :x")]
    assert read(database=clinic, table="the visits") == (["zip"], [(1,)])


def test_a_specification_names_a_file_beside_it(clinic, tmp_path):
    source = {"database": "sqlite+pysqlite:///clinic.db", "query": QUERY}
    fields = {"source": source, "release": {"k": 2, "method": "datafly"}, "attributes": ATTRIBUTES}
    specification = la.Specification.build(fields).located(tmp_path)
    made = prepare(specification)
    assert specification.source.database == clinic
    assert made.certificate.rows_in == 4
    assert "clinic" not in made.certificate.to_json()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("nosuch+thing://u:secret@host/x", "no dialect of that name"),
        ("mysql+pymysql://u:secret@host/x", "driver pymysql is not installed: pip install pymysql"),
        ("mysql+pymysql://u:secret@host:port/x", "the address cannot be read"),
        ("sqlite+pysqlite:///none/secret.db", "no SQLite file is found"),
        ("postgresql+psycopg://u:secret@127.0.0.1:1/x", "cannot be reached, or refuses"),
    ],
)
def test_an_address_that_does_not_work_is_explained_without_it(address, problem):
    with pytest.raises(InvalidInput, match=problem) as error:
        read(database=address, table="patients")
    assert "u:secret" not in str(error.value)
    assert error.value.__cause__ is None


@pytest.mark.parametrize("fields", [{"table": "none"}, {"query": "SELEKT zip FROM patients"}])
def test_a_query_that_does_not_work_is_explained(clinic, fields):
    with pytest.raises(InvalidInput, match="cannot run the query or find the table"):
        read(database=clinic, **fields)


def test_columns_of_the_same_name_are_refused(clinic):
    with pytest.raises(InvalidInput, match="columns 1 and 2 have the same name"):
        read(database=clinic, query="SELECT 1 AS a, 2 AS A")


def test_no_password_is_shown():
    source = Source(database="mysql+pymysql://u:secret@host/x", table="t")
    assert "secret" not in repr(source)
    assert "secret" not in repr(DatabaseAddress.parse("mysql://u:secret@host/x"))


@pytest.mark.slow
def test_a_server_gives_its_types():
    with serve() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(TYPED)
        address = url.replace("postgresql://", "postgresql+psycopg://")
        source = Source(database=address, table="typed")
        [row] = read_source(source, Connection()).to_native().to_arrow_table().to_pylist()
        row = tuple(row.values())
        noon = datetime.datetime(2024, 2, 29, 12)
        assert row[:5] == (True, 7, "12.50", noon.date(), noon)
        assert row[5] == datetime.datetime(2024, 2, 29, 10, tzinfo=datetime.UTC)
        assert row[6:] == (datetime.time(10, 30), "x")
