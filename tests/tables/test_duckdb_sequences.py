"""The sequences that DuckDB keeps, against the frequency list in memory."""

import datetime
import math

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.model.stored_list import StoredList
from lookalike.tables.count import count, count_within
from lookalike.tables.counted import Counted
from lookalike.tables.engines.duckdb_sequences import LISTS_KEPT
from lookalike.tables.read import read_frame

from ..effort import examples
from ..invented import tables_and_vectors
from ..small_tables import bind_all, occurrences, table_of

few = examples(25)
SEVERAL = la.Taxonomy({"A": ["a", "b"], "C": ["c", "d"]})


def in_duckdb(table):
    """Return a table as rows of DuckDB."""
    return read_frame(duckdb.connect().from_arrow(table))


def stored(table, hierarchies, most=1):
    """Keep the sequences of a table in DuckDB, and return the list over them."""
    counted = count_within(in_duckdb(table), list(hierarchies), 0)
    bound = bind_all(hierarchies, counted.values)
    store, rows = counted.bind(bound)
    return StoredList(tuple(bound), (0,) * len(bound), tuple(rows), store, most)


@few
@given(tables_and_vectors(3), st.integers(1, 4))
def test_every_number_at_a_vector_is_that_of_the_list_in_memory(drawn, k):
    invented, vectors = drawn
    kept = stored(invented.table, invented.hierarchies)
    for vector in vectors:
        rolled = invented.frequency.roll_up(vector)
        codes, counts = kept.store.fetch(vector)
        found = dict(zip(map(tuple, codes.T.tolist()), counts.tolist(), strict=True))
        assert found == dict(
            zip(map(tuple, rolled.codes.T.tolist()), rolled.counts.tolist(), strict=True)
        )
        assert kept.store.count(vector) == len(rolled)
        assert kept.store.outliers(vector, k) == invented.frequency.outliers(vector, k)
        assert kept.distinct(vector) == invented.frequency.distinct(vector)
        small = np.flatnonzero(rolled.counts < k)
        for place, rows in enumerate(kept.outlying_rows(vector, k)):
            expected = np.bincount(rolled.codes[place, small], rolled.counts[small], len(rows))
            assert rows.tolist() == expected.tolist()


@few
@given(tables_and_vectors(1))
def test_a_settled_list_shows_the_values_at_its_vector(drawn):
    invented, [vector] = drawn
    settled = stored(invented.table, invented.hierarchies).settled(vector)
    assert occurrences(settled) == occurrences(invented.frequency.roll_up(vector))
    assert settled.heights == invented.frequency.heights
    assert settled.ground_distinct == invented.frequency.distinct(invented.frequency.vector)


def test_values_that_are_alike_as_text_are_one_value():
    column = [1.0, 1, -0.0, 0.0, math.nan, None]
    table = pa.table({"number": pa.array(column, pa.float64()), "same": ["x"] * 6})
    counted = count_within(in_duckdb(table), ["number", "same"], 0)
    sizes, classes = counted.count_sizes()
    assert (sizes.tolist(), classes.tolist()) == ([2], [3])
    assert counted.rows == 6


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None, True],
        [datetime.date(2020, 1, 1), datetime.date(1850, 2, 2), None, None],
        ["", None, "ä", "a\x00b"],
        [2**62, -1, 0, 0],
    ],
)
def test_values_of_any_type_are_counted_as_in_memory(values):
    table = pa.table({"value": values, "other": ["a", "b", "c", "d"]})
    found = count_within(in_duckdb(table), ["value", "other"], 0)
    memory = count(read_frame(table), ["value", "other"])
    assert found.values == memory.values
    assert [part.tolist() for part in found.count_sizes()] == [
        part.tolist() for part in memory.count_sizes()
    ]


def test_few_sequences_come_to_memory():
    table = table_of(("a",), [("x",), ("y",), ("y",)])
    assert isinstance(count_within(in_duckdb(table), ["a"], 2), Counted)
    assert not isinstance(count_within(in_duckdb(table), ["a"], 1), Counted)
    assert isinstance(count_within(read_frame(table), ["a"], 1), Counted)


def test_only_the_latest_lists_are_kept_in_the_connection():
    rows = [(one, other) for one in "abcd" for other in "abcd"]
    connection = duckdb.connect()
    frame = read_frame(connection.from_arrow(table_of(("one", "other"), rows)))
    counted = count_within(frame, ["one", "other"], 0)
    bound = bind_all({"one": SEVERAL, "other": SEVERAL}, counted.values)
    store, _ = counted.bind(bound)
    vectors = [(one, other) for one in range(3) for other in range(3)]
    assert [store.count(vector) for vector in vectors] == [16, 8, 4, 8, 4, 2, 4, 2, 1]
    maps, ground = 2, 1
    [(tables,)] = connection.sql("SELECT count(*) FROM duckdb_tables()").fetchall()
    assert tables == maps + ground + LISTS_KEPT


def test_lists_in_memory_leave_to_make_room():
    rows = [(one, other) for one in "abcd" for other in "abcd"]
    hierarchies = {"one": SEVERAL, "other": SEVERAL}
    kept = stored(table_of(("one", "other"), rows), hierarchies, most=8)
    for vector in [(2, 2), (1, 0), (0, 1), (1, 1)]:
        kept.outliers(vector, 2)
        assert sum(map(len, kept._held)) <= 8
