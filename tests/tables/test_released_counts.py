"""The values of released columns and the sizes of classes are counted by DuckDB, in one order."""

import datetime

import duckdb
import pyarrow as pa
import pytest

from lookalike.tables.released_file import COLUMNS_TOGETHER, count_release

NOW = datetime.datetime(2024, 5, 1, 12, 30)


def count(values, **options):
    rows = duckdb.from_arrow(pa.table({"a b": values}))
    return count_release(rows, [], "*", **options).values["a b"]


def test_the_most_frequent_values_come_first_and_equal_ones_by_text():
    found = count(["b", "c", "a", "b", None, "", None, "c"], most=4)
    assert found.frequent == (("b", 2), ("c", 2), (None, 2), ("", 1))
    assert (found.distinct, found.more, found.range) == (5, 1, None)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["9", "10", "2.5"], ("2.5", "10")),
        (["9", "*", None, "10"], ("9", "10")),
        (["9", "x"], None),
        (["9", "nan"], None),
        (["9", "inf"], None),
        (["*", None], None),
        (["1", "1.0", "01"], ("01", "1.0")),
        ([3, 20, None], ("3", "20")),
        ([2.0, float("nan"), 10.5], ("2", "10.5")),
        ([True, False], None),
        ([NOW], None),
    ],
)
def test_the_range_of_numbers(values, expected):
    assert count(values).range == expected


def test_values_are_written_as_everywhere():
    assert count([2.0, float("nan"), None]).frequent == ((None, 2), ("2", 1))
    assert count([True, True, False]).frequent == (("true", 2), ("false", 1))
    assert count([NOW]).frequent == (("2024-05-01T12:30:00", 1),)


def test_a_column_without_rows():
    found = count(pa.array([], pa.string()))
    assert (found.distinct, found.frequent, found.range, found.more) == (0, (), None, 0)


def test_the_sizes_of_classes():
    rows = duckdb.from_arrow(pa.table({"a": ["x", "x", None, None, "y"], "b": [1, 1, 2, 2, 3]}))
    both, one = count_release(rows, [["a", "b"], ["a"]], "*").sizes
    assert both == {1: 1, 2: 2}
    assert [*one] == [1, 2]


def test_a_wide_release_with_names_that_queries_use_is_counted_in_parts():
    names = ["rows", "number", "text", "size", "t", *map(str, range(2 * COLUMNS_TOGETHER))]
    rows = duckdb.from_arrow(pa.table({name: [name, name, "*"] for name in names}))
    found = count_release(rows, [["rows", names[-1]]], "*")
    assert found.sizes == ({1: 1, 2: 1},)
    assert [*found.values] == names
    assert all(one.frequent == ((name, 2), ("*", 1)) for name, one in found.values.items())
    assert found.values["7"].range == ("7", "7")
