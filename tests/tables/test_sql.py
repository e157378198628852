"""SQL on a relation: what it reads is the relation, whatever else its connection holds."""

import duckdb
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.tables.sql import copy_to_file, derive

from ..roles import IDENTIFIER, LINKABLE, SENSITIVE

ROWS = "SELECT (range % 3)::VARCHAR AS zip, 'x' || range % 2 AS ill, range AS id FROM range(12)"
ATTRIBUTES = {"zip": LINKABLE, "ill": SENSITIVE, "id": IDENTIFIER}


@pytest.fixture(params=["TABLE", "VIEW", "TEMP TABLE", "TEMP VIEW"])
def connection(request):
    """A connection of the caller's, with other tables under the names that statements use."""
    opened = duckdb.connect()
    for name in ("t", "mapping", "numbered", "ranked"):
        opened.execute(f"CREATE {request.param} {name} AS SELECT 'private' AS zip, 5 AS a")
    return opened


def test_a_statement_reads_the_relation_and_not_a_table_of_the_same_name(connection):
    relation = connection.sql("SELECT 1 AS a")
    assert derive(relation, "SELECT a FROM t").fetchall() == [(1,)]
    assert derive(relation, "SELECT * FROM (SELECT a FROM t)").fetchall() == [(1,)]
    assert derive(relation, " WITH u AS (SELECT a FROM t) SELECT a FROM u").fetchall() == [(1,)]


def test_a_statement_joins_the_mapping_and_not_a_table_of_the_same_name(connection):
    mapping = pa.table({"a": [1], "b": [2]})
    joined = derive(connection.sql("SELECT 1 AS a"), "FROM t JOIN mapping USING (a)", mapping)
    assert joined.fetchall() == [(1, 2)]


def test_what_is_written_is_the_relation(connection, tmp_path):
    copy_to_file(connection.sql("SELECT 1 AS a"), tmp_path / "rows.csv", "FORMAT csv, HEADER true")
    assert (tmp_path / "rows.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize("name", ["t", "T", "mapping", "numbered", "ranked"])
@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_table_of_any_name_is_released(name, method, tmp_path):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE {name} AS {ROWS}")
    made = la.release(
        connection.table(name), attributes=ATTRIBUTES, k=5, max_suppressed=0, method=method
    )
    made.publish(tmp_path / "released" / "rows.csv")
    assert len(made.table.fetchall()) == 12
    assert la.check(tmp_path / "released" / "rows.csv", ["zip"], k=5).holds


def test_a_query_may_call_a_table_as_statements_do(tmp_path):
    (tmp_path / "people.csv").write_text("zip\n1\n1\n2\n")
    source = {"query": "SELECT * FROM t", "tables": {"t": str(tmp_path / "people.csv")}}
    specification = la.Specification.build(
        {
            "source": source | {"where": "zip = '1'"},
            "release": {"k": 2},
            "attributes": {"zip": ATTRIBUTES["zip"]},
        }
    )
    assert prepare(specification).table.fetchall() == [("1",), ("1",)]
