"""Count: labels of every type of value, and distinct sequences of every kind of frame."""

import datetime
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike import InvalidInput
from lookalike.tables.count import count, count_distinct
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.labels import label
from lookalike.tables.read import read_frame

UTC = datetime.UTC
LONG = "12345678901234567890123456789012345.5"


def count_column(native):
    """Count the column x of a frame, and return what each row or entry is labelled."""
    counted = count(read_frame(native), ["x"])
    return [counted.values[0][position] for position in counted.positions[0]]


class TestLabel:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("02138", "02138"),
            ("", ""),
            (" a ", " a "),
            (None, None),
            (True, "true"),
            (False, "false"),
            (0, "0"),
            (-7, "-7"),
            (10**30, "1" + "0" * 30),
            (3.0, "3"),
            (2.5, "2.5"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e22, "1" + "0" * 22),
            (float("nan"), None),
            (float("inf"), "inf"),
            (float("-inf"), "-inf"),
            (np.float64(3), "3"),
            (Decimal("3.00"), "3"),
            (Decimal("2.5"), "2.5"),
            (Decimal("-0.0"), "0"),
            (Decimal("NaN"), None),
            (Decimal("1E+30"), "1" + "0" * 30),
            (Decimal(LONG), LONG),
            (datetime.date(1965, 9, 20), "1965-09-20"),
            (datetime.datetime(1965, 9, 20), "1965-09-20"),
            (datetime.datetime(1965, 9, 20, 13, 5), "1965-09-20T13:05:00"),
            (datetime.datetime(1965, 9, 20, 0, 0, 0, 1), "1965-09-20T00:00:00.000001"),
            (datetime.datetime(1965, 9, 20, tzinfo=UTC), "1965-09-20T00:00:00+00:00"),
            (datetime.time(13, 5), "13:05:00"),
        ],
    )
    def test_of_each_type(self, value, text):
        assert label(value) == text

    @pytest.mark.parametrize("value", [b"a", [1], {"a": 1}, datetime.timedelta(1), object()])
    def test_of_other_types_does_not_exist(self, value):
        with pytest.raises(TypeError, match=type(value).__name__):
            label(value)

    def test_of_an_infinite_decimal_is_that_of_an_infinite_float(self):
        assert label(Decimal("Infinity")) == label(float("inf"))


