"""SQL on a relation: what it reads is the relation, whatever else its connection holds."""

import duckdb
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.sql import VARIABLES, copy_to_file, derive, store

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


def test_a_statement_on_our_connection_gives_the_same_rows_and_leaves_no_view(connection):
    relation, views = connection.sql("SELECT 1 AS a"), "SELECT count(*) FROM duckdb_views()"
    before = connection.sql(views).fetchall()
    statement, mapping = "FROM t JOIN mapping USING (a)", pa.table({"a": [1, 5], "b": [2, 6]})
    here, anywhere = (
        derive(relation, statement, mapping, given).fetchall() for given in (connection, None)
    )
    assert here == anywhere == [(1, 2)]
    assert connection.sql(views).fetchall() == before


def test_stored_rows_are_those_of_the_relation(connection):
    stored = [
        store(connection.sql("SELECT 1 AS a"), f"rows {given is None}", "*, a + 1 AS b", given)
        for given in (connection, None)
    ]
    assert [rows.fetchall() for rows in stored] == [[(1, 2)], [(1, 2)]]


def test_what_is_written_on_our_connection_is_the_relation(connection, tmp_path):
    rows = connection.sql("SELECT 1 AS a")
    copy_to_file(rows, tmp_path / "rows.csv", "FORMAT csv, HEADER true", connection)
    assert (tmp_path / "rows.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize("name", [*VARIABLES, VARIABLES[0].upper()])
def test_a_table_of_a_query_is_none_of_our_variables(name, tmp_path):
    (tmp_path / "people.csv").write_text("zip\n1\n")
    source = Source(query=f"SELECT * FROM {name}", tables={name: str(tmp_path / "people.csv")})
    with pytest.raises(la.InvalidInput, match="choose another name"):
        read_source(source, Connection())


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
