"""Files that Spark reads: the same rows as without Spark, or an error."""

import gzip
import sys
from collections import Counter

import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, MASKED, SENSITIVE
from .text_files import read, write

NASTY = (
    b'a,b\r\n02138, x \r\nNULL,"NA"\r\n,""\r\n"say ""hi""\\\r\nthere",#true\r\n"\xc3\xa9",\\\r\n'
)


@pytest.fixture
def read_by_spark(make_spark):
    """Reads a source with Spark; returns its columns and its rows in order."""
    make_spark()

    def read(**fields):
        rows = read_source(Source(engine="spark", **fields), Connection()).to_native()
        return rows.columns, [tuple(row) for row in rows.collect()]

    return read


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "fields"),
    [
        ("private.csv", NASTY, {}),
        ("private.csv.gz", gzip.compress(NASTY), {}),
        ("private.csv", NASTY.decode().encode("utf-16"), {"encoding": "utf-16"}),
        ("private.tsv", NASTY.replace(b",", b"\t"), {}),
        ("private.csv", b"a\n1\n\n\n3\n", {}),
        ("private.csv", b'a,b\n "x",2\n"x" ,2\n', {}),
        ("private.jsonl", b'{"b": 02138, "a": null}\n{"a": [1, 2.50], "c": "x"}\n{"a": 1.0}\n', {}),
        ("two words [1].csv", NASTY, {}),
    ],
    ids=["csv", "gzip", "utf-16", "tsv", "blank lines", "spaces", "jsonl", "wildcards"],
)
def test_text_is_read_as_without_spark(read_by_spark, name, content, fields, tmp_path):
    path = tmp_path / name
    path.write_bytes(content.replace(b"02138", b'"02138"') if "jsonl" in name else content)
    assert read_by_spark(path=str(path), **fields) == read(path=str(path), **fields)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'a,b\n1,"2\n3,4\n', "a quoted field is not closed"),
        (b"a,b\n\xe9,1\n\xe8,2\n", "not in the encoding utf-8"),
        (b"a,b\n1,2\n1\n", "the header has 2 fields but this line has 1"),
    ],
)
def test_text_that_spark_would_misread_is_refused(read_by_spark, content, problem, tmp_path):
    path = tmp_path / "private.csv"
    path.write_bytes(content)
    with pytest.raises(la.InvalidInput, match=problem):
        read_by_spark(path=str(path))


@pytest.fixture
def visits(tmp_path):
    """A folder of Parquet files with a column in the folder names."""
    for code, ages in (("02138", [1, 2]), ("__HIVE_DEFAULT_PARTITION__", [3]), ("a%2Fb", [4])):
        folder = tmp_path / "the visits [all]" / f"zip={code}"
        folder.mkdir(parents=True)
        pyarrow.parquet.write_table(pa.table({"age": ages}), folder / "part.parquet")
    return tmp_path / "the visits [all]"


@pytest.mark.slow
@pytest.mark.parametrize("partitions", [True, False])
def test_folders_of_parquet_are_read_as_without_spark(read_by_spark, visits, partitions):
    columns, rows = read_by_spark(path=str(visits), partitions=partitions)
    expected, known = read(path=str(visits), partitions=partitions)
    assert (columns, Counter(rows)) == (expected, Counter(known))


@pytest.mark.slow
@pytest.mark.parametrize("partitions", [True, False])
def test_an_address_is_passed_to_spark(read_by_spark, visits, partitions):
    place = visits.rename(visits.with_name("visits"))
    columns, rows = read_by_spark(path=f"file://{place}", partitions=partitions)
    expected, known = read(path=str(place), partitions=partitions)
    assert (columns, Counter(rows)) == (expected, Counter(known))


