"""Proposed quasi-identifiers: minimal sets of columns that single out rows."""

from collections import Counter
from itertools import combinations
from math import ceil

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.risk.table import propose

from ..effort import examples

PEOPLE = {
    "name": ["A", "B", "C", "D"],
    "sex": ["f", "f", "m", "m"],
    "zip": ["1", "2", "2", "2"],
    "land": ["x", "x", "x", "x"],
    "town": ["one", "two", "two", "two"],
}


def sets(found):
    return [one.attributes for one in found]


def test_minimal_sets_that_single_out_a_share_of_the_rows():
    found = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.5)
    assert sets(found.quasi_identifiers) == [("name",), ("sex", "zip"), ("sex", "town")]
    assert [one.unique_rows for one in found.quasi_identifiers] == [4, 2, 2]
    assert sets(found.keys) == [("name",)]
    assert found.linkable == ("name", "sex", "zip", "town")
    assert found.complete


def test_share_0_asks_for_one_row_as_the_definition_does():
    found = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0)
    assert sets(found.quasi_identifiers) == [("name",), ("zip",), ("town",)]


@pytest.mark.parametrize(("share", "found"), [(0.25, ["name", "zip", "town"]), (0.26, ["name"])])
def test_a_share_is_reached_and_not_rounded_down(share, found):
    alone = la.propose_quasi_identifiers(pa.table(PEOPLE), share=share, size=1)
    assert [name for one in alone.quasi_identifiers for name in one.attributes] == found


def test_columns_that_add_nothing_are_in_no_set():
    """The land is everywhere the same, and the town follows from the zip."""
    found = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.9, size=5)
    assert not any("land" in one.attributes for one in found.quasi_identifiers)
    assert not any({"zip", "town"} <= set(one.attributes) for one in found.quasi_identifiers)
    assert found.counted < 15


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_any_kind_of_frame_gives_the_same(kind):
    expected = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.5)
    assert la.propose_quasi_identifiers(kind(PEOPLE), share=0.5) == expected


def test_a_file_gives_the_same(tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame(PEOPLE).to_csv(path, index=False)
    expected = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.5)
    assert la.propose_quasi_identifiers(path, share=0.5) == expected
    part = la.propose_quasi_identifiers(path, share=0.5, where="zip = '2'")
    assert part.rows == 3


def test_a_table_without_rows_singles_out_nobody():
    found = la.propose_quasi_identifiers(pa.table(PEOPLE).slice(0, 0))
    assert (found.rows, found.quasi_identifiers, found.keys) == (0, (), ())


def test_work_is_bounded_and_skipped_sets_are_reported(monkeypatch):
    whole = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.5)
    monkeypatch.setattr(propose, "MOST_VALUES_READ", 4 * 5)
    cut = la.propose_quasi_identifiers(pa.table(PEOPLE), share=0.5)
    assert (cut.complete, cut.counted, cut.not_counted) == (False, 6, whole.counted - 6)
    assert set(cut.quasi_identifiers) < set(whole.quasi_identifiers)


def test_progress_is_announced():
    announced = []
    la.propose_quasi_identifiers(pa.table(PEOPLE), size=1, announce=announced.append)
    assert announced == ["counting", *(f"set {number}" for number in range(1, 6))]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"share": -0.1}, "share must be between 0 and 1, not -0.1"),
        ({"share": 1.1}, "share must be between 0 and 1"),
        ({"size": 0}, "size must be at least 1, not 0"),
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"delimiter": ";"}, "for a path only"),
    ],
)
def test_mistakes_are_answered(fields, message):
    with pytest.raises(la.InvalidInput, match=message):
        la.propose_quasi_identifiers(pa.table(PEOPLE), **fields)


@examples(60)
@given(
    st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 4), min_size=1, max_size=9),
    st.sampled_from([0, 0.05, 0.3, 0.5, 1]),
    st.integers(1, 4),
)
def test_the_sets_are_those_of_the_definition(rows, share, size):
    names = ("p", "q", "r", "s")
    table = pa.table(dict(zip(names, map(pa.array, zip(*rows, strict=True)), strict=True)))
    found = la.propose_quasi_identifiers(table, share=share, size=size)
    least = max(1, ceil(share * len(rows)))
    assert set(sets(found.quasi_identifiers)) == minimal_sets(rows, names, size, least)
    assert set(sets(found.keys)) == minimal_sets(rows, names, size, len(rows))


def minimal_sets(rows, names, size, least):
    """Return the sets of columns that single out enough rows, and no part of which does."""
    telling = [
        set(chosen)
        for number in range(1, len(names) + 1)
        for chosen in combinations(range(len(names)), number)
        if count_unique(rows, chosen) >= least
    ]
    return {
        tuple(names[column] for column in sorted(one))
        for one in telling
        if len(one) <= size and not any(other < one for other in telling)
    }


def count_unique(rows, columns):
    """Count the rows that no other row equals over some columns."""
    shown = Counter(tuple(row[column] for column in columns) for row in rows)
    return sum(number == 1 for number in shown.values())