class TestTypedColumns:
    """The same value has the same label in every kind of frame."""

    @pytest.mark.parametrize(
        ("column", "labels"),
        [
            (pa.array(["b", None, "a", ""]), ["b", None, "a", ""]),
            (pa.array(["b", None], pa.large_string()), ["b", None]),
            (pa.array(["b", None, "b"]).dictionary_encode(), ["b", None, "b"]),
            (pa.array([1, None, -2], pa.int8()), ["1", None, "-2"]),
            (pa.array([2**64 - 1], pa.uint64()), ["18446744073709551615"]),
            (pa.array([1.0, 2.5, float("nan"), None]), ["1", "2.5", None, None]),
            (pa.array([0.0, -0.0]), ["0", "0"]),
            (pa.array([0.5], pa.float32()), ["0.5"]),
            (pa.array([True, None, False]), ["true", None, "false"]),
            (pa.array([Decimal("2.50"), Decimal("3.00")]), ["2.50", "3"]),
            (pa.array([10**37], pa.decimal128(38, 0)), ["1" + "0" * 37]),
            (pa.array([datetime.date(1965, 9, 20)]), ["1965-09-20"]),
            (pa.array([datetime.datetime(1965, 9, 20)]), ["1965-09-20"]),
            (pa.array([datetime.time(1, 2, 3)]), ["01:02:03"]),
            (pa.nulls(2), [None, None]),
        ],
        ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
    )
    def test_of_arrow(self, column, labels):
        assert count_column(pa.table({"x": column})) == labels

    @pytest.mark.parametrize(
        ("column", "labels"),
        [
            (pd.Series(["b", None, "a"]), ["b", None, "a"]),
            (pd.Series(["b", None, "a"], dtype=object), ["b", None, "a"]),
            (pd.Series(["b", None, "a"], dtype="category"), ["b", None, "a"]),
            (pd.Series([3, None, 1], dtype="category"), ["3", None, "1"]),
            (pd.Series([1, None, 2]), ["1", None, "2"]),
            (pd.Series([1, None, 2], dtype="Int64"), ["1", None, "2"]),
            (pd.Series([True, None], dtype="boolean"), ["true", None]),
            (pd.Series([True, False]), ["true", "false"]),
            (pd.Series([0.5, float("nan")]), ["0.5", None]),
            (pd.Series([datetime.datetime(1965, 9, 20), None]), ["1965-09-20", None]),
            (pd.Series([datetime.date(1965, 9, 20), None]), ["1965-09-20", None]),
            (pd.Series(["a", 1, 2.0, True, None], dtype=object), ["a", "1", "2", "true", None]),
            (pd.Series(["a", 1, float("nan")], dtype=object), ["a", "1", None]),
            (pd.Series(["a", 1, pd.NA], dtype=object), ["a", "1", None]),
            (pd.Series(["a", 1, pd.NaT], dtype=object), ["a", "1", None]),
        ],
    )
    def test_of_pandas(self, column, labels):
        assert count_column(pd.DataFrame({"x": column})) == labels

    @pytest.mark.parametrize(
        ("column", "labels"),
        [
            (pl.Series(["b", None, "a"]), ["b", None, "a"]),
            (pl.Series(["b", None, "a"], dtype=pl.Categorical), ["b", None, "a"]),
            (pl.Series(["b", None, "a"], dtype=pl.Enum(["b", "a"])), ["b", None, "a"]),
            (pl.Series([1, None, 2]), ["1", None, "2"]),
            (pl.Series([1.0, float("nan"), None]), ["1", None, None]),
            (pl.Series([True, None]), ["true", None]),
            (pl.Series([Decimal("2.5"), Decimal("3.0")]), ["2.5", "3"]),
            (pl.Series([datetime.date(1965, 9, 20)]), ["1965-09-20"]),
            (pl.Series([datetime.datetime(1965, 9, 20)]), ["1965-09-20"]),
            (pl.Series([datetime.time(1, 2, 3)]), ["01:02:03"]),
            (pl.Series([None, None]), [None, None]),
        ],
        ids=lambda value: str(value.dtype) if isinstance(value, pl.Series) else "",
    )
    def test_of_polars(self, column, labels):
        assert count_column(pl.DataFrame({"x": column})) == labels

    @pytest.mark.parametrize(
        ("sql", "text"),
        [
            ("'02138'", "02138"),
            ("''", ""),
            ("NULL", None),
            ("7::HUGEINT", "7"),
            ("true", "true"),
            ("2.5::DOUBLE", "2.5"),
            ("3::DOUBLE", "3"),
            ("'nan'::DOUBLE", None),
            ("3.00::DECIMAL(5, 2)", "3"),
            ("DATE '1965-09-20'", "1965-09-20"),
            ("TIMESTAMP '1965-09-20'", "1965-09-20"),
            ("TIMESTAMP '1965-09-20 13:05:00'", "1965-09-20T13:05:00"),
            ("TIME '13:05:00'", "13:05:00"),
            ("'a'::ENUM ('b', 'a')", "a"),
        ],
    )
    def test_of_duckdb(self, sql, text):
        assert count_column(duckdb.sql(f"SELECT {sql} AS x")) == [text]

    def test_times_that_differ_by_nanoseconds_have_different_labels(self):
        one, two = count_column(pa.table({"x": pa.array([1, 2], pa.time64("ns"))}))
        assert one != two

    @pytest.mark.parametrize(
        ("column", "kind"),
        [
            (pa.array([[1], [2]]), "list"),
            (pa.array([{"a": 1}]), "struct"),
            (pa.array([b"a"]), "bytes"),
            (pa.array([datetime.timedelta(1)]), "timedelta"),
        ],
    )
    def test_that_cannot_be_matched_are_refused_with_their_name_and_the_way_out(self, column, kind):
        with pytest.raises(InvalidInput, match=f"column 'x' holds values of type {kind}.*convert"):
            count_column(pa.table({"x": column}))

    def test_of_objects_without_a_label_are_refused_without_a_value(self):
        frame = pd.DataFrame({"x": pd.Series(["secret", [1]], dtype=object)})
        with pytest.raises(InvalidInput, match="values of type list") as raised:
            count_column(frame)
        assert "secret" not in str(raised.value)


