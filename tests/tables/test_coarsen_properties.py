"""Rounding and cutting are exact, as Python's whole numbers and fractions are, or refused."""

import math
from decimal import Decimal
from fractions import Fraction

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
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
TOGETHER = 4
"""How many columns of one table are coarsened in each example, which costs as much as one."""
RECOUNT = duckdb.connect()


def coarsen_exactly(value, asked):
    """Return the coarser number, from its definition."""
    number = Fraction(value)
    if asked.round is not None:
        number = Fraction(math.floor(number / asked.round + Fraction(1, 2)) * asked.round)
    if asked.bottom is not None:
        number = max(number, Fraction(asked.bottom))
    return number if asked.top is None else min(number, Fraction(asked.top))


def coarsen(table, asked):
    """Return the coarser values of the column, and what the recount says of them."""
    return coarsen_columns(table, {"pay": asked})["pay"]


def coarsen_columns(table, asked):
    """Return the coarser values of each column, and what the recount says of them."""
    columns = {name: ColumnCleaning(coarsening=one) for name, one in asked.items()}
    rows = collect(clean(read_frame(table), Cleaning(columns=columns))).to_arrow()
    relation = RECOUNT.from_arrow(rows)
    return {
        name: (
            rows[name].to_pylist(),
            count_fine_values(relation, name, one),
        )
        for name, one in asked.items()
    }


def coarsen_together(cases, make):
    """Return what becomes of the values of cases, as columns of one table."""
    most = max((len(values) for values, _ in cases), default=0)
    columns = {
        f"pay {number}": [*values, *[None] * (most - len(values))]
        for number, (values, _) in enumerate(cases)
    }
    asked = {name: one for name, (_, one) in zip(columns, cases, strict=True)}
    found = coarsen_columns(make(columns), asked) if cases else {}
    for (values, _), (released, fine) in zip(cases, found.values(), strict=True):
        assert released[len(values) :] == [None] * (most - len(values))
        yield released[: len(values)], fine


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


def to_arrow(columns, kind):
    return pa.table({name: pa.array(values, kind) for name, values in columns.items()})


def to_pandas(columns, kind):
    typed = "Int64" if kind == pa.int64() else "UInt64"
    return pd.DataFrame({name: pd.array(values, typed) for name, values in columns.items()})


WHOLE = {
    "pyarrow": to_arrow,
    "polars": lambda columns, kind: pl.from_arrow(to_arrow(columns, kind)),
    "pandas": to_pandas,
    "duckdb": lambda columns, kind: duckdb.connect().from_arrow(to_arrow(columns, kind)),
}


@pytest.mark.parametrize("frame", WHOLE)
@pytest.mark.parametrize(("kind", "bounds"), [(pa.int64(), INT64), (pa.uint64(), UINT64)])
@examples(60 // TOGETHER)
@given(data=st.data())
def test_whole_numbers(frame, kind, bounds, data):
    numbers = st.lists(st.integers(*bounds), min_size=1, max_size=5)
    case = st.tuples(numbers, asked_within(*bounds))
    exact, results = [], []
    for drawn, asked in data.draw(st.lists(case, min_size=TOGETHER, max_size=TOGETHER)):
        ends = [
            end + by for end in (asked.bottom, asked.top) if end is not None for by in (-1, 0, 1)
        ]
        values = [*drawn, *(end for end in ends if bounds[0] <= end <= bounds[1]), None]
        expected = [coarsen_exactly(value, asked) for value in values[:-1]]
        if all(bounds[0] <= one <= bounds[1] for one in expected):
            exact.append((values, asked))
            results.append(([*expected, None], 0))
            continue
        with pytest.raises(la.InvalidInput, match="column 'pay' cannot be rounded") as refused:
            coarsen(WHOLE[frame]({"pay": values}, kind), asked)
        large = [value for value in values[:-1] if abs(value) > 100]
        assert not any(str(value) in str(refused.value) for value in large)
    assert list(coarsen_together(exact, lambda made: WHOLE[frame](made, kind))) == results


DIGITS = st.from_regex(r"\A[+-]?[0-9]{1,34}(\.[0-9]{1,40})?\Z").filter(str.isascii)


TEXTS = st.tuples(
    st.lists(DIGITS, min_size=1, max_size=5),
    asked_within(-(10**33), 10**33).filter(lambda asked: asked.is_asked),
)
HALVES = ["-0.5", "0.49999999999999999", "2.5"]
THOUSANDS = ["1499.9999999999999999999999", "-1500.0000000001"]


@pytest.mark.parametrize("frame", ["pyarrow", "duckdb"])
@examples(80 // TOGETHER)
@given(cases=st.lists(TEXTS, min_size=TOGETHER, max_size=TOGETHER))
@example(cases=[(HALVES, NumberCoarsening(1)), (THOUSANDS, NumberCoarsening(1000))])
def test_text(frame, cases):
    found = coarsen_together(cases, lambda made: WHOLE[frame](made, pa.string()))
    for (values, asked), (released, fine) in zip(cases, found, strict=True):
        for text, shown in zip(values, released, strict=True):
            assert Fraction(shown) == coarsen_exactly(text, asked)
            assert asked.round is not None or Fraction(shown) != Fraction(text) or shown == text
        assert fine == 0


@pytest.mark.parametrize("scale", [0, 2, 9, 20])
@examples(60 // TOGETHER)
@given(data=st.data())
def test_decimals(scale, data):
    most, kind = 10 ** (38 - scale) - 1, pa.decimal128(38, scale)
    number = st.integers(-(10**37), 10**37).map(lambda one: Decimal(one).scaleb(-scale))
    asked_of = asked_within(-min(most, 10**33), min(most, 10**33))
    case = st.tuples(st.lists(number, min_size=1, max_size=4), asked_of)
    exact = []
    for values, asked in data.draw(st.lists(case, min_size=TOGETHER, max_size=TOGETHER)):
        expected = [coarsen_exactly(value, asked) for value in values]
        if max(map(abs, [*values, *expected])) < min(10**34, most):
            exact.append((values, asked))
            continue
        refused, released, fine = coarsen_or_refuse(to_arrow({"pay": values}, kind), asked)
        if refused:
            assert "column 'pay' cannot be rounded or cut" in refused
        else:
            assert ([Fraction(one) for one in released], fine) == (expected, 0)
    found = coarsen_together(exact, lambda made: to_arrow(made, kind))
    for (values, asked), (released, fine) in zip(exact, found, strict=True):
        expected = [coarsen_exactly(value, asked) for value in values]
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
