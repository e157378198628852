"""Checks of a table too large for memory: estimated from a sample, or counted if that decides."""

import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lookalike as la
from lookalike.flow.preflight import facts
from lookalike.tables import read, sample

from ..roles import MASKED

ROWS = 20_000
OTHER = {"role": "other"}


@pytest.fixture(autouse=True)
def _large(monkeypatch):
    """Take small tables for large ones."""
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 4_000)
    monkeypatch.setattr(read, "SMALL_BYTES", 0)


def find_unique(tmp_path, unique, kind):
    """Return what is found of a table in which some rows are unique over their columns."""
    table = pa.table(
        {
            "zip": [f"{row % 50:05}" for row in range(ROWS)],
            "a": [str(row) if row < unique else f"x{row % 7}" for row in range(ROWS)],
            "b": [str(row % 3) for row in range(ROWS)],
            "c": [str(row % 2) for row in range(ROWS)],
        }
    )
    if kind == "parquet":
        pq.write_table(table, tmp_path / "private.parquet")
        table = tmp_path / "private.parquet"
    roles = {"zip": MASKED, "a": OTHER, "b": OTHER, "c": OTHER}
    made = la.release(table, k=5, method="mingen", attributes=roles)
    return [one for one in made.preflight if one.name == "as-is-unique"]


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_unique_rows_are_estimated_with_a_stated_confidence(kind, tmp_path):
    [one] = find_unique(tmp_path, 12_000, kind)
    assert one.severity == "error"
    least, most = map(float, re.findall(r"([0-9.]+) % to ([0-9.]+) %", one.sentence)[0])
    assert least < 60 < most < least + 25
    assert one.sentence.startswith("About ")
    assert "with 99.9 % confidence" in one.sentence


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize(
    ("unique", "severity"), [(4_000, "error"), (3_999, "warning"), (200, "warning"), (199, "note")]
)
def test_unique_rows_are_counted_where_the_sample_does_not_decide(kind, unique, severity, tmp_path):
    [one] = find_unique(tmp_path, unique, kind)
    assert one.severity == severity
    assert one.sentence.startswith(f"{unique:,} of 20,000 rows")


def test_a_table_without_unique_rows_has_no_finding(tmp_path):
    assert find_unique(tmp_path, 0, "parquet") == []


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
@pytest.mark.parametrize(("unique", "refused"), [(19_000, True), (17_000, False)])
def test_a_nearly_unique_column_is_found_in_the_sample_and_counted(unique, refused, kind, tmp_path):
    if not refused:
        assert find_unique(tmp_path, unique, kind)
        return
    with pytest.raises(la.InvalidInput, match=r"column 'a' has 19,007 different values in 20,000"):
        find_unique(tmp_path, unique, kind)
