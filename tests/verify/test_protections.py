"""The SQL recount of protections against the formulas of the search, and by itself."""

import math

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.hierarchy.value_order import rank_values
from lookalike.model.protections import (
    SLACK,
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Recursive,
    Share,
    count_values,
)
from lookalike.verify.protections import EQUAL_WITHIN, ProtectionPromise, recount_protection

from ..effort import examples
from ..small_tables import table_of

TREE = la.Taxonomy({"any": {"cold": ["flu", "cough"], "other": ["gout", "é"]}})
LABELS = {"flu": "cold", "cough": "cold", "gout": "other", "é": "other", None: None}
ILL = ["flu", "cough", "gout", "é", None]
COST = ["-3", "5", "7.5", "7.50", "10", "100", "1e3"]
DAYS = ["1999-02-11", "2001-02-28", "2001-12-01"]
KEYS = [("x", None), ("é", "p"), (None, None)]
ENGINE = duckdb.connect()


@st.composite
def people(draw, sensitive):
    """Invent a release of few classes, and the eligible rows: those of the release and others."""
    line = st.lists(st.integers(0, 4), min_size=len(sensitive), max_size=len(sensitive))
    classes = draw(st.lists(line.filter(any), min_size=1, max_size=len(KEYS)))
    rows = [
        row for key, one in zip(KEYS, classes, strict=False) for row in spell(key, one, sensitive)
    ]
    return rows, rows + spell(KEYS[0], draw(line), sensitive)


def spell(key, counts, sensitive):
    """Write the rows of a class, given how often it has each value."""
    return [
        (*key, value) for value, many in zip(sensitive, counts, strict=True) for _ in range(many)
    ]


def relate(rows, kind=None):
    table = table_of(("a", "b", "ill"), rows)
    if kind is not None:
        table = table.set_column(2, "ill", table["ill"].cast(kind))
    return ENGINE.from_arrow(table)


def count(rows, eligible, values):
    """Count the values of each class, as a search would."""
    keys = list(dict.fromkeys(row[:2] for row in rows))
    class_of = np.array([keys.index(row[:2]) for row in rows], dtype=np.int32)
    codes = np.array([values.index(row[2]) for row in rows], dtype=np.int32)
    reference = np.bincount([values.index(row[2]) for row in eligible], minlength=len(values))
    return count_values(class_of, codes, np.ones(len(rows), dtype=np.int64), len(keys), reference)


def compare(rows, eligible, protection, parameters, values, **more):
    """Compare the SQL recount with the formulas of the search."""
    promise = ProtectionPromise(("a", "b"), "ill", protection.name, parameters, **more)
    found = recount_protection(relate(rows), promise, relate(eligible))
    counted = count(rows, eligible, values)
    figures, failing = protection.measure(counted), protection.failing(counted)
    worst = min if protection.name in ("distinct", "entropy") else max
    assert found.judged
    assert found.classes == counted.classes
    assert found.figure == pytest.approx(worst(figures), abs=1e-9)
    assert found.classes_failing == failing.sum()
    assert found.rows_failing == counted.sizes[failing].sum()


@examples(25)
@given(people(ILL), st.integers(2, 3), st.sampled_from([0.2, 0.5, 1.0, 2.0]))
def test_recounts_equal_the_formulas_of_the_search(table, l, bound):  # noqa: E741
    asked = [
        (Distinct(l), {"l": l}),
        (Entropy(l), {"l": l}),
        (Recursive(bound, l), {"c": bound, "l": l}),
        (Share(1 / l), {"alpha": 1 / l}),
        (Likeness(bound, enhanced=False), {"beta": bound, "enhanced": False}),
        (Likeness(bound), {"beta": bound}),
        (Disclosure(bound), {"delta": bound}),
        (Closeness(bound / 4), {"t": bound / 4, "distance": "equal"}),
    ]
    for protection, parameters in asked:
        compare(*table, protection, parameters, ILL)


@examples(30)
@given(people(ILL), st.sampled_from([0.1, 0.25, 0.5]))
def test_distances_in_a_hierarchy_equal_those_of_the_search(table, t):
    nodes = ["cold", "other", None]
    levels = [range(len(ILL)), [nodes.index(LABELS[one]) for one in ILL], [0] * len(ILL)]
    protection = Closeness(t, "hierarchy", levels=np.array([[*line] for line in levels]))
    compare(*table, protection, {"t": t, "distance": "hierarchy"}, ILL, hierarchy=TREE)


@examples(50)
@given(people(COST), st.sampled_from([0.1, 0.25, 0.5]))
def test_distances_in_order_equal_those_of_the_search(table, t):
    compare(*table, Closeness(t, "ordered"), {"t": t, "distance": "ordered"}, COST)


