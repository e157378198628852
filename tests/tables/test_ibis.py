"""Ibis tables: expressions over DuckDB, of which nothing stays in the database."""

import ibis
import pyarrow as pa
import pytest

import lookalike as la

from ..roles import MASKED, SENSITIVE

PEOPLE = {"zip": ["02138", "02139", "02141", "02142"], "ill": ["flu", "flu", "cold", "cold"]}
ATTRIBUTES = {"zip": MASKED, "ill": SENSITIVE}


@pytest.fixture
def backend(tmp_path):
    backend = ibis.duckdb.connect(tmp_path / "clinic.duckdb")
    backend.con.from_arrow(pa.table(PEOPLE)).create("people")
    return backend


def list_stored(backend):
    query = "SELECT table_name FROM duckdb_tables() WHERE NOT temporary"
    return backend.con.sql(query).fetchall()


def test_an_expression_is_released_as_a_table_of_its_backend(backend):
    people = backend.table("people")

    released = la.release(
        people.filter(people.ill == "flu"),
        k=2,
        method="datafly",
        max_suppressed=0,
        attributes=ATTRIBUTES,
    ).table

    assert isinstance(released, ibis.Table)
    assert released.get_backend() is backend
    assert released.to_pyarrow().to_pydict() == {"zip": ["0213*"] * 2, "ill": ["flu"] * 2}


def test_the_database_is_as_it_was_afterwards(backend, tmp_path):
    made = la.release(
        backend.table("people"), k=2, method="datafly", max_suppressed=0, attributes=ATTRIBUTES
    )
    made.publish(tmp_path / "released" / "people.csv")
    assert made.table.to_pyarrow().num_rows == 4

    assert list_stored(backend) == [("people",)]


def test_an_expression_may_join_a_table_in_memory(backend):
    wards = ibis.memtable(pa.table({"ill": ["flu", "cold"], "ward": ["A", "B"]}))
    joined = backend.table("people").join(wards, "ill")

    assert la.check(joined, ["ward", "ill"], k=2).k == 2


def test_another_backend_is_refused_with_the_way_out():
    table = ibis.polars.connect({"people": pa.table(PEOPLE)}).table("people")

    with pytest.raises(la.InvalidInput, match=r"backend polars are not supported.*to_pyarrow\(\)"):
        la.check(table, ["zip"])
