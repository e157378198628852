"""Verification groups rows by SQL of its own, which a fault in counting cannot reach."""

import duckdb
import pyarrow as pa
import pytest

from lookalike.tables.engines.duckdb import DuckDB
from lookalike.verify.persons import (
    CLASS_PERSONS,
    CLASS_ROWS,
    count_class_persons,
    count_rows_by_class,
    shown_as,
)
from lookalike.verify.recount import Promise, recount


@pytest.fixture
def rows(monkeypatch):
    """Return rows in a DuckDB whose shared grouping is not to be used."""

    def group(*_):
        raise AssertionError("verification groups rows by what counts the private table")

    monkeypatch.setattr(DuckDB, "total", group)
    return duckdb.sql(
        "SELECT * FROM (VALUES ('a', 1, 7), ('a', 1, 7), ('a', 1, 8), ('b', 2, NULL)) "
        "AS v(size, zip, who)"
    )


def test_the_recount_does_not_share_what_counts_the_private_table(rows):
    found = recount(rows, Promise(("size", "zip"), 3))
    assert (found.rows, found.classes, found.k, found.rows_below_k) == (4, 2, 1, 1)


def test_nor_do_persons(rows):
    shown = pa.table({"zip": [1, 2], shown_as("zip"): ["x", "x"]})
    promise = Promise(("zip",), 2, person="who")
    counted = count_class_persons(rows, shown, ["zip"], promise)
    assert counted.to_pylist() == [{shown_as("zip"): "x", CLASS_ROWS: 4, CLASS_PERSONS: 3}]
    classes = count_rows_by_class(rows, ["zip"]).to_pylist()
    assert {one["zip"]: one[CLASS_ROWS] for one in classes} == {1: 3, 2: 1}
