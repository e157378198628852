"""Markers, blanks and lost zeros mean the same in every kind of table."""

from datetime import date, datetime
from decimal import Decimal

import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.tables.clean import BLANKS, clean
from lookalike.tables.cleaning import Cleaning, ColumnCleaning
from lookalike.tables.connection import Connection
from lookalike.tables.read import number_rows, read_source, read_table
from lookalike.tables.source import Source
from lookalike.tables.table import POSITION

from ..roles import LINKABLE, SENSITIVE
from ..verifying import list_failures

FIRST, NEVER = date(1965, 9, 20), date(1900, 1, 1)
DIRTY = {
    'born "on".': [FIRST, FIRST, NEVER, None],
    "zip": ["2138", " 02138", "NA", None],
    "ward": ["east", "east", "NA", None],
    "age": [41, 41, -9, None],
    "dose": [2.5, 2.5, 999.0, None],
    "seen": [datetime(2024, 2, 29, 13), datetime(2024, 2, 29, 13), None, None],
    "ill": ["\tflu\u00a0", "flu", "-9", "-"],
}
MISSING = ("NA", "-9", "999", "1900-01-01")
ATTRIBUTES = dict.fromkeys(DIRTY, LINKABLE) | {
    "zip": LINKABLE | {"zero_pad": 5},
    "ill": SENSITIVE | {"missing": ["-"]},
}
CLEANED = [
    ("1965-09-20", "02138", "east", "41", "2.5", "2024-02-29T13:00:00", "flu"),
    ("1965-09-20", "02138", "east", "41", "2.5", "2024-02-29T13:00:00", "flu"),
    (None, None, None, None, None, None, "-9"),
    (None, None, None, None, None, None, None),
]


def release_dirty(engine):
    return la.release(
        engine(DIRTY, ["ward"]),
        k=2,
        method="datafly",
        attributes=ATTRIBUTES,
        source={"missing": MISSING, "trim": True},
        keep_order=True,
    )


def test_every_engine_reads_markers_blanks_and_lost_zeros(engine):
    assert engine.to_rows(release_dirty(engine).table) == CLEANED


def test_every_engine_publishes_cleaned_rows_that_prove_true(engine, tmp_path):
    made = release_dirty(engine)
    made.publish(tmp_path / "released" / "table.csv")

    assert list_failures(tmp_path / "released", made, engine(DIRTY, ["ward"])) == []


def test_every_engine_checks_cleaned_rows(engine):
    checked = la.check(engine(DIRTY, ["ward"]), ["age", "ward"], missing=MISSING, trim=True)

    assert checked == la.Checked(k=2, rows=4, classes=2, unique_rows=0, holds=True)


def cleaned(values, *markers, trim=False, **column):
    """Clean one column of an Arrow table."""
    rows = nw.from_native(pa.table({"x": values}), eager_only=True)
    rules = {"x": ColumnCleaning(**column)}
    return clean(rows, Cleaning(markers, trim, rules)).to_native()["x"].to_pylist()


@pytest.mark.parametrize(
    ("values", "marker"),
    [
        (["NA"], "na"),
        (["NA "], "NA"),
        (["09"], "9"),
        ([9], "09"),
        ([9], "9.0"),
        ([-9], "9"),
        ([2.5], "2"),
        ([True], "true"),
        ([datetime(1900, 1, 1)], "1900-01-01"),
        ([b"NA"], "NA"),
        ([["NA"]], "NA"),
    ],
)
def test_what_is_not_written_like_a_marker_is_no_marker(values, marker):
    assert cleaned(values, marker) == values


@pytest.mark.parametrize(
    ("values", "marker"),
    [
        ([""], ""),
        (["it's"], "it's"),
        ([2**62], str(2**62)),
        ([99999999.0], "99999999"),
        ([2.5], "2.5"),
        ([Decimal("9.00")], "9"),
        ([Decimal("9.50")], "9.50"),
    ],
)
def test_a_marker_equals_the_text_of_a_value(values, marker):
    assert cleaned(values, marker) == [None]


def test_other_values_keep_their_type():
    rows = nw.from_native(pa.table({"x": pa.array([1, -9], pa.int16())}))
    assert clean(rows, Cleaning(("-9",))).to_native().schema.field("x").type == pa.int16()


def test_whole_numbers_of_pandas_stay_whole():
    rows = nw.from_native(pd.DataFrame({"x": [1, -9], "y": [1, 2]}))
    found = clean(rows, Cleaning(columns={"x": ColumnCleaning(("-9",))})).to_native()
    assert list(map(str, found.dtypes)) == ["Int64", "int64"]
    assert found["x"].tolist() == [1, pd.NA]


def test_blanks_are_trimmed_before_the_comparison():
    assert cleaned([" NA\n", "a b", "\u2003x\u00a0"], "NA", trim=True) == [None, "a b", "x"]


def test_blanks_alone_become_empty_text_and_not_missing():
    assert cleaned(["  "], trim=True) == [""]
    assert cleaned(["  "], "", trim=True) == [None]


