"""A long list of sequences is recoded by a map of each attribute, and the rows are the same."""

import random
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.tables import read
from lookalike.tables.recode import recode

from ..roles import LINKABLE, MASKED, SENSITIVE

MADE = random.Random(7)
ZIPS = [*(f"{one:02}" for one in range(20)), *[None] * 5]
AGES = [*range(30, 48), None]
ROWS = [(MADE.choice(ZIPS), MADE.choice(AGES), MADE.choice("abc")) for _ in range(4000)]
RARE = [(f"{one:02}", 99, "a") for one in range(3)]
ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE}


def write(path, rows):
    columns = zip(*rows, strict=True)
    pq.write_table(pa.table(dict(zip(("zip", "age", "ill"), columns, strict=True))), path)
    return path


def plan_release(path, **fields):
    asked = {"k": 20, "method": "mingen", "max_suppressed": 0.01, **fields}
    parts = {"source": {"path": str(path)}, "release": asked, "attributes": ATTRIBUTES}
    return prepare(la.Specification.build(parts, "release"))


@pytest.fixture(autouse=True)
def in_place(monkeypatch):
    """Let the files of this test be read in place, as large ones are."""
    monkeypatch.setattr(read, "SMALL_BYTES", 0)


@pytest.mark.parametrize("rows", [ROWS, [*ROWS, *RARE]], ids=["all kept", "some suppressed"])
@pytest.mark.parametrize("keep_order", [False, True])
def test_maps_give_the_rows_that_the_list_gives(rows, keep_order, tmp_path):
    made = plan_release(write(tmp_path / "table.parquet", rows), keep_order=keep_order)
    mapped, joined = made.plan, replace(made.plan)
    vars(joined)["maps_values"] = False
    assert mapped.maps_values
    assert mapped.relabelled == ("zip",)
    assert made.recoding.rows_suppressed == len(rows) - len(ROWS)
    shown = [recode(one).to_native().fetchall() for one in (mapped, joined)]
    assert shown[0] == shown[1]
    assert len(shown[0]) == len(ROWS)


def test_a_short_list_is_joined(tmp_path):
    made = plan_release(write(tmp_path / "table.parquet", ROWS[:30]), k=2, max_suppressed=0.5)
    assert not made.plan.maps_values


def test_blank_rows_are_found_in_the_list(tmp_path):
    path = write(tmp_path / "table.parquet", [*ROWS, *RARE, *RARE])
    made = plan_release(path, suppressed_rows="blank")
    assert not made.plan.maps_values
    assert made.table.fetchall().count(("*", "*", "a")) >= 6


def test_cells_are_found_in_the_list(tmp_path):
    """The attributes of µ-Argus have levels, and some of their cells are suppressed."""
    path = write(tmp_path / "table.parquet", [*ROWS, *RARE])
    made = plan_release(path, method="mu-argus", max_suppressed=None)
    assert made.recoding.vector is not None
    assert not made.plan.maps_values


CHANGES = {
    "a sequence that was not there": [("03", 99, "a"), *RARE[1:]],
    "a sequence that was there": [("01", 99, "a"), *RARE[1:]],
    "an unknown value that is written as it is": [("00", 98, "a"), *RARE[1:]],
    "an unknown value that is generalized": [("77", 99, "a"), *RARE[1:]],
    "a row less": RARE[1:],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_source_that_changed_is_not_released(change, tmp_path):
    path = write(tmp_path / "table.parquet", [*ROWS, *RARE])
    made = plan_release(path)
    assert made.plan.maps_values
    path.unlink()
    write(path, [*ROWS, *CHANGES[change]])
    with pytest.raises(la.LookalikeError, match="did the source change while it was read"):
        made.publish(tmp_path / "published" / "released" / "table.parquet")
    assert not [*(tmp_path / "published").glob("**/*")]


KNOWN = [row for row in ROWS if row[0] is not None]
HIDDEN = {"constraints": ["zip >= 2"]}


@pytest.mark.parametrize(
    ("rows", "level", "looked_up"),
    [(KNOWN, 1, 1), (KNOWN, 2, 0), (ROWS, 2, 0), ([*ROWS, *RARE], 2, 0)],
    ids=["two labels", "one label", "missing values", "some suppressed"],
)
def test_an_attribute_with_one_label_is_not_looked_up(rows, level, looked_up, tmp_path):
    path, asked = write(tmp_path / "table.parquet", rows), {"constraints": [f"zip >= {level}"]}
    made = plan_release(path, keep_order=True, **asked)
    mapped, joined = made.plan, replace(made.plan)
    vars(joined)["maps_values"] = False
    assert mapped.maps_values
    both = [recode(one).to_native() for one in (mapped, joined)]
    shown, expected = (one.fetchall() for one in both)
    assert shown == expected
    assert len({row[0] for row in shown}) == 3 - level
    assert [_count_joins(one) for one in both] == [looked_up, 1]


def _count_joins(rows):
    """Count the joins of a query, except that with the list of what is suppressed."""
    return rows.sql_query().replace("ANTI JOIN", "").count("JOIN")


def test_an_unknown_value_below_one_label_is_not_released(tmp_path):
    path = write(tmp_path / "table.parquet", [("00", 47, "a"), *ROWS])
    made = plan_release(path, **HIDDEN)
    path.unlink()
    write(path, [("77", 47, "a"), *ROWS])
    with pytest.raises(la.LookalikeError, match=r"other sequences|not in the hierarchy"):
        made.publish(tmp_path / "published" / "released" / "table.parquet")
    assert not [*(tmp_path / "published").glob("**/*")]


def test_other_rows_of_one_class_are_not_released(tmp_path):
    """The release has the same classes, and only the list of the source differs."""
    path = write(tmp_path / "table.parquet", [("19", 47, "a"), *ROWS])
    made = plan_release(path)
    path.unlink()
    write(path, [("18", 47, "a"), *ROWS])
    with pytest.raises(la.RequirementNotMet, match="other sequences of values"):
        made.publish(tmp_path / "published" / "released" / "table.parquet")
