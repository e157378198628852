"""Files: how they are found, divided and decoded, and what happens if they change."""

import gc
from collections import Counter

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow.release import prepare

from ..roles import LINKABLE, SENSITIVE
from .text_files import ATTRIBUTES, SUFFIXES, read, write


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_glob_reads_many_files_with_columns_in_any_order(suffix, tmp_path):
    write(tmp_path / f"visits-1.{suffix}", {"a.b": ["1", "2"], 'the "zip"': ["x", "y"]})
    write(tmp_path / f"visits-2.{suffix}", {'the "zip"': ["z"], "a.b": ["3"]})

    columns, rows = read(path=str(tmp_path / f"visits-*.{suffix}"))
    assert columns == ["a.b", 'the "zip"']
    assert rows == [("1", "x"), ("2", "y"), ("3", "z")]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_the_files_of_a_glob_have_the_same_columns(suffix, tmp_path):
    write(tmp_path / f"visits-1.{suffix}", {"zip": ["1"], "ill": ["flu"]})
    write(tmp_path / f"visits-2.{suffix}", {"zip": ["1"], "ache": ["flu"]})
    with pytest.raises(la.InvalidInput, match="column 2 of visits-2"):
        read(path=str(tmp_path / f"visits-*.{suffix}"))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_column_with_a_name_of_ours_is_refused(suffix, tmp_path):
    path = write(tmp_path / f"visits.{suffix}", {"zip": ["1"], "lookalike label zip": ["2"]})
    with pytest.raises(la.InvalidInput, match="column 2 begins with 'lookalike '"):
        read(path=str(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_name_of_a_folder_is_no_column(suffix, tmp_path):
    for folder, zips in (("zip=00000", ["1"]), ("town=Oz", ["2"])):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / f"visits.{suffix}", {"zip": zips})
    assert read(path=str(tmp_path / "zip=00000" / f"visits.{suffix}")) == (["zip"], [("1",)])
    decided = {"partitions": False} if suffix == "parquet" else {}
    columns, rows = read(path=str(tmp_path / f"*=*/visits.{suffix}"), **decided)
    assert (columns, sorted(rows)) == (["zip"], [("1",), ("2",)])


def test_a_glob_that_reaches_a_release_is_refused(tmp_path):
    source = write(tmp_path / "visits.csv", {"zip": ["1", "1"], "ill": ["flu", "flu"]})
    la.release(source, k=2, method="datafly", attributes=ATTRIBUTES).publish(
        tmp_path / "released" / "visits.csv"
    )
    with pytest.raises(
        la.InvalidInput, match=r"released/visits\.csv is part of a published release"
    ):
        read(path=str(tmp_path / "**" / "*.csv"))
    assert la.check(tmp_path / "released" / "visits.csv", ["zip"]).rows == 2


def test_a_glob_that_reaches_a_release_by_a_link_is_refused(tmp_path):
    source = write(tmp_path / "visits.csv", {"zip": ["1", "1"], "ill": ["flu", "flu"]})
    la.release(source, k=2, method="datafly", attributes=ATTRIBUTES).publish(
        tmp_path / "released" / "visits.csv"
    )
    (tmp_path / "visits-2.csv").symlink_to(tmp_path / "released" / "visits.csv")
    with pytest.raises(la.InvalidInput, match=r"visits-2\.csv is part of a published release"):
        read(path=str(tmp_path / "*.csv"))


def test_a_glob_that_reaches_a_file_twice_is_refused(tmp_path):
    write(tmp_path / "visits.csv", {"zip": ["1", "1"]})
    (tmp_path / "latest.csv").symlink_to(tmp_path / "visits.csv")
    with pytest.raises(la.InvalidInput, match="are the same file, so its rows would count twice"):
        read(path=str(tmp_path / "*.csv"))


def test_a_file_whose_name_looks_like_a_glob_is_read(tmp_path):
    path = write(tmp_path / "visits[1].csv", {"zip": ["1"]})
    write(tmp_path / "visits1.csv", {"zip": ["2"]})

    assert read(path=str(path)) == (["zip"], [("1",)])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_the_header(delimiter, tmp_path):
    others = "".join({",", ";", "\t", "|"} - {delimiter})
    path = tmp_path / "private.csv"
    path.write_text(f'zip{delimiter}"a{others * 3}b"\n1{delimiter}"x{delimiter}y"\n')

    assert read(path=str(path)) == (["zip", f"a{others * 3}b"], [("1", f"x{delimiter}y")])


def test_the_delimiter_can_be_given(tmp_path):
    path = tmp_path / "private.csv"
    path.write_text("a,b:c\n1,2:3\n")

    assert read(path=str(path), delimiter=":") == (["a,b", "c"], [("1,2", "3")])


def test_fields_keep_their_text(tmp_path):
    path = tmp_path / "private.csv"
    path.write_bytes(b'a,b\r\n02138, x \r\nNULL,"NA"\r\n,""\r\n"say ""hi""\r\nthere",true\r\n')

    _, rows = read(path=str(path))
    assert rows == [
        ("02138", " x "),
        ("NULL", "NA"),
        (None, ""),
        ('say "hi"\r\nthere', "true"),
    ]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le"])
def test_text_is_decoded(suffix, encoding, tmp_path):
    text = {"csv": "größe,ü\né,x\n", "jsonl": '{"größe": "é", "ü": "x"}\n'}[suffix]
    path = tmp_path / f"private.{suffix}"
    path.write_text(text, encoding=encoding)

    fields = {} if encoding.startswith("utf-8") else {"encoding": encoding}
    assert read(path=str(path), **fields) == (["größe", "ü"], [("é", "x")])


def test_a_decoded_copy_lives_as_long_as_the_release(tmp_path):
    path = tmp_path / "private.csv"
    path.write_text("zip,ill\né,flu\né,flu\né,flu\n", encoding="latin-1")
    made = la.release(
        path, k=2, method="datafly", attributes=ATTRIBUTES, source={"encoding": "latin-1"}
    )
    gc.collect()
    made.publish(tmp_path / "released" / "table.csv")
    table = made.table
    del made
    gc.collect()

    assert table.fetchall() == [("é", "flu")] * 3


@pytest.mark.parametrize(
    ("content", "fields", "problem"),
    [
        (
            "a\né\n".encode("latin-1"),
            {},
            r'line 2: not in the encoding utf-8; .* "cp1252"',
        ),
        (
            "é\na\n".encode("latin-1"),
            {},
            r'line 1: not in the encoding utf-8; .* "cp1252"',
        ),
        ("a\né\n".encode("utf-16"), {}, 'is UTF-16; set encoding = "utf-16"'),
        (b"a\n\xff\n", {"encoding": "ascii"}, "line 2: not in the encoding ascii"),
        (b"", {}, "is empty"),
        (b"a,,b\n1,2,3\n", {}, "line 1: column 2 has no name"),
        (b"a,a\n1,2\n", {}, "line 1: columns 1 and 2 have the same name"),
        (b"a,A\n1,2\n", {}, "line 1: columns 1 and 2 .* differ only in case"),
        (b"a,b\n1,2\n1\n", {}, "line 3: the header has 2 fields but this line has 1"),
        (b"a,b\n1,2\n1,2,3\n", {}, "line 3: the header has 2 fields but this line has 3"),
        (b'a,b\n1,"2\n3,4\n', {}, "line 2: a quoted field is not closed"),
    ],
)
def test_a_file_that_is_not_csv_is_refused_with_its_line(content, fields, problem, tmp_path):
    path = tmp_path / "private.csv"
    path.write_bytes(content)
    with pytest.raises(la.InvalidInput, match=problem):
        la.check(path, ["a"], **fields)


def test_json_that_is_not_is_refused_with_its_line(tmp_path):
    path = tmp_path / "private.jsonl"
    path.write_text('{"zip": "1"}\n{"zip": "1"}\n{"zip": private-value}\n')
    with pytest.raises(la.InvalidInput, match="line 3: not JSON lines") as raised:
        la.check(path, ["zip"])

    assert "private-value" not in str(raised.value)


BEFORE = {"zip": ["1"] * 4 + ["2"] * 4 + ["3"], "ill": ["flu", "ache"] * 4 + ["flu"]}
CHANGES = {
    "a new sequence": {"zip": [*BEFORE["zip"], "4"], "ill": [*BEFORE["ill"], "flu"]},
    "a sequence instead of another": {"zip": ["5"] * 4 + BEFORE["zip"][4:], "ill": BEFORE["ill"]},
    "a row less": {name: values[1:] for name, values in BEFORE.items()},
    "a row more": {name: [*values, values[0]] for name, values in BEFORE.items()},
    "no row at all": {name: values[:0] for name, values in BEFORE.items()},
    "a class below k": {"zip": ["1"] * 7 + ["2"] + ["3"], "ill": BEFORE["ill"]},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "arrow"])
