"""Properties of every result of Datafly."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import raise_level
from lookalike.model.requirement import Requirement
from lookalike.search.methods import datafly

from ..effort import examples
from ..invented import tables
from ..small_tables import occurrences

few = examples(100)
ks = st.integers(2, 5)
allowances = st.one_of(st.none(), st.integers(0, 8))


@few
@given(tables(min_rows=6), ks, allowances)
def test_it_stops_at_the_first_step_within_the_allowance(invented, k, allowed):
    assume(invented.frequency.rows > max(k, allowed or 0))
    recoding = datafly(invented.frequency, Requirement(k, allowed))
    *before, last = (step.outliers for step in recoding.steps)
    allowance = k if allowed is None else allowed
    assert last == recoding.rows_suppressed <= allowance
    assert all(outliers > allowance for outliers in before)


@few
@given(tables(min_rows=6), ks, allowances)
def test_each_step_raises_the_first_attribute_with_most_distinct_values(invented, k, allowed):
    assume(invented.frequency.rows > max(k, allowed or 0))
    steps = datafly(invented.frequency, Requirement(k, allowed)).steps
    assert steps[0].vector == (0,) * len(invented.hierarchies)
    for step, following in pairwise(steps):
        attribute = step.distinct.index(max(step.distinct))
        assert following.vector == raise_level(step.vector, attribute)


@few
@given(tables(min_rows=6), ks, allowances)
def test_each_step_describes_the_list_at_its_vector(invented, k, allowed):
    assume(invented.frequency.rows > max(k, allowed or 0))
    for step in datafly(invented.frequency, Requirement(k, allowed)).steps:
        rolled = invented.frequency.roll_up(step.vector)
        columns = zip(*rolled.sequences(), strict=True)
        assert step.distinct == tuple(len(set(column)) for column in columns)
        assert step.sequences == len(rolled)
        assert step.outliers == sum(n for n in occurrences(rolled).values() if n < k)


@few
@given(tables(max_rows=8), ks)
def test_a_table_that_satisfies_k_is_left_as_it_is(invented, k):
    repeated = invented.reorder([*range(invented.table.num_rows)] * k)
    recoding = datafly(repeated.frequency, Requirement(k))
    assert recoding.vector == (0,) * len(invented.hierarchies)
    assert recoding.rows_suppressed == 0
    assert not recoding.suppressed.any()
    assert len(recoding.steps) == 1
    assert recoding.k_minimal


@few
@given(tables(min_rows=0, max_rows=4), st.integers(5, 9))
def test_fewer_rows_than_k_are_infeasible(invented, k):
    with pytest.raises(Infeasible, match="fewer than k"):
        datafly(invented.frequency, Requirement(k))
