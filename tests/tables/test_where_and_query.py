"""Conditions and queries: which rows of files are eligible, and how files are joined."""

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow.release import prepare

from .text_files import ATTRIBUTES, SUFFIXES, read, write


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_where_chooses_the_eligible_rows(suffix, tmp_path):
    columns = {"zip": ["1", "1", "2", "2"], "ill": ["flu", "flu", "flu", "ache"]}
    path = write(tmp_path / f"private.{suffix}", columns)
    where = {"where": "ill = 'flu'"}
    made = la.release(
        path, k=3, method="datafly", attributes=ATTRIBUTES, max_suppressed=0, source=where
    )

    assert made.certificate.rows_in == 3
    assert made.table.fetchall() == [("*", "flu")] * 3


def test_where_may_cast_text_and_name_columns_with_quotes(tmp_path):
    path = write(tmp_path / "private.csv", {"the age": ["9", "10", "101"], "zip": ["1", "2", "3"]})

    columns, rows = read(path=str(path), where='CAST("the age" AS INTEGER) > 9')
    assert (columns, rows) == (["the age", "zip"], [("10", "2"), ("101", "3")])


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("age > 3", "where: .*age.*not found"),
        ("zip >>> 1", "where: "),
        ("zip = '1'; DROP TABLE t", "where: "),
        ("CAST(zip AS INTEGER) > 1", "use TRY_CAST"),
    ],
)
def test_a_condition_that_cannot_be_used_is_refused_without_showing_a_row(where, problem, tmp_path):
    path = write(tmp_path / "private.csv", {"zip": ["1", "private-value"], "ill": ["flu", "flu"]})
    with pytest.raises(la.InvalidInput, match=problem) as raised:
        la.release(path, k=2, method="datafly", attributes=ATTRIBUTES, source={"where": where})

    assert "private-value" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


def test_where_is_for_files_only():
    table = pa.table({"zip": ["1", "1"], "ill": ["flu", "flu"]})
    with pytest.raises(la.InvalidInput, match="a frame holds the eligible rows already"):
        la.release(
            table, k=2, method="datafly", attributes=ATTRIBUTES, source={"where": "ill = 'flu'"}
        )
    with pytest.raises(la.InvalidInput, match="where can be given for a path only"):
        la.check(table, ["zip"], where="ill = 'flu'")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_query_joins_tables(suffix, tmp_path):
    people = {"id": ["1", "2", "3"], "zip": ["02138", "02138", "02139"]}
    visits = {"person": ["1", "2", "2"], "ill": ["flu", "ache", "flu"]}
    write(tmp_path / f"people.{suffix}", people)
    write(tmp_path / f"the visits.{suffix}", visits)
    specification = tmp_path / "spec.toml"
    specification.write_text(f"""
        [source]
        tables = {{ people = "people.{suffix}", "the visits" = "the visits.{suffix}" }}
        query = 'SELECT zip, ill FROM people JOIN "the visits" ON id = person'
        where = "zip <> '99999'"
        [release]
        k = 3
        method = "datafly"
        [attributes.zip]
        role = "quasi-identifier"
        hierarchy = {{ kind = "mask" }}
        [attributes.ill]
        role = "sensitive"
    """)
    made = prepare(la.Specification.load(specification))

    assert made.levels == {"zip": 0}
    assert sorted(made.table.fetchall()) == [("02138", "ache"), *[("02138", "flu")] * 2]


def test_a_query_sees_the_named_tables_only(tmp_path):
    people = write(tmp_path / "people.csv", {"zip": ["1", "1"], "ill": ["flu", "flu"]})
    elsewhere = write(tmp_path / "elsewhere.csv", {"zip": ["2"], "ill": ["ache"]})
    with pytest.raises(la.InvalidInput, match="is not one of the tables people"):
        read(tables={"people": str(people)}, query=f"SELECT * FROM '{elsewhere}'")
    with pytest.raises(la.InvalidInput, match="is not one of the tables people"):
        read(tables={"people": str(people)}, query="SELECT * FROM peeple")
