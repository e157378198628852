"""Rounding and cutting are exact, as Python's whole numbers and fractions are, or refused."""

import math
from decimal import Decimal
from fractions import Fraction

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning, ColumnCleaning, NumberCoarsening
from lookalike.tables.engines import collect
from lookalike.tables.read import read_frame
from lookalike.verify.released_values import count_fine_values

from ..effort import examples

INT64 = (-(2**63), 2**63 - 1)
UINT64 = (0, 2**64 - 1)
PRECISE = 9007199254740993
"""One more than the whole numbers of which floating-point numbers have each."""


def coarsen_exactly(value, asked):
    """Return the coarser number, from its definition."""
    number = Fraction(value)
    if asked.round is not None:
        number = Fraction(math.floor(number / asked.round + Fraction(1, 2)) * asked.round)
    if asked.bottom is not None:
        number = max(number, Fraction(asked.bottom))
    return number if asked.top is None else min(number, Fraction(asked.top))


def coarsen(table, asked):
    """Return the coarser values of a column, and what the recount says of them."""
    rules = Cleaning(columns={"pay": ColumnCleaning(coarsening=asked)})
    rows = collect(clean(read_frame(table), rules)).to_arrow()
    relation = duckdb.connect().from_arrow(rows)
    fine = count_fine_values(relation, "pay", asked.round, asked.top, asked.bottom)
    return rows["pay"].to_pylist(), fine


def coarsen_or_refuse(table, asked):
    """Return why a column is refused, or nothing and its coarser values."""
    try:
        return None, *coarsen(table, asked)
    except la.InvalidInput as refused:
        return str(refused), [], 0


def asked_within(low, high):
    """Return strategies of what may be asked of a column."""
    ends = st.lists(st.integers(low, high), min_size=2, max_size=2, unique=True).map(sorted)
    multiple = st.none() | st.integers(1, 1000) | st.integers(1, high)

    @st.composite
    def draw_asked(draw):
        bottom, top = draw(ends)
        bottom, top = (draw(st.sampled_from([None, end])) for end in (bottom, top))
        return NumberCoarsening(draw(multiple), top, bottom)

    return draw_asked()


WHOLE = {
    "pyarrow": lambda values, kind: pa.table({"pay": pa.array(values, kind)}),
    "polars": lambda values, kind: pl.from_arrow(pa.table({"pay": pa.array(values, kind)})),
    "pandas": lambda values, kind: pd.DataFrame(
        {"pay": pd.array(values, "Int64" if kind == pa.int64() else "UInt64")}
    ),
    "duckdb": lambda values, kind: duckdb.connect().from_arrow(
        pa.table({"pay": pa.array(values, kind)})
    ),
}


@pytest.mark.parametrize("frame", WHOLE)
@pytest.mark.parametrize(("kind", "bounds"), [(pa.int64(), INT64), (pa.uint64(), UINT64)])
@examples(60)
@given(data=st.data())
def test_whole_numbers(frame, kind, bounds, data):
    values = data.draw(st.lists(st.integers(*bounds), min_size=1, max_size=5))
    asked = data.draw(asked_within(*bounds))
    expected = [coarsen_exactly(value, asked) for value in values]
    table = WHOLE[frame]([*values, None], kind)
    if not all(bounds[0] <= one <= bounds[1] for one in expected):
        with pytest.raises(la.InvalidInput, match="column 'pay' cannot be rounded") as refused:
            coarsen(table, asked)
        assert not any(str(value) in str(refused.value) for value in values if abs(value) > 100)
        return
    assert coarsen(table, asked) == ([*expected, None], 0)


DIGITS = st.from_regex(r"\A[+-]?[0-9]{1,34}(\.[0-9]{1,40})?\Z").filter(str.isascii)


