"""The most frequent values of a column, counted by every kind of frame."""

import pytest

from lookalike.tables.count import count_most_frequent
from lookalike.tables.read import read_table

COLUMNS = {
    "a": ["x", "y", None, "x", "x"],
    "n": [1, 2, 2, 2, 3],
    "b": [True, False, True, True, True],
}


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        ("a", {"x": 3, None: 1, "y": 1}),
        ("n", {"2": 3, "1": 1, "3": 1}),
        ("b", {"true": 4, "false": 1}),
    ],
)
def test_values_are_counted_as_text_and_missing_is_a_value(engine, column, counts):
    found = count_most_frequent(read_table(engine(COLUMNS), {}), column, 10)
    assert found.complete
    assert found.counts == counts


def test_only_the_most_frequent_values_come_to_memory(engine):
    found = count_most_frequent(read_table(engine(COLUMNS), {}), "n", 1)
    assert not found.complete
    assert found.counts == {"2": 3}


def test_the_repr_shows_no_value(engine):
    found = count_most_frequent(read_table(engine(COLUMNS), {}), "a", 1)
    assert repr(found) == "ValueCounts(complete=False, …)"


@pytest.mark.parametrize("name", ["hos.cat", "a.b.c", 'the "zip"', "select", "count(*)", "`x`"])
def test_the_name_of_a_column_is_no_expression(engine, name):
    found = count_most_frequent(read_table(engine({name: ["x", "y", "x"]}), {}), name, 10)
    assert found.counts == {"x": 2, "y": 1}