FRAMES = {
    "pyarrow": pa.table,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.fixture(params=FRAMES)
def make(request):
    return FRAMES[request.param]


class TestCount:
    def test_values_are_sorted_and_missing_comes_last(self, make):
        counted = count(read_frame(make({"x": ["b", None, "a", "b"]})), ["x"])
        assert counted.values == (("a", "b", None),)

    def test_sequences_are_counted(self, make):
        columns = {"x": ["a", "b", "a", None, None], "y": ["1", "1", "1", "1", "1"]}
        counted = count(read_frame(make(columns)), ["x", "y"])
        sequences = {}
        for positions, number in zip(counted.positions.T, counted.counts.tolist(), strict=True):
            sequence = tuple(v[p] for v, p in zip(counted.values, positions, strict=True))
            sequences[sequence] = sequences.get(sequence, 0) + number
        assert sequences == {("a", "1"): 2, ("b", "1"): 1, (None, "1"): 2}
        assert sorted(counted.class_sizes().tolist()) == [1, 2, 2]

    def test_only_the_attributes_that_are_asked_for_count(self, make):
        counted = count(read_frame(make({"x": ["a", "a"], "y": ["1", "2"]})), ["x"])
        assert counted.class_sizes().tolist() == [2]

    def test_a_table_without_rows_has_no_entries(self):
        counted = count(read_frame(pa.table({"x": pa.array([], pa.string())})), ["x"])
        assert counted.values == ((),)
        assert counted.counts.tolist() == []
        assert counted.class_sizes().tolist() == []

    def test_of_a_query_keeps_the_values_as_the_engine_holds_them(self):
        counted = count(read_frame(duckdb.sql("SELECT 1.0::DOUBLE AS x")), ["x"])
        assert counted.values == (("1",),)
        assert counted.keys["x"].to_pylist() == [1.0]

    @pytest.mark.parametrize(
        ("attributes", "problem"),
        [
            (["x", "z"], "no column 'z'; its columns are 'x'"),
            (["x", "x"], "named twice"),
            ([], "at least one column"),
        ],
    )
    def test_attributes_that_cannot_be_are_refused(self, make, attributes, problem):
        with pytest.raises(InvalidInput, match=problem):
            count(read_frame(make({"x": ["a"]})), attributes)


class TestCountDistinct:
    def test_counts_values_and_rows_that_have_one(self, make):
        frame = read_frame(make({"x": ["a", "b", "a", None], "y": ["1", "2", "3", "4"]}))
        assert count_distinct(frame, ["x", "y"]) == {"x": (2, 3), "y": (4, 4)}

    def test_many_columns_are_counted_in_few_queries(self, monkeypatch):
        names = [f"c{number}" for number in range(30)]
        made = ", ".join(f"range % {number + 2} AS c{number}" for number in range(30))
        frame = read_frame(duckdb.sql(f"SELECT {made} FROM range(1000)"))
        asked = []
        run = DuckDB.run
        monkeypatch.setattr(DuckDB, "run", lambda *given: asked.append(1) or run(*given))
        found = count_distinct(frame, names, at_once=5)
        assert list(found) == names
        assert {rows for _, rows in found.values()} == {1000}
        assert len(asked) == 6
        assert [found[f"c{number}"][0] for number in range(30)] == list(range(2, 32))

    def test_no_column_needs_no_query(self):
        assert count_distinct(read_frame(duckdb.sql("SELECT 1 AS x")), []) == {}

    def test_columns_that_cannot_be_matched_are_counted_too(self):
        frame = read_frame(pa.table({"x": [[1], [2], [1], None]}))
        assert count_distinct(frame, ["x"]) == {"x": (2, 3)}


def test_view_types_of_arrow_are_read_as_plain_ones():
    views = pa.array(["ab", "ab", None, None, "", ""], pa.string()).cast(pa.string_view())
    assert count_column(pa.table({"x": views})) == ["ab", "ab", None, None, "", ""]
    attributes = {"x": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
    made = la.release(pa.table({"x": views}), k=2, method="datafly", attributes=attributes)
    assert sorted(made.table["x"].to_pylist(), key=str) == ["", "", None, None, "ab", "ab"]
