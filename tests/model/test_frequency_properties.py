"""Properties of every frequency list and of its measures."""

from collections import Counter
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels import group_sequences, grouping
from lookalike.model.lattice import dominates
from lookalike.model.measures import entropy, loss, precision

from ..brute import find_minimal, generalize_rows, list_vectors
from ..effort import examples
from ..invented import tables, tables_and_vectors
from ..small_tables import occurrences, suppress_everything, suppress_nothing

few = examples(60)


@few
@given(tables(min_rows=0))
def test_the_list_counts_every_row_once(invented):
    assert invented.frequency.rows == invented.table.num_rows
    assert len(set(invented.frequency.sequences())) == len(invented.frequency)


@few
@given(tables_and_vectors(min_rows=0))
def test_rolling_up_counts_what_generalizing_row_by_row_gives(case):
    invented, (vector,) = case
    expected = Counter(generalize_rows(invented.rows, invented.rules, vector))
    assert occurrences(invented.frequency.roll_up(vector)) == expected


@few
@given(tables_and_vectors(number=2, min_rows=0))
def test_rolling_up_in_two_steps_is_rolling_up_in_one(case):
    invented, (lower, upper) = case
    at_once = invented.frequency.roll_up(upper)
    in_steps = invented.frequency.roll_up(lower).roll_up(upper)
    assert in_steps.vector == at_once.vector
    assert occurrences(in_steps) == occurrences(at_once)


@few
@given(tables_and_vectors(min_rows=0))
def test_rolling_up_conserves_the_rows(case):
    invented, (vector,) = case
    class_of, classes = invented.frequency.classify(vector)
    assert classes.rows == invented.frequency.rows
    gathered = np.bincount(class_of, weights=invented.frequency.counts, minlength=len(classes))
    assert gathered.tolist() == classes.counts.tolist()


@few
@given(tables_and_vectors(min_rows=0))
def test_distinct_counts_the_values_that_occur(case):
    invented, (vector,) = case
    columns = zip(*generalize_rows(invented.rows, invented.rules, vector), strict=True)
    expected = [len(set(column)) for column in columns] or [0] * len(vector)
    assert list(invented.frequency.distinct(vector)) == expected


@few
@given(tables_and_vectors(number=2), st.integers(1, 6))
def test_outliers_never_grow_upwards(case, k):
    """Samarati, Theorem 5.2."""
    invented, (lower, upper) = case
    assert invented.frequency.outliers(upper, k) <= invented.frequency.outliers(lower, k)


@few
@given(tables_and_vectors(), st.integers(1, 6))
def test_outliers_never_shrink_with_k(case, k):
    invented, (vector,) = case
    assert invented.frequency.outliers(vector, k) <= invented.frequency.outliers(vector, k + 1)


@few
@given(tables_and_vectors(), st.integers(1, 6))
def test_outliers_are_the_rows_that_fewer_than_k_rows_equal(case, k):
    invented, (vector,) = case
    shown = generalize_rows(invented.rows, invented.rules, vector)
    assert invented.frequency.outliers(vector, k) == sum(shown.count(row) < k for row in shown)


@few
@given(
    st.lists(st.integers(1, 9), max_size=6).flatmap(
        lambda sizes: st.tuples(
            st.just(tuple(sizes)),
            st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), max_size=30),
        )
    ),
    st.integers(1, 200),
)
def test_keys_that_do_not_fit_are_grouped_like_those_that_do(case, limit):
    sizes, sequences = case
    codes = np.array(sequences, dtype=np.int32).reshape(len(sequences), len(sizes)).T
    lifts = [np.arange(size, dtype=np.int32) for size in sizes]
    counts = np.arange(1, len(sequences) + 1)
    packed = group_sequences(codes, lifts, sizes, counts)
    with patch.object(grouping, "KEY_LIMIT", limit):
        wide = group_sequences(codes, lifts, sizes, counts)
    assert [found.tolist() for found in wide] == [found.tolist() for found in packed]


@few
@given(tables_and_vectors(number=2))
def test_loss_and_entropy_never_shrink_upwards(case):
    invented, vectors = case
    freq = invented.frequency
    for lost in (loss, entropy):
        lower, upper = (lost(freq, suppress_nothing(freq, vector)) for vector in vectors)
        assert 0 <= lower <= upper + 1e-12 <= 1 + 2e-12


@few
@given(tables_and_vectors(number=2))
def test_precision_never_grows_upwards(case):
    invented, vectors = case
    freq = invented.frequency
    lower, upper = (precision(freq, suppress_nothing(freq, vector)) for vector in vectors)
    assert 0 <= upper <= lower <= 1


@few
@given(tables())
def test_the_table_as_it_is_loses_nothing(invented):
    freq = invented.frequency
    if all(hierarchy.unknown is None for hierarchy in freq.hierarchies):
        bottom = suppress_nothing(freq, (0,) * len(freq.heights))
        assert (precision(freq, bottom), loss(freq, bottom), entropy(freq, bottom)) == (1, 0, 0)


@few
@given(tables_and_vectors())
def test_a_table_that_is_suppressed_loses_everything_there_was(case):
    invented, (vector,) = case
    freq = invented.frequency
    nothing = suppress_everything(freq, vector)
    heights = [height > 0 for height in freq.heights]
    leaves = [
        hierarchy.leaves[-1].sum() > 1 or (hierarchy.unknown is not None and hierarchy.height > 0)
        for hierarchy in freq.hierarchies
    ]
    varied = any(number > 1 for number in freq.distinct((0,) * len(vector)))
    assert np.isclose(precision(freq, nothing), 1 - np.mean(heights))
    assert np.isclose(loss(freq, nothing), np.mean(leaves))
    assert np.isclose(entropy(freq, nothing), float(varied))


@few
@given(tables(max_rows=8), st.integers(2, 3))
def test_the_vectors_that_satisfy_k_are_those_above_the_minimal_ones(invented, k):
    freq = invented.frequency
    vectors = list_vectors(freq.heights)
    satisfying = {vector for vector in vectors if freq.outliers(vector, k) == 0}
    minimal = find_minimal(satisfying)
    above = {v for v in vectors if any(dominates(v, lower) for lower in minimal)}
    assert satisfying == above
