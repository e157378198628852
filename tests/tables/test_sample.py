"""Samples: rows one by one, and groups that are whole, in every kind of table."""

from collections import Counter

import numpy as np
import pyarrow.compute as pc
import pytest

from lookalike.tables import sample
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.join_tables import drawn_of
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


def test_every_group_is_in_one_part_of_the_hashes(rows):
    draw = engine_of(rows).sample
    parts = [draw(rows, ["person"], [(["person"], part)], 3, ROWS) for part in range(4)]
    drawn = [one.filter(pc.field(drawn_of(1)))["person"].to_pylist() for one in parts]
    assert Counter(person for part in drawn for person in part if person) == (
        Counter(person for person in COLUMNS["person"] if person)
    )
    assert all(drawn[:3])
    assert not drawn[3]


def test_large_groups_are_judged_from_rows_drawn_one_by_one(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 200)
    [drawn] = sample_groups(rows, ["person", "ward"], ["sex"], ROWS)
    assert np.array_equal(drawn.rows_of("ward"), np.flatnonzero(drawn.one_by_one))


def share_a_value(engine, columns, one_in):
    """Return a table in which half of the rows have a value in all columns that is drawn first."""
    codes = [f"v{row}" for row in range(ROWS)]
    table = read_table(engine({"code": codes}), {})
    first = engine_of(table).sample(table, ["code"], [(["code"], 0)], one_in, ROWS)
    drawn = first.filter(pc.field(drawn_of(1)))["code"][0].as_py()
    shared = [drawn] * (ROWS // 2) + codes[ROWS // 2 :]
    return read_table(engine(dict.fromkeys(columns, shared)), {})


@pytest.fixture
def frequent(engine):
    return share_a_value(engine, ["code"], 20)


def test_columns_that_share_a_frequent_value_are_drawn_anew_together(engine, monkeypatch):
    answers = [f"answer {number}" for number in range(4)]
    asked, calls = share_a_value(engine, answers, 50), []
    monkeypatch.setattr(sample, "SAMPLED_ROWS", ROWS // 10)
    monkeypatch.setattr(sample, "engine_of", lambda frame: calls.append(1) or engine_of(frame))
    [drawn] = sample_groups(asked, answers, [], ROWS)
    assert (drawn.one_in, len(calls)) == (50, 2)
    assert all(drawn.in_groups[name].any() for name in answers)


def test_a_sample_has_at_most_twice_as_many_rows_as_asked_for(frequent, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", ROWS // 10)
    [drawn] = sample_groups(frequent, ["code"], [], ROWS)
    assert drawn.one_in == 20
    assert 0 < len(drawn.codes["code"]) <= ROWS // 5
    assert 0 < len(drawn.rows_of("code")) < ROWS // 5


def test_a_group_of_as_many_rows_as_fit_is_drawn(frequent, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", ROWS // 2 - 1)
    monkeypatch.setattr(sample, "is_sampled", lambda _: True)
    [drawn] = sample_groups(frequent, ["code"], [], 19 * ROWS // 4)
    assert drawn.one_in == 20
    assert len(drawn.codes["code"]) >= ROWS // 2


@pytest.mark.parametrize(("counted", "most"), [(40, ROWS), (41, 81)])
def test_a_table_that_grew_after_it_was_counted_is_drawn_from_once(
    rows, counted, most, monkeypatch
):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 40)
    [drawn] = sample_groups(rows, ["ward"], [], counted)
    assert len(drawn.codes["ward"]) == most


def test_columns_that_are_known_to_have_few_values_are_judged_without_groups(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 160)
    [drawn] = sample_groups(rows, ["person", "ward"], ["sex"], ROWS, (), {"person": 80, "ward": 2})
    assert drawn.few == {"ward"}
    assert not drawn.in_groups["ward"].any()
    assert np.array_equal(drawn.rows_of("ward"), np.flatnonzero(drawn.one_by_one))


def test_many_columns_are_drawn_in_several_passes(rows, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 100)
    monkeypatch.setattr(sample, "COLUMNS_AT_ONCE", 2)
    drawn = sample_groups(rows, ["person", "ward", "sex"], ["sex"], ROWS)
    assert [[*one.in_groups] for one in drawn] == [["person", "ward"], ["sex"]]
