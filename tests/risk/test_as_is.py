"""Columns released as they are: what they single out together, and in every small subset."""

from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookalike.risk.table import as_is
from lookalike.risk.table.as_is import count_known_pairs, single_out
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

VALUES = [None, "a", "b", "c"]


def singled_out(rows, columns, classes=None):
    """Return the rows that no other row of their class equals wherever their value is known."""
    found, class_of = [], classes or [0] * len(rows)
    for number, row in enumerate(rows):
        known = [column for column in columns if row[column] is not None]
        alike = [
            other
            for other, one in enumerate(rows)
            if class_of[other] == class_of[number] and all(one[c] == row[c] for c in known)
        ]
        if alike == [number] and (known or classes):
            found.append(number)
    return found


def measure(rows, classes=None, size=4):
    """Count with the package, from rows as tuples."""
    columns = len(rows[0])
    names = [f"c{number}" for number in range(columns)]
    table = {name: pa.array([row[n] for row in rows], pa.string()) for n, name in enumerate(names)}
    table["class"] = pa.array([str(one) for one in classes or [0] * len(rows)])
    frame = read_frame(pa.table(table))
    sequences = list_sequences(count(frame, [*names, "class"]))
    class_of = None if classes is None else sequences.project([columns])[0]
    if classes is None:
        sequences = sequences.project(range(columns))[1]
    else:
        sequences = as_is.Sequences(sequences.values[:-1], sequences.codes[:-1], sequences.counts)
    return single_out(sequences, names, class_of, size)


@st.composite
def tables(draw):
    columns = draw(st.integers(1, 6))
    row = st.tuples(*[st.sampled_from(VALUES[: draw(st.integers(1, 4))])] * columns)
    rows = draw(st.lists(row, min_size=1, max_size=14))
    known = st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))
    return rows, draw(st.none() | known)


@given(tables(), st.integers(1, 6))
@settings(deadline=None)
def test_counts_are_those_of_brute_force(table, size):
    rows, classes = table
    columns = range(len(rows[0]))
    found = measure(rows, classes, size)
    assert found.rows == len(rows)
    assert found.jointly.rows == len(singled_out(rows, columns, classes))
    for number, best in enumerate(found.by_size, start=1):
        counts = {
            tuple(f"c{one}" for one in subset): len(singled_out(rows, subset, classes))
            for subset in combinations(columns, number)
        }
        assert best.rows == max(counts.values())
        assert counts[best.columns] == best.rows
    assert len(found.by_size) == min(size, len(rows[0]))


@given(tables(), st.integers(1, 20))
@settings(deadline=None)
def test_rows_with_missing_values_are_estimated_if_there_are_many(table, most):
    rows, classes = table
    exact = measure(rows, classes).jointly.rows
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(as_is, "MOST_COMPARISONS", most)
        found = measure(rows, classes).jointly
    estimate = found.rows
    complete = [row for row in rows if None not in row]
    assert estimate <= len(rows)
    if len(complete) == len(rows):
        assert not found.is_estimated
    if not found.is_estimated:
        assert estimate == exact


def test_every_subset_of_a_larger_table():
    drawn = np.random.default_rng(14)
    rows = [tuple(row) for row in drawn.integers(0, [2, 3, 5, 9, 20, 40], (700, 6)).astype(str)]
    found = measure(rows)
    for number, best in enumerate(found.by_size, start=1):
        assert best.rows == max(unique_rows(rows, one) for one in combinations(range(6), number))
    assert found.jointly.rows == unique_rows(rows, range(6))


def unique_rows(rows, columns):
    """Count the rows that occur once over some columns."""
    return list(Counter(tuple(row[c] for c in columns) for row in rows).values()).count(1)


def test_a_missing_value_does_not_help_and_does_not_hide():
    rows = [("a", None), ("a", "x"), ("b", None), ("c", "y"), ("c", "y")]
    found = measure(rows)
    assert found.jointly.rows == 2
    assert found.smallest.columns == ("c0", "c1")
    assert [one.rows for one in found.by_size] == [1, 2]


def test_a_row_without_any_value_is_not_singled_out():
    assert measure([(None, None), ("a", "b"), ("a", "b")]).jointly.rows == 0


def test_the_smallest_subset_with_the_most_rows_is_named():
    rows = [(str(number), "same", str(number % 2)) for number in range(6)]
    found = measure(rows)
    assert found.smallest == as_is.SingledOut(("c0",), 6)
    assert found.share == 1.0


def test_the_best_pair_need_not_have_the_best_column():
    rows = [(str(max(0, number - 6)), str(number // 3), str(number % 3)) for number in range(9)]
    found = measure(rows, size=2)
    assert found.by_size == (as_is.SingledOut(("c0",), 2), as_is.SingledOut(("c1", "c2"), 9))


def test_a_large_table_is_counted_over_smaller_subsets(monkeypatch):
    monkeypatch.setattr(as_is, "MOST_WORK", 6 * (4 + 6))
    rows = [tuple(str(number * factor % 5) for factor in (1, 2, 3, 4)) for number in range(6)]
    assert len(measure(rows).by_size) == 2


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 1), *[st.sampled_from([None, "a", "b"])] * 3), min_size=1
    ),
    k=st.integers(2, 4),
)
def test_rows_of_which_two_known_columns_leave_fewer_than_k(rows, k):
    fewer = sum(
        any(
            row[one] is not None
            and row[two] is not None
            and sum((r[0], r[one], r[two]) == (row[0], row[one], row[two]) for r in rows) < k
            for one, two in combinations((1, 2, 3), 2)
        )
        for row in rows
    )
    values = (None, "a", "b")
    codes = np.array([[values.index(row[n]) for row in rows] for n in (1, 2, 3)], dtype=np.int32)
    table = Sequences((values,) * 3, codes, np.ones(len(rows), dtype=np.int64))
    class_of = np.array([row[0] for row in rows], dtype=np.int32)
    assert count_known_pairs(table, class_of, k) == (fewer, True)


def test_pairs_that_are_not_compared_are_said_to_be(monkeypatch):
    monkeypatch.setattr(as_is, "MOST_PAIRED", 1)
    codes = np.zeros((3, 9), dtype=np.int32)
    table = Sequences((("a",),) * 3, codes, np.ones(9, dtype=np.int64))
    assert count_known_pairs(table, np.zeros(9, dtype=np.int32), 2) == (0, False)
