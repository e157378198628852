"""What surrounds the data of a file is left out, and a title is not taken for the names."""

import gzip

import openpyxl
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.engines import spark_source
from lookalike.tables.files.plain_text import KEPT_ROWS
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

NAMES = ["name", "age", "zip", "ill"]
ROWS = [[f"P{n}", str(20 + n), f"021{n:02}", "flu"] for n in range(30)]
UNITS = ["", "years", "", ""]
TOTAL = ["Total", "1035", "", ""]
TABLE = (NAMES, [tuple(row) for row in ROWS])


def write_text(lines, delimiter=",", end="\n"):
    cells = [line if isinstance(line, str) else delimiter.join(line) for line in lines]
    return "".join(f"{line}{end}" for line in cells)


def write_sheet(path, lines):
    book = openpyxl.Workbook()
    for number, line in enumerate(lines, 1):
        for place, cell in enumerate([line] if isinstance(line, str) else line, 1):
            book.active.cell(number, place).value = cell or None
    book.save(path)


def read(path, **fields):
    rows = read_source(Source(path=str(path), **fields), Connection()).collect()
    return rows.columns, rows.rows()


def encode(text, suffix):
    return gzip.compress(text.encode()) if suffix.endswith("gz") else text.encode()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ";"), ("tsv", "\t"), ("txt.gz", "|")])
def test_a_text_file_is_read_without_what_surrounds_its_data(suffix, delimiter, end, tmp_path):
    lines = ['People of "02138', "", NAMES, UNITS, "", *ROWS, "", TOTAL, "Source: ward 3", ""]
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(encode(write_text(lines, delimiter, end), suffix))
    assert read(path, header_row=3, skip_rows=1, last_rows=2) == TABLE


def test_a_sheet_is_read_without_what_surrounds_its_data(tmp_path):
    above = [[], ["People", "", "", "", "", "page 1"], []]
    write_sheet(tmp_path / "t.xlsx", [*above, NAMES, UNITS, [], *ROWS, [], TOTAL, ["Source"]])
    assert read(tmp_path / "t.xlsx", header_row=4, skip_rows=1, last_rows=2) == TABLE


def test_another_encoding_and_every_file_of_a_glob(tmp_path):
    lines = ["Zürich", NAMES, *ROWS, TOTAL]
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_bytes(write_text(lines).encode("utf-16"))
    fields = {"encoding": "utf-16", "header_row": 2, "last_rows": 1}
    assert read(tmp_path / "*.csv", **fields) == (NAMES, TABLE[1] * 2)


@pytest.mark.parametrize("size", [1, 5_000, 50_000])
def test_long_lines_at_the_end_are_cut_off_whole(size, tmp_path):
    (tmp_path / "t.csv").write_text(write_text([NAMES, *ROWS, ["x" * size, "", "", ""], TOTAL]))
    assert read(tmp_path / "t.csv", last_rows=2) == TABLE


def test_a_line_keeps_its_number(tmp_path):
    (tmp_path / "t.csv").write_text(write_text(["People", "", NAMES, *ROWS[:3], "P4,1", *ROWS]))
    with pytest.raises(InvalidInput, match=r"t\.csv, line 7: the header has 4 fields"):
        la.check(tmp_path / "t.csv", ["zip"], header_row=3)


def test_a_row_of_several_lines_is_not_cut_in_two(tmp_path):
    (tmp_path / "t.csv").write_text(write_text([NAMES, *ROWS, 'Total,"1035\nyears",,']))
    with pytest.raises(InvalidInput, match="a quoted field is not closed"):
        la.check(tmp_path / "t.csv", ["zip"], last_rows=1)
    assert read(tmp_path / "t.csv", last_rows=2) == TABLE


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_rows_may_be_left_out_down_to_the_last(suffix, tmp_path):
    path = tmp_path / f"t.{suffix}"
    lines = [NAMES, *ROWS[:3]]
    write_sheet(path, lines) if suffix == "xlsx" else path.write_text(write_text(lines))
    for fields in ({"last_rows": 3}, {"skip_rows": 3}, {"skip_rows": 2, "last_rows": 1}):
        assert read(path, **fields) == (NAMES, [])
    for fields in ({"last_rows": 4}, {"skip_rows": 4}, {"skip_rows": 1, "last_rows": 3}):
        with pytest.raises(InvalidInput, match=r"_rows = \d, but fewer rows follow the names"):
            read(path, **fields)
    with pytest.raises(InvalidInput, match="5: is empty, but must hold the column names"):
        read(path, header_row=5)


