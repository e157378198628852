"""A sheet of an Excel file is read as a person sees it."""

import sys
from datetime import date, datetime, time, timedelta

import openpyxl
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, MASKED, SENSITIVE
from ..verifying import list_failures

HEADER = ["zip", "age", "born", "seen", "at", "ok", "dose", "long"]
ROWS = [
    ["02138", 41, date(1965, 9, 20), datetime(2024, 2, 29, 13, 45), time(8, 30), True, 0.1 + 0.2],
    [2138, 41.5, None, datetime(2024, 1, 1), None, False, 1e20, timedelta(hours=30)],
    [],
    ["", " x ", None, None, None, None, None, "\u202eabc"],
]


def write_book(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


def rows_of(path, **fields):
    found = read_source(Source(path=path, **fields), Connection()).collect()
    return found.columns, found.rows()


def test_cells_become_the_text_that_a_person_sees(tmp_path):
    path = write_book(tmp_path / "t.xlsx", {"people": [[], HEADER, *ROWS]})
    seen, long = "2024-02-29T13:45:00", "1 day, 6:00:00"
    assert rows_of(path) == (
        HEADER,
        [
            ("02138", "41", "1965-09-20", seen, "08:30:00", "true", "0.3", None),
            ("2138", "41.5", None, "2024-01-01", None, "false", "100000000000000000000", long),
            (None, " x ", None, None, None, None, None, "\u202eabc"),
        ],
    )


def test_a_sheet_is_chosen_by_its_name(tmp_path):
    sheets = {"first": [["a"], [1]], "second": [["b"], [2]]}
    path = write_book(tmp_path / "t.XLSX", sheets)
    assert rows_of(path) == (["a"], [("1",)])
    assert rows_of(path, sheet="second") == (["b"], [("2",)])
    with pytest.raises(InvalidInput, match="no sheet 'third'; its sheets are 'first', 'second'"):
        rows_of(path, sheet="third")


def test_the_files_of_a_glob_are_one_table(tmp_path):
    write_book(tmp_path / "1.xlsx", {"x": [["a", "b"], [1, 2]]})
    write_book(tmp_path / "2.xlsx", {"x": [["b", "a"], [4, 3]]})
    assert rows_of(str(tmp_path / "*.xlsx")) == (["a", "b"], [("1", "2"), ("3", "4")])


def test_columns_without_a_name_are_refused_or_numbered(tmp_path):
    path = write_book(tmp_path / "t.xlsx", {"x": [["a", None, "b", "A"], [1, 2, 3, 4]]})
    with pytest.raises(InvalidInput, match=r"t\.xlsx, row 1: column 2 has no name"):
        rows_of(path)
    assert rows_of(path, duplicate_headers="number")[0] == ["a", "column 2", "b", "A (2)"]


def test_a_sheet_with_a_header_alone_has_no_rows(tmp_path):
    path = write_book(tmp_path / "t.xlsx", {"x": [["a", 2020]]})
    assert rows_of(path) == (["a", "2020"], [])


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"PK", r"t\.xlsx: is not an Excel file"), (b"", r"t\.xlsx: is not an Excel file")],
)
def test_what_is_no_excel_file_is_refused(content, problem, tmp_path):
    (tmp_path / "t.xlsx").write_bytes(content)
    with pytest.raises(InvalidInput, match=problem):
        rows_of(str(tmp_path / "t.xlsx"))


def test_an_empty_sheet_is_refused(tmp_path):
    path = write_book(tmp_path / "t.xlsx", {"x": []})
    with pytest.raises(InvalidInput, match="is empty, but its first row must hold"):
        rows_of(path)


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    path = write_book(tmp_path / "t.xlsx", {"x": [["a"], [1]]})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(InvalidInput, match=r"pip install 'lookalike\[excel\]'"):
        rows_of(path)


def test_a_sheet_is_for_excel_files(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    with pytest.raises(InvalidInput, match="sheet is for Excel files"):
        rows_of(str(tmp_path / "t.csv"), sheet="x")


def test_a_release_of_a_sheet_proves_true(tmp_path):
    people = [["zip", "sex", "ill"], *[[2138, "f", "flu"], ["NA", "m", "cold"]] * 3]
    path = write_book(tmp_path / "t.xlsx", {"x": people})
    attributes = {"zip": MASKED | {"zero_pad": 5}, "sex": LINKABLE, "ill": SENSITIVE}
    fields = {"method": "datafly", "attributes": attributes, "source": {"missing": ["NA"]}}
    made = la.release(path, k=3, **fields)
    made.publish(tmp_path / "released" / "t.csv")
    assert list_failures(tmp_path / "released", made, path) == []
    lines = sorted(set((tmp_path / "released" / "t.csv").read_text().split()))
    assert lines == [",m,cold", "02138,f,flu", "zip,sex,ill"]
