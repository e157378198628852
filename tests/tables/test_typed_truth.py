"""A fresh release of typed columns always passes its own proof, in every kind of table and file."""

import math
from datetime import date, datetime, time
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

import lookalike as la

from ..verifying import list_failures

pytestmark = pytest.mark.slow

NAMES = ("price", "dose", "large", "seen", "born", "woken", "smoker", "children")
AFTERNOON = datetime(2024, 2, 29, 13, 45, 0, 120_000)
FIRST = (Decimal("1.50"), 0.7, 1e20, datetime(2024, 1, 1), date(1965, 9, 20), time(7, 30), True, 0)
SECOND = (Decimal("2.00"), 3.0, math.nan, AFTERNOON, None, time(8, 0, 0, 5), False, -7)
THIRD = (Decimal("1.75"), 0.701, 1e-7, AFTERNOON, date(2001, 12, 31), time(9), None, None)
FOURTH = (None, -0.0, None, None, None, None, True, 2)
ROWS = [FIRST] * 3 + [SECOND] * 3 + [THIRD, FOURTH]
LINKABLE = dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))
COLUMNS = LINKABLE | {f"{name} beside": values for name, values in LINKABLE.items()}
ROUNDED = {"price": ["0.1", "1"], "dose": ["0.01", "0.1", "1"], "children": [10]}
HELD_UP = [f"{name} >= 1" for name in (*ROUNDED, "seen")]
WAYS = {
    "dropped": {"method": "datafly"},
    "blank": {"method": "mingen", "suppressed_rows": "blank"},
    "cells": {"method": "mingen-cells"},
    "held up": {"method": "mingen", "constraints": HELD_UP},
}


def describe(name, way):
    """Round some columns, where that writes no two values alike at different levels."""
    if name not in NAMES:
        return {"role": "other", "unique": True}
    rounded = name in ROUNDED and way != "cells"
    kind = {"kind": "rounding", "bases": ROUNDED[name]} if rounded else {"kind": "suppress"}
    return {"role": "quasi-identifier", "hierarchy": kind}


@pytest.mark.parametrize(
    ("way", "suffix"),
    [
        ("dropped", "csv"),
        ("dropped", "jsonl"),
        ("blank", "parquet"),
        ("cells", "csv"),
        ("held up", "arrow"),
    ],
)
def test_a_fresh_release_passes_its_own_proof(engine, way, suffix, tmp_path):
    table = engine(COLUMNS)
    attributes = {name: describe(name, way) for name in COLUMNS}
    made = la.release(table, k=2, max_suppressed=2, attributes=attributes, **WAYS[way])
    made.publish(tmp_path / "released" / f"table.{suffix}")
    assert list_failures(tmp_path / "released", made, table) == []


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    "engine", ["pandas", "polars", "pyarrow", "duckdb", "parquet"], indirect=True
)
def test_times_with_a_zone_are_the_same_in_every_zone(engine, suffix, tmp_path):
    """A frame shows them in its own zone, SQL in that of its connection."""
    evening = AFTERNOON.replace(tzinfo=ZoneInfo("Europe/Berlin"))
    table = engine({"seen": [evening] * 3, "left": [evening, evening, None]})
    attributes = {
        "seen": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
        "left": {"role": "other"},
    }
    made = la.release(table, k=2, attributes=attributes, method="mingen")
    made.publish(tmp_path / "released" / f"table.{suffix}")
    assert made.levels == {"seen": 0}
    assert list_failures(tmp_path / "released", made, table) == []


def test_a_number_that_is_written_in_another_way_is_the_same_number(engine, tmp_path):
    """At level 1, 0.7 and 0.701 are both written 0.70, which is no number at level 0."""
    table = engine({"dose": [0.7, 0.701, 0.7, 0.701], "price": [Decimal("1.50")] * 4})
    attributes = {name: describe(name, "dropped") for name in ("dose", "price")}
    made = la.release(table, k=4, attributes=attributes, method="mingen")
    assert made.levels == {"dose": 1, "price": 0}
    made.publish(tmp_path / "released" / "table.csv")
    assert list_failures(tmp_path / "released", made, table) == []
