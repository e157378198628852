"""Control characters, escape sequences and very long values break neither reading nor a release."""

import polars as pl
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, SENSITIVE
from ..verifying import list_failures

VALUES = {
    "NUL": "a\x00b",
    "ANSI escape": "\x1b[31mred\x1b[0m",
    "eight-bit escape": "\x9b31m",
    "bell and backspace": "a\x07\x08b",
    "right to left": "\u202eabc\u202c \u05d0",
    "zero width": "a\u200b\ufeffb",
    "carriage return": "a\rb",
    "line break": "two\nlines",
    "formula": '=HYPERLINK("x")',
    "10,000 characters": "x" * 10_000,
}
NAMES = {name: VALUES[name] for name in ("right to left", "zero width", "formula")} | {
    "10,000 characters": "x" * 10_000,
    "quote and delimiter": 'a"b,c',
    "tab": "a\tb",
}
CONTROLLED = {
    name: VALUES[name] for name in ("NUL", "ANSI escape", "eight-bit escape", "bell and backspace")
}


def write_csv(path, name, value):
    rows = [["id", name, "ill"], *[[str(n % 2), value, "flu"] for n in range(4)]]
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return str(path)


def release_all(path, name):
    attributes = {"id": LINKABLE, name: LINKABLE, "ill": SENSITIVE}
    return la.release(path, k=2, method="datafly", attributes=attributes)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_value_is_carried_as_it_is(value, tmp_path):
    path = write_csv(tmp_path / "t.csv", "note", value)
    rows = read_source(Source(path=path), Connection()).to_native().fetchall()
    assert {row[1] for row in rows} == {value}


@pytest.mark.parametrize("kind", ["NUL", "ANSI escape", "line break", "10,000 characters"])
def test_a_value_is_released_as_it_is(kind, tmp_path):
    value = VALUES[kind]
    path = write_csv(tmp_path / "t.csv", "note", value)
    made = release_all(path, "note")
    made.publish(tmp_path / "released" / "t.csv")
    assert list_failures(tmp_path / "released", made, path) == []
    released = Source(path=str(tmp_path / "released" / "t.csv"))
    rows = read_source(released, Connection()).to_native().fetchall()
    assert [row[1] for row in rows] == [value] * 4


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_carried_as_it_is(name, tmp_path):
    path = write_csv(tmp_path / "t.csv", name, "x")
    made = release_all(path, name)
    assert made.certificate.columns == ("id", name, "ill")


@pytest.mark.parametrize("name", CONTROLLED.values(), ids=CONTROLLED)
def test_a_name_with_control_characters_is_refused_without_showing_it(name, tmp_path):
    path = write_csv(tmp_path / "t.csv", name, "x")
    for read in (
        lambda: read_source(Source(path=path), Connection()),
        lambda: read_frame(pl.DataFrame({"id": [1], name: [1]})),
    ):
        with pytest.raises(InvalidInput, match="name of column 2 contains a control") as refused:
            read()
        assert name not in str(refused.value)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_lines_may_end_in_any_one_way(ends, tmp_path):
    (tmp_path / "t.csv").write_bytes(ends.join([b"zip,ill", b"1,flu", b"2,flu", b""]))
    source = Source(path=str(tmp_path / "t.csv"))
    rows = read_source(source, Connection()).to_native().fetchall()
    assert rows == [("1", "flu"), ("2", "flu")]


def test_lines_that_end_in_two_ways_are_refused(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"zip,ill\r\n1,flu\n2,flu\r\n")
    with pytest.raises(InvalidInput, match=r"t\.csv: lines end in different ways.*dos2unix"):
        la.check(tmp_path / "t.csv", ["zip"])
