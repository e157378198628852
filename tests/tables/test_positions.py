"""The positions of rows in Parquet files: those of a query that numbers its rows."""

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lookalike as la

from ..roles import LINKABLE, UNIQUE

ATTRIBUTES = {"zip": LINKABLE, "n": UNIQUE}


@pytest.fixture(autouse=True)
def _read_in_place(monkeypatch):
    """Read small files as large ones are: where they are."""
    monkeypatch.setattr("lookalike.tables.read.SMALL_BYTES", 0)


def write(folder, **columns):
    """Write rows in three files, several row groups each."""
    rows = pa.table({"zip": ["a", "b"] * 300, "n": list(range(600)), **columns})
    for number in range(3):
        part = rows.slice(200 * number, 200)
        pq.write_table(part, folder / f"rows-{number}.parquet", row_group_size=30)


def release(folder, attributes=ATTRIBUTES, **fields):
    pattern = str(folder / "rows-*.parquet")
    return la.release(pattern, k=2, attributes=attributes, method="datafly", **fields)


def test_files_give_the_position_of_each_row(tmp_path):
    write(tmp_path)
    made = release(tmp_path)

    numbered = made.plan.located.to_native().order('"lookalike position"')
    assert [n for _, n, _ in numbered.fetchall()] == list(range(600))


def test_rows_of_several_files_keep_their_order_if_asked(tmp_path):
    write(tmp_path)
    assert release(tmp_path, keep_order=True).table.project("n").fetchnumpy()["n"].tolist() == list(
        range(600)
    )


def test_the_order_is_random_and_the_same_each_time(tmp_path):
    write(tmp_path)
    made = release(tmp_path)

    orders = [made.table.project("n").fetchnumpy()["n"].tolist() for _ in range(2)]
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == list(range(600)) != orders[0]


@pytest.mark.parametrize("name", ["file_index", "File_Row_Number"])
def test_a_column_of_that_name_hides_the_position_and_rows_are_numbered(tmp_path, name):
    write(tmp_path, **{name: ["x"] * 600})
    made = release(tmp_path, ATTRIBUTES | {name: LINKABLE}, keep_order=True)

    assert "lookalike position" not in made.plan.located.columns
    assert made.table.project("n").fetchnumpy()["n"].tolist() == list(range(600))


def test_positions_are_not_released(tmp_path):
    write(tmp_path)
    release(tmp_path).publish(tmp_path / "released" / "rows.parquet")
    released = duckdb.read_parquet(str(tmp_path / "released" / "rows.parquet"))
    assert released.columns == ["zip", "n"]
