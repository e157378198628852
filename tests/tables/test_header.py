"""Columns of the same name, or without one, are refused or numbered."""

import gzip

import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.files.header_and_delimiter import settle_names
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, SENSITIVE

CONTENT = "name,,Name,name\na,b,c,d\n"


@pytest.mark.parametrize(
    ("names", "numbered"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a (2)", "a (3)"]),
        (["a", "A"], ["a", "A (2)"]),
        (["a", "a", "a (2)"], ["a", "a (3)", "a (2)"]),
        (["", "", ""], ["column 1", "column 2", "column 3"]),
        (["column 2", ""], ["column 2", "column 2 (2)"]),
    ],
)
def test_names_are_numbered_so_that_all_differ(names, numbered):
    assert settle_names(names, "t.csv", "number") == numbered


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_numbered_columns_keep_their_values(suffix, tmp_path):
    file = tmp_path / f"t.{suffix}"
    file.write_text(CONTENT.replace(",", "\t") if suffix == "tsv" else CONTENT)
    source = Source(path=str(file), duplicate_headers="number")
    rows = read_source(source, Connection()).collect().to_dict(as_series=False)
    assert rows == {"name": ["a"], "column 2": ["b"], "Name (2)": ["c"], "name (3)": ["d"]}


def test_files_of_one_table_are_numbered_alike(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("x,x\n1,2\n")
    source = Source(path=str(tmp_path / "*.csv"), duplicate_headers="number")
    assert read_source(source, Connection()).collect().rows() == [("1", "2"), ("1", "2")]


def test_numbered_columns_are_released(tmp_path):
    (tmp_path / "t.csv").write_text("zip,zip,\n1,2,flu\n1,2,flu\n")
    made = la.release(
        tmp_path / "t.csv",
        k=2,
        method="datafly",
        source={"duplicate_headers": "number"},
        attributes={"zip": LINKABLE, "zip (2)": LINKABLE, "column 3": SENSITIVE},
    )
    assert made.certificate.columns == ("zip", "zip (2)", "column 3")


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("a,b,a", r"t\.csv, line 1: columns 1 and 3 have the same name"),
        ("a,b,", r"t\.csv, line 1: column 3 has no name"),
    ],
)
def test_a_refusal_says_where_and_what_to_do(header, problem, tmp_path):
    (tmp_path / "t.csv").write_text(f"{header}\n1,2,3\n")
    with pytest.raises(InvalidInput, match=rf'{problem}.*duplicate_headers = "number"'):
        read_source(Source(path=str(tmp_path / "t.csv")), Connection())


def test_an_unknown_policy_is_refused():
    with pytest.raises(InvalidInput, match="duplicate_headers is one of refuse, number"):
        Source(path="t.csv", duplicate_headers="rename")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", ["txt", "txt.gz"])
def test_a_text_file_is_read_as_csv(delimiter, suffix, tmp_path):
    content = f"zip{delimiter}ill\n02138{delimiter}flu\n".encode()
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    rows = read_source(Source(path=str(path)), Connection()).collect()
    assert rows.to_dict(as_series=False) == {"zip": ["02138"], "ill": ["flu"]}
