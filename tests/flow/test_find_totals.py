"""Rows at the end of a file that are no data are reported before they count as people."""

import random

import openpyxl
import pytest

import lookalike as la
from lookalike.errors import InvalidInput

from ..roles import LINKABLE, SENSITIVE
from ..verifying import list_failures

HEAD = ["surname", "sex", "age", "zip", "visits", "diagnosis"]
NAMES = ["Smith", "Jones", "Brown", "Taylor", "Wilson", "Davies", "Evans", "Thomas", "Walker"]
DRAWN = random.Random(3)
ROWS = [
    [
        DRAWN.choice(NAMES),
        DRAWN.choice("fm"),
        DRAWN.randint(20, 79),
        DRAWN.choice(("02138", "02139")),
        DRAWN.randint(1, 9),
        DRAWN.choice(("flu", "gout", "asthma")),
    ]
    for _ in range(200)
]
AGE, VISITS = (sum(row[place] for row in ROWS) for place in (2, 4))
BY_LABEL = ["Total", None, AGE + 1, None, VISITS + 1, None]
BY_GAPS = [None, None, 9000, None, 900, None]
BY_SUM = ["Total", "both", AGE, "0213x", 3, "any"]
BY_MEANS = ["x", "b", round(AGE / 200, 2), "0213x", round(VISITS / 200, 2), "any"]
FOOTNOTE = ["Source: ward 3", None, None, None, None, None]
ATTRIBUTES = {
    **dict.fromkeys(("sex", "zip", "age"), LINKABLE),
    "surname": {"role": "drop"},
    "visits": {"role": "drop"},
    "diagnosis": SENSITIVE,
}


def write(folder, suffix, rows):
    path = folder / f"people.{suffix}"
    if suffix == "csv":
        lines = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
        path.write_text("\n".join(lines) + "\n")
        return path
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def find_finding(path, **source):
    made = la.release(path, k=2, attributes=ATTRIBUTES, source=source, method="datafly")
    return [one for one in made.preflight if one.name == "last-rows"]


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@pytest.mark.parametrize(
    "last",
    [[BY_LABEL], [BY_GAPS], [BY_SUM], [BY_LABEL, FOOTNOTE], [["Mittelwert:", *BY_GAPS[1:]]]],
)
def test_rows_that_are_no_data_are_reported_and_can_be_left_out(suffix, last, tmp_path):
    path = write(tmp_path, suffix, [HEAD, *ROWS, *last])
    remark = la.draft(path).remarks["last_rows"]
    assert f"last_rows = {len(last)}" in remark
    [finding] = find_finding(path)
    assert finding.severity == "warning"
    assert f"last_rows = {len(last)}" in finding.remedy
    assert "Total" not in finding.sentence + remark
    left = la.draft(path, last_rows=len(last))
    assert left.rows == len(ROWS)
    assert "last_rows" not in left.remarks
    assert left.source["last_rows"] == len(last)
    assert not find_finding(path, last_rows=len(last))


def test_means_of_several_columns_are_reported_by_the_draft(tmp_path):
    path = write(tmp_path, "csv", [HEAD, *ROWS, BY_MEANS])
    assert "last_rows = 1" in la.draft(path).remarks["last_rows"]


@pytest.mark.parametrize(
    "last",
    [
        ["Total", "f", 33, "02138", 3, "flu"],
        ["Smith", None, 33, "02138", 3, None],
        ["Smith", "f", AGE - 1, "02138", 3, "flu"],
        ["Smith", "f", round(AGE / 200, 2), "02138", 3, "flu"],
        ["Smith", "f", 0, "02138", 0, "flu"],
        ["Smith", "f", round(AGE / 200), "02138", round(VISITS / 200), "flu"],
    ],
)
def test_an_ordinary_last_row_is_a_person(last, tmp_path):
    path = write(tmp_path, "csv", [HEAD, *ROWS, last])
    assert "last_rows" not in la.draft(path).remarks
    assert not find_finding(path)


def test_constant_numbers_are_no_means(tmp_path):
    rows = [[f"n{n}", "1", "5", "0" if n % 9 else "1"] for n in range(50)]
    path = write(tmp_path, "csv", [["name", "a", "b", "c"], *rows])
    assert "last_rows" not in la.draft(path).remarks


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_table_with_title_and_totals_is_released_only_without_them(suffix, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    title = ["Patients of 2025"] + [None] * 5
    path = write(tmp_path, suffix, [title, [None] * 6, HEAD, *ROWS, BY_LABEL])
    with pytest.raises(InvalidInput, match="header_row = 3") as refused:
        la.draft(path)
    with pytest.raises(InvalidInput, match="header_row = 3"):
        la.release(path, k=2, attributes=ATTRIBUTES)
    assert "Patients" not in str(refused.value)
    spec = tmp_path / "people.toml"
    la.draft(path, header_row=3, last_rows=1).decide().write(spec)
    text = spec.read_text()
    assert "header_row = 3\nlast_rows = 1" in text
    made = la.release(spec=spec, source={"person": "row"})
    assert made.certificate.rows_in == len(ROWS)
    made.publish(tmp_path / "released" / "people.csv")
    assert list_failures(tmp_path / "released", made, None) == []