def test_every_blank_of_python_is_removed():
    assert cleaned([f"{BLANKS}x{BLANKS}"], trim=True) == ["x"]
    assert f"{BLANKS}x".strip() == "x"


@pytest.mark.parametrize(
    ("value", "padded"),
    [
        ("2138", "02138"),
        ("02138", "02138"),
        ("021381234", "021381234"),
        ("213a", "213a"),
        ("-213", "-213"),
        ("", ""),
        ("２１３８", "２１３８"),
        (2138, "02138"),
        (2138.0, "02138"),
        (None, None),
    ],
)
def test_only_short_digits_get_leading_zeros(value, padded):
    assert cleaned([value, None] if value is None else [value], zero_pad=5)[0] == padded


def test_not_a_number_gets_no_zeros():
    rows = nw.from_native(pl.DataFrame({"x": [float("nan"), 7.0]}))
    found = clean(rows, Cleaning(columns={"x": ColumnCleaning(zero_pad=3)}))
    assert found["x"].to_list() == [None, "007"]


def test_the_markers_of_a_column_replace_those_of_the_table():
    assert cleaned(["NA", "-"], "NA", missing=("-",)) == ["NA", None]
    assert cleaned(["NA"], "NA", missing=()) == ["NA"]


def test_a_marker_is_compared_before_zeros_are_added():
    assert cleaned(["0", "00"], "0", zero_pad=5) == [None, "00000"]


def test_a_condition_sees_cleaned_values(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("zip\n2138\nNA\n")
    source = Source(path=str(file), missing=("NA",), where="zip IS NOT NULL")
    assert read_source(source, Connection()).collect().to_dict(as_series=False) == {"zip": ["2138"]}


def test_the_result_of_a_query_is_cleaned(tmp_path):
    (tmp_path / "t.csv").write_text("zip\nNA\n")
    tables = {"t": str(tmp_path / "t.csv")}
    source = Source(tables=tables, query="SELECT zip, 'NA' AS more FROM t", missing=("NA",))
    assert read_source(source, Connection()).collect().rows() == [(None, None)]


def test_rows_with_positions_are_cleaned_like_those_without(tmp_path):
    rows = pl.DataFrame({"zip": ["NA", "02138"], "age": [1, 2]})
    rows.write_parquet(tmp_path / "t.parquet")
    source, cleaning = Source(path=str(tmp_path / "t.parquet")), Cleaning(("NA", "1"))
    numbered = number_rows(source, Connection(), cleaning).collect()
    assert numbered.drop(POSITION).rows() == [(None, None), ("02138", 2)]
    assert numbered[POSITION].to_list() == [1, 2]


@pytest.mark.parametrize("missing", ["NA", [1], [None], {"NA": 1}])
def test_markers_must_be_a_list_of_texts(missing):
    with pytest.raises(InvalidInput, match="missing must be a list of texts"):
        Source(path="t.csv", missing=missing)
    with pytest.raises(InvalidInput, match="missing must be a list of texts"):
        read_table(pl.DataFrame({"x": ["NA"]}), {"missing": missing})


SPELLED = {
    'the "sex".': [" male", "M", "Male", None, "f", "F"],
    "code": [1, 2, 1, 2, None, 1],
}
MAPS = {
    'the "sex".': LINKABLE | {"map": {"male": "M", "Male": "M", "f": "F"}},
    "code": SENSITIVE | {"map": {"1": "NA", "2": "two"}},
}


def test_every_engine_maps_trimmed_texts_before_it_compares_them_with_markers(engine):
    made = la.release(
        engine({name: values * 2 for name, values in SPELLED.items()}),
        k=2,
        attributes=MAPS,
        source={"missing": ["NA"], "trim": True, "person": "row"},
        method="datafly",
        accept=["one-sensitive-value", "as-is-unique"],
        keep_order=True,
    )
    sex, code = ("M", "M", "M", None, "F", "F"), (None, "two", None, "two", None, None)
    assert engine.to_rows(made.table) == [*zip(sex, code, strict=True)] * 2
    assert made.certificate.mapped == ('the "sex".', "code")


def test_a_map_must_be_of_text_or_numbers():
    days = nw.from_native(pa.table({"day": [FIRST, NEVER]}))
    with pytest.raises(InvalidInput, match="'day' has type Date"):
        clean(days, Cleaning(columns={"day": ColumnCleaning(map={"1965-09-20": "then"})}))


def test_a_map_is_applied_once_and_may_exchange_texts():
    sex = nw.from_native(pa.table({"sex": ["M", "F", None]}))
    swapped = clean(sex, Cleaning(columns={"sex": ColumnCleaning(map={"M": "F", "F": "M"})}))
    assert swapped["sex"].to_list() == ["F", "M", None]


def test_a_long_map_is_applied(tmp_path):
    codes = {str(number): f"c{number}" for number in range(3_000)}
    (tmp_path / "codes.csv").write_text("code\n" + "\n".join(codes) + "\n")
    cleaning = Cleaning(columns={"code": ColumnCleaning(map=codes)})
    rows = read_source(Source(path=str(tmp_path / "codes.csv")), Connection(), cleaning).collect()
    assert sorted(rows["code"].to_list()) == sorted(codes.values())
