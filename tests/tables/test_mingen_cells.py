"""MinGen at the cell level splits rows that are alike, the same way on every kind of table."""

from collections import Counter

import pytest

from ..roles import LINKABLE, MASKED
from ..verifying import list_failures
from .alike_rows import CATEGORICAL, number_rows, release_numbered

GROUPS = [("02138", None)] * 5 + [("02139", None)] + [("55501", "süd")] * 3
COLUMNS = number_rows(["postal code", "区"], GROUPS)
CLASSES = {("02138", None): 3, ("0213*", None): 3, ("55501", "süd"): 3}
"""With k = 3 the one row of 02139 takes two of the five along."""
in_memory_and_on_disk = pytest.mark.parametrize("engine", ["polars", "csv"], indirect=True)


def release(engine, **fields):
    roles = {"postal code": MASKED, "区": LINKABLE}
    return release_numbered(engine, COLUMNS, roles, "mingen-cells", effort="standard", **fields)


def test_rows_that_are_alike_are_split(engine):
    made = release(engine)
    rows = engine.to_rows(made.table)

    assert Counter(row[:2] for row in rows) == CLASSES
    assert sorted(row[2] for row in rows) == COLUMNS["n"]
    assert all(n in COLUMNS["n"][:6] for code, _, n in rows if code == "0213*")
    assert ("0213*", None, "n05") in rows
    assert type(made.table) is engine.kind
    assert made.measures.precision == pytest.approx(1 - 3 / 5 / (9 * 2))
    assert made.recoding.optimality.proved


def test_what_was_drawn_stays_drawn(engine):
    made = release(engine)
    assert engine.to_rows(made.table) == engine.to_rows(made.table)


@in_memory_and_on_disk
def test_which_rows_are_taken_along_is_drawn(engine):
    taken = set()
    for _ in range(8):
        rows = engine.to_rows(release(engine).table)
        taken.add(frozenset(n for code, _, n in rows if code == "0213*"))
        if len(taken) > 1:
            break

    assert len(taken) > 1, "10 pairs can be drawn: the same eight times is one in 10^7"


@in_memory_and_on_disk
def test_what_is_published_proves_true(engine, tmp_path):
    out = tmp_path / "released" / "table.parquet"
    made = release(engine)
    made.publish(out)
    assert list_failures(out.parent, made, engine(COLUMNS, categorical=CATEGORICAL)) == []