@examples(20)
@given(people(DAYS))
def test_dates_are_ordered_by_time(table):
    compare(*table, Closeness(0.2, "ordered"), {"t": 0.2, "distance": "ordered"}, DAYS)


@pytest.mark.parametrize("values", [COST, DAYS])
def test_values_have_the_order_of_the_search(values):
    assert rank_values("cost", values).tolist() == [*range(len(values))]
    assert rank_values("cost", values[::-1]).tolist() == [*range(len(values))][::-1]


def recount(rows, name, parameters, eligible=None, **more):
    promise = ProtectionPromise(("a", "b"), "ill", name, parameters, **more)
    return recount_protection(rows, promise, eligible)


ONE = [("x", "p", "flu")] * 3
ALL = {
    "distinct": {"l": 1},
    "entropy": {"l": 1},
    "recursive": {"c": 1, "l": 2},
    "share": {"alpha": 1},
    "closeness": {"t": 0},
    "likeness": {"beta": 1},
    "disclosure": {"delta": 1},
}


@pytest.mark.parametrize("name", ALL)
def test_one_class_of_one_value_holds_but_for_recursive(name):
    found = recount(relate(ONE), name, ALL[name], relate(ONE))
    assert (found.classes, found.classes_failing) == (1, int(name == "recursive"))


def test_one_value_has_no_distance_in_order_or_hierarchy():
    rows = relate([("x", None, "7")] * 3)
    assert recount(rows, "closeness", {"t": 0, "distance": "ordered"}).figure == 0
    flat = la.Taxonomy({"any": ["7"]})
    given = {"t": 0, "distance": "hierarchy"}
    assert recount(rows, "closeness", given, hierarchy=flat).figure == 0


@pytest.mark.parametrize("name", ALL)
def test_a_release_without_rows_has_no_figure(name):
    found = recount(relate([]), name, ALL[name])
    assert (found.classes, found.figure, found.rows_failing) == (0, None, 0)


def test_missing_values_are_one_value():
    """SQL's count(DISTINCT) would find one value in each class."""
    rows = relate([("x", None, "flu"), ("x", None, None), ("x", None, None)])
    assert recount(rows, "distinct", {"l": 2}).figure == 2
    assert recount(rows, "share", {"alpha": 0.5}).figure == pytest.approx(2 / 3)


def test_not_a_number_is_missing():
    numbers = pa.table({"a": ["x"] * 3, "b": ["p"] * 3, "ill": pa.array([1.0, math.nan, None])})
    assert recount(ENGINE.from_arrow(numbers), "distinct", {"l": 2}).figure == 2


def test_without_eligible_rows_the_figure_judges_nothing():
    rows = relate([("x", "p", "flu"), ("y", "p", "gout")])
    found = recount(rows, "closeness", {"t": 0.2})
    assert (found.figure, found.judged) == (0.5, False)
    assert recount(rows, "distinct", {"l": 2}).judged


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.decimal128(9, 2)])
@pytest.mark.parametrize("name", ["closeness", "likeness", "disclosure"])
def test_released_text_equals_typed_private_values(name, kind):
    rows = [("x", "p", "1"), ("x", "p", "20"), ("y", "p", "1"), ("y", None, None)]
    found = recount(relate(rows), name, ALL[name], relate(rows, kind))
    assert found == recount(relate(rows), name, ALL[name], relate(rows))
    typed = recount(relate(rows, kind), name, ALL[name], relate(rows, kind))
    assert typed == found


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("closeness", {}),
        ("closeness", {"distance": "ordered"}),
        ("closeness", {"distance": "hierarchy"}),
        ("likeness", {}),
        ("disclosure", {}),
    ],
)
def test_a_value_that_no_eligible_row_has_fails(name, more):
    released = relate([("x", "p", "1"), ("y", "p", "2")])
    eligible = relate([("x", "p", "1"), ("y", "p", "1")])
    tree = la.Taxonomy({"any": ["1", "2"]})
    found = recount(released, name, ALL[name] | more, eligible, hierarchy=tree)
    assert found.classes_failing == 1


@pytest.mark.parametrize("value", ["tall", None])
def test_values_without_an_order_are_refused(value):
    with pytest.raises(InvalidInput, match="column 'ill': only numbers, and dates"):
        recount(relate([("x", "p", value)]), "closeness", {"t": 1, "distance": "ordered"})


def test_a_hierarchy_is_needed():
    with pytest.raises(InvalidInput, match="column 'ill' needs a hierarchy"):
        recount(relate(ONE), "closeness", {"t": 1, "distance": "hierarchy"})


def test_figures_are_equal_within_the_same_slack():
    assert EQUAL_WITHIN == SLACK