@pytest.mark.parametrize("header_row", [0, -1, 2**64])
def test_rows_are_counted_from_one(header_row):
    with pytest.raises(InvalidInput, match="header_row is counted from 1"):
        Source(path="t.csv", header_row=header_row)
    with pytest.raises(InvalidInput, match="last_rows is a number of rows"):
        Source(path="t.csv", last_rows=-1)


def test_other_formats_have_no_such_rows(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n')
    for name in ("header_row", "skip_rows", "last_rows"):
        with pytest.raises(InvalidInput, match=rf"{name} is for text files and Excel files"):
            read(tmp_path / "t.jsonl", **{name: 1})


@pytest.mark.parametrize(
    ("above", "delimiter", "row"),
    [
        (["People"], ",", 2),
        (["People", "", ""], ",", 4),
        ([["People", "", "", ""], ["", "", "", ""]], ",", 3),
        (["People, of ward 3", "Exported: 2025-11-01"], ";", 3),
        (["People", ""], ";", 3),
        (["", ["", "who", "who", "who"]], "|", 3),
        ([["who", "who", "where", "where"]], ",", 2),
        ([["Hospital", "St. Mary", "Period", ""]], ",", 2),
    ],
)
def test_a_preamble_is_refused_with_the_line_that_holds_the_names(above, delimiter, row, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(write_text([*above, NAMES, *ROWS], delimiter))
    for policy in ("refuse", "number"):
        with pytest.raises(InvalidInput, match=rf"t\.txt, line 1: .*; line {row} does.") as refused:
            read(path, duplicate_headers=policy)
        assert "People" not in str(refused.value)
    assert read(path, header_row=row) == TABLE


@pytest.mark.parametrize("above", [["People", []], [["People", "", "2025"]], [["", "who"], []]])
def test_a_title_of_a_sheet_is_refused_with_the_row_that_holds_the_names(above, tmp_path):
    write_sheet(tmp_path / "t.xlsx", [[], *above, NAMES, *ROWS])
    row = len(above) + 2
    for policy in ("refuse", "number"):
        with pytest.raises(InvalidInput, match=rf"t\.xlsx, row 2: .*; row {row} does\."):
            read(tmp_path / "t.xlsx", duplicate_headers=policy)
    assert read(tmp_path / "t.xlsx", header_row=row) == TABLE


def test_a_named_row_is_taken_at_its_word(tmp_path):
    (tmp_path / "t.csv").write_text(write_text([["People", "", "", ""], NAMES, *ROWS]))
    columns, rows = read(tmp_path / "t.csv", header_row=1, duplicate_headers="number")
    assert columns == ["People", "column 2", "column 3", "column 4"]
    assert len(rows) == len(ROWS) + 1


@pytest.mark.parametrize(
    "lines",
    [
        ["name", "Doe; Ann", "Roe; Bob", "Poe; Cy"],
        [["", "age", "zip"], ["0", "31", "x"], ["1", "42", "y"]],
        [["", "name", "town"], ["a", "Ann", "Bern"], ["b", "Bob", "Rome"]],
        [["2019", "2020", "2021"], ["1", "2", "3"], ["4", "5", "6"]],
        ["note", "came in, with fever; coughs", "well"],
        ["name"],
    ],
)
def test_an_ordinary_first_line_holds_the_names(lines, tmp_path):
    (tmp_path / "t.csv").write_text(write_text(lines))
    delimiter = {"delimiter": "\t"} if isinstance(lines[0], str) else {}
    assert (
        len(read(tmp_path / "t.csv", duplicate_headers="number", **delimiter)[1]) == len(lines) - 1
    )
    if lines[0] != "note":
        read(tmp_path / "t.csv", duplicate_headers="number")


def test_the_last_rows_of_a_file_are_kept(tmp_path):
    (tmp_path / "t.csv").write_text(write_text([NAMES, *ROWS, TOTAL]))
    write_sheet(tmp_path / "t.xlsx", [NAMES, *ROWS, TOTAL])
    for suffix in ("csv", "xlsx"):
        connection, path = Connection(), str(tmp_path / f"t.{suffix}")
        read_source(Source(path=path), connection)
        [last] = connection.last_rows[path]
        assert last.rows[-1] == ("Total", "1035", None, None)
        assert len(last.rows) == KEPT_ROWS
        assert "Total" not in repr(last)


def test_an_address_has_no_such_rows():
    source = Source(path="s3a://clinic/visits", engine="spark", last_rows=1)
    with pytest.raises(InvalidInput, match="last_rows is for text files and Excel files"):
        spark_source._read_address(None, source.path, source)