@pytest.mark.parametrize("frame", ["pyarrow", "duckdb"])
@examples(80)
@given(values=st.lists(DIGITS, min_size=1, max_size=5), asked=asked_within(-(10**33), 10**33))
@example(values=["-0.5", "0.49999999999999999", "2.5"], asked=NumberCoarsening(1))
@example(values=["1499.9999999999999999999999", "-1500.0000000001"], asked=NumberCoarsening(1000))
def test_text(frame, values, asked):
    assume(asked.is_asked)
    released, fine = coarsen(WHOLE[frame](values, pa.string()), asked)
    for text, shown in zip(values, released, strict=True):
        assert Fraction(shown) == coarsen_exactly(text, asked)
        assert asked.round is not None or Fraction(shown) != Fraction(text) or shown == text
    assert fine == 0


@pytest.mark.parametrize("scale", [0, 2, 9, 20])
@examples(60)
@given(data=st.data())
def test_decimals(scale, data):
    most = 10 ** (38 - scale) - 1
    number = st.integers(-(10**37), 10**37).map(lambda one: Decimal(one).scaleb(-scale))
    values = data.draw(st.lists(number, min_size=1, max_size=4))
    asked = data.draw(asked_within(-min(most, 10**33), min(most, 10**33)))
    table = pa.table({"pay": pa.array(values, pa.decimal128(38, scale))})
    expected = [coarsen_exactly(value, asked) for value in values]
    if max(map(abs, [*values, *expected])) >= min(10**34, most):
        refused, released, fine = coarsen_or_refuse(table, asked)
        if refused:
            assert "column 'pay' cannot be rounded or cut" in refused
            return
    else:
        released, fine = coarsen(table, asked)
    assert ([Fraction(one) for one in released], fine) == (expected, 0)


@examples(100)
@given(
    values=st.lists(st.floats(allow_nan=False, width=64), min_size=1, max_size=5),
    asked=asked_within(-(10**6), 10**6),
)
@example(values=[0.49999999999999994], asked=NumberCoarsening(1))
@example(values=[-1e-20, -0.5, 4503599627370497.5], asked=NumberCoarsening(1))
@example(values=[1e300, math.inf], asked=NumberCoarsening(None, None, 0))
@example(values=[1e300, -math.inf], asked=NumberCoarsening(7, 100, -100))
def test_fractions(values, asked):
    table = pa.table({"pay": pa.array(values, pa.float64())})
    refused, released, fine = coarsen_or_refuse(table, asked)
    if refused:
        assert "have no exact result of type DOUBLE" in refused
        assert asked.round is not None
        assert max(map(abs, values)) > 2**53 - asked.round
        return
    for value, shown in zip(values, released, strict=True):
        if math.isinf(value):
            cut = asked.top if value > 0 else asked.bottom
            assert shown == (value if cut is None else cut)
        else:
            assert Fraction(shown) == coarsen_exactly(value, asked)
    assert fine == 0


@pytest.mark.parametrize(
    ("kind", "value", "fields"),
    [
        ("HUGEINT", 2**126, {"round": 10}),
        ("TINYINT", 5, {"bottom": 500}),
        ("DECIMAL(4, 2)", 5, {"bottom": 500}),
        ("DOUBLE", 5, {"bottom": PRECISE}),
        ("FLOAT", 5, {"top": 2**24 + 1}),
        ("VARCHAR", "9" * 35, {"round": 10}),
        ("BIGINT", 5, {"top": 10**40}),
        ("BOOLEAN", True, {"round": 10}),
    ],
)
def test_what_cannot_be_exact_is_refused_without_the_value(kind, value, fields):
    table = duckdb.connect().sql(f"SELECT CAST('{value}' AS {kind}) AS pay")
    with pytest.raises(la.InvalidInput, match="column 'pay' cannot be rounded or cut") as refused:
        coarsen(table, NumberCoarsening(**fields))
    assert str(2**126) not in str(refused.value)
    assert "9" * 35 not in str(refused.value)


@pytest.mark.parametrize("kind", ["HUGEINT", "UBIGINT", "BIGINT", "DECIMAL(20, 2)", "VARCHAR"])
def test_a_cut_at_the_other_end_keeps_every_digit(kind):
    table = duckdb.connect().sql(f"SELECT CAST('{PRECISE}' AS {kind}) AS pay")
    released, fine = coarsen(table, NumberCoarsening(bottom=0))
    assert (int(released[0]), fine) == (PRECISE, 0)