@pytest.mark.slow
def test_an_address_is_refused_if_its_rows_could_be_misread(read_by_spark, visits, tmp_path):
    path = write(tmp_path / "private.csv", {"zip": ["1"]})
    with pytest.raises(la.InvalidInput, match="at an address Spark reads Parquet only"):
        read_by_spark(path=f"file://{path}")
    with pytest.raises(la.InvalidInput, match="partitions = true is for folders"):
        read_by_spark(path=f"file://{visits}/zip=02138".replace("[all]", "*"), partitions=True)
    with pytest.raises(la.InvalidInput, match="PATH_NOT_FOUND"):
        read_by_spark(path="file:///no/such/place")
    (visits / "certificate.json").write_text("{}")
    with pytest.raises(la.InvalidInput, match="it holds a published release"):
        read_by_spark(path=f"file://{visits}".replace("[all]", "*"))


@pytest.mark.slow
def test_where_is_sql_of_spark(read_by_spark, tmp_path):
    path = write(tmp_path / "private.csv", {"the age": ["9", "10", "x"], "zip": ["1", "2", "3"]})
    assert read_by_spark(path=str(path), where="try_cast(`the age` AS INT) > 9")[1] == [("10", "2")]
    with pytest.raises(la.InvalidInput, match="where: Spark cannot process it") as raised:
        read_by_spark(path=str(path), where="age > 9")
    assert raised.value.__suppress_context__
    with pytest.raises(la.InvalidInput, match="CAST_INVALID_INPUT"):
        la.check(path, ["zip"], engine="spark", where="CAST(`the age` AS INT) > 9")


@pytest.mark.slow
def test_a_condition_chooses_the_rows_once(make_spark, tmp_path):
    make_spark()
    path = write(tmp_path / "private.csv", {"zip": ["1"] * 400, "ill": ["flu", "ache"] * 200})
    made = la.release(
        path,
        k=2,
        method="datafly",
        attributes={"zip": LINKABLE, "ill": SENSITIVE},
        source={"engine": "spark", "where": "rand() < 0.5"},
    )
    assert made.certificate.rows_in == made.table.count() == made.table.count()


@pytest.mark.slow
def test_the_command_line_releases_and_verifies_with_spark(make_spark, answer, folder):
    make_spark()
    expected = answer("release patients.toml --out expected/patients.csv")
    made = answer("release patients.toml --engine spark")
    different = ("seconds", "files")
    assert made | dict.fromkeys(different) == expected | dict.fromkeys(different)

    text = (folder / "patients.toml").read_text()
    (folder / "patients.toml").write_text(text.replace("[source]", '[source]\nengine = "spark"'))
    assert answer("verify released --spec patients.toml")["holds"]
    checked = answer("check patients.csv -q zip,gender --engine spark", code=1)
    assert checked == answer("check patients.csv -q zip,gender", code=1)


ROLES = {"zip": MASKED, "ill": SENSITIVE}


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ({"engine": "sparc"}, "'duckdb' or 'spark'"),
        ({"master": "local"}, "master is for Spark"),
    ],
)
def test_an_engine_that_does_not_fit_is_refused(source, problem, tmp_path):
    path = write(tmp_path / "private.csv", {"zip": ["1"] * 2, "ill": ["flu"] * 2})
    with pytest.raises(la.InvalidInput, match=problem):
        la.release(path, k=2, method="datafly", attributes=ROLES, source=source)


@pytest.mark.parametrize(
    "place",
    [
        {"database": "sqlite:clinic.db", "table": "visits"},
        {"tables": {"a": "a"}, "query": "FROM a"},
    ],
)
def test_spark_reads_paths_only(place):
    with pytest.raises(la.InvalidInput, match="reads path only"):
        Source(engine="spark", **place)


def test_an_address_is_not_resolved(tmp_path):
    fields = {"release": {"k": 2}, "attributes": ROLES}
    asked = la.Specification.build(fields | {"source": {"path": "s3a://b/x", "engine": "spark"}})
    assert asked.located(tmp_path).source.path == "s3a://b/x"


def test_spark_that_is_not_installed_is_named(monkeypatch, tmp_path):
    path = write(tmp_path / "private.csv", {"zip": ["1"] * 2})
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(la.InvalidInput, match=r"pip install 'lookalike\[spark\]'"):
        la.check(path, ["zip"], engine="spark")
