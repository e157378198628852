"""Tables on a PostgreSQL server: read with their types, without changing or showing anything."""

import datetime
from decimal import Decimal

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..postgres import free_port, serve
from .text_files import ATTRIBUTES, read

pytestmark = pytest.mark.slow

CREATE = """
CREATE SCHEMA clinic;
CREATE TYPE ward AS ENUM ('east', 'west');
CREATE TABLE clinic.patients (
    zip varchar(5), age int, small smallint, large bigint, share real, weight double precision,
    price numeric(8, 2), exact numeric, alive boolean, birth date, seen timestamp,
    at timestamptz, place ward, code char(4), tags text[], id uuid, data jsonb
);
INSERT INTO clinic.patients VALUES (
    '02138', 7, 1, 9007199254740993, 0.1, 0.1, 12.50, 1.2300, true, '2024-02-29',
    '2024-02-29 12:00:00.5', '2024-02-29 12:00:00+02', 'east', 'ab', '{x,y}',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": 1}'
);
INSERT INTO clinic.patients VALUES ('');
CREATE TABLE "Visits" AS SELECT n % 2 || '' AS zip, n AS number FROM generate_series(0, 99) AS n;
CREATE TABLE odd AS SELECT 'infinity'::date AS day, 'private-value' AS name;
"""


@pytest.fixture(scope="module")
def server():
    with serve() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(CREATE)
        yield url


def words(url: str) -> str:
    """Return the address as a connection string of words."""
    parts = conninfo_to_dict(url)
    return "postgres:" + " ".join(f"{name}={value}" for name, value in parts.items())


def test_values_keep_their_types(server):
    source = Source(database=words(server), table="clinic.patients")
    table = read_source(source, Connection()).to_native().to_arrow_table()
    assert table.column_names[:3] == ["zip", "age", "small"]
    rows = [tuple(row.values()) for row in table.to_pylist()]
    noon = datetime.datetime(2024, 2, 29, 12, 0, 0, 500_000)
    known = ("02138", 7, 1, 2**53 + 1, pytest.approx(0.1), 0.1, Decimal("12.50"), "1.2300", True)
    assert rows[0][:9] == known
    assert rows[0][9:11] == (datetime.date(2024, 2, 29), noon)
    assert rows[0][11] == datetime.datetime(2024, 2, 29, 10, tzinfo=datetime.UTC)
    assert rows[0][12:15] == ("east", "ab", "{x,y}")
    assert rows[0][15:] == ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", '{"a": 1}')
    assert rows[1] == ("", *[None] * 16)


def test_a_url_a_query_and_many_batches_are_read(server, monkeypatch):
    monkeypatch.setattr("lookalike.tables.databases.database._BATCH", 7)
    assert len(read(database=server, table="Visits")[1]) == 100
    query = """SELECT zip, number FROM "Visits" WHERE number % 10 < 5 ORDER BY number -- some\n;"""
    _, rows = read(database=server, query=query, where="number < 10")
    assert rows == [(str(n % 2), n) for n in range(5)]


def test_a_release_is_published_and_verified(server, tmp_path):
    source = {"database": server, "query": "SELECT zip, 'flu' AS ill FROM \"Visits\""}
    parts = {"source": source, "release": {"k": 50, "method": "datafly"}, "attributes": ATTRIBUTES}
    specification = la.Specification.build(parts)
    certificate = prepare(specification).publish(tmp_path / "released" / "table.parquet")
    assert certificate.rows_out == 100
    assert la.verify(tmp_path / "released", spec=specification).holds


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"table": "peeple"}, 'database: relation "peeple" does not exist'),
        ({"query": "SELECT zap FROM clinic.patients"}, 'column "zap" does not exist'),
        ({"query": "SELECT 1 AS a, 2 AS a"}, "columns 1 and 2 have the same name"),
        ({"query": "DELETE FROM odd"}, "syntax error"),
        ({"query": "SELECT nextval('no') AS a"}, "does not exist"),
        ({"table": "odd"}, r"cannot read it \(DataError\)"),
        ({"query": "SELECT name::int AS a FROM odd"}, r"cannot read it \(InvalidText"),
        ({"query": "SELECT 'NaN'::numeric(4, 1) AS a"}, "column 1 does not fit the type decimal"),
    ],
)
def test_what_cannot_be_read_is_refused_without_a_value(fields, problem, server):
    with pytest.raises(la.InvalidInput, match=problem) as raised:
        read(database=server, **fields)
    assert "private-value" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_a_query_cannot_write(server):
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE counter")
    with pytest.raises(la.InvalidInput, match=r"cannot read it \(ReadOnlySqlTransaction\)"):
        read(database=server, query="SELECT nextval('counter') AS a")


def test_an_error_never_shows_the_address(server):
    parts = conninfo_to_dict(server)
    elsewhere = f"postgresql://me:top-secret@127.0.0.1:{free_port()}/clinic"
    wrong = f"postgresql://steward:top-secret@127.0.0.1:{parts['port']}/postgres"
    for address in (elsewhere, wrong):
        with pytest.raises(la.InvalidInput, match="cannot be reached, or refuses") as raised:
            read(database=address, table="t")
        assert "top-secret" not in str(raised.value)
        assert raised.value.__suppress_context__
    for address in ("postgres:top-secret", "postgresql://me:top-secret/x@host:y/db?z"):
        with pytest.raises(la.InvalidInput, match=r"cannot be re(ad|ached)") as raised:
            read(database=address, table="t")
        assert "secret" not in str(raised.value)
