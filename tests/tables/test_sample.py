"""Samples: rows one by one, and groups that are whole, in every kind of table."""

from collections import Counter

import numpy as np
import pytest

from lookalike.tables import sample
from lookalike.tables.read import read_table
from lookalike.tables.sample import NO_VALUE, sample_groups

ROWS = 400
COLUMNS = {
    "person": [f"p{row % 80}" if row % 80 else None for row in range(ROWS)],
    "ward": [row % 2 for row in range(ROWS)],
    "sex": ["fm"[row % 80 % 2] for row in range(ROWS)],
}


@pytest.fixture
def rows(engine):
    return read_table(engine(COLUMNS), {})


def test_a_small_table_is_taken_whole(rows):
    [drawn] = sample_groups(rows, ["person"], ["sex"], ROWS)
    assert drawn.is_whole
    assert sorted(drawn.values["person"]) == sorted({*COLUMNS["person"]} - {None})
    assert Counter(drawn.codes["person"].tolist())[NO_VALUE] == ROWS // 80
    assert len(drawn.rows_of("person")) == ROWS - ROWS // 80
    assert "ward" not in drawn.codes


def test_groups_of_a_large_table_are_drawn_whole(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 90)
    [drawn] = sample_groups(rows, ["person", "ward"], ["sex"], ROWS)
    chosen = drawn.rows_of("person")
    groups = Counter(drawn.codes["person"][chosen].tolist())
    assert not drawn.is_whole
    assert set(groups.values()) == {ROWS // 80}
    assert 1 <= len(groups) < 79
    assert len({*zip(drawn.codes["person"][chosen], drawn.codes["sex"][chosen], strict=True)}) == (
        len(groups)
    )


def test_large_groups_are_judged_from_rows_drawn_one_by_one(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 200)
    [drawn] = sample_groups(rows, ["person", "ward"], ["sex"], ROWS)
    assert np.array_equal(drawn.rows_of("ward"), np.flatnonzero(drawn.one_by_one))


def test_many_columns_are_drawn_in_several_passes(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 100)
    monkeypatch.setattr(sample, "COLUMNS_AT_ONCE", 2)
    drawn = sample_groups(rows, ["person", "ward", "sex"], ["sex"], ROWS)
    assert [[*one.in_groups] for one in drawn] == [["person", "ward"], ["sex"]]
