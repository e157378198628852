"""Not-a-number is missing everywhere: counted, protected, written, recounted. "nan" is a text."""

import csv
import math
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.verify.protections import ProtectionPromise, recount_protection

from ..effort import examples

NAN = float("nan")
PROTECTIONS = [
    {"distinct": 2},
    {"entropy": 1.5},
    {"recursive": {"c": 3, "l": 2}},
    {"share": 0.7},
    {"closeness": {"t": 0.05}},
    {"likeness": {"beta": 1.5, "enhanced": False}},
    {"disclosure": {"delta": 1.5}},
]
ZIPS = ["1", "1", "1", "2", "2", "2", "3", "3", "3"]


def to_arrow(columns, folder):
    return pa.table({"zip": columns["zip"], "pay": pa.array(columns["pay"], pa.float64())})


def to_parquet(columns, folder):
    pa.parquet.write_table(to_arrow(columns, folder), folder / "private.parquet")
    return str(folder / "private.parquet")


def to_relation(columns, folder):
    return duckdb.connect().from_arrow(to_arrow(columns, folder))


KINDS = {
    "pandas": lambda columns, folder: pd.DataFrame(columns).astype({"pay": "float64"}),
    "pandas pyarrow": lambda columns, folder: to_arrow(columns, folder).to_pandas(
        types_mapper=pd.ArrowDtype
    ),
    "polars": lambda columns, folder: pl.DataFrame(columns, schema_overrides={"pay": pl.Float64}),
    "pyarrow": to_arrow,
    "duckdb": to_relation,
    "parquet": to_parquet,
}


def make(table, protect, **fields):
    return la.release(
        table,
        k=3,
        method="mingen",
        max_suppressed=Decimal("0.4"),
        secrecy="search",
        accept=["one-sensitive-value"],
        attributes={
            "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
            "pay": {"role": "sensitive", "unique": True, "protect": protect},
        },
        **fields,
    )


def count_written(path):
    """Count the texts of each class in a written CSV file."""
    classes = defaultdict(Counter)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            classes[row["zip"]][row["pay"]] += 1
    return classes


def count_given(values):
    """Count numbers by the value; whatever is not a number is missing."""
    return Counter(None if one is None or math.isnan(one) else one + 0.0 for one in values)


def measure_closeness(classes, private):
    """Return the greatest total variation distance of a class from all rows."""
    whole = private.total()
    return max(
        sum(
            abs(
                Fraction(counts["" if one is None else repr(one)], counts.total())
                - Fraction(n, whole)
            )
            for one, n in private.items()
        )
        / 2
        for counts in classes.values()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_is_as_close_in_the_file_as_in_the_search(kind, tmp_path):
    columns = {"zip": ["1"] * 3 + ["2"] * 3, "pay": [NAN, NAN, 1.5, None, None, 1.5]}
    made = make(KINDS[kind](columns, tmp_path), {"closeness": {"t": 0.05}})
    made.publish(tmp_path / "released" / "table.csv")
    classes = count_written(tmp_path / "released" / "table.csv")
    assert classes == {"1": {"": 2, "1.5": 1}, "2": {"": 2, "1.5": 1}}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind == "parquet" else pytest.mark.slow) for kind in KINDS],
)
@examples(12)
@given(
    values=st.lists(
        st.sampled_from([NAN, None, -0.0, 0.0, 1.5, 2.5]), min_size=len(ZIPS), max_size=len(ZIPS)
    ),
    protect=st.sampled_from(PROTECTIONS),
)
@example(values=[NAN, NAN, 1.5, None, None, 1.5, NAN, None, 1.5], protect=PROTECTIONS[4])
def test_what_is_written_satisfies_what_was_searched_for(kind, values, protect, tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    table = KINDS[kind]({"zip": ZIPS, "pay": values}, folder)
    try:
        made = make(table, protect)
    except (la.Infeasible, la.InvalidInput):
        return
    for suffix in ("csv", "parquet"):
        made.publish(folder / suffix / f"table.{suffix}")
        found = la.verify(folder / suffix, spec=made.specification, table=table)
        assert found.holds, [one for one in found.findings if not one.holds]
    classes = count_written(folder / "csv" / "table.csv")
    assert {text for one in classes.values() for text in one} <= {"", "0", "0.0", "1.5", "2.5"}
    [asked] = protect.items()
    if asked[0] == "distinct":
        assert min(map(len, classes.values())) >= 2
    if asked[0] == "closeness" and "0" not in {text for one in classes.values() for text in one}:
        assert measure_closeness(classes, count_given(values)) <= Fraction(1, 20)
    written = pa.parquet.read_table(folder / "parquet" / "table.parquet")["pay"].to_pylist()
    assert not any(one is not None and math.isnan(one) for one in written)


def test_the_text_nan_is_a_value():
    rows = duckdb.sql("SELECT * FROM (VALUES (1, 'nan'), (1, NULL), (1, 'NaN')) AS t(zip, ill)")
    promise = ProtectionPromise(("zip",), "ill", "distinct", {"l": 3})
    assert recount_protection(rows, promise).figure == 3


def test_a_number_that_is_none_is_missing_in_a_recount():
    rows = duckdb.sql("SELECT * FROM (VALUES (1, 'nan'::FLOAT), (1, NULL)) AS t(zip, pay)")
    promise = ProtectionPromise(("zip",), "pay", "distinct", {"l": 2})
    assert recount_protection(rows, promise).figure == 1


def test_the_text_nan_differs_from_missing_in_the_search(tmp_path):
    (tmp_path / "private.csv").write_text("zip,pay\n1,nan\n1,nan\n1,1\n" + "2,\n2,\n2,1\n")
    made = make(str(tmp_path / "private.csv"), {"closeness": {"t": 0.05}})
    made.publish(tmp_path / "released" / "table.csv")
    assert set(count_written(tmp_path / "released" / "table.csv")) == {"*"}