def test_a_source_that_changes_after_it_was_counted_is_not_published(suffix, change, tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    path = write(inside / f"private.{suffix}", BEFORE)
    fields = {
        "source": {"path": str(path)},
        "release": {"k": 2, "method": "datafly"},
        "attributes": ATTRIBUTES,
    }
    made = prepare(la.Specification.build(fields))
    path.unlink()
    write(path, CHANGES[change])
    with pytest.raises(la.LookalikeError, match=r"changed|did the source change"):
        made.publish(tmp_path / "published" / "released" / "table.csv")

    assert list((tmp_path / "published").glob("**/*")) == []


def test_what_did_not_change_is_published(tmp_path):
    path = write(tmp_path / "private.csv", BEFORE)
    fields = {
        "source": {"path": str(path)},
        "release": {"k": 2, "method": "datafly"},
        "attributes": ATTRIBUTES,
    }
    made = prepare(la.Specification.build(fields))
    write(path, BEFORE)
    certificate = made.publish(tmp_path / "released" / "table.csv")

    assert (certificate.rows_in, certificate.rows_out) == (9, 8)
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize(
    "values",
    [[1, "1", 1.0, 1], ["private-value", 2, "private-value", 2]],
    ids=["one label", "two labels"],
)
@pytest.mark.parametrize("role", [LINKABLE, SENSITIVE])
@pytest.mark.parametrize(
    "make", [pd.Series, lambda values, dtype: pl.Series(values, dtype=pl.Object)], ids=["pd", "pl"]
)
def test_columns_of_mixed_objects_are_text(make, values, role, tmp_path):
    kind = pd.DataFrame if make is pd.Series else pl.DataFrame
    table = kind({"mixed": make(values, dtype=object), "same": ["x"] * 4})
    other = LINKABLE if role is SENSITIVE else SENSITIVE
    made = la.release(table, k=2, method="datafly", attributes={"mixed": role, "same": other})
    made.publish(tmp_path / "released" / "table.csv")

    labels = [str(value).removesuffix(".0") for value in values]
    assert Counter(made.table["mixed"].to_list()) == Counter(labels)
    proof = la.verify(tmp_path / "released", spec=made.specification, table=table)
    assert proof.holds


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (pd.DataFrame([[1, 1], [1, 1]], columns=["zip", "zip"]), "the same name"),
        (pa.table([[1, 1], [1, 1]], names=["zip", "zip"]), "the same name"),
        (duckdb.sql("SELECT 1 AS zip, 2 AS zip"), "columns 1 and 2 have the same name"),
        (pl.DataFrame({"zip": [1, 1], "ZIP": [1, 1]}), "columns 1 and 2 .* differ only in case"),
        (pd.DataFrame({0: [1, 1], "zip": [1, 1]}), "the name of column 1 is not text"),
        (
            pa.table({"zip": ["1"], "lookalike label zip": ["2"]}),
            "column 2 begins with 'lookalike '",
        ),
        (pd.DataFrame({"zip": ["1"], "lookalike x": ["2"]}), "column 2 begins with 'lookalike '"),
        (pl.DataFrame({"zip": ["1"], "LookAlike x": ["2"]}), "column 2 begins with 'lookalike '"),
        (duckdb.sql('SELECT 1 AS zip, 2 AS "lookalike x"'), "column 2 begins with 'lookalike '"),
        (pl.DataFrame({"zip": [[1], [1]]}), "column 'zip' holds values of type .*list"),
        (pd.DataFrame({"zip": [b"1", b"1"]}), "column 'zip' holds values of type bytes"),
        (duckdb.sql("SELECT 'infinity'::DATE AS zip FROM range(2)"), "cannot be written as text"),
        ({"zip": ["1", "1"]}, "a dict is not a table"),
        (pd.Series(["1", "1"], name="zip"), "a Series is not a table"),
    ],
)
def test_frames_that_cannot_be_counted_are_refused(table, problem):
    with pytest.raises(la.InvalidInput, match=problem):
        la.release(table, k=2, method="datafly", attributes={"zip": LINKABLE})
    with pytest.raises(la.InvalidInput, match=problem):
        la.check(table, ["zip"])
