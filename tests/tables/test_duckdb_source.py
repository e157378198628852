"""Tables in a DuckDB file: read with their types, without changing the file."""

import datetime
import subprocess
import sys
from decimal import Decimal

import duckdb
import pytest

from lookalike.errors import InvalidInput, Unavailable
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from .text_files import read

CREATE = """
CREATE SCHEMA hospital;
CREATE TABLE hospital.patients (zip VARCHAR, age INTEGER, cost DECIMAL(8, 2), seen TIMESTAMPTZ);
INSERT INTO hospital.patients VALUES
    ('02138', 7, 1.10, '2024-02-29 12:00:00+00'), ('', NULL, 2, NULL);
CREATE VIEW towns AS SELECT DISTINCT zip FROM hospital.patients WHERE zip <> '';
"""


@pytest.fixture
def clinic(tmp_path):
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as database:
        database.execute(CREATE)
    return f"duckdb:{tmp_path / 'clinic.duckdb'}"


def test_values_keep_their_types(clinic):
    source = Source(database=clinic, table="hospital.patients")
    table = read_source(source, Connection()).to_native().to_arrow_table()
    assert table.column_names == ["zip", "age", "cost", "seen"]
    noon = datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.UTC)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows == [("02138", 7, Decimal("1.10"), noon), ("", None, Decimal("2.00"), None)]


def test_views_queries_and_conditions(clinic):
    assert read(database=clinic, table="towns") == (["zip"], [("02138",)])
    query = "SELECT zip FROM hospital.patients WHERE age > 5 -- adults\n;"
    assert read(database=clinic, query=query)[1] == [("02138",)]
    query = "SELECT zip, age FROM hospital.patients"
    assert read(database=clinic, query=query, where="age IS NULL")[1] == [("", None)]


def test_a_query_cannot_write(clinic, tmp_path):
    for query in ("DROP TABLE hospital.patients", f"COPY towns TO '{tmp_path / 'out.csv'}'"):
        with pytest.raises(InvalidInput, match="database: "):
            read(database=clinic, query=query)
    assert not (tmp_path / "out.csv").exists()
    assert read(database=clinic, query="SELECT count(*) AS n FROM hospital.patients")[1] == [(2,)]


def test_what_is_not_there_is_refused(clinic, tmp_path):
    with pytest.raises(InvalidInput, match="Table with name visits does not exist"):
        read(database=clinic, table="visits")
    with pytest.raises(InvalidInput, match="no DuckDB file is found"):
        read(database=f"duckdb:{tmp_path / 'other.duckdb'}", table="towns")
    assert not (tmp_path / "other.duckdb").exists()


def test_a_file_that_another_process_writes_is_busy(clinic):
    hold = f"import duckdb; d = duckdb.connect({clinic[7:]!r}); print(1, flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", hold], **pipes) as other:
        other.stdout.readline()
        with pytest.raises(Unavailable, match="another process has opened the database"):
            read(database=clinic, table="towns")
        other.communicate(b"\n")
