"""Properties of the risk of invented tables, compared with plain counting."""

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

import lookalike as la

from ..effort import examples
from ..small_tables import table_of

some = examples(60)
COLUMNS = ("a", "b", "c", "d", "e")
SENSITIVE = ("illness", "cost")


@st.composite
def people(draw, min_rows=0, max_rows=20):
    """Invent people of up to five linkable columns, an illness and a cost."""
    number = draw(st.integers(1, len(COLUMNS)))
    linkable = [st.sampled_from(["x", "y", "é", None])] * number
    illness = st.sampled_from(["flu", "gout", None])
    cost = st.sampled_from(["5", "10", "100", "7.5"])
    rows = draw(st.lists(st.tuples(*linkable, illness, cost), min_size=min_rows, max_size=max_rows))
    return COLUMNS[:number], table_of((*COLUMNS[:number], *SENSITIVE), rows)


def classes_of(table, columns):
    """Count how often each sequence of some columns occurs."""
    return Counter(zip(*(table[name].to_pylist() for name in columns), strict=True))


@some
@given(people(), st.integers(1, 6), st.integers(1, 4))
def test_every_subset_is_counted_as_one_would_by_hand(invented, size, k):
    names, table = invented
    found = la.risk(table, names, k=k, size=size)
    expected = [subset for number in range(1, size + 1) for subset in combinations(names, number)]
    assert [one.attributes for one in found.subsets] == expected
    for one in (*found.subsets, found.whole):
        sizes = classes_of(table, one.attributes).values()
        assert (one.rows, one.classes) == (table.num_rows, len(sizes))
        assert one.smallest == min(sizes, default=0)
        assert one.unique_rows == sum(number for number in sizes if number == 1)
        assert one.rows_below_k == sum(number for number in sizes if number < k)
    sizes = Counter(classes_of(table, names).values())
    assert found.class_sizes == tuple(sorted(sizes.items()))


@some
@given(people())
def test_smallest_subsets_single_out_and_none_below_them_does(invented):
    names, table = invented
    found = la.risk(table, names, size=len(names))
    singles = {one.attributes for one in found.subsets if one.unique_rows}
    expected = [
        subset for subset in singles if not any(set(other) < set(subset) for other in singles)
    ]
    assert {one.attributes for one in found.singling_out} == set(expected)


@some
@given(people(min_rows=1), people(min_rows=1), st.integers(1, 4))
def test_odds_follow_from_rows_and_persons(invented, others, k):
    names, table = invented
    more = others[1].slice(0, 5).select([name for name in names if name in others[0]])
    everybody = table.select(names)
    if more.num_columns == len(names):
        everybody = table_of(names, [*rows(everybody), *rows(more)])
    found = la.risk(table, names, k=k, population=everybody)
    ours, theirs = classes_of(table, names), classes_of(everybody, names)
    linkable = rows(table.select(names))
    of_row = [theirs[row] for row in linkable]
    by_class = [(number, theirs[key]) for key, number in ours.items()]
    assert found.population.rows_beyond == 0
    assert found.prosecutor.highest == pytest.approx(max(1 / f for f, _ in by_class))
    assert found.prosecutor.average == pytest.approx(np.mean([1 / ours[row] for row in linkable]))
    assert found.journalist.highest == pytest.approx(max(1 / number for number in of_row))
    assert found.marketer == pytest.approx(np.mean([1 / number for number in of_row]))
    per_person = len(by_class) / sum(number for _, number in by_class)
    assert found.journalist.average == pytest.approx(max(found.marketer, per_person))
    assert found.journalist.rows_at_risk == sum(number < k for number in of_row)
    assert found.journalist.highest <= found.prosecutor.highest


def rows(table):
    """List the rows of a table."""
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


@some
@given(people(min_rows=1))
def test_diversity_follows_from_the_values_of_each_class(invented):
    names, table = invented
    found = la.risk(table, names, sensitive=["illness"], ordered=["cost"])
    inside = defaultdict(list)
    for row in rows(table):
        inside[row[: len(names)]].append(row[len(names) :])
    expected = {key: inside[key] for key in found.classes.label(range(len(found.classes)))}
    for column, one in enumerate(found.sensitive):
        drawn = [[row[column] for row in members] for members in expected.values()]
        whole = [value for values in drawn for value in values]
        assert one.distinct.tolist() == [len(set(values)) for values in drawn]
        assert one.sizes.tolist() == [len(values) for values in drawn]
        assert one.homogeneous.tolist() == [len(set(values)) == 1 for values in drawn]
        assert one.entropy == pytest.approx([entropy_l(values) for values in drawn])
        far = on_a_line if one.distance == "ordered" else apart
        assert one.distances == pytest.approx([far(values, whole) for values in drawn], abs=1e-9)


def entropy_l(values):
    """Return the exponential of the entropy of some values."""
    shares = np.array(list(Counter(values).values())) / len(values)
    return float(np.exp(-(shares * np.log(shares)).sum()))


def apart(values, whole):
    """Return how much must be moved if all values are equally far apart."""
    ours, theirs = Counter(values), Counter(whole)
    return sum(abs(ours[v] / len(values) - theirs[v] / len(whole)) for v in theirs) / 2


def on_a_line(values, whole):
    """Return how far must be moved if values lie on a line, one step from one to the next."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(whole), key=float))}
    if len(ranks) == 1:
        return 0.0
    ours, theirs = ([ranks[value] for value in some] for some in (values, whole))
    return wasserstein_distance(ours, theirs) / (len(ranks) - 1)
